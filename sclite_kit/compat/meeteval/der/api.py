"""meeteval's functions for diarisation error rates."""

from scoring.peers.meeteval.der import *  # noqa: F403
