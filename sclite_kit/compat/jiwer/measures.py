"""jiwer's module `measures`."""

from scoring.peers.jiwer.measures import *  # noqa: F403
