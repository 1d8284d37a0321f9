"""torchmetrics' class `WordErrorRate`."""

from scoring.peers.torchmetrics import WordErrorRate as WordErrorRate
