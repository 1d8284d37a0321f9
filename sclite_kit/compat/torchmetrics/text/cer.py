"""torchmetrics' class `CharErrorRate`."""

from scoring.peers.torchmetrics import CharErrorRate as CharErrorRate
