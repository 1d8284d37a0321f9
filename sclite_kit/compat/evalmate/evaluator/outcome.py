"""evalmate's module `outcome`: the labels of a reference or a hypothesis."""

from scoring.tasks.labels.label_set import LabelSet as LabelSet
from scoring.tasks.labels.outcome import Outcome as Outcome
