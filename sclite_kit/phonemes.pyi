from scoring.tasks.phonemes import *  # noqa: F403
