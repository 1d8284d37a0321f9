"""torchmetrics' function `edit_distance`."""

from scoring.peers.torchmetrics import edit_distance as edit_distance
