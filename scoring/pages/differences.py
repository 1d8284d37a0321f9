"""The differences of all utterances as a page, and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

from formats.schema.remarks import remark_records
from scoring.drawing import kaldi_percentage
from scoring.drawing.blocks import Block, Fact, Rows, Running, Sentence
from scoring.drawing.data import Members, head_of, json_file
from scoring.drawing.forms import FORMS, JSON, TERMINAL, encoded, lines_of
from scoring.drawing.opcodes import DELETE, EQUAL, INSERT, REPLACE
from scoring.drawing.text import USUAL, Appearance
from scoring.model.counts import Alignment, Counts
from scoring.pages import LABELS, utterance_heading

if TYPE_CHECKING:
    from scoring.results import Rates

SCHEMA, SCHEMA_VERSION = "sclite-kit/differences", 1
LAYOUTS = ("inline", "rows")
REPORTS = (*FORMS, JSON)
_TAG_OF_LETTER = {"C": EQUAL, "S": REPLACE, "D": DELETE, "I": INSERT, "M": REPLACE, "T": REPLACE}


class Look(NamedTuple):
    """The settings that determine how differences are shown."""

    text: Appearance = USUAL  # of lines on a terminal
    # There: `inline`, or `rows`: reference, hypothesis and letters one below the other
    layout: str = "inline"
    # How many equal words to show beside what differs, not in `rows` and JSON; None: all
    context: int | None = None
    everything: bool = False  # show utterances without differences, too


class _Utterance(NamedTuple):
    name: str
    speaker: str | None
    counts: Counts
    alignment: Alignment


def _utterances(rates: Rates, look: Look) -> Iterator[_Utterance]:
    for position, (name, speaker, counts) in enumerate(rates):
        if counts.errors or look.everything:
            yield _Utterance(name, speaker, counts, rates.alignment_at(position))


def summary(rates: Rates) -> str:
    """Return one line with how many differences of each kind there are."""
    counts = rates.counts
    rate = kaldi_percentage(counts.errors, counts.reference_tokens)
    return (
        f"{rates.sentence_errors} of {len(rates)} utterances differ: {counts.substitutions} "
        f"substitutions, {counts.deletions} deletions, {counts.insertions} insertions in "
        f"{counts.reference_tokens} words, {rate}{' %' if rate != 'n/a' else ''}"
    )


def pieces_of(rates: Rates, form: str, look: Look) -> Iterator[bytes]:
    """Yield the page of differences in one of the forms of `REPORTS`, in pieces of UTF-8."""
    if form != JSON:
        return encoded(lines_of(page_of(rates, look, form), form, "Differences", look.text))
    members: dict[str, object] = {
        "signature": rates.signature,
        "remarks": remark_records(rates.remarks),
        "reference": rates.reference._asdict(),
        "hypothesis": rates.hypothesis._asdict(),
        "counts": rates.counts._asdict(),
        "error_rate": rates.corpus_rate,
        "utterance_count": len(rates),
        "utterances_with_errors": rates.sentence_errors,
        "utterances": map(_record, _utterances(rates, look)),
    }
    head = head_of(SCHEMA, SCHEMA_VERSION)
    return json_file({**head, "systems": iter([Members(members)])})


def _revealed(alignment: Alignment) -> Alignment:
    """Return the alignment with escapes for invisible characters in wrong words."""
    from scoring.text.unicode_forms import Controls

    remove = Controls()
    sides: tuple[list[str], list[str]] = ([], [])
    for edit, *words in alignment:
        is_wrong = edit.letter != "C" and not "".join(filter(None, words)).isascii()
        # two ways to write the same characters: composed, and with combining marks
        forms = {normalize("NFC", remove(word or "")) for word in words} if is_wrong else set()
        for side, word in zip(sides, words, strict=True):
            if word is not None:
                side.append(_escaped(word, remove, len(forms) == 1) if is_wrong else word)
    return Alignment(alignment.edits, *sides, alignment.cost)


def _escaped(word: str, remove: Callable[[str], str], with_marks: bool) -> str:
    return "".join(
        letter.encode("unicode_escape").decode("ascii")
        if not remove(letter) or (with_marks and combining(letter))
        else letter
        for letter in word
    )


def page_of(rates: Rates, look: Look, form: str) -> Iterator[Block]:
    """Yield the blocks of the page; on a terminal, the summary is the last block."""
    whole = (Sentence(summary(rates)), Fact("signature", rates.signature))
    if form != TERMINAL:
        yield from whole
    for utterance in _utterances(rates, look):
        yield utterance_heading(utterance.name, utterance.speaker, utterance.counts)
        if form == TERMINAL and look.layout == "rows":
            yield Rows(_revealed(utterance.alignment), LABELS)
        else:
            yield Running(_revealed(utterance.alignment), look.context)
    if form == TERMINAL:
        yield from whole


def _record(utterance: _Utterance) -> dict[str, object]:
    words = [
        {
            "edit": _TAG_OF_LETTER[pair.edit.letter],
            "reference": pair.reference,
            "hypothesis": pair.hypothesis,
        }
        for pair in utterance.alignment
    ]
    return {
        "id": utterance.name,
        "speaker": utterance.speaker,
        "counts": utterance.counts._asdict(),
        "words": words,
    }
