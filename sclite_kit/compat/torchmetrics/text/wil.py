"""torchmetrics' class `WordInfoLost`."""

from scoring.peers.torchmetrics import WordInfoLost as WordInfoLost
