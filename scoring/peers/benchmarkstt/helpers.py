"""The helpers of BenchmarkSTT that programs use."""

from scoring.peers.benchmarkstt.diff import make_printable as make_printable
