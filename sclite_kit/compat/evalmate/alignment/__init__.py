"""evalmate's aligners of labels."""

from scoring.tasks.labels.aligners import BipartiteMatchingAligner as BipartiteMatchingAligner
from scoring.tasks.labels.aligners import CandidateFinder as CandidateFinder
from scoring.tasks.labels.aligners import EventAligner as EventAligner
from scoring.tasks.labels.aligners import FullMatchingAligner as FullMatchingAligner
from scoring.tasks.labels.aligners import InvariantSegmentAligner as InvariantSegmentAligner
from scoring.tasks.labels.aligners import LabelPair as LabelPair
from scoring.tasks.labels.aligners import LevenshteinAligner as LevenshteinAligner
from scoring.tasks.labels.aligners import OverlapCandidateFinder as OverlapCandidateFinder
from scoring.tasks.labels.aligners import Segment as Segment
from scoring.tasks.labels.aligners import SegmentAligner as SegmentAligner
from scoring.tasks.labels.aligners import StartEndCandidateFinder as StartEndCandidateFinder
