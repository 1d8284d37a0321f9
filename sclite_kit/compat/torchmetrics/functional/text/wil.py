"""`word_information_lost`, where torchmetrics has it."""

from scoring.peers.torchmetrics import word_information_lost as word_information_lost
