from scoring.regression import *  # noqa: F403
