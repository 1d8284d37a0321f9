"""meeteval's functions that take files."""

from scoring.peers.meeteval.wer import *  # noqa: F403
