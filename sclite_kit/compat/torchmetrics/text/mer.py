"""`MatchErrorRate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import MatchErrorRate as MatchErrorRate
