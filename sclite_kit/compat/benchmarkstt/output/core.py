"""The outputs of BenchmarkSTT."""

from scoring.peers.benchmarkstt.output import Json as Json
from scoring.peers.benchmarkstt.output import MarkDown as MarkDown
from scoring.peers.benchmarkstt.output import ReStructuredText as ReStructuredText
from scoring.peers.benchmarkstt.output import SimpleTextBase as SimpleTextBase
