import subprocess
import sys

import pytest

from scoring.alignment import load_core

core = load_core()
pytestmark = pytest.mark.skipif(core is None, reason="the plain core")


def names_after(statement: str) -> set[str]:
    """Return the names that the core has defined after a statement, in a fresh process."""
    program = f"import scoring._native as core\n{statement}\nprint(*vars(core))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, text=True
    )
    return set(done.stdout.split())


def test_rare_rooms_are_defined_when_a_name_is_asked_for() -> None:
    before = names_after("")
    assert {"align_tokens", "TokenTable", "distances"} <= before
    assert before.isdisjoint(["Texts", "BlockRenderer", "FormPairs", "resample", "align_grid"])
    assert names_after("core.Texts") - before == {"Texts"}


def test_all_names_are_listed() -> None:
    listed = names_after("print(*dir(core))")
    assert {"Texts", "BlockRenderer", "FormPairs", "resample", "align_tokens"} <= listed
    assert "Texts" in dir(core)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no name no_such"):
        getattr(core, "no_such")  # noqa: B009
    assert not hasattr(core, "__path__")
