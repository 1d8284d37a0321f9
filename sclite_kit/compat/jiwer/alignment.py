"""jiwer's module `alignment`."""

from scoring.peers.jiwer.alignment import *  # noqa: F403
