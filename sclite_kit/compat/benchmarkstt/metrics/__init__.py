"""The base of metrics, and all by name."""

from scoring.peers.benchmarkstt.metrics import Metric as Metric
from scoring.peers.benchmarkstt.metrics import factory as factory
