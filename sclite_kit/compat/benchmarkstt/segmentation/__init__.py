"""The base class of BenchmarkSTT's segmenters."""

from scoring.peers.benchmarkstt.segmentation import Segmenter as Segmenter
