"""A metric for ESPnet3's evaluator: see docs/from-espnet.md."""

from scoring.peers.espnet3 import Scores as Scores
