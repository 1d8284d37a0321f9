"""meeteval's files and segments; all other names come from the installed meeteval."""

from scoring.peers.meeteval.io import *  # noqa: F403
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("meeteval.io")
