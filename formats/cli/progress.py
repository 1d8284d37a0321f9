"""Showing on a terminal that long work goes on, and how long still; elsewhere nothing is shown.

Nor is it where `--quiet` is given, the terminal is a dumb one (TERM=dumb), or the environment says
that no person watches (CI).
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from formats.model import Segment
from formats.process import is_told
from formats.working import heard_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.live import Live

Counter: TypeAlias = Callable[[Segment], object]
"""Takes note of one segment."""

SHOWN_AFTER = 1.0
SECONDS_BETWEEN = 0.1


@contextlib.contextmanager
def shown_progress(paths: Sequence[str]) -> Iterator[Counter]:
    """Count segments and words on standard error, if that is a terminal and it takes a while."""
    segments = words = 0
    read = 0.0

    def count(segment: Segment) -> None:
        nonlocal segments, words
        segments += 1
        words += len(segment.words)
        line.show(f"{segments:,} segments, {words:,} words", read)

    def hear(_stage: str, done: int, of: int) -> None:
        nonlocal read
        read = done / of if of else 0.0

    if not paths or not _is_watched():
        yield _ignore
        return
    with _line(", ".join(paths)) as line, heard_by(hear):
        yield count


@contextlib.contextmanager
def shown_rows(paths: Sequence[str], noun: str = "rows") -> Iterator[Callable[[int, float], None]]:
    """The same of the rows of tables, or of files, with an estimate of what is left.

    What comes is to be called with how many are done, and which share of the whole work.
    """
    if not _is_watched():
        yield lambda rows, share: None
        return
    with _line(", ".join(paths)) as line, heard_by(None):
        yield lambda rows, share: line.show(f"{rows:,} {noun}", share)


@contextlib.contextmanager
def shown_work() -> Iterator[None]:
    """The same of all that is told by `formats.working` meanwhile."""
    if not _is_watched():
        yield
        return
    with _line("") as line, heard_by(line.hear):
        yield


def _is_watched() -> bool:
    if os.environ.get("TERM") == "dumb" or os.environ.get("CI"):
        return False
    return sys.stderr is not None and sys.stderr.isatty() and is_told("note: ")


@contextlib.contextmanager
def _line(name: str) -> Iterator[_Line]:
    """A line; one that is shown already makes room for it, since there can be only one."""
    global _current
    before = _current
    if before is not None:
        before.end()
    _current = line = _Line(name)
    try:
        yield line
    finally:
        line.end()
        _current = before


class _Line:
    """The line that shows how far it went, once there is one."""

    def __init__(self, name: str) -> None:
        self._name = f"{name[:40]}: " if name else ""
        self._live: Live | None = None
        self._begin = time.monotonic()
        self._at = self._begin + SHOWN_AFTER - SECONDS_BETWEEN
        self._stage = ""

    def hear(self, stage: str, done: int, of: int) -> None:
        """Show a stage of the work, which has an estimate of its own; none: output follows."""
        if not stage:
            self.end()
            return
        if stage != self._stage:
            self._stage, self._begin = stage, time.monotonic()
        self.show(stage, done / of if of else 0.0)

    def show(self, text: str, share: float) -> None:
        """Show it, at most ten times a second, with what is left if a share is known."""
        now = time.monotonic()
        if now - self._at < SECONDS_BETWEEN or not is_told("note: "):
            return
        self._at = now
        spent = now - self._begin
        left = f", {share:.0%}, about {spent / share - spent:,.0f} s left" if share else ""
        if self._live is None:
            from rich.console import Console
            from rich.live import Live
            from rich.text import Text

            self._text = Text
            # what goes to standard output is no business of a line on standard error
            self._live = Live(
                console=Console(stderr=True),
                transient=True,
                redirect_stdout=False,
                auto_refresh=False,
            )
            self._live.start()
        self._live.update(self._text(f"{self._name}{text}{left}"), refresh=True)

    def end(self) -> None:
        """Take it away."""
        if self._live is not None:
            self._live.stop()
            self._live = None


_current: _Line | None = None


def _ignore(segment: Segment) -> None:
    """Nobody is watching."""
