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
from importlib.util import find_spec
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

    def count(segment: Segment) -> None:
        nonlocal segments, words
        segments += 1
        words += len(segment.words)
        assert line is not None
        line.show(f"{segments:,} segments, {words:,} words", line.share)

    if not paths:
        yield _ignore
        return
    with _line(", ".join(paths), "note_share") as line:
        yield _ignore if line is None else count


@contextlib.contextmanager
def shown_rows(paths: Sequence[str], noun: str = "rows") -> Iterator[Callable[[int, float], None]]:
    """The same of the rows of tables, or of files, with an estimate of what is left.

    What comes is to be called with how many are done, and which share of the whole work.
    """
    with _line(", ".join(paths)) as line:
        yield lambda rows, share: line.show(f"{rows:,} {noun}", share) if line else None


@contextlib.contextmanager
def shown_work() -> Iterator[None]:
    """The same of all that is told by `formats.working` meanwhile."""
    with _line("", "hear"):
        yield


@contextlib.contextmanager
def _line(name: str, listener: str = "") -> Iterator[_Line | None]:
    """A line, if somebody watches, and its method that hears of progress; it replaces others."""
    global _current
    if sys.stderr is None or not sys.stderr.isatty() or not is_told("note: "):
        yield None
        return
    if os.environ.get("TERM") == "dumb" or os.environ.get("CI") or find_spec("rich") is None:
        yield None
        return
    before = _current
    if before is not None:
        before.end()
    _current = line = _Line(name)
    try:
        with heard_by(getattr(line, listener) if listener else None):
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
        self.share = 0.0

    def note_share(self, _stage: str, done: int, of: int) -> None:
        """Remember how much of the input is read."""
        self.share = done / of if of else 0.0

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
