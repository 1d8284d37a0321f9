"""evalmate's module `utils`."""

from scoring.tasks.labels.aligners import LabelPair as LabelPair
from scoring.tasks.labels.aligners import Segment as Segment
