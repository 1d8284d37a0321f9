"""BenchmarkSTT's lookup of objects by dotted name."""

from scoring.peers.benchmarkstt.modules import HiddenModuleError as HiddenModuleError
from scoring.peers.benchmarkstt.modules import Modules as Modules
from scoring.peers.benchmarkstt.modules import load_object as load_object
