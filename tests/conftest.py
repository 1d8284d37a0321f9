"""How random examples are drawn: the same ones every time, so that a run says the same as the last.

`HYPOTHESIS_PROFILE=explore` draws new ones, to look for what nobody thought of.
"""

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

# A run in the background ignores interrupts, and so would all processes that tests start and
# interrupt. Whoever ignores them there has no terminal to interrupt them from.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# every run draws the same examples: more of them would find nothing new
settings.register_profile("repeat", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeat"))


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker a part in one piece: tests of a module share what its fixtures hold.

    Whoever ends first takes half of what another has left.
    """
    if getattr(config.option, "dist", "no") == "load":
        config.option.dist = "worksteal"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the tests of whole packages, which take longest: nobody waits for them at the end."""
    tests = Path(__file__).parent
    items.sort(key=lambda item: item.path.parent not in (tests, tests / "scoring"))


@pytest.fixture
def current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A fresh folder that is the current one, so that messages and commands stay short."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
