"""kaldialign 0.12 in its place: see `scoring.peers.kaldialign`."""

from scoring.peers.kaldialign import *  # noqa: F403
