"""The table of formats in the README is that of the registry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import formats
from formats.registry import names

RunCommand = Callable[..., "tuple[int, str, str]"]
README = Path(formats.__file__).parents[1] / "README.md"


@pytest.mark.skipif(not README.is_file(), reason="the README is not installed")
def test_the_readme_has_the_table(run_command: RunCommand) -> None:
    status, table, errors = run_command("list", "--output", "markdown")
    assert (status, errors) == (0, "")
    assert table.count("\n") == len(names()) + 2
    assert f"\n\n{table}\n" in README.read_text("utf-8")


def test_other_forms_of_the_table(run_command: RunCommand) -> None:
    import json

    status, text, _ = run_command("list")
    assert status == 0
    assert [line.split()[0] for line in text.splitlines()] == list(names())
    found = json.loads(run_command("list", "--output", "json")[1])
    assert [one["name"] for one in found["formats"]] == list(names())
    stm = next(one for one in found["formats"] if one["name"] == "stm")
    assert (stm["suffixes"], stm["written"]) == ([".stm"], True)
    assert "segment times" in stm["needs"]
