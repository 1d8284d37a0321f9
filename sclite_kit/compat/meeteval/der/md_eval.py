"""meeteval's module `md_eval`."""

from scoring.peers.meeteval.der import DiaErrorRate as DiaErrorRate
from scoring.peers.meeteval.der import md_eval_22 as md_eval_22
