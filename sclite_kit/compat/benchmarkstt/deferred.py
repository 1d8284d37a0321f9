"""Values that are computed where they are needed."""

from scoring.peers.benchmarkstt.deferred import DeferredCallback as DeferredCallback
from scoring.peers.benchmarkstt.deferred import DeferredList as DeferredList
