"""A replacement for the text metrics of torchmetrics 1; see `scoring.peers.torchmetrics`."""

from sclite_kit.compat.torchmetrics import functional as functional
from sclite_kit.compat.torchmetrics import text as text
from scoring.peers.stubs import names_of_original
from scoring.peers.torchmetrics import CharErrorRate as CharErrorRate
from scoring.peers.torchmetrics import EditDistance as EditDistance
from scoring.peers.torchmetrics import MatchErrorRate as MatchErrorRate
from scoring.peers.torchmetrics import WordErrorRate as WordErrorRate
from scoring.peers.torchmetrics import WordInfoLost as WordInfoLost
from scoring.peers.torchmetrics import WordInfoPreserved as WordInfoPreserved

__getattr__ = names_of_original("torchmetrics")
