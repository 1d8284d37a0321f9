"""BenchmarkSTT's lookup of classes by name."""

from scoring.peers.benchmarkstt.factory import ClassConfig as ClassConfig
from scoring.peers.benchmarkstt.factory import CoreFactory as CoreFactory
from scoring.peers.benchmarkstt.factory import Factory as Factory
