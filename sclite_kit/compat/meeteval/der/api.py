"""meeteval's diarisation error rates, where they are defined there."""

from scoring.peers.meeteval.der import *  # noqa: F403
