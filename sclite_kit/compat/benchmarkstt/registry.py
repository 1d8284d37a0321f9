"""BenchmarkSTT's registry of values by name."""

from scoring.peers.benchmarkstt.registry import Registry as Registry
