"""BenchmarkSTT's values that are computed at their first use."""

from scoring.peers.benchmarkstt.deferred import DeferredCallback as DeferredCallback
from scoring.peers.benchmarkstt.deferred import DeferredList as DeferredList
