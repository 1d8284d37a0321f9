"""The base of inputs."""

from scoring.peers.benchmarkstt.input import Input as Input
