"""jiwer's module `transformations`."""

from scoring.peers.jiwer.transformations import *  # noqa: F403
