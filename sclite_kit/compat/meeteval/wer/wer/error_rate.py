"""meeteval's error rates."""

from scoring.peers.meeteval.error_rates import *  # noqa: F403
