"""The command `benchmarkstt`."""

from scoring.peers.benchmarkstt.main import argparser as argparser
from scoring.peers.benchmarkstt.main import run as run
