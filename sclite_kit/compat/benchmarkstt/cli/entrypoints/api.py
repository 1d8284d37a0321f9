"""The subcommand `api` of BenchmarkSTT."""

from scoring.peers.benchmarkstt.tools import add_api as argparser
from scoring.serve import create_app
from scoring.serve.benchmarkstt_tools import run_api as run

__all__ = ["argparser", "create_app", "run"]
