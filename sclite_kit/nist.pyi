from scoring.nist import *  # noqa: F403
