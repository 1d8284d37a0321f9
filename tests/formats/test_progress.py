"""On a terminal long work shows that it goes on; elsewhere nothing is shown."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from formats import Segment
from formats.cli import progress
from tests.terminal import needs_terminal, on_a_terminal

WriteFile = Callable[[str, "str | bytes"], str]


@needs_terminal
def test_a_terminal_sees_the_count(write_file: WriteFile) -> None:
    write_file("[a].trn", "".join(f"hello world (s-{n})\n" for n in range(30_000)))
    status, shown = on_a_terminal("formats.cli", "convert", "[a].trn", "b.trn")
    assert status == 0
    assert "[a].trn: " in shown
    assert " words, " in shown
    assert " s left" in shown
    assert Path("b.trn").stat().st_size > 30_000


def test_nobody_else_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.shown_progress(["a"]) as count:
        count(Segment.of("r", ["a"]))
    assert capsys.readouterr() == ("", "")


@needs_terminal
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"CI": "true"}], ids=str)
def test_a_terminal_without_a_person_sees_nothing(
    environment: dict[str, str], write_file: WriteFile
) -> None:
    write_file("a.trn", "".join(f"hello world (s-{n})\n" for n in range(30_000)))
    status, shown = on_a_terminal("formats.cli", "convert", "a.trn", "b.trn", **environment)
    assert (status, shown) == (0, "")
