"""BenchmarkSTT's library, commands and remote methods: its names, arguments and numbers.

Modules are named as in that package (release 1.1), so that `benchmarkstt.schema.Schema` is
`scoring.peers.benchmarkstt.schema.Schema`. A package and its module `core` are one module here.
"""

COMPATIBLE_VERSION = "1.1"
