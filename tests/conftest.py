"""How random examples are drawn: the same ones every time, so that a run says the same as the last.

`HYPOTHESIS_PROFILE=explore` draws new ones, to look for what nobody thought of.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("repeat", derandomize=True, deadline=None)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))
