"""The version that this package stands in for."""

from scoring.peers.benchmarkstt import COMPATIBLE_VERSION

__all__ = ["__version__"]

__version__ = COMPATIBLE_VERSION
