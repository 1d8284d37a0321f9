"""Showing on a terminal that long work goes on; elsewhere nothing is shown."""

from __future__ import annotations

import contextlib
import sys
import time

from formats.process import is_told

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

    from rich.status import Status

    from formats.model import Segment

    class Counter(Protocol):
        """Takes note of one segment."""

        def __call__(self, segment: Segment) -> None: ...


__all__ = ["shown_progress"]

SHOWN_AFTER = 1.0
SECONDS_BETWEEN = 0.1


@contextlib.contextmanager
def shown_progress(paths: Sequence[str]) -> Iterator[Counter]:
    """Count segments and words on standard error, if that is a terminal and it takes a while."""
    if sys.stderr is None or not sys.stderr.isatty() or not is_told("note: "):
        yield _ignore
        return
    with contextlib.ExitStack() as stack:
        yield _Watched(", ".join(paths)[:40], stack).count


class _Watched:
    """What was counted, and the line that shows it, once there is one."""

    def __init__(self, name: str, stack: contextlib.ExitStack) -> None:
        self._name = name
        self._stack = stack
        self._status: Status | None = None
        self._shown = time.monotonic() + SHOWN_AFTER - SECONDS_BETWEEN
        self._segments = 0
        self._words = 0

    def count(self, segment: Segment) -> None:
        """Take note of one segment, and show all so far ten times a second."""
        self._segments += 1
        self._words += len(segment.words)
        now = time.monotonic()
        if now - self._shown < SECONDS_BETWEEN:
            return
        self._shown = now
        text = f"{self._name}: {self._segments:,} segments, {self._words:,} words"
        if self._status is None:
            from rich.console import Console
            from rich.text import Text

            self._text = Text
            self._status = self._stack.enter_context(Console(stderr=True).status(Text(text)))
        self._status.update(self._text(text))


def _ignore(segment: Segment) -> None:
    """Nobody is watching."""
