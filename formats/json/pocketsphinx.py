"""pocketsphinx, matchseg: what PocketSphinx and Sphinx-3 recognise.

=================================  ==============================================================
its word                           ours
=================================  ==============================================================
an object ``b d p t w``            one `Segment`: begin and duration in seconds, its probability
``w``                              its words, each with times and confidence
``w`` of words                     with ``phones=True`` events of the tier ``phones``
``t`` without ``w``                the words, without times
``id S … T … A … L …`` (matchseg)  one `Segment`, its utterance id and recording ``id``; words up
                                   to the next, in frames
``and(2)``                         the word ``and``: pronunciations are counted in a note
``<s>``, ``<sil>``, ``</s>``       silence: no word
``[NOISE]``, ``++UM++``            an ``event``
=================================  ==============================================================

The scores of matchseg are logarithms that nobody can compare, and are not read.
"""

from __future__ import annotations

import re
from operator import add

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.json.document import JsonDocument
from formats.json.record import Number, Record, WrongError, confidences_of, times_at_once
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.words_to_segments import Reading
from formats.lines import split_fields
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff
from formats.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.source import Source

__all__ = ["MATCHSEG_SPEC", "SPEC", "read", "read_matchseg", "sniff_matchseg"]

MEMBERS = frozenset("bdptw")
VARIANT = re.compile(r"\([0-9]{1,3}\)\Z")
SILENCES = ("<s>", "</s>", "<sil>", "SIL", "(NULL)")
MOST_FRAMES = 10**10


class Part(Record):
    """An utterance, a word, a phone or a state."""

    unread = frozenset()

    t: str
    b: Number = None
    d: Number = None
    p: Number = None
    w: list[Part] | None = None

    def spoken(self) -> SpokenWord:
        """The part with its times, absolute at every level."""
        start, length = self.time_of("b"), self.time_of("d")
        end = None if start is None or length is None else start + length
        return SpokenWord(self.t, start, end, self.sureness("p"))


def spoken_of(parts: Sequence[Part]) -> list[SpokenWord]:
    """As `Part.spoken` of each."""
    starts, lengths = (times_at_once([getattr(one, name) for one in parts]) for name in "bd")
    if starts is None or lengths is None or None in starts or None in lengths:
        return [part.spoken() for part in parts]
    ends = map(add, starts, lengths)
    return list(map(SpokenWord, [one.t for one in parts], starts, ends, confidences_of(parts, "p")))


class Sphinx:
    """Sorts what is recognised into words, noises and silence, and counts it."""

    def __init__(self, source: Source) -> None:
        self.reading = Reading(source)
        self._variants = self._silences = 0

    def take(
        self,
        items: Iterable[SpokenWord],
        whole: SpokenWord,
        name: str | None = None,
        line: int | None = None,
    ) -> Iterator[Segment]:
        """The segment of an utterance, if it has words, and its noises."""
        words = []
        for item in items:
            bare = VARIANT.sub("", item.text) if item.text[-1:] == ")" else item.text
            if bare and bare != item.text:
                self._variants += 1
                item.text = bare
            if item.text in SILENCES:
                self._silences += 1
            elif item.text[:1] + item.text[-1:] in ("[]", "<>") or item.text[:2] == "++":
                yield event(name or self.reading.source.recording, item, None, line)
            else:
                words.append(item)
        self.reading.source.is_silent = True
        if words:
            made = self.reading.segment(
                words, start_ns=whole.start_ns, end_ns=whole.end_ns,
                confidence=whole.confidence, line=line,
            )  # fmt: skip
            yield made if name is None else made.replace(recording=name, utterance=name)

    def tell(self) -> None:
        """Say what was counted."""
        log = self.reading.source.log
        if self._variants:
            log.note("SPHINX-VARIANTS", f"marks of pronunciations, not kept: {self._variants}")
        if self._silences:
            log.note("SPHINX-SILENCE", f"silences, no words: {self._silences}")
        self.reading.tell()


def event(recording: str, item: SpokenWord, tier: str | None, line: int | None) -> Segment:
    """A noise or a phone."""
    return Segment(
        recording, (item.text,), start_ns=item.start_ns, end_ns=item.end_ns,
        tier=tier, kind="event", line=line,
    )  # fmt: skip


