"""BenchmarkSTT's library, commands and remote methods: its names, arguments and numbers.

Modules are named as in that package (release 1.1), so that `benchmarkstt.schema.Schema` is
`scoring.peers.benchmarkstt.schema.Schema`. Where a package there has a module `core`, both are
one here.
"""

COMPATIBLE_VERSION = "1.1"
