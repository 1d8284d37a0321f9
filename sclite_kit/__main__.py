"""Run the command `scoring` as ``python -m sclite_kit``."""

from scoring.cli.scoring import run

run()
