"""A replacement for pyannote.metrics 4; see `scoring.peers.pyannote`."""

from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("pyannote")
