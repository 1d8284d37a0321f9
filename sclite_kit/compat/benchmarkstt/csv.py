"""BenchmarkSTT's reader for rows of rule files."""

from scoring.peers.benchmarkstt.csv import CSVParserError as CSVParserError
from scoring.peers.benchmarkstt.csv import DefaultDialect as DefaultDialect
from scoring.peers.benchmarkstt.csv import Dialect as Dialect
from scoring.peers.benchmarkstt.csv import InvalidDialectError as InvalidDialectError
from scoring.peers.benchmarkstt.csv import Line as Line
from scoring.peers.benchmarkstt.csv import Reader as Reader
from scoring.peers.benchmarkstt.csv import UnallowedQuoteError as UnallowedQuoteError
from scoring.peers.benchmarkstt.csv import UnclosedQuoteError as UnclosedQuoteError
from scoring.peers.benchmarkstt.csv import UnknownDialectError as UnknownDialectError
from scoring.peers.benchmarkstt.csv import WhitespaceDialect as WhitespaceDialect
from scoring.peers.benchmarkstt.csv import known_dialects as known_dialects
from scoring.peers.benchmarkstt.csv import reader as reader
