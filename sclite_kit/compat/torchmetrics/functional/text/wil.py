"""torchmetrics' function `word_information_lost`."""

from scoring.peers.torchmetrics import word_information_lost as word_information_lost
