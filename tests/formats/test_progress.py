"""On a terminal long work shows that it goes on; elsewhere nothing is shown."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import formats
from formats import Segment
from formats.cli import progress

WriteFile = Callable[[str, "str | bytes"], str]
REPOSITORY = str(Path(formats.__file__).parents[1])


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Status and output of the command, with a terminal for all its streams."""
    import pty

    code = (
        "import sys; from formats.cli import progress, main; progress.SHOWN_AFTER = 0.0;"
        "sys.exit(main(sys.argv[1:]))"
    )
    child, terminal = pty.fork()
    if child == 0:
        os.environ.update(PYTHONPATH=REPOSITORY, TERM="xterm", COLUMNS="100")
        os.execv(sys.executable, [sys.executable, "-c", code, *arguments])
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of its own")
def test_a_terminal_sees_the_count(write_file: WriteFile) -> None:
    write_file("[a].trn", "".join(f"hello world (s-{n})\n" for n in range(30_000)))
    status, shown = on_a_terminal("convert", "[a].trn", "b.trn")
    assert status == 0
    assert "[a].trn: " in shown
    assert " words" in shown
    assert Path("b.trn").stat().st_size > 30_000


def test_nobody_else_sees_it(capsys: pytest.CaptureFixture[str]) -> None:
    with progress.shown_progress(["a"]) as count:
        count(Segment.of("r", ["a"]))
    assert capsys.readouterr() == ("", "")
