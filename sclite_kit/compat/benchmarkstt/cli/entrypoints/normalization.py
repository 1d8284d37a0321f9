"""The subcommand `normalization` of BenchmarkSTT."""

from scoring.peers.benchmarkstt.tools import add_normalization as argparser
from scoring.peers.benchmarkstt.tools import normalize as run

__all__ = ["argparser", "run"]
