"""BenchmarkSTT's algorithms that find differences."""

from scoring.peers.benchmarkstt.diff import Differ as Differ
from scoring.peers.benchmarkstt.diff import factory as factory
