"""`edit_distance`, where torchmetrics has it."""

from scoring.peers.torchmetrics import edit_distance as edit_distance
