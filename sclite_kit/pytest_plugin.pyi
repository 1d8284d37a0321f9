from scoring.peers.pytest_plugin import *  # noqa: F403
