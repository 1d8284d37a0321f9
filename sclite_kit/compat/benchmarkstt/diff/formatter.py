"""BenchmarkSTT's output formats for differences."""

from scoring.peers.benchmarkstt.diff import ANSIDiffDialect as ANSIDiffDialect
from scoring.peers.benchmarkstt.diff import Dialect as Dialect
from scoring.peers.benchmarkstt.diff import DiffFormatter as DiffFormatter
from scoring.peers.benchmarkstt.diff import HTMLDiffDialect as HTMLDiffDialect
from scoring.peers.benchmarkstt.diff import JSONDiffDialect as JSONDiffDialect
from scoring.peers.benchmarkstt.diff import ListDialect as ListDialect
from scoring.peers.benchmarkstt.diff import RestructuredTextDialect as RestructuredTextDialect
from scoring.peers.benchmarkstt.diff import UTF8Dialect as UTF8Dialect
from scoring.peers.benchmarkstt.diff import format_diff as format_diff
