from scoring.serve import *  # noqa: F403
