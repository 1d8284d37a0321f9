"""The normalizers of BenchmarkSTT."""

from scoring.peers.benchmarkstt.normalization import Config as Config
from scoring.peers.benchmarkstt.normalization import (
    ConfigSectionNotFoundError as ConfigSectionNotFoundError,
)
from scoring.peers.benchmarkstt.normalization import Lowercase as Lowercase
from scoring.peers.benchmarkstt.normalization import Regex as Regex
from scoring.peers.benchmarkstt.normalization import Replace as Replace
from scoring.peers.benchmarkstt.normalization import ReplaceWords as ReplaceWords
from scoring.peers.benchmarkstt.normalization import Unidecode as Unidecode
