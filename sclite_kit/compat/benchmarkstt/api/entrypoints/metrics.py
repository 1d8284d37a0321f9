"""The functions that the remote methods of `metrics` call."""

from scoring.peers.benchmarkstt.callbacks import metrics as callback

__all__ = ["callback"]
