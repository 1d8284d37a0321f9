"""pyannote's identification metrics; all other names come from the installed package."""

from scoring.peers.pyannote import IdentificationErrorRate as IdentificationErrorRate
from scoring.peers.pyannote import IdentificationPrecision as IdentificationPrecision
from scoring.peers.pyannote import IdentificationRecall as IdentificationRecall
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics.identification")
