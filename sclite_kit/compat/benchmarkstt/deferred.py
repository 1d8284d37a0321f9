"""BenchmarkSTT's values that are computed when they are first used."""

from scoring.peers.benchmarkstt.deferred import DeferredCallback as DeferredCallback
from scoring.peers.benchmarkstt.deferred import DeferredList as DeferredList
