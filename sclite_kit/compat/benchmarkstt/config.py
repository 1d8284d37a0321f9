"""Config files by section."""

from scoring.peers.benchmarkstt.config import SectionConfigReader as SectionConfigReader
from scoring.peers.benchmarkstt.config import reader as reader
