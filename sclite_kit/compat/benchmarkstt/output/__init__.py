"""The base of outputs, and all by name."""

from scoring.peers.benchmarkstt.output import Output as Output
from scoring.peers.benchmarkstt.output import factory as factory
