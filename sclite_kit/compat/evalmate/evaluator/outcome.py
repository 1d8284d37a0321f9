"""evalmate's module `outcome`, whose objects hold the labels of a reference or a hypothesis."""

from scoring.tasks.labels.label_set import LabelSet as LabelSet
from scoring.tasks.labels.outcome import Outcome as Outcome
