"""The changes of normalizers, innermost first.

Records belong to the call that causes them, so that simultaneous requests do not see each other's.
They go to listeners and, unlike BenchmarkSTT's, to no logger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple, TypeAlias

from scoring.peers.benchmarkstt.diff import DiffFormatter, format_diff


class NormalizedLogItem(NamedTuple):
    """One change."""

    stack: tuple[str, ...]
    original: str
    normalized: str


Listener: TypeAlias = Callable[[NormalizedLogItem], None]
_stack: ContextVar[tuple[str, ...]] = ContextVar("_stack", default=())
_listeners: ContextVar[tuple[Listener, ...]] = ContextVar("_listeners", default=())


def logged(title: str, normalize: Callable[[str], str], text: str) -> str:
    """The normalized text; listeners receive a record if it differs."""
    stack = (*_stack.get(), title)
    token = _stack.set(stack)
    try:
        normalized = normalize(text)
    finally:
        _stack.reset(token)
    if normalized != text:
        item = NormalizedLogItem(stack, text, normalized)
        for listener in _listeners.get():
            listener(item)
    return normalized


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Call a listener with every change within the block."""
    token = _listeners.set((*_listeners.get(), listener))
    try:
        yield
    finally:
        _listeners.reset(token)


def log_line(item: NormalizedLogItem, title: str | None) -> str:
    """A change as a line for terminals, its characters that differ coloured."""
    difference = DiffFormatter("ansi", show_color_key=False).diff(item.original, item.normalized)
    head = "" if title is None else f"{title}: "
    return f"{head}{'/'.join(item.stack)}: {difference}"


def log_record(item: NormalizedLogItem, title: str | None) -> dict[str, object]:
    """A change as remote methods return it, its difference in HTML."""
    difference = format_diff(item.original, item.normalized, dialect="html")
    return {"title": title, "stack": list(item.stack), "diff": difference}
