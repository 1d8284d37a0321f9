"""`WordInfoLost`, where torchmetrics has it."""

from scoring.peers.torchmetrics import WordInfoLost as WordInfoLost
