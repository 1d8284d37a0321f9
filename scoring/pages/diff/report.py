"""The differences of all utterances as a document: for terminals, reStructuredText, Markdown, JSON.

*Adding a form* is one function and one entry of `REPORTS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from scoring.model import Alignment, Counts
from scoring.pages.diff.inline import Run, inline_lines, runs
from scoring.pages.diff.opcodes import DELETE, EQUAL, INSERT, REPLACE
from scoring.pages.kaldi_lines import percentage
from scoring.pages.rates import error_text, indented_alignment
from scoring.pages.terminal import coloured, shown
from scoring.version import VERSION

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates

SCHEMA, SCHEMA_VERSION = "sclite-kit/differences", 1
LAYOUTS = ("inline", "rows")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>~|#&])")
_MARKDOWN_START = re.compile(r"^([-+=]|\d+(?=[.)]))")
_RESTRUCTURED = re.compile(r"([\\`*_|])")
_RESTRUCTURED_START = re.compile(r"^([-+=.:>#•‣⁃]|\(?\w+[.)])")
_TAG_OF_LETTER = {"C": EQUAL, "S": REPLACE, "D": DELETE, "I": INSERT, "M": REPLACE, "T": REPLACE}


class Look(NamedTuple):
    """How differences are shown.

    Attributes
    ----------
    columns
        How wide lines on a terminal may be.
    colour
        Whether there.
    layout
        There: `inline`, or `rows`: reference, hypothesis and letters one below the other.
    context
        How many equal words to show beside what differs, not in `rows` and JSON; None: all.
    everything
        Show utterances without differences, too.
    """

    columns: int = 100
    colour: bool = False
    layout: str = "inline"
    context: int | None = None
    everything: bool = False


class _Utterance(NamedTuple):
    name: str
    speaker: str | None
    counts: Counts
    alignment: Alignment


def _utterances(rates: ErrorRates, look: Look) -> Iterator[_Utterance]:
    for position, (name, speaker, counts) in enumerate(rates):
        if counts.errors or look.everything:
            yield _Utterance(name, speaker, counts, rates.alignment_at(position))


def summary(rates: ErrorRates) -> str:
    """How much differs, in one line."""
    counts = rates.counts
    rate = percentage(counts.errors, counts.reference_tokens)
    return (
        f"{rates.sentence_errors} of {len(rates)} utterances differ: {counts.substitutions} "
        f"substitutions, {counts.deletions} deletions, {counts.insertions} insertions in "
        f"{counts.reference_tokens} words, {rate}{' %' if rate != 'n/a' else ''}"
    )


def _heading(one: _Utterance) -> str:
    return shown(one.name) if one.speaker is None else f"{shown(one.name)} ({shown(one.speaker)})"


def terminal(rates: ErrorRates, look: Look) -> Iterator[str]:
    """Lines for people."""
    for one in _utterances(rates, look):
        yield coloured(_heading(one), "1", look.colour) + f": {error_text(one.counts)}"
        if look.layout == "rows":
            yield from indented_alignment(one.alignment, look.columns, look.colour)
        else:
            yield from inline_lines(
                one.alignment, look.columns, look.colour, indent="  ", context=look.context
            )
    yield summary(rates)
    yield f"signature: {rates.signature}"


def restructured_text(rates: ErrorRates, look: Look) -> Iterator[str]:
    """A document whose roles `diffdelete` and `diffinsert` a style sheet can colour."""
    yield from _title("Differences", "=")
    yield from (".. role:: diffdelete", ".. role:: diffinsert", "")
    yield from (f"{summary(rates)}.", "", f"Signature: ``{rates.signature}``", "")
    for one in _utterances(rates, look):
        yield from _title(_escaped(_heading(one), _RESTRUCTURED), "-")
        yield from (f"{error_text(one.counts)}.", "")
        yield from (_paragraph(runs(one.alignment, look.context), _restructured_run), "")


def _title(text: str, line: str) -> tuple[str, str, str]:
    from scoring.pages.terminal import width

    return text, line * max(width(text), 4), ""


def _restructured_run(run: Run, first: bool) -> str:
    text = _escaped(shown(" ".join(run.words)), _RESTRUCTURED)
    if run.tag == EQUAL:
        return _RESTRUCTURED_START.sub(r"\\\1", text) if first else text
    return f":diff{run.tag}:`{text}`"


def markdown(rates: ErrorRates, look: Look) -> Iterator[str]:
    """Deleted words struck out, inserted ones strong."""
    yield from ("# Differences", "", f"{summary(rates)}.", "", f"Signature: `{rates.signature}`")
    for one in _utterances(rates, look):
        yield from ("", f"## {_escaped(_heading(one), _MARKDOWN)}", "")
        yield from (f"{error_text(one.counts)}.", "")
        yield _paragraph(runs(one.alignment, look.context), _markdown_run)


def _markdown_run(run: Run, first: bool) -> str:
    text = _escaped(shown(" ".join(run.words)), _MARKDOWN)
    if run.tag == EQUAL:
        return _MARKDOWN_START.sub(_after_digits, text) if first else text
    return f"~~{text}~~" if run.tag == DELETE else f"**{text}**"


def _after_digits(found: re.Match[str]) -> str:
    # in Markdown the mark that makes a list is escaped, not the number before it
    return f"{found[1]}\\" if found[1][0].isdigit() else f"\\{found[1]}"


def _escaped(text: str, special: re.Pattern[str]) -> str:
    return special.sub(r"\\\1", text)


def _paragraph(parts: Sequence[Run], write: Callable[[Run, bool], str]) -> str:
    return " ".join(write(run, place == 0) for place, run in enumerate(parts)) or "(no words)"


def json_lines(rates: ErrorRates, look: Look) -> Iterator[str]:
    """A JSON document, an utterance a line."""
    import json

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, allow_nan=False)

    yield "{"
    head: dict[str, object] = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "generator": f"sclite-kit {VERSION}",
        "signature": rates.signature,
        "reference": rates.reference._asdict(),
        "hypothesis": rates.hypothesis._asdict(),
        "counts": rates.counts._asdict(),
        "error_rate": rates.corpus,
        "utterances_scored": len(rates),
        "utterances_with_errors": rates.sentence_errors,
    }
    for name, value in head.items():
        yield f"{text(name)}: {text(value)},"
    yield '"utterances": ['
    before = None
    for one in _utterances(rates, look):
        if before is not None:
            yield before + ","
        before = text(_record(one))
    if before is not None:
        yield before
    yield "]"
    yield "}"


def _record(one: _Utterance) -> dict[str, object]:
    words = [
        {
            "type": _TAG_OF_LETTER[pair.edit.letter],
            "reference": pair.reference,
            "hypothesis": pair.hypothesis,
        }
        for pair in one.alignment
    ]
    return {
        "identifier": one.name,
        "speaker": one.speaker,
        "counts": one.counts._asdict(),
        "words": words,
    }


REPORTS: dict[str, Callable[[ErrorRates, Look], Iterator[str]]] = {
    "terminal": terminal,
    "restructuredtext": restructured_text,
    "markdown": markdown,
    "json": json_lines,
}
