"""torchmetrics' function `char_error_rate`."""

from scoring.peers.torchmetrics import char_error_rate as char_error_rate
