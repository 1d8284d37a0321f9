"""A replacement for kaldialign 0.12; see `scoring.peers.kaldialign`."""

from scoring.peers.kaldialign import *  # noqa: F403
