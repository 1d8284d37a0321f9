"""torchmetrics' function `word_information_preserved`."""

from scoring.peers.torchmetrics import word_information_preserved as word_information_preserved
