"""The command of fstalign in its place: see `scoring.peers.fstalign`."""

from scoring.cli.peers.fstalign import main as main
from scoring.peers.fstalign import wer as wer
