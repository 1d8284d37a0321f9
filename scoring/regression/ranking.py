"""Systems in order of their rates, and which of them do not clearly differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.blocks import Block as DrawnBlock
from scoring.drawing.blocks import Heading, Note, Table
from scoring.drawing.numbers import p_text, percent
from scoring.model.errors import ScoringError
from scoring.regression.significance import TESTS, TestName, decide, interval_of
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockOfUtterances, score_table
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.deciding import DEFAULT_TEST, is_significant, level_of_tests
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import holm

if TYPE_CHECKING:
    from scoring.pages.html.view import RankingView

HEADINGS = (
    *("system", "rank", "errors", "rate %", "interval", "p against the first"),
    "no clear difference from",
)


class Ranked(NamedTuple):
    """A system among others."""

    rates: ErrorRates
    rank: int | None  # from 1; equal rates share it; None without a rate
    interval: Bootstrap | None  # of its rate; None where the data give none
    alike: tuple[int, ...]  # places of systems that do not differ significantly


class SystemPair(NamedTuple):
    """Two systems of a ranking against each other."""

    places: tuple[int, int]  # theirs in the ranking, the better first
    p_value: float | None  # two-sided; None where it cannot be computed
    adjusted: float | None  # by Holm over all pairs


class Ranking(NamedTuple):
    """Systems, the best first."""

    systems: tuple[Ranked, ...]  # equal rates in their order of input; without a rate last
    pairs: tuple[SystemPair, ...]  # every two of them
    tests: int  # number of pairs that were tested
    level: float  # of adjusted p-values: 0.05 where intervals cover 95 %
    block: str  # what is drawn as a whole for the intervals
    remark: str  # why a pair could not be tested; empty where all could be
    test: TestName  # of each pair
    tested_by: str  # what was exchanged as a whole

    def blocks(self) -> Iterator[DrawnBlock]:
        """Yield the blocks of reports."""
        yield Heading("Ranking")
        yield Table(HEADINGS, [self._row(place) for place in range(len(self.systems))])
        yield from map(Note, self.notes())

    def notes(self) -> Iterator[str]:
        """Yield notes on the method of tests and intervals."""
        tests = "1 test" if self.tests == 1 else f"{self.tests} tests"
        significance = (
            f"pairs by {self.how}, {tests}, p-values adjusted by "
            f"Holm's method, level {self.level:g}"
        )
        intervals = (system.interval for system in self.systems if system.interval is not None)
        methods = (f"; {interval.how()}" for interval in intervals)
        yield f"{significance}{next(methods, '')}"
        if self.remark:
            yield f"not tested, so shown as having no clear difference: {self.remark}"

    @property
    def how(self) -> str:
        """The test of each pair, with what was exchanged."""
        return f"{self.test} by {self.tested_by}" if self.test in TESTS else self.test

    def p_of(self, one: int, other: int) -> str:
        """Return the adjusted p-value of two systems as text, or that they were not tested."""
        places = tuple(sorted((one, other)))
        adjusted = next(pair.adjusted for pair in self.pairs if pair.places == places)
        return "not tested" if adjusted is None else p_text(adjusted)

    def alike_text(self, place: int, names: Sequence[str]) -> str:
        """Return the systems that a system does not clearly differ from, each with its p-value."""
        alike = self.systems[place].alike
        return ", ".join(f"{names[other]} ({self.p_of(place, other)})" for other in alike)

    def differ(self, pair: SystemPair) -> bool:
        """Return True if two systems differ significantly."""
        return is_significant(pair.adjusted, self.level)

    def record(self) -> dict[str, object]:
        """Return the ranking for JSON; systems are named as their hypotheses."""
        names = [system.rates.hypothesis.title for system in self.systems]
        return {
            "level": self.level,
            "tests": self.tests,
            "test": self.test,
            "tested_by": self.tested_by,
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
                    "differ": self.differ(pair),
                }
                for pair in self.pairs
            ],
        }

    def view(self) -> RankingView:
        """Return the data of the HTML page."""
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
                self.alike_text(place, names) or "—",
            )
            for place, (name, system) in enumerate(zip(names, self.systems, strict=True))
        ]
        return RankingView(names, rows, cells, list(self.notes()))

    def _row(self, place: int) -> tuple[str, ...]:
        system, names = self.systems[place], [row.rates.hypothesis.title for row in self.systems]
        bounds = "n/a" if system.interval is None else system.interval.bounds()
        rank = "" if system.rank is None else str(system.rank)
        p_value = self.p_of(0, place).removeprefix("p = ") if place else ""
        rates = system.rates
        cells = (rank, str(rates.counts.errors), percent(rates.corpus_rate), bounds, p_value)
        return (names[place], *cells, self.alike_text(place, names))


def in_order(systems: Sequence[ErrorRates]) -> list[ErrorRates]:
    """Return the systems by their rates, the best first, those without a rate last."""
    return sorted(
        systems, key=lambda system: (system.corpus_rate is None, system.corpus_rate or 0.0)
    )


def rank(
    systems: Sequence[ErrorRates],
    resampling: Resampling | None = None,
    blocks: Sequence[BlockOfUtterances] | None = None,
    test: TestName = DEFAULT_TEST,
) -> Ranking:
    """Rank systems that were scored on the same references.

    Each two are tested as `scoring.compare` tests them, and the p-values adjusted by Holm's method
    over all pairs: the chance that any two are wrongly told to differ is at most
    the level.

    Parameters
    ----------
    resampling
        Of the intervals; the level of the tests is what they leave out.
    blocks
        Of each system, as `block` of `scoring.confidence_interval`.
    test
        Of each pair, as in `scoring.compare`.

    Examples
    --------
    >>> from scoring import wer
    >>> old = wer(["a b c"] * 9, ["a x y"] * 8 + ["a b c"])
    >>> new = wer(["a b c"] * 9, ["a b y"] + ["a b c"] * 8)
    >>> [(row.rank, row.rates.counts.errors, row.alike) for row in rank([old, new]).systems]
    [(1, 1, ()), (2, 16, ())]
    """
    resampling = resampling or Resampling()
    level = level_of_tests(resampling.level)
    ordered = in_order(systems)
    block_of = dict(zip(map(id, systems), blocks or ["auto"] * len(systems), strict=True))
    tables = list(map(score_table, ordered))
    pairs = list(combinations(range(len(ordered)), 2))
    p_values: list[float | None] = []
    remark, units = "", dict[str, None]()
    for a, b in pairs:
        try:
            if ordered[a].matching_summary.matched_by.endswith("(hypothesis)"):
                raise ScoringError("each system is cut at its own segments")
            block = block_of[id(ordered[a])]
            result, unit = decide(tables[a], tables[b], test, block, resampling)
        except (ScoringError, ValueError) as problem:
            p_values.append(None)
            remark = remark or str(problem)
            continue
        p_values.append(result.p_value)
        units[unit] = None
        remark = remark or ("" if result.p_value is not None else result.remark)
    tested = tuple(map(SystemPair, pairs, p_values, holm(p_values)))
    alike: list[list[int]] = [[] for _ in ordered]
    for (a, b), _, adjusted in tested:
        if not is_significant(adjusted, level):
            alike[a].append(b)
            alike[b].append(a)
    ranked: list[Ranked] = []
    name = "utterance"
    tested_by = " or ".join(units) or name
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
    return Ranking(tuple(ranked), tested, number, level, name, remark, test, tested_by)
