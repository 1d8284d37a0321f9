"""`WordErrorRate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import WordErrorRate as WordErrorRate
