"""The metrics of pyannote; all other names come from the installed pyannote.metrics."""

from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote.metrics")
