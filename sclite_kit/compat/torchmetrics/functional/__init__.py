"""The metrics of torchmetrics as functions."""

from sclite_kit.compat.torchmetrics.functional import text as text
from scoring.peers.stubs import names_of_original
from scoring.peers.torchmetrics import char_error_rate as char_error_rate
from scoring.peers.torchmetrics import edit_distance as edit_distance
from scoring.peers.torchmetrics import match_error_rate as match_error_rate
from scoring.peers.torchmetrics import word_error_rate as word_error_rate
from scoring.peers.torchmetrics import word_information_lost as word_information_lost
from scoring.peers.torchmetrics import word_information_preserved as word_information_preserved

__getattr__ = names_of_original("torchmetrics.functional")
