"""torchmetrics' class `WordInfoPreserved`."""

from scoring.peers.torchmetrics import WordInfoPreserved as WordInfoPreserved
