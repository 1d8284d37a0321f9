"""Views of results in a terminal and in a notebook: short tables, and alignments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar, cast

from formats.console import shown
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Fact, Heading, Items, Lead, Rows, Sentence, Table
from scoring.drawing.notebook import FramedPage, ShownByBlocks, display, html_of, text_of
from scoring.drawing.text import Appearance, text_lines
from scoring.model.counts import CHARACTER_UNITS, Alignment, Counts
from scoring.model.errors import StatisticsError
from scoring.pages import (
    HEADINGS,
    SPARE,
    count_cells,
    group_rows,
    hint_of,
    items_of,
    utterance_heading,
    warnings_of,
)
from scoring.pages.sentence import rate_sentence
from scoring.results import Rates
from scoring.results.groups import value_cells
from scoring.sides.remarks import line_of

if TYPE_CHECKING:
    from scoring.stats.bootstrapping import Bootstrap

WORST = 3  # utterances that a notebook shows
FEWEST_UNITS = 10  # utterances from which an interval says something
MOST_INTERVALS = 20  # results by name, beyond which a table has no intervals
MOST_NAMES = 60  # rows of a table of results by name
SYSTEM = "system"
LABELS = ("REF:", "HYP:")

Key = TypeVar("Key")
Result = TypeVar("Result", bound=Rates)


class UtteranceAlignment(Alignment):
    """The alignment of a named utterance, which prints itself in rows.

    Attributes
    ----------
    identifier, speaker
        The identifier and the speaker of the utterance; the speaker may be None.

    Examples
    --------
    >>> from scoring import wer
    >>> print(wer({"anne-1": "the cat sat"}, {"anne-1": "the bat"}).alignment("anne-1"))
    anne-1: 2 errors in 3 words, 66.67 %
    REF:  the cat sat
    HYP:  the *** bat
              D   S
    """

    __slots__ = ("_noun", "identifier", "speaker")

    def __init__(
        self, alignment: Alignment, identifier: str, speaker: str | None, noun: str = "word"
    ) -> None:
        super().__init__(alignment.edits, alignment.reference, alignment.hypothesis, alignment.cost)
        self.identifier = identifier
        self.speaker = speaker
        self._noun = noun

    def blocks(self) -> Iterator[Block]:
        """Yield the utterance with its counts and its alignment."""
        yield utterance_heading(self.identifier, self.speaker, self.counts(), self._noun)
        yield Rows(self, LABELS)

    def __str__(self) -> str:
        return text_of(self)

    def _repr_html_(self) -> str:
        return html_of(self)


class UtteranceAlignments(tuple[UtteranceAlignment, ...]):
    """Selected utterances of a result, each with its alignment.

    Attributes
    ----------
    remark
        A sentence that states which utterances of the result are shown.
    headline
        The rate as a sentence, with which `show` begins; may be empty.
    """

    remark: str
    headline: str

    def __new__(
        cls, alignments: Sequence[UtteranceAlignment], remark: str, headline: str = ""
    ) -> UtteranceAlignments:
        """Return the alignments with a remark and a headline."""
        instance = super().__new__(cls, alignments)
        instance.remark = remark
        instance.headline = headline
        return instance

    def lines(self, look: Appearance) -> Iterator[str]:
        """Yield the lines for terminals."""
        if self.headline:
            yield from text_lines([Lead(self.headline)], look)
            yield ""
        for alignment in self:
            yield from text_lines(alignment.blocks(), look)
            yield ""
        yield from text_lines([Sentence(self.remark)], look)

    def __repr__(self) -> str:
        return "\n".join(self.lines(Appearance()))

    def __str__(self) -> str:
        return repr(self)

    def blocks(self) -> Iterator[Block]:
        """Yield the headline, the alignments and the remark."""
        if self.headline:
            yield Lead(self.headline)
        for alignment in self:
            yield from alignment.blocks()
        yield Sentence(self.remark)

    def _repr_html_(self) -> str:
        return html_of(self)


def utterance_alignment(rates: Rates, position: int) -> UtteranceAlignment:
    """Return the alignment of the utterance at a position."""
    name, speaker = rates.identifiers[position], rates.speakers[position]
    return UtteranceAlignment(rates.aligned[position], name, speaker, rates.rules.noun)


def worst_of(
    rates: Rates, *, only_errors: bool = True, top: int | None = None, headline: str = ""
) -> UtteranceAlignments:
    """Return the `top` utterances with the most errors, or without `top` all utterances in order.

    With `top`, the worst utterance is first. With `only_errors`, utterances without errors are
    dropped.
    """
    counts = list(rates.aligned.counts)
    places = [position for position, row in enumerate(counts) if row.errors or not only_errors]
    number = len(places)
    if top is not None:
        places = sorted(places, key=lambda position: -counts[position].errors)[:top]
    noun = "utterances with errors" if only_errors else "utterances"
    order = ", most errors first" if top is not None and number > 1 else ""
    return UtteranceAlignments(
        [utterance_alignment(rates, position) for position in places],
        f"{len(places)} of {number} {noun}{order}",
        headline,
    )


def short_lines(rates: Rates) -> Iterator[str]:
    """Yield the counts as a table, the groups of `by`, the signature, and remarks."""
    headings, cells = zip(*_cells(rates), strict=True)
    yield from text_lines([Table(headings, [cells], text_columns=0)])
    if groups := list(_groups(rates)):
        yield from ("", *text_lines(groups), "")
    yield f"signature: {rates.signature}"
    yield from map(shown, _notes(rates))


class NotebookView(NamedTuple):
    """A result as notebooks show it: the rate as a sentence, the worst utterances, details."""

    rates: Rates

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks for a notebook."""
        yield Lead(headline(self.rates))
        yield Items(list(_notes(self.rates)))
        yield from _groups(self.rates)
        worst = worst_of(self.rates, top=WORST)
        yield from worst.blocks() if worst else ()
        yield Heading("details", wrong=False)
        yield from _details(self.rates)

    def _repr_html_(self) -> str:
        return html_of(self)


