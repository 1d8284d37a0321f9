from scoring.tasks.kws import *  # noqa: F403
