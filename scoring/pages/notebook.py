"""Views of a result in a terminal and in a notebook: short tables and alignments."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from formats.console.terminal import shown
from scoring.drawing.blocks import Block, Lead, Rows, Sentence, Table
from scoring.drawing.markup import html_table, html_text
from scoring.drawing.numbers import percent
from scoring.drawing.terminal import NOTHING
from scoring.drawing.text import Appearance, text_lines
from scoring.model.counts import CHARACTER_UNITS, Alignment, Counts, Edit
from scoring.model.errors import StatisticsError
from scoring.pages.hint import hint_of
from scoring.pages.score_tables import utterance_heading, warnings_of
from scoring.pages.sentence import rate_sentence
from scoring.sides.remarks import line_of

if TYPE_CHECKING:
    from scoring.results.result import Rates
    from scoring.stats.bootstrapping import Bootstrap

WORST = 3  # utterances that a notebook shows
FEWEST_UNITS = 10  # utterances from which an interval says something
LABELS = ("REF:", "HYP:")
# Behind words, so that they can be read on dark pages, too.
_BACKGROUNDS = {
    Edit.SUBSTITUTION: "rgba(230,150,0,.35)",
    Edit.DELETION: "rgba(220,40,40,.35)",
    Edit.INSERTION: "rgba(60,120,255,.35)",
}
_PLACE = (
    '<span style="display:inline-block;text-align:center;margin:0 .2em .4em;padding:0 .2em;'
    'vertical-align:top;{style}"><bdi>{reference}</bdi><br><bdi>{hypothesis}</bdi><br>{letter}'
    "</span>"
)


class UtteranceAlignment(Alignment):
    """The alignment of a named utterance, which prints itself in rows.

    Attributes
    ----------
    identifier, speaker
        Of the utterance; no speaker is None.

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
        return "\n".join(text_lines(self.blocks()))

    def _repr_html_(self) -> str:
        head = utterance_heading(self.identifier, self.speaker, self.counts(), self._noun)
        places = "".join(
            _PLACE.format(
                style=f"background:{_BACKGROUNDS[pair.edit]}" if pair.edit in _BACKGROUNDS else "",
                reference=html_text(NOTHING if pair.reference is None else pair.reference),
                hypothesis=html_text(NOTHING if pair.hypothesis is None else pair.hypothesis),
                letter=pair.edit.letter if pair.edit in _BACKGROUNDS else "&nbsp;",
            )
            for pair in self
        )
        name = f"<strong>{html_text(head.text)}</strong>: {html_text(head.remark)}"
        return f'<div dir="auto"><p>{name}</p><div>{places}</div></div>'


class UtteranceAlignments(tuple[UtteranceAlignment, ...]):
    """Some utterances of a result, each with its alignment.

    Attributes
    ----------
    remark
        Which these are.
    headline
        The rate in words, which `show` begins with; may be empty.
    """

    remark: str
    headline: str

    def __new__(
        cls, alignments: Sequence[UtteranceAlignment], remark: str, headline: str = ""
    ) -> UtteranceAlignments:
        """Return the alignments with a remark, and with a sentence above them."""
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

    __str__ = __repr__

    def _repr_html_(self) -> str:
        head = f"<p><strong>{html_text(self.headline)}.</strong></p>" if self.headline else ""
        return head + (
            "".join(alignment._repr_html_() for alignment in self)
            + f"<p>{html_text(self.remark)}.</p>"
        )


def utterance_alignment(rates: Rates, position: int) -> UtteranceAlignment:
    """Return the alignment of the utterance at a position."""
    name, speaker = rates.identifiers[position], rates.speakers[position]
    return UtteranceAlignment(rates.aligned[position], name, speaker, rates.rules.noun)


def worst_of(
    rates: Rates, *, only_errors: bool = True, top: int | None = None, headline: str = ""
) -> UtteranceAlignments:
    """Return the `top` utterances with most errors first; with None, all utterances in order."""
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


def display(alignments: UtteranceAlignments) -> None:
    """Show in a notebook, or print: in colour on a terminal, unless `NO_COLOR` is set."""
    interactive = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    if hasattr(interactive, "kernel"):
        sys.modules["IPython.display"].display(alignments)
        return
    import os

    terminal = sys.stdout.isatty()
    columns = shutil.get_terminal_size((100, 24)).columns if terminal else 100
    look = Appearance(columns, terminal and not os.environ.get("NO_COLOR"))
    for line in alignments.lines(look):
        print(line)


def short_lines(rates: Rates) -> Iterator[str]:
    """Yield the counts as a table, the signature, and remarks."""
    headings, cells = zip(*_cells(rates), strict=True)
    yield from text_lines([Table(headings, [cells], text_columns=0)])
    yield f"signature: {rates.signature}"
    yield from map(shown, _notes(rates))


def html_of(rates: Rates) -> str:
    """Return HTML for notebooks: the rate in words, the three worst utterances, folded details."""
    worst = worst_of(rates, top=WORST)
    notes = "".join(f'<p dir="auto">{html_text(note)}</p>' for note in _notes(rates))
    alignments = worst._repr_html_() if worst else ""
    details = f"<details><summary>details</summary>{_details(rates)}</details>"
    return f"<p><strong>{html_text(headline(rates))}.</strong></p>{notes}{alignments}{details}"


def headline(rates: Rates) -> str:
    """Return the rate in words, with its interval if there are enough utterances to give one.

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


def _details(rates: Rates) -> str:
    """Return counts, further rates, the signature and the method of the interval, as a table."""
    cells, interval = dict(_cells(rates)), _interval(rates)
    notes = [] if interval is None else [f"interval: {interval.how()}"]
    cells |= {
        "MER %": percent(rates.match_error_rate),
        "WIL %": percent(rates.word_information_lost),
        "SER %": percent(rates.sentence_error_rate),
    }
    notes.append(f"signature: {rates.signature}")
    return html_table(list(cells), [list(cells.values())], notes=notes)


def _interval(rates: Rates) -> Bootstrap | None:
    """Return the interval of the rate; None where the data cannot give one."""
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
