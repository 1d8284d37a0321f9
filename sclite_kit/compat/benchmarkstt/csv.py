"""Rows of rule files."""

from scoring.peers.benchmarkstt.normalization import CSVParserError as CSVParserError
from scoring.peers.benchmarkstt.normalization import UnclosedQuoteError as UnclosedQuoteError
