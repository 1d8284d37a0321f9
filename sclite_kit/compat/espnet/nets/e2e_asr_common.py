"""ESPnet's error calculator for attention and CTC."""

from scoring.peers.espnet import ErrorCalculator as ErrorCalculator
