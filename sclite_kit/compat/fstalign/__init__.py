"""A replacement for the command of fstalign; see `scoring.peers.fstalign`."""

from scoring.cli.peers.fstalign import main as main
from scoring.peers.fstalign import wer as wer
