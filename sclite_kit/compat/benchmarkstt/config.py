"""BenchmarkSTT's configuration files with sections."""

from scoring.peers.benchmarkstt.config import SectionConfigReader as SectionConfigReader
from scoring.peers.benchmarkstt.config import reader as reader
