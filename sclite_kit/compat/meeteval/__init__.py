"""meeteval 0.4 in its place: see `scoring.peers.meeteval`.

`io` and `viz` are those of the installed meeteval.
"""

from sclite_kit.compat.meeteval import der as der
from sclite_kit.compat.meeteval import wer as wer
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("meeteval")
