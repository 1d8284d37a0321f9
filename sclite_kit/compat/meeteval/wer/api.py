"""meeteval's functions that take file names."""

from scoring.peers.meeteval.wer import *  # noqa: F403
