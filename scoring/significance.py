"""From scored systems to confidence intervals and comparisons, one call each.

The numbers come from `scoring.stats`; what is done here is to get at the counts, and to see to it
that two systems were scored on the same utterances.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.batch import Alignments, CountsTable
from scoring.comparison import (
    Comparison,
    Comparisons,
    ConfidenceInterval,
    Resampling,
    SignificanceTest,
)
from scoring.errors import InputError, StatisticsError
from scoring.model import Counts
from scoring.session import ScoreRequest, Session
from scoring.stats.bootstrapping import PairedBootstrap, bootstrap, paired_bootstrap
from scoring.stats.corrections import holm
from scoring.stats.randomisation import approximate_randomisation
from scoring.system import System
from scoring.transcripts.characters import byte_text
from scoring.transcripts.files import Source

# What can be scored: counts, alignments, a system, or the path of a hypothesis file.
Scorable: TypeAlias = Union[
    System, Alignments, CountsTable, Sequence[Counts], str, "os.PathLike[str]"
]
# `utterance`, `speaker`, `recording`, or what each utterance belongs to.
Block: TypeAlias = Union[str, Sequence[Hashable]]  # noqa: UP007

BLOCKS = ("utterance", "speaker", "recording")
TESTS = ("bootstrap", "randomisation")
SUFFIXES = {".trn": "trn", ".stm": "stm", ".ctm": "ctm"}
_SHOWN = 10
DEFAULT = Resampling()


def confidence_interval(
    scored: Scorable,
    *,
    reference: str | os.PathLike[str] | None = None,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> ConfidenceInterval:
    """The word error rate of a system with its bootstrap confidence interval.

    Parameters
    ----------
    scored
        Counts, alignments, a `System`, or the path of a hypothesis file.
    reference
        Path of the reference file; with a path only.
    block
        What is drawn as a whole: `utterance`; `speaker` or `recording` (of systems and files); or
        what each utterance belongs to, in order.
    resampling
        Replications, seed and level.
    request
        Options of scoring, with a path only. By default those of `sclite` without options.

    Returns
    -------
    ConfidenceInterval
        Without numbers, but with the reason, where there are less than two units or there are no
        reference tokens.

    Raises
    ------
    StatisticsError
        If the systems do not know their speakers or recordings.
    ScoringError
        If a file cannot be read or scored.
    TypeError, ValueError
        If an argument is of another kind or out of range.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> table = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> print(confidence_interval(table))  # doctest: +NORMALIZE_WHITESPACE
    counts: 25.00 % [0.00, 33.33] (95 % percentile bootstrap, 3 units by utterance,
    10,000 replications, seed 0)
    """
    table = _table(scored, reference, request, block)
    labels, name = _labels(table, block)
    try:
        found = bootstrap(table.statistics, blocks=labels, **resampling._asdict())
    except StatisticsError as problem:
        return ConfidenceInterval(table.title, name, None, str(problem))
    return ConfidenceInterval(table.title, name, found, None)


def compare(
    baseline: Scorable,
    new: Scorable,
    *,
    reference: str | os.PathLike[str] | None = None,
    tests: Sequence[str] = TESTS,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> Comparison:
    """Is the new system better than the baseline?

    Systems and files are matched by utterance identifier, everything else by position.

    Parameters
    ----------
    baseline, new
        As `scored` of `confidence_interval`.
    tests
        Which tests to make: `bootstrap`, `randomisation`.

    Other parameters and errors as of `confidence_interval`; besides, `StatisticsError` if the two
    were not scored on the same utterances.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> old = edit_distance_batch(references, [["a"], ["d", "x"], ["f", "g", "x"]])
    >>> new = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> comparison = compare(old, new)
    >>> comparison.bootstrap.difference.estimate
    -0.25
    >>> [(test.name, test.p_value) for test in comparison.tests][1]
    ('randomisation', 0.5)
    """
    unknown = [test for test in tests if test not in TESTS]
    if unknown:
        raise ValueError(f"tests: expected some of {', '.join(TESTS)}, found {unknown[0]!r}")
    left = _table(baseline, reference, request, block)
    right = _table(new, reference, request, block)
    pair = (left.statistics, right.statistics[_matched(left, right)])
    labels, name = _labels(left, block)
    try:
        found = paired_bootstrap(*pair, blocks=labels, **resampling._asdict())
    except StatisticsError as problem:
        skipped = tuple(SignificanceTest(test, None, None, str(problem)) for test in tests)
        return Comparison(left.title, right.title, name, None, skipped, str(problem))
    made = tuple(_test(test, pair, labels, found, resampling) for test in tests)
    return Comparison(left.title, right.title, name, found, made, None)


def compare_all(
    baseline: Scorable,
    systems: Iterable[Scorable],
    *,
    reference: str | os.PathLike[str] | None = None,
    tests: Sequence[str] = TESTS,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> Comparisons:
    """Several systems against one baseline, p-values adjusted for their number.

    The adjustment is Holm's, over the systems, for each test by itself. Parameters and errors as
    of `compare`.
    """
    found = [
        compare(
            baseline,
            system,
            reference=reference,
            tests=tests,
            block=block,
            resampling=resampling,
            request=request,
        )
        for system in systems
    ]
    columns = [holm([one.tests[place].p_value for one in found]) for place in range(len(tests))]
    return Comparisons(
        one._replace(
            tests=tuple(
                test._replace(adjusted=column[row])
                for test, column in zip(one.tests, columns, strict=True)
            )
        )
        for row, one in enumerate(found)
    )


class _Table(NamedTuple):
    """Errors and reference tokens per utterance, and the system they come from if there is one."""

    title: str
    statistics: NDArray[np.int64]
    system: System | None


def _table(
    scored: Scorable,
    reference: str | os.PathLike[str] | None,
    request: ScoreRequest | None,
    block: Block,
) -> _Table:
    if isinstance(scored, str | os.PathLike):
        if reference is None:
            raise TypeError("a hypothesis file needs a reference file: reference=...")
        scored = _scored_file(scored, reference, request, block)
    elif reference is not None or request is not None:
        raise TypeError("reference and request go with the path of a hypothesis file")
    if isinstance(scored, System):
        return _Table(_text(scored.title), _statistics(scored.counts), scored)
    if isinstance(scored, Alignments):
        scored = scored.counts
    if isinstance(scored, CountsTable):
        return _Table("counts", _statistics(scored.array), None)
    counts = list(scored)
    if not all(isinstance(one, Counts) for one in counts):
        raise TypeError("expected Counts of each utterance, alignments, a System or a path")
    return _Table("counts", _statistics(counts), None)


def _statistics(counts: object) -> NDArray[np.int64]:
    """Errors and reference tokens, from four numbers per utterance in the order of `Counts`."""
    rows = np.asarray(counts, dtype=np.int64).reshape(-1, 4)
    return np.column_stack([rows[:, 1:].sum(axis=1), rows[:, :3].sum(axis=1)])


def _scored_file(
    hypothesis: str | os.PathLike[str],
    reference: str | os.PathLike[str],
    request: ScoreRequest | None,
    block: Block,
) -> System:
    import warnings

    if request is None:
        # without interest in speakers any identifier will do
        request = ScoreRequest(identifier_kind="spu_id" if block == "speaker" else "sp")

    def warn(message: str) -> None:
        warnings.warn(_text(message.rstrip("\n")), UserWarning, stacklevel=6)

    done = Session(request, warn).score(_source(reference), _source(hypothesis))
    if done.failure is not None:
        raise done.failure
    return done.system


def _source(path: str | os.PathLike[str]) -> Source:
    name = os.fspath(path)
    title = byte_text(os.fsencode(name))
    format_name = SUFFIXES.get(os.path.splitext(name)[1].lower())
    if format_name is None:
        raise InputError(title, None, None, f"expected a file name in one of {', '.join(SUFFIXES)}")
    return Source(name, format_name, title)


def _text(byte_text: str) -> str:
    """Byte text as people read it."""
    return byte_text.encode("latin-1", "replace").decode("utf-8", "replace")


def _labels(table: _Table, block: Block) -> tuple[Sequence[Hashable] | None, str]:
    """What each utterance belongs to (None: each to itself), and how to call it."""
    if not isinstance(block, str):
        return block, "given blocks"
    if block not in BLOCKS:
        raise ValueError(f"block: expected one of {', '.join(BLOCKS)} or a list, found {block!r}")
    if block == "utterance":
        return None, block
    if table.system is None:
        raise StatisticsError(f"counts do not know the {block} of an utterance: pass a list")
    utterances = table.system.utterances
    if block == "speaker":
        return list(utterances.speakers), block
    if utterances.files is None or None in utterances.files:
        raise StatisticsError("the utterances do not know their recording: pass a list")
    return list(utterances.files), block


def _matched(left: _Table, right: _Table) -> NDArray[np.int64]:
    """For each utterance of `left`, the place of the same one in `right`."""
    if len(left.statistics) != len(right.statistics):
        raise StatisticsError(
            f"expected the same utterances, found {len(left.statistics)} and "
            f"{len(right.statistics)}{_difference(left, right)}"
        )
    in_order = np.arange(len(left.statistics))
    if left.system is None or right.system is None:
        return in_order
    ours, theirs = (list(one.utterances.identifiers) for one in (left.system, right.system))
    if ours == theirs:
        return in_order
    places = {identifier: place for place, identifier in enumerate(theirs)}
    if len(places) < len(theirs) or set(ours) != set(theirs):
        raise StatisticsError(f"expected the same utterances of both{_difference(left, right)}")
    return np.array([places[identifier] for identifier in ours], np.int64)


def _difference(left: _Table, right: _Table) -> str:
    """Which utterances only one of the systems has."""
    if left.system is None or right.system is None:
        return ""
    ours, theirs = (set(one.utterances.identifiers) for one in (left.system, right.system))
    parts = [""]
    for title, only in ((left.title, ours - theirs), (right.title, theirs - ours)):
        if only:
            listed = ", ".join(map(_text, sorted(only)[:_SHOWN]))
            more = ", ..." if len(only) > _SHOWN else ""
            parts.append(f"only in {title}: {listed}{more}")
    return "; ".join(parts)


def _test(
    name: str,
    pair: tuple[NDArray[np.int64], NDArray[np.int64]],
    labels: Sequence[Hashable] | None,
    found: PairedBootstrap,
    resampling: Resampling,
) -> SignificanceTest:
    if name == "bootstrap":
        remark = f"paired bootstrap, {resampling.replications:,} replications"
        return SignificanceTest(name, found.p_value, None, remark)
    try:
        result = approximate_randomisation(
            *pair, blocks=labels, trials=resampling.replications, seed=resampling.seed
        )
    except StatisticsError as problem:
        return SignificanceTest(name, None, None, str(problem))
    remark = f"{'all' if result.exact else 'random'} {result.trials:,} exchanges"
    return SignificanceTest(name, result.p_value, None, remark)
