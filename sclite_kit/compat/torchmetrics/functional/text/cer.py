"""`char_error_rate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import char_error_rate as char_error_rate
