"""meeteval's functions for a single session, and its error rates."""

from sclite_kit.compat.meeteval.wer.wer import cp as cp
from sclite_kit.compat.meeteval.wer.wer import di_cp as di_cp
from sclite_kit.compat.meeteval.wer.wer import error_rate as error_rate
from sclite_kit.compat.meeteval.wer.wer import mimo as mimo
from sclite_kit.compat.meeteval.wer.wer import orc as orc
from sclite_kit.compat.meeteval.wer.wer import siso as siso
from sclite_kit.compat.meeteval.wer.wer import time_constrained as time_constrained
from sclite_kit.compat.meeteval.wer.wer import time_constrained_mimo as time_constrained_mimo
from sclite_kit.compat.meeteval.wer.wer import time_constrained_orc as time_constrained_orc
from scoring.peers.meeteval.error_rates import *  # noqa: F403
from scoring.peers.meeteval.wer import *  # noqa: F403
