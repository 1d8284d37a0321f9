"""The base class of BenchmarkSTT's outputs, and all outputs by name."""

from scoring.peers.benchmarkstt.output import Output as Output
from scoring.peers.benchmarkstt.output import factory as factory
