"""A replacement for meeteval 0.4; see `scoring.peers.meeteval`.

The module `viz` comes from the installed meeteval.
"""

from sclite_kit.compat.meeteval import der as der
from sclite_kit.compat.meeteval import io as io
from sclite_kit.compat.meeteval import wer as wer
from scoring.peers.stubs import names_of_original

__all__ = ["der", "wer"]  # `io` of a stub is that of the installed meeteval
__getattr__ = names_of_original("meeteval")
