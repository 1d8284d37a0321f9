"""evalmate's counts of confused labels."""

from scoring.tasks.labels.confusion import AggregatedConfusion as AggregatedConfusion
from scoring.tasks.labels.confusion import Confusion as Confusion
from scoring.tasks.labels.confusion import EventConfusion as EventConfusion
from scoring.tasks.labels.confusion import SegmentConfusion as SegmentConfusion
from scoring.tasks.labels.confusion import create_from_label_pairs as create_from_label_pairs
from scoring.tasks.labels.confusion import create_from_segments as create_from_segments
