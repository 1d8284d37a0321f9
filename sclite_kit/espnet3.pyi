from scoring.peers.espnet3 import *  # noqa: F403
