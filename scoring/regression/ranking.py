"""Several systems on the same references in one order, and which of them do not clearly differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.blocks import Block, Heading, Note, Table
from scoring.drawing.numbers import p_text, percent
from scoring.errors import ScoringError, StatisticsError
from scoring.regression.nist_tests import matched_pairs
from scoring.regression.significance import pairing_of
from scoring.scored.rates import ErrorRates
from scoring.scored.table import labels_of, matched_places, score_table
from scoring.stats.bootstrapping import Bootstrap, bootstrap
from scoring.stats.corrections import holm
from scoring.stats.intervals import Resampling

if TYPE_CHECKING:
    from scoring.pages.html.view import RankingView

HEADINGS = ("system", "rank", "errors", "rate %", "interval", "no clear difference from")


class Ranked(NamedTuple):
    """A system among others."""

    rates: ErrorRates
    rank: int | None  # from 1; equal rates share it; None without a rate
    interval: Bootstrap | None  # of its rate; None where the data give none
    alike: tuple[int, ...]  # places of systems that do not differ significantly


class SystemPair(NamedTuple):
    """Two systems of a ranking against each other."""

    places: tuple[int, int]  # theirs in the ranking, the better first
    p_value: float | None  # matched pairs, two-sided; None where it cannot be computed
    adjusted: float | None  # by Holm over all pairs


class Ranking(NamedTuple):
    """Systems, the best first.

    Attributes
    ----------
    systems
        Those of equal rates in the order in which they were given, those without a rate last.
    pairs
        Every two of them.
    tests
        How many pairs were tested.
    level
        What adjusted p-values are held against: 0.05 where intervals cover 95 %.
    block
        What is drawn as a whole for the intervals.
    remark
        Why a pair could not be tested; empty where all could be.
    """

    systems: tuple[Ranked, ...]
    pairs: tuple[SystemPair, ...]
    tests: int
    level: float
    block: str
    remark: str

    def blocks(self) -> Iterator[Block]:
        """What reports show."""
        yield Heading("Ranking")
        yield Table(HEADINGS, [self._row(one) for one in self.systems])
        yield from map(Note, self.notes())

    def notes(self) -> Iterator[str]:
        """How systems were tested, and how intervals were made."""
        significance = (
            f"pairs by the matched-pairs test of NIST, {self.tests} tests, p-values adjusted by "
            f"Holm's method, level {self.level:g}"
        )
        known = next((one.interval for one in self.systems if one.interval is not None), None)
        yield f"{significance}{(known and f'; {known.how(self.block)}') or ''}"
        if self.remark:
            yield f"not tested, so counted as without clear difference: {self.remark}"

    def differ(self, pair: SystemPair) -> bool:
        """Whether two systems differ significantly."""
        return pair.adjusted is not None and pair.adjusted <= self.level

    def record(self) -> dict[str, object]:
        """The ranking for JSON; systems are named as their hypotheses."""
        names = [one.rates.hypothesis.path for one in self.systems]
        return {
            "level": self.level,
            "tests": self.tests,
            "remark": self.remark,
            "systems": [
                {
                    "hypothesis": name,
                    "rank": one.rank,
                    "errors": one.rates.counts.errors,
                    "rate": one.rates.corpus_rate,
                    "confidence_interval": one.interval and one.interval.record(self.block),
                    "no_clear_difference_from": [names[place] for place in one.alike],
                }
                for name, one in zip(names, self.systems, strict=True)
            ],
            "pairs": [
                {
                    "better": names[pair.places[0]],
                    "worse": names[pair.places[1]],
                    "p_value": pair.p_value,
                    "adjusted": pair.adjusted,
                }
                for pair in self.pairs
            ],
        }

    def view(self) -> RankingView:
        """What the HTML page shows."""
        from scoring.pages.html.view import RankingView, names_of

        names = names_of([one.rates for one in self.systems])
        cells = [[("", "", "")] * len(names) for _ in names]
        for pair in self.pairs:
            p_value = "not tested" if pair.adjusted is None else p_text(pair.adjusted)
            for (left, right), kind in ((pair.places, "better"), (pair.places[::-1], "worse")):
                rates = [self.systems[place].rates.corpus_rate for place in (left, right)]
                change = None if None in rates else rates[0] - rates[1]  # type: ignore[operator]
                points = percent(change, sign="+").replace("-", "−")
                cells[left][right] = (kind if self.differ(pair) else "alike", points, p_value)
        rows = [
            (
                name,
                "" if one.rank is None else str(one.rank),
                f"{one.rates.counts.errors:,}",
                percent(one.rates.corpus_rate),
                " – ".join(map(percent, one.interval.percentile)) if one.interval else "n/a",
                ", ".join(names[place] for place in one.alike) or "—",
            )
            for name, one in zip(names, self.systems, strict=True)
        ]
        return RankingView(names, rows, cells, list(self.notes()))

    def _row(self, one: Ranked) -> tuple[str, ...]:
        bounds = "n/a"
        if one.interval is not None:
            bounds = " to ".join(map(percent, one.interval.percentile))
        alike = ", ".join(self.systems[place].rates.hypothesis.path for place in one.alike)
        rank = "" if one.rank is None else str(one.rank)
        rates = one.rates
        cells = (rank, str(rates.counts.errors), percent(rates.corpus_rate), bounds, alike)
        return (rates.hypothesis.path, *cells)


def in_order(systems: Sequence[ErrorRates]) -> list[ErrorRates]:
    """The systems by their rates, the best first, those without a rate last."""
    return sorted(systems, key=lambda one: (one.corpus_rate is None, one.corpus_rate or 0.0))


def rank(
    systems: Sequence[ErrorRates],
    resampling: Resampling | None = None,
    blocks: Sequence[str | Sequence[Hashable]] | None = None,
) -> Ranking:
    """Rank systems that were scored on the same references.

    Each two are tested by NIST's matched pairs of segments (MAPSSWE), and the p-values adjusted by
    Holm's method over all pairs: the chance that any two are wrongly told to differ is at most
    the level.

    Parameters
    ----------
    resampling
        Of the intervals; the level of the tests is what they leave out.
    blocks
        Of each system, as `block` of `scoring.confidence_interval`.

    Examples
    --------
    >>> from scoring import wer
    >>> old = wer(["a b c"] * 9, ["a x y"] * 8 + ["a b c"])
    >>> new = wer(["a b c"] * 9, ["a b y"] + ["a b c"] * 8)
    >>> [(one.rank, one.rates.counts.errors, one.alike) for one in rank([old, new]).systems]
    [(1, 1, ()), (2, 16, ())]
    """
    resampling = resampling or Resampling()
    level = round(1 - resampling.level, 10)
    ordered = in_order(systems)
    own = dict(zip(map(id, systems), blocks or ["utterance"] * len(systems), strict=True))
    tables = list(map(score_table, ordered))
    pairs = list(combinations(range(len(ordered)), 2))
    p_values: list[float | None] = []
    remark = ""
    for a, b in pairs:
        try:
            places = matched_places(tables[a], tables[b])
            pairing = pairing_of(tables[a], tables[b], places, "utterance", by_speaker=False)
            found = matched_pairs(pairing)
        except (ScoringError, ValueError) as problem:
            p_values.append(None)
            remark = remark or str(problem)
            continue
        p_values.append(found.p_value)
        remark = remark or ("" if found.p_value is not None else found.remark)
    tested = tuple(map(SystemPair, pairs, p_values, holm(p_values)))
    alike: list[list[int]] = [[] for _ in ordered]
    for (a, b), _, adjusted in tested:
        if adjusted is None or adjusted > level:
            alike[a].append(b)
            alike[b].append(a)
    ranked: list[Ranked] = []
    name = "utterance"
    for place, (rates, table) in enumerate(zip(ordered, tables, strict=True)):
        labels, name = labels_of(table, own[id(rates)])
        try:
            interval = bootstrap(table.statistics, blocks=labels, **resampling._asdict())
        except StatisticsError:
            interval = None
        number: int | None = place + 1
        if rates.corpus_rate is None:
            number = None
        elif ranked and ranked[-1].rates.corpus_rate == rates.corpus_rate:
            number = ranked[-1].rank
        ranked.append(Ranked(rates, number, interval, tuple(sorted(alike[place]))))
    number = sum(value is not None for value in p_values)
    return Ranking(tuple(ranked), tested, number, level, name, remark)