def read(source: Source, *, phones: bool = False) -> Iterator[Segment]:
    """One segment per utterance with words, in the order of the file.

    Parameters
    ----------
    phones: read the phones of words, too, as events.

    Raises
    ------
    SyntaxFormatError: no JSON, an object without ``t``, a time that is none.
    """
    document = JsonDocument(source, streams=True)
    sphinx = Sphinx(source)
    for line, value in document.numbered_messages():
        try:
            whole = value.record(Part)
            items, events = value.checked(whole, lambda part: _parts(part, phones))
            said = value.checked(whole, Part.spoken)
        except SyntaxFormatError as error:
            source.log.reject("SPHINX-SYNTAX", error)
            continue
        yield from sphinx.take(items, said, line=line)
        yield from (event(source.recording, item, "phones", line) for item in events)
    sphinx.tell()
    document.note_unknown()


def _parts(whole: Part, phones: bool) -> tuple[list[SpokenWord], list[SpokenWord]]:
    """The words of an utterance, and their phones if asked for."""
    below = whole.w
    if below is None:
        return plain_words(whole.t), []
    if any("\n" in part.t for part in below):
        raise WrongError("w", "words without line ends", record=whole)
    small = [one.spoken() for part in below for one in part.w or ()] if phones else []
    return spoken_of(below), [one for one in small if one.text not in SILENCES]


def read_matchseg(source: Source, *, frame_rate: int = 100) -> Iterator[Segment]:
    """One segment per line.

    Parameters
    ----------
    frame_rate: frames of a second.

    Raises
    ------
    SyntaxFormatError: a line of other fields, frames that are no whole numbers or go back.
    """
    if frame_rate < 1:
        raise OptionError(expected="a frame rate of 1 or more", found=str(frame_rate))
    sphinx = Sphinx(source)
    for number, line in source.lines():
        fields = split_fields(line)
        if not fields:
            continue
        try:
            items = _aligned(source, number, line, fields, frame_rate)
        except SyntaxFormatError as error:
            source.log.reject("SPHINX-SYNTAX", error)
            continue
        whole = SpokenWord("", items[0].start_ns, items[-1].end_ns) if items else SpokenWord("")
        yield from sphinx.take(items, whole, fields[0], number)
    sphinx.tell()


def _aligned(
    source: Source, number: int, line: str, fields: list[str], rate: int
) -> list[SpokenWord]:
    if not _is_matchseg(fields):
        expected = "id S n T n A n L n, then frame, score, score, word, and the last frame"
        raise source.syntax_error(number, expected, quoted(line), 1)
    frames = fields[9::4]
    for one, other in zip(["0", *frames], frames, strict=False):
        if not (other.isascii() and other.isdigit()) or int(other[:12]) > MOST_FRAMES:
            raise source.syntax_error(number, "a frame, a whole number", quoted(other))
        if int(other) < int(one):
            raise source.syntax_error(number, f"a frame not before {one}", quoted(other))
    times = [int(frame) * SECOND // rate for frame in frames]
    return list(map(SpokenWord, fields[12::4], times, times[1:]))


def _is_matchseg(fields: list[str]) -> bool:
    return len(fields) % 4 == 2 and len(fields) > 9 and fields[1:9:2] == ["S", "T", "A", "L"]


def sniff_matchseg(lines: list[str]) -> Sniff:
    """Sure if the first line that is not blank has the letters at their places."""
    first = next((fields for line in lines if (fields := split_fields(line))), [])
    return Sniff.SURE if _is_matchseg(first) else Sniff.NO


PHONES = Option("phones", False, "read the phones of words as events", (False, True))
SPEC = FormatSpec(
    title="JSON of PocketSphinx: utterances with timed words, one after the other",
    sign="objects with b, d, p, t and w",
    read=read,
    read_options=(PHONES,),
    manual="One object per utterance: begin, duration, probability, text, and the words.",
)
MATCHSEG_SPEC = FormatSpec(
    title="matchseg of Sphinx: utterances as lines of frames, scores and words",
    sign="lines of id S n T n A n L n, frame, score, score, word",
    read=read_matchseg,
    sniff=sniff_matchseg,
    read_options=(Option("frame_rate", 100, "frames of a second"),),
    manual="One utterance per line: scores, then the words with the frames they begin in.",
)
