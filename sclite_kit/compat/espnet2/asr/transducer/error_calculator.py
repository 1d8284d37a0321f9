"""The calculator for transducers."""

from scoring.peers.espnet import ErrorCalculatorTransducer as ErrorCalculatorTransducer
