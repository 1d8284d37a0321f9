"""Errors and reference tokens per utterance, from any kind of result.

A block is a group of utterances, such as those of a speaker, that are resampled together.

The functions here also pair the utterances of two systems and assign utterances to blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, TypeVar, Union, get_args

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.results import Alignments, CountsTable
from scoring.alignment.system import System, readable
from scoring.model.arrays import Floats
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError, StatisticsError
from scoring.options import Rules, differing_rules
from scoring.results import Rates
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import lies_in_time
from scoring.stats.blocks import (
    FEWEST_EXCHANGED,
    Blocks,
    choose_blocks,
    fewest_exchanged,
    influences_of,
    measured,
    pooled_effect,
)
from scoring.stats.units import errors_and_tokens

# What has been scored.
ScoredTable: TypeAlias = ErrorRates | Alignments | CountsTable | Sequence[Counts]
# `auto`, `utterance`, `speaker`, `recording`, or what each utterance belongs to.
BlockName: TypeAlias = Literal["auto", "utterance", "speaker", "recording"]
BlockOfUtterances: TypeAlias = Union[BlockName, Sequence[Hashable]]  # noqa: UP007

BLOCKS: tuple[BlockName, ...] = get_args(BlockName)
SINGLE: Collection[BlockOfUtterances] = ("auto", "utterance")
_SHOWN = 10
_Value = TypeVar("_Value")


class ScoreTable(NamedTuple):
    """The known columns of a result, one value per utterance; None for an unknown column."""

    title: str  # of the system
    statistics: NDArray[np.int64]  # shape (utterances, 2): errors and reference tokens
    identifiers: Sequence[str] | None = None
    speakers: Sequence[Hashable] | None = None
    recordings: Sequence[Hashable] | None = None
    # From the position of an utterance to its `Edit` bytes
    edits: Callable[[int], bytes] | None = None
    # What decided about the counts; None where `Rules` lacks options, as those of sclite
    rules: Rules | None = None
    unit: str = "utterance"  # what rows are, or `session` where speakers were assigned

    @property
    def knows_speakers(self) -> bool:
        """True if there are several speakers, but fewer than utterances."""
        speakers = self.speakers
        return speakers is not None and 1 < len(set(speakers)) < len(speakers)

    def restricted(self, positions: Sequence[int]) -> ScoreTable:
        """Return the table with only the utterances at these positions."""
        edits, places = self.edits, list(positions)
        return self._replace(
            statistics=self.statistics[places],
            identifiers=_at(self.identifiers, places),
            speakers=_at(self.speakers, places),
            recordings=_at(self.recordings, places),
            edits=edits and (lambda position: edits(places[position])),
        )


def _at(column: Sequence[_Value] | None, places: Sequence[int]) -> list[_Value] | None:
    return None if column is None else [column[place] for place in places]


def table_of(rates: Rates) -> ScoreTable:
    """Return the errors and words of each utterance of a result, or of each session."""
    units = rates.per_session() if rates.session_of else rates
    return ScoreTable(
        rates.hypothesis.title,
        errors_and_tokens(units.per_utterance.array),
        units.identifiers,
        None if rates.session_of or None in units.speakers else units.speakers,
        unit="session" if rates.session_of else "utterance",
    )


def score_table(scored: ScoredTable) -> ScoreTable:
    """Return the known numbers of each utterance of a result."""
    if isinstance(scored, ErrorRates):
        scored.refuse_lengths("intervals and tests")
        if scored.session_of:
            # utterances of a session are never drawn alone
            table = score_table(scored.per_session()._replace(session_of=()))
            return table._replace(unit="session")
        recordings: list[str | None] = [None]
        if scored.sources is not None:
            recordings = [
                segment.recording if lies_in_time(segment) else None
                for segment in scored.sources.references
            ]
        return ScoreTable(
            scored.hypothesis.title,
            errors_and_tokens(scored.aligned.counts.array),
            scored.identifiers,
            None if None in scored.speakers else scored.speakers,
            None if None in recordings else recordings,
            scored.aligned.edits_of,
            scored.rules,
        )
    if isinstance(scored, System):
        files = scored.utterances.files
        return ScoreTable(
            readable(scored.title),
            errors_and_tokens(scored.counts.array),
            scored.names,
            [readable(scored.speakers[number]) for number in scored.utterances.speakers],
            None if files is None or None in files else files,
            scored.edits_of,
        )
    if isinstance(scored, Alignments):
        statistics = errors_and_tokens(scored.counts.array)
        return ScoreTable("counts", statistics, edits=scored.edits_of)
    counts = scored.array if isinstance(scored, CountsTable) else list(scored)
    if isinstance(counts, list) and not all(isinstance(row, Counts) for row in counts):
        raise TypeError(
            "expected results of wer, Counts of each utterance, alignments, a System, or a "
            "hypothesis with reference=..."
        )
    return ScoreTable("counts", errors_and_tokens(counts))


def labels_of(table: ScoreTable, block: BlockOfUtterances) -> tuple[Sequence[Hashable] | None, str]:
    """Return the block of each utterance, and the name of the blocks.

    The first value is None if each utterance is a block.
    """
    if not isinstance(block, str):
        return block, "given blocks"
    if block not in BLOCKS:
        raise OptionValueError(
            "block", expected=f"one of {', '.join(BLOCKS)} or a list", found=repr(block)
        )
    if block in SINGLE:
        return None, table.unit
    labels = table.speakers if block == "speaker" else table.recordings
    if labels is not None:
        return labels, block
    way_out = f"pass a list with the {block} of each utterance"
    if table.identifiers is None:
        raise StatisticsError(f"counts have no {block}: {way_out}")
    kept = " (keep_sources=True keeps them)" if block == "recording" else ""
    raise StatisticsError(f"the utterances have no {block}: {way_out}{kept}")


def blocks_of(
    table: ScoreTable, block: BlockOfUtterances, other: NDArray[np.int64] | None = None
) -> Blocks:
    """Return the units to resample, for an interval or for a comparison with another system."""
    systems = [table.statistics, *([] if other is None else [other])]
    if not isinstance(block, str) or block not in SINGLE:
        return Blocks(*labels_of(table, block))
    decide = choose_blocks if block == "auto" else measured
    return decide(systems, table.speakers, table.unit)


def shared_blocks(
    tables: Sequence[ScoreTable], blocks: Sequence[BlockOfUtterances]
) -> list[Blocks]:
    """Return the units to resample for the rates of several systems of one table.

    Where the unit is `auto`, the pooled design effect of the systems decides for all of them.
    """
    effect = pooled_effect(
        (influences_of(table.statistics), table.speakers)
        for table, block in zip(tables, blocks, strict=True)
        if block == "auto" and table.knows_speakers
    )
    units = []
    for table, block in zip(tables, blocks, strict=True):
        unit = blocks_of(table, "utterance" if block == "auto" else block)
        if block == "auto" and table.knows_speakers and effect is not None and effect > 1:
            unit = unit._replace(labels=table.speakers, name="speaker")
        units.append(unit)
    return units


class UnitOfTests(NamedTuple):
    """What the tests of all pairs of systems of one table exchange as a whole."""

    given: BlockOfUtterances  # `auto`: speakers or utterances, by the design effect
    design_effect: float | None = None  # of the differences of all pairs; None: unknown
    fewest: int = FEWEST_EXCHANGED  # speakers that can be exchanged

    def of(self, table: ScoreTable) -> BlockOfUtterances:
        """Return the unit within a set or group; its speakers may be too few to be exchanged."""
        if not isinstance(self.given, str) or self.given != "auto":
            return self.given
        effect = self.design_effect
        if effect is None or effect <= 1 or not table.knows_speakers:
            return "utterance"
        return "utterance" if len(set(table.speakers or ())) < self.fewest else "speaker"

    def reason(self, units: Collection[str]) -> str:
        """Return why these units were exchanged; empty if they were given, or without speakers."""
        if self.given != "auto" or self.design_effect is None or not units:
            return ""
        effect = f"design effect {self.design_effect:.2f} of the differences of all pairs"
        is_few = self.design_effect > 1 and "utterance" in units
        return effect + f"; fewer than {self.fewest} speakers cannot be significant" * is_few


def unit_of_tests(systems: Sequence[Sequence[ScoreTable]], given: BlockOfUtterances) -> UnitOfTests:
    """Return the unit of the tests of all pairs of systems, each of which has a table per set."""
    if given != "auto":
        return UnitOfTests(given)
    pairs = len(systems) * (len(systems) - 1) // 2
    effect = pooled_effect(_changes_of_pairs(systems))
    return UnitOfTests(given, effect, fewest_exchanged(pairs))


def _changes_of_pairs(
    systems: Sequence[Sequence[ScoreTable]],
) -> Iterator[tuple[Floats, Sequence[Hashable] | None]]:
    """Yield the influences on the difference of each pair in each set, and the speakers."""
    for left, right in combinations(systems, 2):
        for a, b in zip(left, right, strict=True):
            try:
                places = matched_places(a, b)
            except StatisticsError:
                continue  # the test of this pair says why
            yield influences_of(b.statistics[places]) - influences_of(a.statistics), a.speakers


def matched_places(left: ScoreTable, right: ScoreTable) -> NDArray[np.int64]:
    """Return, for each utterance of `left`, its position in `right` (int64).

    Utterances are matched by identifier if both results have identifiers, otherwise by position.
    """
    found = ""
    if left.rules is not None and right.rules is not None:
        found = differing_rules(left.rules, right.rules)
    if found:
        raise StatisticsError(f"expected results of the same rules, found {found}")
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
    """Return a text about the utterances that only one of two systems has."""
    if left.identifiers is None or right.identifiers is None:
        return ""
    ours, theirs = set(left.identifiers), set(right.identifiers)
    parts = [""]
    for title, only in ((left.title, ours - theirs), (right.title, theirs - ours)):
        if only:
            more = ", ..." if len(only) > _SHOWN else ""
            parts.append(f"only in {title}: {', '.join(sorted(only)[:_SHOWN])}{more}")
    return "; ".join(parts)
