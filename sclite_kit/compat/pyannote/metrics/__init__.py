"""Metrics of pyannote; names that are not here are those of the installed package."""

from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics")
