"""Diarisation error rates; names that are not here are those of the installed package."""

from scoring.peers.pyannote import DiarizationErrorRate as DiarizationErrorRate
from scoring.peers.pyannote import GreedyDiarizationErrorRate as GreedyDiarizationErrorRate
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.diarization")
