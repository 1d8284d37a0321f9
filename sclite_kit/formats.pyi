from formats import *  # noqa: F403
