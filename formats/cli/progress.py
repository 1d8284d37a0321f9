"""Show progress and remaining time of a long run on a terminal.

Nothing is shown with `--quiet`, on a dumb terminal (TERM=dumb), or in a non-interactive environment
(CI). The package rich is loaded with the first bar that is shown.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence

from formats.console import shown
from formats.console.telling import tells_remarks
from formats.io.progress import expected, heard_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.console.screen import Bar

SHOWN_AFTER = 1.0
SECONDS_BETWEEN = 0.1
LEAST_SHARE = 0.01  # of the work, before which no remaining time is estimated
LONG = 100  # seconds from which on the remaining time is in minutes


@contextlib.contextmanager
def shown_rows(paths: Sequence[str]) -> Iterator[Callable[[int, float], None]]:
    """Show a progress bar for the rows of tables.

    The value of the context is a function that updates the bar, given the number of rows and the
    completed share.
    """
    name = ", ".join(paths)[:40]
    with shown_work(hears=False) as line:
        yield lambda rows, share: line.show(f"{name}: {rows:,} rows", share) if line else None


@contextlib.contextmanager
def shown_work(*, hears: bool = True) -> Iterator[ProgressLine | None]:
    """Show a progress bar on a terminal.

    It is updated by `formats.io.progress`, or by the caller if `hears` is false.
    """
    global _current
    is_watched = sys.stderr is not None and sys.stderr.isatty() and tells_remarks()
    has_person = os.environ.get("TERM") != "dumb" and not os.environ.get("CI")
    if not is_watched or not has_person:
        yield None
        return
    before = _current
    if before is not None:
        before.end()
    _current = line = ProgressLine()
    try:
        with heard_by(line.hear if hears else line.make_room):
            yield line
    finally:
        line.end()
        _current = before


class ProgressLine:
    """A progress bar on a terminal, shown at the first update after `SHOWN_AFTER` seconds."""

    def __init__(self) -> None:
        self._bar: Bar | None = None
        self._begin = self._stage_begin = time.monotonic()
        self._at = self._begin + SHOWN_AFTER - SECONDS_BETWEEN
        self._stage, self._done = "", 0
        # the announced stage that runs: its place, its last number, and when it began
        self._place, self._announced_done, self._announced_begin = -1, 0, self._begin
        self._share = 0.0  # of all announced stages

    def hear(self, stage: str, done: int, of: int) -> None:
        """Show a stage of the work. An empty stage removes the bar, because other output follows.

        If the command announced its stages, the bar and the remaining time cover all stages.
        Otherwise they cover this stage only.
        """
        if not stage:
            self.end()
            return
        now, share = time.monotonic(), done / of if of else 0.0
        if stage != self._stage or done < self._done:
            self._stage, self._stage_begin = stage, now
        self._done = done
        if not expected():
            self._show(stage, share, _rest(now - self._stage_begin, share), now, " in this step")
            return
        self._show(stage, *self._of_all(stage, done, share, now), now)

    def make_room(self, stage: str, _done: int, _of: int) -> None:
        """Remove the bar before other output.

        Reports of stages are ignored: the caller updates the bar.
        """
        if not stage:
            self.end()

    def _of_all(
        self, stage: str, done: int, share: float, now: float
    ) -> tuple[float, float | None]:
        """Return the completed share of all announced stages, and the remaining seconds.

        The seconds are `None` if they are unknown.
        """
        names, works = zip(*expected(), strict=True)
        place = self._place
        is_announced = place >= 0 and names[place] == stage and done >= self._announced_done
        if not is_announced and stage in names[place + 1 :]:
            is_announced = True
            place = self._place = names.index(stage, place + 1)
            self._announced_begin = now
        spent = now - self._begin
        if not is_announced:
            return self._share, _rest(spent, self._share)
        self._announced_done = done
        self._share = (sum(works[:place]) + share * works[place]) / sum(works)
        seconds = _rest(spent, self._share)
        if seconds is not None and share:
            # of the running pass the measured speed, of those that follow the one of all so far
            after = sum(works[place + 1 :]) / sum(works) / self._share * spent
            seconds = (_rest(now - self._announced_begin, share) or 0.0) + after
        return self._share, seconds

    def show(self, text: str, share: float) -> None:
        """Show the completed share of the whole work."""
        now = time.monotonic()
        self._show(text, share, _rest(now - self._begin, share), now)

    def _show(
        self, text: str, share: float, seconds: float | None, now: float, of: str = ""
    ) -> None:
        """Show the progress, and the remaining time if it is known, at most ten times a second."""
        if now - self._at < SECONDS_BETWEEN or not tells_remarks():
            return
        self._at = now
        left = "" if seconds is None else f"{share:.0%}, {_time_left(seconds)} left{of}"
        if self._bar is None:
            from formats.console.screen import Bar

            self._bar = Bar()
        self._bar.show(shown(text), share if left else None, left)

    def end(self) -> None:
        """Remove the bar from the terminal."""
        if self._bar is not None:
            self._bar.clear()
            self._bar = None


def _rest(spent: float, share: float) -> float | None:
    """Return the remaining seconds if `share` of the work took `spent` seconds."""
    return spent / share - spent if share >= LEAST_SHARE else None


def _time_left(seconds: float) -> str:
    """Return the remaining time as text.

    >>> _time_left(7.2), _time_left(400)
    ('about 7 s', 'about 7 min')
    """
    return f"about {seconds:.0f} s" if seconds < LONG else f"about {seconds / 60:,.0f} min"


_current: ProgressLine | None = None
