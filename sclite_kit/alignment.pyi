from scoring.alignment import *  # noqa: F403
