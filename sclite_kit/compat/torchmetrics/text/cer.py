"""`CharErrorRate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import CharErrorRate as CharErrorRate
