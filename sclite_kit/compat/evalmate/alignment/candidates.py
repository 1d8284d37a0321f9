"""evalmate's module `candidates`."""

from scoring.tasks.labels.aligners import CandidateFinder as CandidateFinder
from scoring.tasks.labels.aligners import OverlapCandidateFinder as OverlapCandidateFinder
from scoring.tasks.labels.aligners import StartEndCandidateFinder as StartEndCandidateFinder
