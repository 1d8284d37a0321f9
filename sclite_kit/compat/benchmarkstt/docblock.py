"""BenchmarkSTT's parser of docstrings."""

from scoring.peers.benchmarkstt.docblock import Docblock as Docblock
from scoring.peers.benchmarkstt.docblock import DocblockParam as DocblockParam
from scoring.peers.benchmarkstt.docblock import Param as Param
from scoring.peers.benchmarkstt.docblock import decode_literal as decode_literal
from scoring.peers.benchmarkstt.docblock import doc_param_parser as doc_param_parser
from scoring.peers.benchmarkstt.docblock import format_docs as format_docs
from scoring.peers.benchmarkstt.docblock import parse as parse
