"""The difference algorithm of BenchmarkSTT."""

from scoring.peers.benchmarkstt.diff import RatcliffObershelp as RatcliffObershelp
