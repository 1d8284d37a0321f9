"""meeteval's module `di_cp`."""

from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