class NamedRates(ShownByBlocks, dict[Key, Result], Generic[Key, Result]):
    """Results of systems or groups by name: a dictionary that prints as a table.

    Attributes
    ----------
    columns
        What the names stand for: `system`, or the properties in `by`.

    Examples
    --------
    >>> from scoring import wer
    >>> wer({"u1": "a b"}, {"old": {"u1": "a"}, "new": {"u1": "a b"}})  # doctest: +ELLIPSIS
    system  utterances  words  correct  sub  del  ins  errors  rate %
    old              1      2        1    0    1    0       1   50.00
    new              1      2        2    0    0    0       0    0.00
    signature: wer|unit:word|norm:none|align:sclite(4,3,3)|ties:sclite|missing:delete|...
    """

    def __init__(self, results: Mapping[Key, Result], columns: Sequence[str]) -> None:
        super().__init__(results)
        self.columns = tuple(columns)

    def blocks(self) -> Iterator[Block]:
        """Yield the counts and rates as a table, with intervals if there are enough utterances."""
        if not self:
            yield Items([f"no results by {', '.join(self.columns)}"])
            return
        first = next(iter(self.values()))
        intervals = [""] * len(self)
        if len(self) <= MOST_INTERVALS:
            intervals = list(map(_interval_cell, self.values()))
        rows = []
        for (name, rates), interval in zip(self.items(), intervals, strict=True):
            values = cast("tuple[str | None, ...]", name if isinstance(name, tuple) else (name,))
            numbers = count_cells(len(rates), rates.counts, rates.length)
            cells = *value_cells(self.columns, values), *numbers
            rows.append((*cells, interval) if any(intervals) else cells)
        things = f"{first.rules.noun}s"
        headings = (*self.columns, items_of(first), things, *HEADINGS)
        headings = (*headings, "95 % interval") if any(intervals) else headings
        yield Table(headings, rows[:MOST_NAMES], len(self.columns), spare=SPARE)
        if len(rows) > MOST_NAMES:
            yield Items([f"and {len(rows) - MOST_NAMES:,} more"])
        for signature in dict.fromkeys(str(rates.signature) for rates in self.values()):
            yield Fact("signature", signature)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (dict(self), self.columns)

    def lines(self, look: Appearance) -> Iterator[str]:
        """Yield the lines for terminals."""
        return text_lines(self.blocks(), look)

    def show(self) -> None:
        """Print the table; in a notebook, show the page that compares the systems."""
        if self.columns != (SYSTEM,) or not self:
            display(self)
            return
        from scoring.pages.html.report import page

        results = list(self.values())
        document = b"".join(page(results)).decode("utf-8")
        display(FramedPage(" and ".join(map(str, self)), list(self.blocks()), document))


