"""Scoring of meeting sessions by the workers of an engine, for a result of this process."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING, Any

from scoring.score.meetings import scored_elsewhere

if TYPE_CHECKING:
    from scoring.score.meetings import ScoredSession, SessionSides

# Calls a function with each item on the workers of an engine; yields the results in order.
EngineMap = Callable[[Callable[[bytes], bytes], Sequence[bytes]], Iterable[bytes]]


def scored_by(run: EngineMap) -> AbstractContextManager[None]:
    """Let `run`, a map over workers, score all sessions that are scored within a `with` block."""
    return scored_elsewhere(partial(_scored, run))


def _scored(
    run: EngineMap,
    work: Callable[[SessionSides], ScoredSession],
    sessions: Sequence[SessionSides],
) -> Iterator[ScoredSession]:
    """Yield the results of the sessions in order.

    The error of the first failed session is raised.
    """
    for result in run(partial(_answer, work), list(map(pickle.dumps, sessions))):
        is_error, value = pickle.loads(result)
        if is_error:
            raise value
        yield value


def _answer(work: Callable[[Any], Any], item: bytes) -> bytes:
    """Return the pickled result of a session, or its pickled error."""
    from formats.schema.errors import FormatError
    from scoring.model.errors import ScoringError

    try:
        return pickle.dumps((False, work(pickle.loads(item))))
    except (FormatError, ScoringError) as problem:
        return pickle.dumps((True, problem))
