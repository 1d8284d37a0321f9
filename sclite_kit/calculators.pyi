from scoring.peers.calculators import *  # noqa: F403
