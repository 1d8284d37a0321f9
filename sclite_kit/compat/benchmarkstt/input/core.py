"""BenchmarkSTT's inputs: texts and files."""

from scoring.peers.benchmarkstt.input import File as File
from scoring.peers.benchmarkstt.input import PlainText as PlainText
