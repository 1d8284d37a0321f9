"""On a terminal long work shows that it goes on; elsewhere nothing is shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from formats.cli import progress
from tests.terminal import needs_terminal, on_a_terminal

WriteFile = Callable[[str, "str | bytes"], str]


@needs_terminal
def test_a_terminal_sees_the_count(write_file: WriteFile) -> None:
    write_file("[a].trn", "".join(f"hello world (s-{n})\n" for n in range(3_000)))
    status, shown = on_a_terminal("formats.cli", "convert", "[a].trn", "b.trn")
    assert status == 0
    assert "reading [a].trn " in shown
    assert " s left" in shown
    assert Path("b.trn").stat().st_size > 30_000


@needs_terminal
@pytest.mark.parametrize("command", ["validate", "info"])
def test_a_single_file_is_shown_as_it_is_read(command: str, write_file: WriteFile) -> None:
    write_file("a.trn", "".join(f"hello world (s-{n})\n" for n in range(3_000)))
    status, shown = on_a_terminal("formats.cli", command, "a.trn")
    assert status == 0
    assert "reading a.trn " in shown


@needs_terminal
def test_of_many_files_it_is_shown_how_many_are_done(write_file: WriteFile) -> None:
    for name in ("a.trn", "b.trn", "c.trn"):
        write_file(name, "hello world (s-1)\n")
    status, shown = on_a_terminal("formats.cli", "detect", "a.trn", "b.trn", "c.trn")
    assert status == 0
    assert "2 files " in shown
    assert " 67%, about " in shown


@needs_terminal
def test_files_that_processes_share_are_counted(write_file: WriteFile) -> None:
    for name in ("a.trn", "b.trn", "c.trn"):
        write_file(name, "hello world (s-1)\n")
    flags = ("--to", "txt", "--jobs", "2")
    status, shown = on_a_terminal(
        "formats.cli", "convert", "a.trn", "b.trn", "c.trn", "out/", *flags
    )
    assert status == 0
    assert "2 files " in shown
    assert " 67%, about " in shown
    assert sorted(path.name for path in Path("out").iterdir()) == ["a.txt", "b.txt", "c.txt"]


def test_nobody_else_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.shown_rows(["a"]) as count:
        count(1, 0.5)
    assert capsys.readouterr() == ("", "")


@needs_terminal
@pytest.mark.parametrize("environment", [{"TERM": "dumb"}, {"CI": "true"}], ids=str)
def test_a_terminal_without_a_person_sees_nothing(
    environment: dict[str, str], write_file: WriteFile
) -> None:
    write_file("a.trn", "".join(f"hello world (s-{n})\n" for n in range(3_000)))
    status, shown = on_a_terminal("formats.cli", "convert", "a.trn", "b.trn", **environment)
    assert (status, shown) == (0, "")


def test_a_second_pass_has_an_estimate_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    seen: list[tuple[float, float | None]] = []
    monkeypatch.setattr("time.monotonic", lambda: clock[-1])
    line = progress.ProgressLine()
    monkeypatch.setattr(line, "_show", lambda _, share, left, *__: seen.append((share, left)))
    for now, done in ((0.0, 1), (9.0, 50), (10.0, 1), (11.0, 50)):
        clock.append(now)
        line.hear("reading a.txt", done, 100)
    assert seen == [(0.01, 0.0), (0.5, 9.0), (0.01, 0.0), (0.5, 1.0)]


def test_the_first_hundredth_of_the_work_says_nothing_of_the_rest() -> None:
    assert progress._rest(2.0, 0.0) is None
    assert progress._rest(2.0, 0.001) is None
    assert progress._rest(2.0, 0.02) == pytest.approx(98)
