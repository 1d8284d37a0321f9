from scoring.peers.jiwer.measures import *  # noqa: F403
