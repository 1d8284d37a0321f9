from scoring.peers.jiwer.transforms import *  # noqa: F403
