"""meeteval's files and segments; names that are not here are those of the installed package."""

from scoring.peers.meeteval.io import *  # noqa: F403
from scoring.peers.stubs import names_of_original

__getattr__ = names_of_original("meeteval.io")
