"""Normalisation in several processes: each takes a run of utterances."""

from __future__ import annotations

import multiprocessing
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import chain
from typing import TYPE_CHECKING

from scoring.normalize.units import Words
from scoring.normalize.utterances import Normalized, normalize_utterances

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.normalize.step import Step

# Fewer words are not worth a process.
LEAST_WORDS = 200_000

_steps: Sequence[Step] = ()


def normalize_in_processes(
    words: Sequence[Words], special: Mapping[int, Segment], steps: Sequence[Step], jobs: int
) -> Normalized:
    """As `normalize_utterances`, in as many processes where that is worth them.

    Steps that rewrite each different word once are not, nor can all systems fork.
    """
    size = -(-len(words) // jobs) or 1
    if (
        jobs == 1
        or all(step.by_word for step in steps)
        or "fork" not in multiprocessing.get_all_start_methods()
        or sum(map(len, words)) < LEAST_WORDS
    ):
        return normalize_utterances(words, special, steps)
    # a forked process that imports waits for ever if a thread of this one was in that import
    normalize_utterances(words[:1], {}, steps)
    begins = range(0, len(words), size)
    parts = [
        (
            list(words[begin : begin + size]),
            {index - begin: special[index] for index in special if begin <= index < begin + size},
        )
        for begin in begins
    ]
    context = multiprocessing.get_context("fork")
    try:
        with (
            warnings.catch_warnings(),
            ProcessPoolExecutor(jobs, context, _keep_steps, (steps,)) as pool,
        ):
            # of processes with threads; these run nothing but the steps
            warnings.simplefilter("ignore", DeprecationWarning)
            results = list(pool.map(_normalize, parts))
    except BrokenProcessPool:
        return normalize_utterances(words, special, steps)
    placed = list(zip(begins, results, strict=True))
    counts = Counter[str]()
    for result in results:
        counts.update(dict(result.counts))
    return Normalized(
        list(chain.from_iterable(result.words for result in results)),
        {begin + i: segment for begin, part in placed for i, segment in part.special.items()},
        tuple(begin + i for begin, part in placed for i in part.emptied),
        tuple(counts.items()),
    )


def _keep_steps(steps: Sequence[Step]) -> None:
    """Keep the steps that a process was forked with, which need not be pickled."""
    global _steps
    _steps = steps


def _normalize(part: tuple[Sequence[Words], Mapping[int, Segment]]) -> Normalized:
    return normalize_utterances(*part, _steps)
