"""The functions that the remote methods of `benchmark` call."""

from scoring.peers.benchmarkstt.callbacks import benchmark as callback

__all__ = ["callback"]
