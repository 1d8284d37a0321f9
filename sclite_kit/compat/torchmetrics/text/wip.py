"""`WordInfoPreserved`, where torchmetrics has it."""

from scoring.peers.torchmetrics import WordInfoPreserved as WordInfoPreserved
