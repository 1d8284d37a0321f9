"""evalmate's functions for overlaps of labels."""

from scoring.tasks.labels.aligners import overlap_percentage as overlap_percentage
from scoring.tasks.labels.aligners import overlap_time as overlap_time
