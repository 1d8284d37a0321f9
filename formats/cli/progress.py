"""Showing on a terminal that long work goes on; elsewhere nothing is shown."""

from __future__ import annotations

import contextlib
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Protocol

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
    if sys.stderr is None or not sys.stderr.isatty():
        yield _ignore
        return
    from rich.console import Console

    console = Console(stderr=True)
    begin = time.monotonic()
    counts = [0, 0]
    shown = begin + SHOWN_AFTER - SECONDS_BETWEEN
    with contextlib.ExitStack() as stack:
        status = None

        def count(segment: Segment) -> None:
            nonlocal shown, status
            counts[0] += 1
            counts[1] += len(segment.words)
            now = time.monotonic()
            if now - shown < SECONDS_BETWEEN:
                return
            shown = now
            text = f"{', '.join(paths)[:40]}: {counts[0]:,} segments, {counts[1]:,} words"
            if status is None:
                status = stack.enter_context(console.status(text))
            status.update(text)

        yield count


def _ignore(segment: Segment) -> None:
    """Nobody is watching."""
