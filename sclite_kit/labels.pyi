from scoring.tasks.labels import *  # noqa: F403
