"""torchmetrics' function `match_error_rate`."""

from scoring.peers.torchmetrics import match_error_rate as match_error_rate
