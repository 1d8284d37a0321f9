"""evalmate's module `segment`."""

from scoring.tasks.labels.confusion import SegmentConfusion as SegmentConfusion
