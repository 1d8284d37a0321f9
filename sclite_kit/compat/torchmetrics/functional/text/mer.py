"""`match_error_rate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import match_error_rate as match_error_rate
