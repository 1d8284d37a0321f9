"""`word_error_rate`, where torchmetrics has it."""

from scoring.peers.torchmetrics import word_error_rate as word_error_rate
