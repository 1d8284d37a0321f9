"""txt: words and nothing else.

``txt`` takes the whole file for one utterance of the recording that the file is named after;
``txt-lines`` takes line *n* for utterance *n* (ids ``000001``, ``000002``, …; an empty line is an
empty utterance). Words are cut at ASCII blanks. There are no comments and no markup: ``@``,
braces and parentheses are text. Everything but the words is lost on writing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, SegmentSource
from formats.io.source import Source
from formats.reading.columns import cutter, read_in_bulk
from formats.reading.lines import TEXT_BLANKS, split_words, strip_blanks
from formats.schema import is_installed
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.writing.out import Out

if TYPE_CHECKING:
    from formats.io.sink import Sink

MAYBE_TURN = re.compile(r"[^:]{0,70}:").match


def read(source: Source) -> Iterator[Segment]:
    """One segment with all words of the file; none at all if the file is empty.

    A note says so where lines look like turns of speakers, a warning where they are a table.
    """
    head = source.head_lines()
    tabs = {line.count("\t") for line in head if strip_blanks(line)}
    if len(tabs) == 1 and len(head) > 1 and tabs.pop() > 1:
        message = "every line has as many fields with tabs between them: all of them are words here"
        source.log.warn("TXT-TABLE", message, 1)
    if any(map(MAYBE_TURN, head)) and is_installed("formats.meetings"):
        from formats.meetings.turns import suspicion

        if turns := suspicion(list(enumerate(head, 1))):
            message = f"{turns}: their names and times are words here (speaker-text reads them)"
            source.log.note("SPEAKER-TEXT?", message)
    words: list[str] = []
    is_empty = True
    for _, line in source.lines():
        is_empty = False
        words.extend(split_words(line))
    if not is_empty:
        yield Segment(source.recording, tuple(words), line=1)


def read_lines(source: Source) -> Iterator[Segment]:
    """One segment per line, with the line number, six digits wide, as utterance id."""
    cut, recording = cutter(""), source.recording

    def segments(first: int, texts: Iterable[Sequence[str]]) -> list[Segment]:
        return [
            Segment(recording, tuple(words), utterance=f"{number:06d}", line=number)
            for number, words in enumerate(texts, first)
        ]

    def read_columns(first: int, text: str) -> list[Segment] | None:
        columns = cut(text, "w")
        return None if columns is None else segments(first, columns[0])

    return read_in_bulk(
        source, read_columns, lambda first, lines: segments(first, map(split_words, lines))
    )


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write the words of each segment on a line of its own, first branches of alternations."""
    for segment in segments:
        words = segment.words
        if segment.alternations:
            words = tuple(label.value for label in segment.word_labels())
        for word in words:
            if not word or any(blank in word for blank in TEXT_BLANKS + "\n\r\0"):
                found = f"blanks or line ends in {quoted(word)}" if word else "an empty word"
                raise Out(segment, sink).refuse("a word that the format can hold", found)
        sink.write(" ".join(words) + "\n")


SPEC = FormatSpec(
    title="free text: the whole file is one utterance",
    sign="text of any kind",
    read=read,
    write=write,
    holds=("words",),
    streams=True,
)

LINES_SPEC = FormatSpec(
    title="free text: each line is one utterance, numbered",
    sign="text of any kind, a line an utterance",
    read=read_lines,
    write=write,
    holds=("words", "empty segments", "segment boundaries"),
    streams=True,
)
