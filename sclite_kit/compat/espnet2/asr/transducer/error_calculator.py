"""ESPnet2's error calculator for transducers."""

from scoring.peers.espnet import ErrorCalculatorTransducer as ErrorCalculatorTransducer
