from scoring.stats import *  # noqa: F403
