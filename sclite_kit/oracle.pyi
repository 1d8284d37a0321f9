from scoring.score.oracle import *  # noqa: F403
