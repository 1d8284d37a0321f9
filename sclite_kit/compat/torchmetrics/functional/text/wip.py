"""`word_information_preserved`, where torchmetrics has it."""

from scoring.peers.torchmetrics import word_information_preserved as word_information_preserved
