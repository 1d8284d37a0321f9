"""The segmenter of BenchmarkSTT."""

from scoring.peers.benchmarkstt.segmentation import Simple as Simple
