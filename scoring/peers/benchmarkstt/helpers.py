"""The helper functions of BenchmarkSTT that other programs use."""

from scoring.peers.benchmarkstt.diff import make_printable as make_printable
