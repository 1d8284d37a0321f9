"""Systems in order of their rates, and which of them do not clearly differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.blocks import Block as DrawnBlock
from scoring.drawing.blocks import Heading, Note, Table
from scoring.drawing.numbers import p_text, percent
from scoring.model.errors import ScoringError
from scoring.regression.nist_tests import matched_pairs
from scoring.regression.significance import interval_of, pairing_of
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockOfUtterances, matched_places, score_table
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import holm

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
    """Systems, the best first."""

    systems: tuple[Ranked, ...]  # equal rates in their order of input; without a rate last
    pairs: tuple[SystemPair, ...]  # every two of them
    tests: int  # number of pairs that were tested
    level: float  # of adjusted p-values: 0.05 where intervals cover 95 %
    block: str  # what is drawn as a whole for the intervals
    remark: str  # why a pair could not be tested; empty where all could be

    def blocks(self) -> Iterator[DrawnBlock]:
        """Blocks of reports."""
        yield Heading("Ranking")
        yield Table(HEADINGS, [self._row(system) for system in self.systems])
        yield from map(Note, self.notes())

    def notes(self) -> Iterator[str]:
        """Notes on the method of tests and intervals."""
        tests = "1 test" if self.tests == 1 else f"{self.tests} tests"
        significance = (
            f"pairs by the matched-pairs test of NIST, {tests}, p-values adjusted by "
            f"Holm's method, level {self.level:g}"
        )
        intervals = (system.interval for system in self.systems if system.interval is not None)
        methods = (f"; {interval.how()}" for interval in intervals)
        yield f"{significance}{next(methods, '')}"
        if self.remark:
            yield f"not tested, so shown as having no clear difference: {self.remark}"

    def differ(self, pair: SystemPair) -> bool:
        """True if two systems differ significantly."""
        return pair.adjusted is not None and pair.adjusted <= self.level

    def record(self) -> dict[str, object]:
        """The ranking for JSON; systems are named as their hypotheses."""
        names = [system.rates.hypothesis.title for system in self.systems]
        return {
            "level": self.level,
            "tests": self.tests,
            "remark": self.remark,
            "systems": [
                {
                    "hypothesis": name,
                    "rank": system.rank,
                    "errors": system.rates.counts.errors,
                    "rate": system.rates.corpus_rate,
                    "confidence_interval": system.interval and system.interval.record(),
                    "no_clear_difference_from": [names[index] for index in system.alike],
                }
                for name, system in zip(names, self.systems, strict=True)
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
        """The data of the HTML page."""
        from scoring.pages.html.view import RankingView, names_of

        names = names_of([system.rates for system in self.systems])
        cells = [[("", "", "")] * len(names) for _ in names]
        for pair in self.pairs:
            p_value = "not tested" if pair.adjusted is None else p_text(pair.adjusted)
            for (left, right), kind in ((pair.places, "better"), (pair.places[::-1], "worse")):
                rates = [self.systems[index].rates.corpus_rate for index in (left, right)]
                change = None if None in rates else rates[0] - rates[1]  # type: ignore[operator]
                points = percent(change, sign="+").replace("-", "−")
                cells[left][right] = (kind if self.differ(pair) else "alike", points, p_value)
        rows = [
            (
                name,
                "" if system.rank is None else str(system.rank),
                f"{system.rates.counts.errors:,}",
                percent(system.rates.corpus_rate),
                system.interval.bounds(between=" – ") if system.interval else "n/a",
                ", ".join(names[index] for index in system.alike) or "—",
            )
            for name, system in zip(names, self.systems, strict=True)
        ]
        return RankingView(names, rows, cells, list(self.notes()))

    def _row(self, system: Ranked) -> tuple[str, ...]:
        bounds = "n/a"
        if system.interval is not None:
            bounds = system.interval.bounds()
        alike = ", ".join(self.systems[index].rates.hypothesis.title for index in system.alike)
        rank = "" if system.rank is None else str(system.rank)
        rates = system.rates
        cells = (rank, str(rates.counts.errors), percent(rates.corpus_rate), bounds, alike)
        return (rates.hypothesis.title, *cells)


def in_order(systems: Sequence[ErrorRates]) -> list[ErrorRates]:
    """The systems by their rates, the best first, those without a rate last."""
    return sorted(
        systems, key=lambda system: (system.corpus_rate is None, system.corpus_rate or 0.0)
    )


def rank(
    systems: Sequence[ErrorRates],
    resampling: Resampling | None = None,
    blocks: Sequence[BlockOfUtterances] | None = None,
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
    >>> [(row.rank, row.rates.counts.errors, row.alike) for row in rank([old, new]).systems]
    [(1, 1, ()), (2, 16, ())]
    """
    resampling = resampling or Resampling()
    level = round(1 - resampling.level, 10)
    ordered = in_order(systems)
    block_of = dict(zip(map(id, systems), blocks or ["auto"] * len(systems), strict=True))
    tables = list(map(score_table, ordered))
    pairs = list(combinations(range(len(ordered)), 2))
    p_values: list[float | None] = []
    remark = ""
    for a, b in pairs:
        try:
            if ordered[a].matching_summary.matched_by.endswith("(hypothesis)"):
                raise ScoringError("each system is cut at its own segments")
            places = matched_places(tables[a], tables[b])
            pairing = pairing_of(tables[a], tables[b], places, "utterance", by_speaker=False)
            test = matched_pairs(pairing)
        except (ScoringError, ValueError) as problem:
            p_values.append(None)
            remark = remark or str(problem)
            continue
        p_values.append(test.p_value)
        remark = remark or ("" if test.p_value is not None else test.remark)
    tested = tuple(map(SystemPair, pairs, p_values, holm(p_values)))
    alike: list[list[int]] = [[] for _ in ordered]
    for (a, b), _, adjusted in tested:
        if adjusted is None or adjusted > level:
            alike[a].append(b)
            alike[b].append(a)
    ranked: list[Ranked] = []
    name = "utterance"
    for index, (rates, table) in enumerate(zip(ordered, tables, strict=True)):
        interval = interval_of(table, block_of[id(rates)], resampling)
        name = interval.block
        number: int | None = index + 1
        if rates.corpus_rate is None:
            number = None
        elif ranked and ranked[-1].rates.corpus_rate == rates.corpus_rate:
            number = ranked[-1].rank
        ranked.append(Ranked(rates, number, interval.bootstrap, tuple(sorted(alike[index]))))
    number = sum(value is not None for value in p_values)
    return Ranking(tuple(ranked), tested, number, level, name, remark)
