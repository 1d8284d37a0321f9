"""torchmetrics' function `word_error_rate`."""

from scoring.peers.torchmetrics import word_error_rate as word_error_rate
