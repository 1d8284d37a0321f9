"""The labels of one side."""

from scoring.tasks.labels.label_set import LabelSet as LabelSet
from scoring.tasks.labels.outcome import Outcome as Outcome
