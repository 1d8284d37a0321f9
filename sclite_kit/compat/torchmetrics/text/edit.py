"""torchmetrics' class `EditDistance`."""

from scoring.peers.torchmetrics import EditDistance as EditDistance
