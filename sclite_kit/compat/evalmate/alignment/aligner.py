"""evalmate's module `aligner`."""

from scoring.tasks.labels.aligners import EventAligner as EventAligner
from scoring.tasks.labels.aligners import SegmentAligner as SegmentAligner
