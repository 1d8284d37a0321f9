"""`EditDistance`, where torchmetrics has it."""

from scoring.peers.torchmetrics import EditDistance as EditDistance
