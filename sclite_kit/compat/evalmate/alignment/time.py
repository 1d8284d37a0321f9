"""evalmate's module `time`."""

from scoring.tasks.labels.aligners import BipartiteMatchingAligner as BipartiteMatchingAligner
from scoring.tasks.labels.aligners import FullMatchingAligner as FullMatchingAligner
