from scoring.peers.metrics import *  # noqa: F403
