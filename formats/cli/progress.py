"""Showing on a terminal that long work goes on; elsewhere nothing is shown."""

from __future__ import annotations

import contextlib
import sys
import time

from formats.process import is_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Protocol

    from rich.status import Status

    from formats.model import Segment

    class Counter(Protocol):
        """Takes note of one segment."""

        def __call__(self, segment: Segment) -> None: ...


__all__ = ["shown_progress", "shown_rows"]

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
        line.show(lambda: f"{segments:,} segments, {words:,} words")

    if not _is_watched():
        yield _ignore
        return
    with contextlib.ExitStack() as stack:
        line = _Line(paths, stack)
        yield count


@contextlib.contextmanager
def shown_rows(paths: Sequence[str], what: str = "rows") -> Iterator[Callable[[int, float], None]]:
    """The same of the rows of tables, or of files, with an estimate of what is left.

    What comes is to be called with how many are done, and which share of the whole work.
    """
    begin = time.monotonic()

    def told(rows: int, share: float) -> str:
        spent = time.monotonic() - begin
        left = f", about {spent / share - spent:,.0f} s left" if share else ""
        return f"{rows:,} {what}, {share:.0%}{left}"

    if not _is_watched():
        yield lambda rows, share: None
        return
    with contextlib.ExitStack() as stack:
        line = _Line(paths, stack)
        yield lambda rows, share: line.show(lambda: told(rows, share))


def _is_watched() -> bool:
    return sys.stderr is not None and sys.stderr.isatty() and is_told("note: ")


class _Line:
    """The line that shows how far it went, once there is one."""

    def __init__(self, paths: Sequence[str], stack: contextlib.ExitStack) -> None:
        self._name = ", ".join(paths)[:40]
        self._stack = stack
        self._status: Status | None = None
        self._shown = time.monotonic() + SHOWN_AFTER - SECONDS_BETWEEN

    def show(self, told: Callable[[], str]) -> None:
        """Show it, at most ten times a second."""
        now = time.monotonic()
        if now - self._shown < SECONDS_BETWEEN:
            return
        self._shown = now
        text = f"{self._name}: {told()}"
        if self._status is None:
            from rich.console import Console
            from rich.text import Text

            self._text = Text
            self._status = self._stack.enter_context(Console(stderr=True).status(Text(text)))
        self._status.update(self._text(text))


def _ignore(segment: Segment) -> None:
    """Nobody is watching."""
