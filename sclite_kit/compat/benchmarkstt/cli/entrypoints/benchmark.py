"""The command `benchmarkstt`."""

from scoring.peers.benchmarkstt.main import add_benchmark as argparser
from scoring.peers.benchmarkstt.main import run_benchmark as run

__all__ = ["argparser", "hidden", "run"]

hidden = True
