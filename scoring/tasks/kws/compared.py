"""Several systems of keyword search that were scored on the same keywords and audio."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing import p_text
from scoring.drawing.blocks import Block, Fact, Heading, Items, Lead, Note, Table
from scoring.drawing.markup import html_lines
from scoring.stats.deciding import is_significant
from scoring.stats.paired_tests import holm
from scoring.stats.randomisation import Randomisation, approximate_randomisation
from scoring.tasks.kws.evaluation import KeywordSearchScores
from scoring.tasks.kws.page import MOST_KEYWORDS, curve_blocks, values_of
from scoring.tasks.kws.record import document_of, signature, system_members
from scoring.tasks.kws.tables import VALUE, formatted

if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

CSV_COLUMNS = (
    *("system", "keyword", "text", "references", "hits", "misses", "false_alarms", "value"),
)
VALUES = range(1, 7)  # columns with values and thresholds
_TEST = (
    "p: randomisation of the values by keyword against the best system, {exchanges}, adjusted by "
    "Holm's method"
)


class SearchSystem(NamedTuple):
    """A system with its name and scores."""

    name: str
    scores: KeywordSearchScores

    @property
    def value(self) -> float | None:
        """The value at the decisions of the system (ATWV); None if it is undefined."""
        return self.scores.overall.actual.twv

    @property
    def keyword_values(self) -> dict[str, float]:
        """The value of each evaluated keyword, by its identifier."""
        scored = self.scores.overall.evaluated
        return {row.block.identifier: row.twv for row in scored if row.twv is not None}


def comparison_page(systems: Sequence[SearchSystem]) -> Iterator[str]:
    """Return a page with the values, DET curves and keywords of several systems."""
    return html_lines(_page_blocks(_in_order(systems)), "Keyword search")


def systems_lines(
    systems: Sequence[SearchSystem], remarks: Iterable[AnyMessage] = ()
) -> Iterator[bytes]:
    """Yield the lines of the JSON text of several systems, in their order.

    Each has the p-value of its difference from the best system.
    """
    remarks = list(remarks)
    return document_of(
        {**system_members(row.scores, row.name, remarks=remarks), "p_value": p_value}
        for row, p_value in zip(systems, p_values(systems), strict=True)
    )


def comparison_blocks(
    systems: Sequence[SearchSystem], *, has_page: bool = False
) -> Iterator[Block]:
    """Yield the values of several systems and the keywords on which they differ most.

    A note names the option for a page, unless `has_page` is true.
    """
    ordered = _in_order(systems)
    yield from _verdict(ordered)
    values = _values(ordered)
    # two tables, so that each fits on a narrow terminal
    yield _columns(values, [0, *VALUES])
    yield _columns(values, [0, *range(VALUES.stop, len(values.headings))])
    yield from _keywords(ordered, MOST_KEYWORDS)
    yield from _signatures(ordered)
    if not has_page:
        yield Items(["as a page: --html FILE"])


def csv_lines(systems: Sequence[SearchSystem]) -> Iterator[tuple[object, ...]]:
    """Yield a CSV row for each system and scored keyword, with the columns `CSV_COLUMNS`."""
    for system in systems:
        for row in system.scores.overall.evaluated:
            names = system.name, row.block.identifier, row.block.text
            yield (*names, row.targets, row.correct, row.misses, row.false_alarms, row.twv)


def _in_order(systems: Sequence[SearchSystem]) -> list[SearchSystem]:
    """Return the systems with the highest value first, and those without a value last."""
    return sorted(systems, key=lambda row: (row.value is None, -(row.value or 0.0)))


def p_values(systems: Sequence[SearchSystem]) -> list[float | None]:
    """Return a p-value for each system: whether its value differs from that of the best system.

    The test exchanges the values of a keyword between the two systems, for random keywords. Holm's
    method adjusts the p-values. The best system has none, nor a system that has fewer than two
    keywords in common with it.
    """
    return holm([None if test is None else test.p_value for test in _tests(systems)])


def _tests(systems: Sequence[SearchSystem]) -> list[Randomisation | None]:
    best = _in_order(systems)[0]
    return [None if row is best else _test(best, row) for row in systems]


def _test(best: SearchSystem, second: SearchSystem) -> Randomisation | None:
    theirs = second.keyword_values
    pairs = [(value, theirs[name]) for name, value in best.keyword_values.items() if name in theirs]
    if len(pairs) < 2:
        return None
    # a value and a keyword, so that the score of sums is the mean value
    sides = ([(pair[side], 1.0) for pair in pairs] for side in (0, 1))
    return approximate_randomisation(*sides)


def _page_blocks(systems: Sequence[SearchSystem]) -> Iterator[Block]:
    from scoring.tasks.kws.drawings import DrawnSet

    yield from _verdict(systems)
    warnings = [f"{row.name}: {text}" for row in systems for text in row.scores.warnings]
    yield from [Items(warnings)] if warnings else []
    yield _values(systems)
    yield from _signatures(systems)
    yield from curve_blocks(
        [DrawnSet(row.name, row.scores.overall, row.scores.curve()) for row in systems]
    )
    yield from _keywords(systems)


def _columns(table: Table, places: Sequence[int]) -> Table:
    """Return a table of some columns of a table."""
    headings, *rows = ([row[place] for place in places] for row in (table.headings, *table.rows))
    return Table(headings, rows)


def _verdict(systems: Sequence[SearchSystem]) -> Iterator[Block]:
    """Yield the sentence on the best system, and how it was tested."""
    yield Lead(_sentence(systems))
    is_tested = any(row.value != systems[0].value for row in systems[1:])
    if is_tested and len(systems[0].keyword_values) > 1:
        tests = dict.fromkeys(test.exchanges for test in _tests(systems) if test is not None)
        yield Note(_TEST.format(exchanges=" or ".join(tests)))


def _values(systems: Sequence[SearchSystem]) -> Table:
    return values_of([(row.name, row.scores.overall) for row in systems], "system")


def _sentence(systems: Sequence[SearchSystem]) -> str:
    """Return a sentence that names the best system, and how many keywords it finds better."""
    best, *others = systems
    tests = p_values(systems)
    if best.value is None:
        return "The values are undefined, because no keyword has a target"
    equal = [row.name for row in others if row.value == best.value]
    verb = "have" if equal else "has"
    names, value = " and ".join([best.name, *equal]), formatted(best.value, VALUE)
    text = f"{names} {verb} the highest term-weighted value, {value} (ATWV)"
    for row, p_value in list(zip(systems, tests, strict=True))[1 + len(equal) :]:
        better, worse = _differing(best, row)
        test = "" if p_value is None else f", {p_text(p_value)}"
        if p_value is not None and not is_significant(p_value):
            test += ": the difference may be chance"
        text += (
            f"; {row.name}: {formatted(row.value, VALUE)} ({better:,} keywords worse, "
            f"{worse:,} better{test})"
        )
    return text


def _differing(best: SearchSystem, second: SearchSystem) -> tuple[int, int]:
    """Return for how many keywords the best system has a higher and a lower value."""
    theirs = second.keyword_values
    changes = [
        value - theirs[name] for name, value in best.keyword_values.items() if name in theirs
    ]
    return sum(change > 0 for change in changes), sum(change < 0 for change in changes)


def _keywords(systems: Sequence[SearchSystem], most: int | None = None) -> Iterator[Block]:
    """Yield the values of the keywords by system, the largest differences first."""
    values = [row.keyword_values for row in systems]
    keywords = systems[0].scores.overall.evaluated

    def difference(name: str) -> float:
        """Return second less first value of two systems, and largest less smallest of more."""
        known = [of[name] for of in values if name in of]
        if len(known) < 2:
            return 0.0
        return known[1] - known[0] if len(values) == 2 else max(known) - min(known)

    ordered = sorted(keywords, key=lambda row: -abs(difference(row.block.identifier)))
    remark = "those with the largest differences" * (most is not None and len(ordered) > most)
    yield Heading("Value (TWV) by keyword", remark=remark)
    rows = [
        (
            *(row.block.identifier, row.block.text, str(row.targets)),
            *(formatted(of.get(row.block.identifier), VALUE).strip() for of in values),
            f"{difference(row.block.identifier):{'+' * (len(values) == 2)}.4f}",
        )
        for row in ordered[:most]
    ]
    names = [row.name for row in systems]
    is_short = len("".join(names)) < 30
    pair = f"{names[1]} − {names[0]}" if is_short else "second − first"
    between = pair if len(names) == 2 else "best − worst"
    headings = ("keyword", "text", "references", *names, between)
    marks = {}
    for row, keyword in enumerate(ordered[:most] if len(names) == 2 else ()):
        if change := difference(keyword.block.identifier):
            marks[row, len(headings) - 1] = change > 0
    yield Table(headings, rows, 2, marks=marks, spare=(("references",),))


def _signatures(systems: Sequence[SearchSystem]) -> Iterator[Block]:
    for text in dict.fromkeys(signature(row.scores.parameters) for row in systems):
        yield Fact("signature", text)
