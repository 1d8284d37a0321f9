"""The base class of BenchmarkSTT's metrics, and all metrics by name."""

from scoring.peers.benchmarkstt.metrics import Metric as Metric
from scoring.peers.benchmarkstt.metrics import factory as factory
