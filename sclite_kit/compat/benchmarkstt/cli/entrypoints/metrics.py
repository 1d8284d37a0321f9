"""The sub-command `metrics`."""

from scoring.peers.benchmarkstt.main import add_measuring as argparser
from scoring.peers.benchmarkstt.main import measure as run

__all__ = ["argparser", "run"]
