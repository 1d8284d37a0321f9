"""Limits on the time of calls.

Long calls check about ten times a second whether they should stop. A signal handler (Ctrl-C),
`time_limit` or `AbandonableWork` can stop them.
"""

from __future__ import annotations

import time
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Argument = TypeVar("Argument")
    Result = TypeVar("Result")

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)
_work: ContextVar[AbandonableWork | None] = ContextVar("work", default=None)


class OutOfTimeError(TimeoutError):
    """Raised when a `time_limit` was reached."""


class time_limit:  # noqa: N801
    """A context in which aligning, counting and resampling stop after some seconds.

    Python code between calls of these functions is not interrupted, but the next call stops if it
    takes longer than a few hundredths of a second. A limit inside another limit cannot exceed the
    outer limit.

    Raises
    ------
    OutOfTimeError
        From the function that is running when the time is up, at most about a fifth of a second
        late.

    Examples
    --------
    >>> with time_limit(60):
    ...     look()
    True
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        deadline, outer = time.monotonic() + self._seconds, _deadline.get()
        self._token = _deadline.set(deadline if outer is None else min(deadline, outer))

    def __exit__(self, *_: object) -> None:
        _deadline.reset(self._token)


class AbandonedError(Exception):
    """Raised in a thread whose result is no longer needed."""


class AbandonableWork:
    """Work that runs in other threads, and can be stopped when its result is no longer needed.

    Python handles signals in the main thread only, so that Ctrl-C does not stop other threads.
    """

    def __init__(self) -> None:
        self._is_abandoned = False

    def abandon(self) -> None:
        """Stop the work; may be called from any thread."""
        self._is_abandoned = True

    def check(self) -> None:
        """Raise `AbandonedError` if the work is abandoned."""
        if self._is_abandoned:
            raise AbandonedError("nobody waits for the result")

    def run(self, work: Callable[[Argument], Result], argument: Argument) -> Result:
        """Call a function with an argument in this thread and return the result."""
        token = _work.set(self)
        try:
            self.check()
            return work(argument)
        finally:
            _work.reset(token)


def look() -> bool:
    """Raise `OutOfTimeError` if the time limit is exceeded.

    Return True if long calls must keep checking.

    The compiled core and its plain equivalents call this function while they work. Long calls must
    keep checking under a `time_limit`, in `AbandonableWork` (which raises `AbandonedError`), and in
    the main thread, where Python handles signals.
    """
    import threading  # only long calls come here

    deadline = _deadline.get()
    if deadline is not None and time.monotonic() >= deadline:
        raise OutOfTimeError("the time limit is reached")
    abandonable = _work.get()
    if abandonable is not None:
        abandonable.check()
        return True
    return deadline is not None or threading.current_thread() is threading.main_thread()
