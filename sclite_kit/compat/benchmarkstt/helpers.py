"""Helper functions of BenchmarkSTT."""

from scoring.peers.benchmarkstt.helpers import make_printable as make_printable
