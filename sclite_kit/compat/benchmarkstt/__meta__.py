"""The version of BenchmarkSTT that this package replaces."""

from scoring.peers.benchmarkstt import COMPATIBLE_VERSION

__all__ = ["__version__"]

__version__ = COMPATIBLE_VERSION
