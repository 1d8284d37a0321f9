"""Errors and reference tokens by utterance, from whatever has been scored.

From here systems are paired: which utterance of one is which of the other, and what each belongs
to.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.batch import Alignments, CountsTable
from scoring.alignment.system import System
from scoring.errors import StatisticsError
from scoring.model import Counts
from scoring.scored.as_system import is_placed
from scoring.scored.rates import ErrorRates

# What has been scored.
Scored: TypeAlias = ErrorRates | System | Alignments | CountsTable | Sequence[Counts]
# `utterance`, `speaker`, `recording`, or what each utterance belongs to.
Block: TypeAlias = Union[str, Sequence[Hashable]]  # noqa: UP007

BLOCKS = ("utterance", "speaker", "recording")
_SHOWN = 10


class ScoreTable(NamedTuple):
    """What is known of each utterance.

    Attributes
    ----------
    title
        Of the system.
    statistics
        int64, shape (utterances, 2): errors and reference tokens.
    identifiers, speakers, recordings
        Of each utterance; None where they are not known.
    edits
        From the position of an utterance to its `Edit` bytes; None where only counts are known.
    rules
        What decided about the counts; None where that is not known.
    """

    title: str
    statistics: NDArray[np.int64]
    identifiers: Sequence[str] | None = None
    speakers: Sequence[Hashable] | None = None
    recordings: Sequence[Hashable] | None = None
    edits: Callable[[int], bytes] | None = None
    rules: NamedTuple | None = None

    @property
    def knows_speakers(self) -> bool:
        """Whether there are several speakers, and not as many as utterances."""
        speakers = self.speakers
        return speakers is not None and 1 < len(set(speakers)) < len(speakers)


def score_table(scored: Scored) -> ScoreTable:
    """What is known of each utterance of what has been scored.

    Raises
    ------
    TypeError
        If it is nothing of that.
    """
    if isinstance(scored, ErrorRates):
        return _of_rates(scored)
    if isinstance(scored, System):
        utterances = scored.utterances
        recordings = utterances.files
        return ScoreTable(
            _text(scored.title),
            _statistics(scored.counts),
            # which sclite writes in parentheses
            [_text(one.removeprefix("(").removesuffix(")")) for one in utterances.identifiers],
            list(utterances.speakers),
            None if recordings is None or None in recordings else list(recordings),
            lambda at: bytes(scored.edits[scored.edit_offsets[at] : scored.edit_offsets[at + 1]]),
        )
    if isinstance(scored, Alignments):
        statistics = _statistics(scored.counts.array)
        return ScoreTable("counts", statistics, edits=lambda at: scored[at].edits)
    counts = scored.array if isinstance(scored, CountsTable) else list(scored)
    if isinstance(counts, list) and not all(isinstance(one, Counts) for one in counts):
        raise TypeError(
            "expected results of scoring.wer, Counts of each utterance, alignments, a System, or a "
            "hypothesis with reference=..."
        )
    return ScoreTable("counts", _statistics(counts))


def _of_rates(rates: ErrorRates) -> ScoreTable:
    aligned, sources = rates.aligned, rates.sources
    placed = [] if sources is None else [one for one in sources.references if is_placed(one)]
    return ScoreTable(
        rates.hypothesis.path,
        _statistics(aligned.counts.array),
        rates.identifiers,
        None if None in rates.speakers else rates.speakers,
        [one.recording for one in placed] if len(placed) == len(rates) else None,
        aligned.edits_of,
        rates.rules,
    )


def _statistics(counts: object) -> NDArray[np.int64]:
    """Errors and reference tokens, from four numbers per utterance in the order of `Counts`."""
    rows = np.asarray(counts, dtype=np.int64).reshape(-1, 4)
    return np.column_stack([rows[:, 1:].sum(axis=1), rows[:, :3].sum(axis=1)])


def _text(byte_text: str) -> str:
    """Byte text as people read it."""
    return byte_text.encode("latin-1", "replace").decode("utf-8", "replace")


def labels_of(table: ScoreTable, block: Block) -> tuple[Sequence[Hashable] | None, str]:
    """What each utterance belongs to (None: each to itself), and how to call it.

    Raises
    ------
    StatisticsError
        If the system does not know its speakers or recordings.
    ValueError
        If there is no such block.
    """
    if not isinstance(block, str):
        return block, "given blocks"
    if block not in BLOCKS:
        raise ValueError(f"block: expected one of {', '.join(BLOCKS)} or a list, found {block!r}")
    if block == "utterance":
        return None, block
    labels = table.speakers if block == "speaker" else table.recordings
    if labels is not None:
        return labels, block
    if table.identifiers is None:
        raise StatisticsError(f"counts do not know the {block} of an utterance: pass a list")
    kept = " (keep_sources=True keeps them)" if block == "recording" else ""
    raise StatisticsError(f"the utterances do not know their {block}: pass a list{kept}")


def matched_places(left: ScoreTable, right: ScoreTable) -> NDArray[np.int64]:
    """For each utterance of `left`, the place of the same one in `right`: int64.

    They are matched by identifier if both have some, else by position.

    Raises
    ------
    StatisticsError
        If they do not have the same utterances, or were not scored by the same rules.
    """
    if left.rules is not None and right.rules is not None and left.rules != right.rules:
        names = [
            f"{name}={one!r} and {other!r}"
            for name, one, other in zip(left.rules._fields, left.rules, right.rules, strict=True)
            if one != other
        ]
        raise StatisticsError(f"expected results of the same rules, found {', '.join(names)}")
    if len(left.statistics) != len(right.statistics):
        raise StatisticsError(
            f"expected the same utterances, found {len(left.statistics)} and "
            f"{len(right.statistics)}{_difference(left, right)}"
        )
    ours, theirs = left.identifiers, right.identifiers
    if ours is None or theirs is None or list(ours) == list(theirs):
        return np.arange(len(left.statistics))
    places = {identifier: place for place, identifier in enumerate(theirs)}
    if len(places) < len(theirs) or set(ours) != set(theirs):
        raise StatisticsError(f"expected the same utterances of both{_difference(left, right)}")
    return np.array([places[identifier] for identifier in ours], np.int64)


def _difference(left: ScoreTable, right: ScoreTable) -> str:
    """Which utterances only one of the systems has."""
    if left.identifiers is None or right.identifiers is None:
        return ""
    ours, theirs = set(left.identifiers), set(right.identifiers)
    parts = [""]
    for title, only in ((left.title, ours - theirs), (right.title, theirs - ours)):
        if only:
            more = ", ..." if len(only) > _SHOWN else ""
            parts.append(f"only in {title}: {', '.join(sorted(only)[:_SHOWN])}{more}")
    return "; ".join(parts)
