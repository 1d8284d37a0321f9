"""`formats list` prints the registry."""

from __future__ import annotations

from collections.abc import Callable

from formats.registry import names

RunCommand = Callable[..., "tuple[int, str, str]"]


def test_the_table(run_command: RunCommand) -> None:
    status, table, errors = run_command("list", "--output", "markdown")
    assert (status, errors) == (0, "")
    rows = table.splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(names())
    assert {row.count(" | ") for row in rows} == {3}


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
