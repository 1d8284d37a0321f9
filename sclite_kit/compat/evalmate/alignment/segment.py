"""evalmate's module `segment`."""

from scoring.tasks.labels.aligners import InvariantSegmentAligner as InvariantSegmentAligner
