"""Metrics of speech and silence; names that are not here are those of the installed package."""

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
