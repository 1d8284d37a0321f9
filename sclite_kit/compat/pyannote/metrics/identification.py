"""The identification error rate; other names are those of the installed package."""

from scoring.peers.pyannote import IdentificationErrorRate as IdentificationErrorRate
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.identification")
