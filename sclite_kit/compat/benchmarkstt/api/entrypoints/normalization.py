"""The functions that the remote methods of `normalization` call."""

from scoring.peers.benchmarkstt.callbacks import normalization as callback

__all__ = ["callback"]
