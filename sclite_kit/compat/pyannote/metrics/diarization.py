"""pyannote's diarisation metrics; all other names come from the installed pyannote.metrics."""

from scoring.peers.pyannote import DiarizationCompleteness as DiarizationCompleteness
from scoring.peers.pyannote import DiarizationCoverage as DiarizationCoverage
from scoring.peers.pyannote import DiarizationErrorRate as DiarizationErrorRate
from scoring.peers.pyannote import DiarizationHomogeneity as DiarizationHomogeneity
from scoring.peers.pyannote import DiarizationPurity as DiarizationPurity
from scoring.peers.pyannote import GreedyDiarizationErrorRate as GreedyDiarizationErrorRate
from scoring.peers.pyannote import JaccardErrorRate as JaccardErrorRate
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.diarization")
