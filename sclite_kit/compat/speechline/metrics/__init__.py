"""The metric of speechline."""

from scoring.peers.speechline import PhonemeErrorRate as PhonemeErrorRate
