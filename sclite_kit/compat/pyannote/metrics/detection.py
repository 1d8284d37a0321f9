"""pyannote's detection metrics; all other names come from the installed pyannote.metrics."""

from scoring.peers.pyannote import DetectionAccuracy as DetectionAccuracy
from scoring.peers.pyannote import DetectionCostFunction as DetectionCostFunction
from scoring.peers.pyannote import DetectionErrorRate as DetectionErrorRate
from scoring.peers.pyannote import DetectionPrecision as DetectionPrecision
from scoring.peers.pyannote import (
    DetectionPrecisionRecallFMeasure as DetectionPrecisionRecallFMeasure,
)
from scoring.peers.pyannote import DetectionRecall as DetectionRecall
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.detection")
