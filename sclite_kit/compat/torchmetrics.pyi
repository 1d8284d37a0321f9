from scoring.peers.torchmetrics import *  # noqa: F403
