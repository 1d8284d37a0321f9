"""meeteval's diarisation error rates."""

from scoring.peers.meeteval.der import *  # noqa: F403
