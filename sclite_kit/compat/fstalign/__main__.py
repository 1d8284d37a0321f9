"""`python -m sclite_kit.compat.fstalign` is the command `fstalign`."""

from scoring.cli.peers.fstalign import run

run()
