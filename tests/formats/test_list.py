"""`formats list` prints the registry."""

from collections.abc import Callable

from formats.cli.list import REAL_FILES
from formats.detection import names

RunCommand = Callable[..., "tuple[int, str, str]"]


def test_the_table(run_command: RunCommand) -> None:
    status, table, errors = run_command("list", "--markdown", "-")
    assert (status, errors) == (0, "")
    rows = table.splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == list(names())
    assert {row.count(" | ") for row in rows} == {4}
    counts = {row.split("`")[1]: int(row.split(" | ")[-1].rstrip(" |")) for row in rows}
    assert {name: count for name, count in counts.items() if count} == REAL_FILES


def test_other_forms_of_the_table(run_command: RunCommand) -> None:
    import json

    status, text, _ = run_command("list")
    assert status == 0
    assert [line.split()[0] for line in text.splitlines()] == list(names())
    assert {line.split()[0]: int(line.split()[2]) for line in text.splitlines()} == {
        name: REAL_FILES.get(name, 0) for name in names()
    }
    found = json.loads(run_command("list", "--json", "-")[1])
    assert [one["name"] for one in found["formats"]] == list(names())
    stm = next(one for one in found["formats"] if one["name"] == "stm")
    assert (stm["suffixes"], stm["is_written"]) == ([".stm"], True)
    assert "segment times" in stm["needs"]
    assert stm["real_files"] == REAL_FILES["stm"]
