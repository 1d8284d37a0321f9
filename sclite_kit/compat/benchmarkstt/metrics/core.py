"""The metrics of BenchmarkSTT."""

from scoring.peers.benchmarkstt.metrics import BEER as BEER
from scoring.peers.benchmarkstt.metrics import CER as CER
from scoring.peers.benchmarkstt.metrics import WER as WER
from scoring.peers.benchmarkstt.metrics import DiffCounts as DiffCounts
from scoring.peers.benchmarkstt.metrics import OpcodeCounts as OpcodeCounts
from scoring.peers.benchmarkstt.metrics import WordDiffs as WordDiffs
from scoring.peers.benchmarkstt.metrics import get_differ as get_differ
from scoring.peers.benchmarkstt.metrics import get_opcode_counts as get_opcode_counts
from scoring.peers.benchmarkstt.metrics import traversible as traversible
