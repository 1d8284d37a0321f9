"""The command `benchmarkstt-tools`."""

from scoring.peers.benchmarkstt.tools import argparser as argparser
from scoring.peers.benchmarkstt.tools import run as run
