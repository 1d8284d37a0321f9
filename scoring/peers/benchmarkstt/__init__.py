"""BenchmarkSTT's library, commands and remote methods, with its names, arguments and numbers.

Modules have the names of BenchmarkSTT 1.1: `benchmarkstt.schema.Schema` is
`scoring.peers.benchmarkstt.schema.Schema`. A package and its module `core` are one module here.
"""

COMPATIBLE_VERSION = "1.1"
