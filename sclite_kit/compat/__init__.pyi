from scoring.peers import *  # noqa: F403
