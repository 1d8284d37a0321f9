"""The base of segmenters."""

from scoring.peers.benchmarkstt.segmentation import Segmenter as Segmenter
