"""torchmetrics' class `MatchErrorRate`."""

from scoring.peers.torchmetrics import MatchErrorRate as MatchErrorRate
