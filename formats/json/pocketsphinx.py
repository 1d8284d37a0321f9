"""pocketsphinx, matchseg: output of PocketSphinx and Sphinx-3.

=================================  ==============================================================
in the file                        in the schema
=================================  ==============================================================
an object ``b d p t w``            one `Segment`: begin and duration in seconds, its probability
``w``                              its words, each with times and confidence
``t`` without ``w``                the words, without times
``id S … T … A … L …`` (matchseg)  one `Segment` with ``id`` as utterance and recording; a word
                                   lasts to the start of the next; times in frames
``and(2)``                         the word ``and``; the number of a pronunciation is dropped, and
                                   counted in a note
``<s>``, ``<sil>``, ``</s>``       silence: no word
``[NOISE]``, ``++UM++``            an ``event``
=================================  ==============================================================

The scores of matchseg are ignored, because their logarithms are not comparable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.json.messages import SPHINX_SILENCE, SPHINX_VARIANTS
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.reading.lines import split_fields
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND

VARIANT = re.compile(r"\([0-9]{1,3}\)\Z")
SILENCES = ("<s>", "</s>", "<sil>", "SIL", "(NULL)")
MOST_FRAMES = 10**10
PART = Names("t", "b", length="d", confidence="p", others="w")


class Sphinx:
    """Classifies recognised items as words, noises or silence, and counts them."""

    def __init__(self, source: Source) -> None:
        self.reading = Reading(source)
        self._variants = self._silences = 0

    def take(
        self, items: Iterable[SpokenWord], whole: SpokenWord, line: int, name: str | None = None
    ) -> Iterator[Segment]:
        """Yield the segment of an utterance if it has words, then one event per noise."""
        words = []
        for item in items:
            bare = VARIANT.sub("", item.text) if item.text[-1:] == ")" else item.text
            if bare and bare != item.text:
                self._variants += 1
                item.text = bare
            if item.text in SILENCES:
                self._silences += 1
            elif item.text[:1] + item.text[-1:] in ("[]", "<>") or item.text[:2] == "++":
                yield Segment(
                    name or self.reading.source.recording, (item.text,), start_ns=item.start_ns,
                    end_ns=item.end_ns, kind="event", line=line,
                )  # fmt: skip
            else:
                words.append(item)
        self.reading.source.is_silent = True
        if words:
            segment = self.reading.segment(
                words, span=(whole.start_ns, whole.end_ns),
                confidence=whole.confidence, line=line,
            )  # fmt: skip
            yield segment if name is None else segment.replace(recording=name, utterance=name)

    def report(self, document: JsonDocument | None = None) -> None:
        """Report how many numbers of pronunciations and how many silences were dropped."""
        log = self.reading.source.log
        if self._variants:
            log.say(SPHINX_VARIANTS, marks=self._variants)
        if self._silences:
            log.say(SPHINX_SILENCE, silences=self._silences)
        self.reading.report(document)


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per utterance with words, in the order of the file."""
    document = JsonDocument(source, streams=True)
    sphinx = Sphinx(source)

    def utterance(value: JsonValue) -> Iterator[Segment]:
        whole = PART.read(value)
        words = PART.read_all(value.get("w")) if value.has("w") else plain_words(whole.text)
        if value.has("w") and any("\n" in word.text for word in words):
            raise value.required("w").error("words without line ends")
        yield from sphinx.take(words, whole, value.line)

    yield from source.log.accepted("SPHINX-SYNTAX", utterance, document.messages)
    sphinx.report(document)


def read_matchseg(source: Source, *, frame_rate: int = 100) -> Iterator[Segment]:
    """Yield one segment per line."""
    if frame_rate < 1:
        raise OptionError(expected="a frame rate of 1 or more", found=str(frame_rate))
    sphinx = Sphinx(source)

    def utterance(line: tuple[int, str]) -> Iterator[Segment]:
        if fields := split_fields(line[1]):
            items = _aligned(source, *line, fields, frame_rate)
            whole = SpokenWord("", items[0].start_ns, items[-1].end_ns) if items else SpokenWord("")
            yield from sphinx.take(items, whole, line[0], fields[0])

    yield from source.log.accepted("SPHINX-SYNTAX", utterance, source.lines())
    sphinx.report()


def _aligned(
    source: Source, number: int, line: str, fields: list[str], rate: int
) -> list[SpokenWord]:
    if not _is_matchseg(fields):
        expected = "id S n T n A n L n, then frame, score, score, word, and the last frame"
        raise source.syntax_error(number, expected, quoted(line), 1)
    frames = fields[9::4]
    for before, frame in zip(["0", *frames], frames, strict=False):
        if not (frame.isascii() and frame.isdigit()) or int(frame[:12]) > MOST_FRAMES:
            raise source.syntax_error(number, "a frame, a whole number", quoted(frame))
        if int(frame) < int(before):
            raise source.syntax_error(number, f"a frame not before {before}", quoted(frame))
    times = [int(frame) * SECOND // rate for frame in frames]
    return list(map(SpokenWord, fields[12::4], times, times[1:]))


def _is_matchseg(fields: list[str]) -> bool:
    return len(fields) % 4 == 2 and len(fields) > 9 and fields[1:9:2] == ["S", "T", "A", "L"]


def sniff_matchseg(lines: list[str]) -> Sniff:
    """Return `SURE` if the first non-blank line has the letters of matchseg (``S … T … A …``)."""
    first = next((fields for line in lines if (fields := split_fields(line))), [])
    return Sniff.SURE if _is_matchseg(first) else Sniff.NO


SPEC = FormatSpec(
    title="JSON of PocketSphinx: utterances with timed words, one after the other",
    sign="objects with b, d, p, t and w",
    read=read,
)
MATCHSEG_SPEC = FormatSpec(
    title="matchseg of Sphinx: utterances as lines of frames, scores and words",
    sign="lines of id S n T n A n L n, frame, score, score, word",
    read=read_matchseg,
    sniff=sniff_matchseg,
    read_options=(Option("frame_rate", 100, "frames per second in matchseg files"),),
)
