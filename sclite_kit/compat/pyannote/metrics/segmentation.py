"""pyannote's segmentation metrics; all other names come from the installed pyannote.metrics."""

from scoring.peers.pyannote import SegmentationCoverage as SegmentationCoverage
from scoring.peers.pyannote import SegmentationPrecision as SegmentationPrecision
from scoring.peers.pyannote import SegmentationPurity as SegmentationPurity
from scoring.peers.pyannote import (
    SegmentationPurityCoverageFMeasure as SegmentationPurityCoverageFMeasure,
)
from scoring.peers.pyannote import SegmentationRecall as SegmentationRecall
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.segmentation")
