"""Progress reporting. A report has no effect unless a command shows the progress.

Readers and scorers call `tell`, or iterate over `told`. They do so per block or utterance and never
per word, so that the cost is negligible.
"""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import TypeAlias, TypeVar

    T = TypeVar("T")
Listener: TypeAlias = "Callable[[str, int, int], object]"
# The name of a stage, and its work relative to that of the other stages.
Pass: TypeAlias = "tuple[str, float]"

_listener: Listener | None = None
_process = 0
_passes: Sequence[Pass] = ()


def tell(stage: str, done: int, of: int) -> None:
    """Report progress; `of` is the total, or 0 if the total is unknown.

    >>> heard = []
    >>> with heard_by(lambda *words: heard.append(words)):
    ...     tell("aligning", 5, 10)
    >>> tell("aligning", 6, 10)
    >>> heard
    [('aligning', 5, 10)]
    """
    if _listener is not None and _process == os.getpid():
        _listener(stage, done, of)


def clear() -> None:
    """Clear the progress bar, because other output follows."""
    tell("", 0, 0)


def expect(passes: Sequence[Pass]) -> None:
    """Announce all stages of a run in their order, so that the remaining time covers all of them.

    A command that runs other commands announces all stages itself; later announcements have no
    effect.
    """
    global _passes
    if is_heard() and not _passes:
        _passes = tuple(passes)


def expected() -> Sequence[Pass]:
    """Return the announced stages; empty if nothing was announced."""
    return _passes


def told(items: Collection[T], stage: str) -> Iterator[T]:
    """Iterate over the items; report progress before each item."""
    if not is_heard():
        yield from items
        return
    for done, item in enumerate(items):
        tell(stage, done, len(items))
        yield item


def is_heard() -> bool:
    """Return True if progress is shown. Child processes never show progress."""
    return _listener is not None and _process == os.getpid()


class heard_by:  # noqa: N801
    """A context in which progress reports go only to one listener."""

    def __init__(self, listener: Listener | None) -> None:
        self._listener = listener
        self._before: tuple[Listener | None, int, Sequence[Pass]] = (None, 0, ())

    def __enter__(self) -> None:
        global _listener, _process, _passes
        self._before = _listener, _process, _passes
        _listener, _process, _passes = self._listener, os.getpid(), ()

    def __exit__(self, *_: object) -> None:
        global _listener, _process, _passes
        _listener, _process, _passes = self._before
