"""Run the command `fstalign` as ``python -m sclite_kit.compat.fstalign``."""

from scoring.cli.peers.fstalign import run

run()
