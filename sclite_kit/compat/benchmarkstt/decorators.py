"""The decorators of BenchmarkSTT."""

from scoring.peers.benchmarkstt.decorators import log_call as log_call
