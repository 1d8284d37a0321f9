"""Rank systems by error rate, and mark pairs that do not clearly differ."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing import percent
from scoring.drawing.blocks import Block as DrawnBlock
from scoring.drawing.blocks import Heading, Note, Table
from scoring.pages.sentence import names_of_systems
from scoring.regression.pair_tests import PairTests, SystemPair, decide_pairs
from scoring.regression.significance import TESTS, TestName, intervals_of
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockOfUtterances, score_table
from scoring.stats.bootstrapping import Bootstrap, how_each
from scoring.stats.deciding import DEFAULT_TEST, level_of_tests
from scoring.stats.intervals import Resampling

if TYPE_CHECKING:
    from scoring.pages.html.view import RankingView

HEADINGS = ("system", "rank", "errors", "rate %", "interval", "p against the first")
ALIKE = ("system", "no clear difference from")
MOST_JOINED = 3  # systems that a sentence names


class Ranked(NamedTuple):
    """A system in a ranking."""

    rates: ErrorRates
    rank: int | None  # from 1; equal rates share it; None without a rate
    interval: Bootstrap | None  # of its rate; None where the data give none
    alike: tuple[int, ...]  # places of systems that do not differ significantly


def _names_in_sentence(names: Sequence[str]) -> str:
    """Return the first names as a part of a sentence, and the number of the others.

    >>> _names_in_sentence(["a", "b"]), _names_in_sentence(["a", "b", "c"])
    ('a and b', 'a, b and c')
    >>> _names_in_sentence(list("abcdef"))
    'a, b, c and 3 others'
    """
    others = len(names) - MOST_JOINED
    if others > 1:
        names = [*names[:MOST_JOINED], f"{others} others"]
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


class Ranking(NamedTuple):
    """A ranking of systems, the best first."""

    systems: tuple[Ranked, ...]  # equal rates in their order of input; without a rate last
    tests: PairTests  # of every two of them, at 0.05 where intervals cover 95 %
    block: str  # what is drawn as a whole for the intervals
    test: TestName  # of each pair

    @property
    def pairs(self) -> tuple[SystemPair, ...]:
        """All pairs of systems, the better system first."""
        return self.tests.pairs

    @property
    def tested_by(self) -> str:
        """The unit that the test exchanges: utterances or speakers."""
        return " or ".join(self.tests.units) or self.block

    def blocks(self) -> Iterator[DrawnBlock]:
        """Yield the ranking as report blocks."""
        names = self.short_names()
        yield Heading("Ranking")
        yield Table(HEADINGS, [self._row(place, name) for place, name in enumerate(names)])
        # a table of its own, so that the ranking fits on a narrow terminal
        alike = [(name, self.tests.alike_text(place, names)) for place, name in enumerate(names)]
        if any(others for _, others in alike):
            yield Table(ALIKE, [row for row in alike if row[1]], text_columns=2)
        yield from map(Note, self.notes())

    def short_names(self) -> list[str]:
        """Return the names of the systems without the folders that all of them share."""
        return names_of_systems([system.rates for system in self.systems])

    def sentence(self) -> str:
        """Return a sentence on the system with the lowest rate, and on systems not clearly worse.

        The sentence is empty if there are no rates.
        """
        names = self.short_names()
        firsts = [name for name, row in zip(names, self.systems, strict=True) if row.rank == 1]
        if not firsts:
            return ""
        verb = "has" if len(firsts) == 1 else "have"
        rate = percent(self.systems[0].rates.corpus_rate)
        lead = f"{_names_in_sentence(firsts)} {verb} the lowest rate, {rate} %"
        others = [names[place] for place in self.systems[0].alike if names[place] not in firsts]
        if others:
            return f"{lead}; the difference from {_names_in_sentence(others)} may be chance"
        return lead

    def notes(self) -> Iterator[str]:
        """Yield notes on the methods of the tests and the intervals."""
        number = self.tests.number
        tests = "1 test" if number == 1 else f"{number} tests"
        significance = (
            f"pairs by {self.how}, {tests}, p-values adjusted by "
            f"Holm's method, level {self.tests.level:g}"
        )
        intervals = [system.interval for system in self.systems]
        methods = how_each(dict(zip(self.short_names(), intervals, strict=True)))
        yield f"{significance}{f'; {methods}' if methods else ''}"
        if self.tests.remark:
            yield f"not tested, so shown as having no clear difference: {self.tests.remark}"

    @property
    def how(self) -> str:
        """A description of the pairwise test and its resampling unit."""
        return f"{self.test} by {self.tests.how or self.block}" if self.test in TESTS else self.test

    def record(self) -> dict[str, object]:
        """Return the ranking for JSON; each system has the name of its hypothesis."""
        names = [system.rates.hypothesis.title for system in self.systems]
        return {
            "level": self.tests.level,
            "test_count": self.tests.number,
            "test": self.test,
            "tested_by": self.tested_by,
            "design_effect": self.tests.unit and self.tests.unit.design_effect,
            "reason": self.tests.remark,
            "systems": [
                {
                    "hypothesis": name,
                    "rank": system.rank,
                    "errors": system.rates.counts.errors,
                    "error_rate": system.rates.corpus_rate,
                    "interval": system.interval and system.interval.record(),
                    "no_clear_difference_from": [names[index] for index in system.alike],
                }
                for name, system in zip(names, self.systems, strict=True)
            ],
            "pairs": [
                {
                    "better": names[pair.places[0]],
                    "worse": names[pair.places[1]],
                    "p_value": pair.p_value,
                    "adjusted_p_value": pair.adjusted,
                    "differ": self.tests.differ(pair),
                }
                for pair in self.pairs
            ],
        }

    def view(self) -> RankingView:
        """Return the data for the HTML page."""
        from scoring.pages.html.view import RankingView, interval_heading

        names = self.short_names()
        cells = [[("", "", "")] * len(names) for _ in names]
        for pair in self.pairs:
            p_value = self.tests.p_of(*pair.places)
            for (left, right), kind in ((pair.places, "better"), (pair.places[::-1], "worse")):
                rates = [self.systems[index].rates.corpus_rate for index in (left, right)]
                change = None if None in rates else rates[0] - rates[1]  # type: ignore[operator]
                points = percent(change, sign="+").replace("-", "−")
                cells[left][right] = (kind if self.tests.differ(pair) else "alike", points, p_value)
        rows = [
            (
                name,
                "" if system.rank is None else str(system.rank),
                f"{system.rates.counts.errors:,}",
                percent(system.rates.corpus_rate),
                system.interval.bounds(between=" – ") if system.interval else "n/a",
                self.tests.alike_text(place, names) or "—",
            )
            for place, (name, system) in enumerate(zip(names, self.systems, strict=True))
        ]
        heading = interval_heading(system.interval for system in self.systems)
        return RankingView(heading, names, rows, cells, list(self.notes()))

    def _row(self, place: int, name: str) -> tuple[str, ...]:
        system = self.systems[place]
        bounds = "n/a" if system.interval is None else system.interval.bounds()
        rank = "" if system.rank is None else str(system.rank)
        p_value = self.tests.p_cell(0, place)
        rates = system.rates
        cells = (rank, str(rates.counts.errors), percent(rates.corpus_rate), bounds, p_value)
        return (name, *cells)


def in_order(systems: Sequence[ErrorRates]) -> list[ErrorRates]:
    """Sort systems by error rate, lowest first; systems without a rate are last."""
    return sorted(
        systems, key=lambda system: (system.corpus_rate is None, system.corpus_rate or 0.0)
    )


def reason_untested(rates: ErrorRates) -> str:
    """Return why a system cannot be tested against others; empty if it can."""
    is_cut = rates.matching_summary.matched_by.endswith("(hypothesis)")
    return "each system is cut at its own segments" if is_cut else ""


def rank(
    systems: Sequence[ErrorRates],
    resampling: Resampling | None = None,
    blocks: Sequence[BlockOfUtterances] | None = None,
    test: TestName = DEFAULT_TEST,
) -> Ranking:
    """Rank systems that were scored on the same references.

    All pairs are tested as in `scoring.compare`. Holm's method adjusts the p-values over all pairs,
    so that the probability of any false difference is at most the level.

    Parameters
    ----------
    resampling
        Replications, seed and level of the intervals. The significance level of the tests is one
        minus this level.
    blocks
        Resampling unit of each system, like `block` of `scoring.confidence_interval`.
    test
        The test of each pair, as in `scoring.compare`.

    Examples
    --------
    >>> from scoring import wer
    >>> old = wer(["a b c"] * 9, ["a x y"] * 8 + ["a b c"])
    >>> new = wer(["a b c"] * 9, ["a b y"] + ["a b c"] * 8)
    >>> [(row.rank, row.rates.counts.errors, row.alike) for row in rank([old, new]).systems]
    [(1, 1, ()), (2, 16, ())]
    """
    resampling = resampling or Resampling()
    ordered = in_order(systems)
    block_of = dict(zip(map(id, systems), blocks or ["auto"] * len(systems), strict=True))
    tables = list(map(score_table, ordered))
    own_blocks = [block_of[id(rates)] for rates in ordered]
    reasons = list(map(reason_untested, ordered))
    level = level_of_tests(resampling.level)
    tests = decide_pairs(
        [[table] for table in tables], test, own_blocks, resampling, level, reasons
    )
    ranked: list[Ranked] = []
    name = "utterance"
    intervals = intervals_of(tables, own_blocks, resampling)
    for index, (rates, interval) in enumerate(zip(ordered, intervals, strict=True)):
        name = interval.block
        number: int | None = index + 1
        if rates.corpus_rate is None:
            number = None
        elif ranked and ranked[-1].rates.corpus_rate == rates.corpus_rate:
            number = ranked[-1].rank
        ranked.append(Ranked(rates, number, interval.bootstrap, tests.alike(index)))
    return Ranking(tuple(ranked), tests, name, test)
