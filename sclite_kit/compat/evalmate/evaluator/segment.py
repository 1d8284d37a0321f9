"""evalmate's module `segment`."""

from scoring.tasks.labels.segments import SegmentEvaluation as SegmentEvaluation
from scoring.tasks.labels.segments import SegmentEvaluator as SegmentEvaluator
