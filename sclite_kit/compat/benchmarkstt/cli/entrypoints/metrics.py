"""The subcommand `metrics` of BenchmarkSTT."""

from scoring.peers.benchmarkstt.main import add_measuring as argparser
from scoring.peers.benchmarkstt.main import measure as run

__all__ = ["argparser", "run"]
