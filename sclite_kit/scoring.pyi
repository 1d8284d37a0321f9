from scoring import *  # noqa: F403
