"""meeteval's functions for a session, and its error rates."""

from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
