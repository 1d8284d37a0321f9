"""The text metrics of torchmetrics as classes."""

from scoring.peers.stubs import names_of_original
from scoring.peers.torchmetrics import CharErrorRate as CharErrorRate
from scoring.peers.torchmetrics import EditDistance as EditDistance
from scoring.peers.torchmetrics import MatchErrorRate as MatchErrorRate
from scoring.peers.torchmetrics import WordErrorRate as WordErrorRate
from scoring.peers.torchmetrics import WordInfoLost as WordInfoLost
from scoring.peers.torchmetrics import WordInfoPreserved as WordInfoPreserved

__getattr__ = names_of_original("torchmetrics.text")
