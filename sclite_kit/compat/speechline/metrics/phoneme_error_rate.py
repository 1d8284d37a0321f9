"""speechline's phoneme error rate."""

from scoring.peers.speechline import PhonemeErrorRate as PhonemeErrorRate