def _groups(rates: Rates) -> Iterator[Block]:
    """Yield the groups of the option `by` as a table, and how many of them it lacks."""
    if not rates.groups:
        return
    table = group_rows(rates)
    *groups, total = table.rows
    yield table._replace(rows=[*groups[:MOST_NAMES], total])
    if len(groups) > MOST_NAMES:
        yield Items([f"and {len(groups) - MOST_NAMES:,} more groups"])


def headline(rates: Rates) -> str:
    """Return the rate as a sentence, with its interval if there are enough utterances.

    >>> from scoring import wer
    >>> headline(wer(["the cat", "sat"], ["the hat", "sat"]))
    '1 of 3 words are wrong: 33.3 %'
    """
    sentence, interval = rate_sentence(rates), _interval(rates)
    if interval is None or len(rates.per_session() if rates.session_of else rates) < FEWEST_UNITS:
        return sentence
    if interval.limits.low == interval.limits.high:
        return sentence
    bounds = interval.bounds(partial(percent, digits=1))
    return f"{sentence}, {100 * interval.level:g} % interval {bounds}"


def _details(rates: Rates) -> Iterator[Block]:
    """Yield the counts, more rates, the signature, and the method of the interval."""
    cells, interval = dict(_cells(rates)), _interval(rates)
    cells |= {
        "MER %": percent(rates.match_error_rate),
        "WIL %": percent(rates.word_information_lost),
        "SER %": percent(rates.sentence_error_rate),
    }
    yield Table(list(cells), [list(cells.values())], 0)
    if interval is not None:
        yield Fact("interval", interval.how())
    yield Fact("signature", str(rates.signature))


def _interval_cell(rates: Rates) -> str:
    """Return the limits of the interval of the rate; empty if there are too few utterances."""
    interval = _interval(rates) if len(rates) >= FEWEST_UNITS else None
    return "" if interval is None else interval.bounds(partial(percent, digits=1))


def _interval(rates: Rates) -> Bootstrap | None:
    """Return the interval of the rate; None if the data are insufficient."""
    from scoring.stats.blocks import choose_blocks
    from scoring.stats.bootstrapping import bootstrap
    from scoring.stats.units import errors_and_tokens

    units = rates.per_session() if rates.session_of else rates
    statistics = errors_and_tokens(units.per_utterance.array)
    speakers = None if rates.session_of or None in rates.speakers else rates.speakers
    blocks = choose_blocks([statistics], speakers, "session" if rates.session_of else "utterance")
    try:
        return blocks.mark(bootstrap(statistics, blocks=blocks.labels))
    except StatisticsError:
        return None


def _cells(rates: Rates) -> Iterator[tuple[str, str]]:
    counts: Counts = rates.counts
    characters = rates.rules.unit in CHARACTER_UNITS
    things = "characters" if characters else f"{rates.rules.noun}s"
    yield "utterances", str(len(rates))
    yield things, str(counts.reference_tokens)
    yield from ((name, str(number)) for name, number in counts._asdict().items())
    short = "CER" if characters else "PER" if rates.rules.noun == "phoneme" else "WER"
    yield f"{short} %", percent(rates.corpus_rate)


def _notes(rates: Rates) -> Iterator[str]:
    messages = [*warnings_of(rates)]
    if (hint := hint_of(rates)) is not None:
        messages.append(hint)
    yield from (f"{message.severity}: {message.in_python}" for message in messages)
    yield from map(line_of, rates.remarks)
