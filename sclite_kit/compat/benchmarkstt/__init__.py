"""A replacement for BenchmarkSTT 1.1; see `scoring.peers.benchmarkstt`."""

from sclite_kit.compat.benchmarkstt.__meta__ import __version__

__all__ = ["__version__"]
