"""The base class of BenchmarkSTT's inputs."""

from scoring.peers.benchmarkstt.input import Input as Input
