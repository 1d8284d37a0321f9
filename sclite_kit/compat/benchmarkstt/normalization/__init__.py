"""The base classes of BenchmarkSTT's normalizers, and all normalizers by name."""

from scoring.peers.benchmarkstt.normalization import File as File
from scoring.peers.benchmarkstt.normalization import FileFactory as FileFactory
from scoring.peers.benchmarkstt.normalization import (
    NormalizationAggregate as NormalizationAggregate,
)
from scoring.peers.benchmarkstt.normalization import Normalizer as Normalizer
from scoring.peers.benchmarkstt.normalization import (
    NormalizerWithFileSupport as NormalizerWithFileSupport,
)
from scoring.peers.benchmarkstt.normalization import factory as factory
