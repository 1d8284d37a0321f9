"""jiwer's module `process`."""

from scoring.peers.jiwer.process import *  # noqa: F403
