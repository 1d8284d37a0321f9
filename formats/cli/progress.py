"""Show progress and remaining time of a long run on a terminal.

Nothing is shown with `--quiet`, on a dumb terminal (TERM=dumb), or in a non-interactive environment
(CI). Without the package rich, a plain line is shown.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from importlib.util import find_spec

from formats.console.telling import tells_remarks
from formats.console.terminal import shown
from formats.io.progress import heard_by

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rich.live import Live

SHOWN_AFTER = 1.0
SECONDS_BETWEEN = 0.1
CLEAR = "\x1b[K"  # the rest of a line, on every terminal that is not dumb


@contextlib.contextmanager
def shown_rows(paths: Sequence[str]) -> Iterator[Callable[[int, float], None]]:
    """Show a progress line for table rows; the context gives the function that updates the line."""
    name = ", ".join(paths)[:40]
    with shown_work(hears=False) as line:
        yield lambda rows, share: line.show(f"{name}: {rows:,} rows", share) if line else None


@contextlib.contextmanager
def shown_work(*, hears: bool = True) -> Iterator[ProgressLine | None]:
    """Show a progress line on a terminal, updated by `formats.io.progress` or by the caller."""
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
        with heard_by(line.hear if hears else None):
            yield line
    finally:
        line.end()
        _current = before


class ProgressLine:
    """A progress line on a terminal, printed at the first update."""

    def __init__(self) -> None:
        self._live: Live | None = None
        self._plain = False  # whether a line without rich is shown
        self._begin = time.monotonic()
        self._at = self._begin + SHOWN_AFTER - SECONDS_BETWEEN
        self._stage, self._done = "", 0

    def hear(self, stage: str, done: int, of: int) -> None:
        """Show a stage of the work; an empty stage clears the line before output.

        Each stage, and each pass of a repeated stage, has its own estimate of the remaining time.
        """
        if not stage:
            self.end()
            return
        if stage != self._stage or done < self._done:
            self._stage, self._begin = stage, time.monotonic()
        self._done = done
        self.show(stage, done / of if of else 0.0)

    def show(self, text: str, share: float) -> None:
        """Show progress at most ten times a second, with the remaining time if known."""
        now = time.monotonic()
        if now - self._at < SECONDS_BETWEEN or not tells_remarks():
            return
        self._at = now
        spent = now - self._begin
        left = f", {share:.0%}, about {spent / share - spent:,.0f} s left" if share else ""
        if find_spec("rich") is None:
            import shutil  # only where a line is printed

            room = shutil.get_terminal_size().columns - 1
            self._write_plain(shown(text + left)[:room])
            return
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
        self._live.update(self._text(f"{text}{left}"), refresh=True)

    def end(self) -> None:
        """Clear the progress line."""
        if self._live is not None:
            self._live.stop()
            self._live = None
        if self._plain:
            self._write_plain("")

    def _write_plain(self, text: str) -> None:
        """Replace the line that is shown without rich; an empty text removes it."""
        sys.stderr.write(f"\r{text}{CLEAR}")
        sys.stderr.flush()
        self._plain = bool(text)


_current: ProgressLine | None = None
