"""speechline's metric."""

from scoring.peers.speechline import PhonemeErrorRate as PhonemeErrorRate
