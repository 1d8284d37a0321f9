"""meeteval's word error rates of meetings."""

from sclite_kit.compat.meeteval.wer import wer as wer
from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
