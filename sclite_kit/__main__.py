"""`python -m sclite_kit` is the command `scoring`."""

from scoring.cli.scoring import run

run()
