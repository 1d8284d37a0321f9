"""txt: plain text without markup.

``txt`` reads the whole file as one utterance; the recording has the name of the file. It skips what
nobody speaks: the head of a document, rules, and the signs of lists (`PlainText`). ``txt-lines``
reads line *n* as utterance *n* (ids ``000001``, ``000002``, …; an empty line is an empty
utterance). ASCII blanks separate words. There are no comments and no markup: ``@``, braces and
parentheses are text. The writer drops everything except the words.
"""

from __future__ import annotations

from itertools import chain

from formats.detection.spec import FormatSpec, Option, SegmentSource
from formats.io.source import Source
from formats.schema import split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.io.sink import Sink
    from formats.nist.markdown_text import MarkdownText, PlainText
    from formats.schema.model import Segment

WRITE_OPTIONS = (
    Option("speaker_prefix", False, "write the name of the speaker and a colon before the text"),
    Option("stamps", False, "write the time of each segment or turn before the text"),
)
MARKDOWN_ENDINGS = (".md", ".markdown")
NOTICES = (" file is longer ", "ranscribed by", "uto-generated transcript")
"""Parts of the lines that a service adds to a text."""


def read(source: Source, *, titles: bool = False) -> Iterator[Segment]:
    """Yield one segment with all words of the file; nothing for an empty file.

    With `titles`, a title above the text is read as words, too.

    A note is logged for lines that look like turns of speakers, and a warning for lines that look
    like a table.
    """
    spoken: MarkdownText | PlainText | None = None
    numbered: Iterable[tuple[int, str]] | None = None
    is_named = source.name.lower().endswith(MARKDOWN_ENDINGS)
    if is_named or not source.has_words_only():
        from formats.nist.txt_remarks import lines_of_text, say_remarks, spoken_text

        head, numbered = lines_of_text(source)
        spoken = spoken_text(head, is_named=is_named, titles=titles)
        say_remarks(source, spoken.sample(head), head, is_markdown=spoken.is_markdown)
    words: list[str] = []
    notices: list[str] = []
    sizes: list[int] = []
    last: list[str] = []
    is_empty = True
    numbered = source.lines() if numbered is None else numbered
    lines = (line for _, line in numbered)
    for line in lines if spoken is None else spoken.spoken(numbered):
        is_empty = False
        if NOTICES[0] in line or NOTICES[1] in line or NOTICES[2] in line:
            from formats.reading.document_parts import NOTICE

            notice = NOTICE.match(line.strip())
            if notice is not None:
                notices.append(notice[0])
                continue
        if spoken is not None and line.strip():
            sizes, last = [*sizes[-5:], len(words)], [*last[-5:], line]
        words.extend(split_words(line))
    if notices:
        from formats.nist.messages import TXT_NOTICE

        source.log.say(TXT_NOTICE, None, count=len(notices), text=notices[0])
    speaker = None
    if "/" in words or "//" in words:
        from formats.io.messages import PAUSES_LEFT
        from formats.reading.marks import pauses_in, without_pauses

        if pauses := pauses_in(words):
            source.log.say(PAUSES_LEFT, count=len(pauses), text=pauses[0])
            words = without_pauses(words)
    if spoken is not None:
        spoken.say(source)
        speaker, words = _without_edges(source, spoken, words, sizes, last)
    if not is_empty:
        yield source.segment_type()(source.recording, tuple(words), speaker=speaker, line=1)


def _without_edges(
    source: Source,
    spoken: MarkdownText | PlainText,
    words: list[str],
    sizes: Sequence[int],
    last: Sequence[str],
) -> tuple[str | None, list[str]]:
    """Return the only speaker of a text, if it names one, and its words without foot and label.

    `last` has the last lines with words, and `sizes` how many words are above each of them.
    """
    from formats.nist.foot_of_text import foot_of
    from formats.nist.messages import TXT_FOOT, TXT_LABELS
    from formats.nist.titles_above import label_first

    foot = min(foot_of(last, spoken.first), len(sizes))
    if foot and sizes[-foot]:
        words = words[: sizes[-foot]]
        source.log.say(TXT_FOOT, None, lines=foot, text=last[-foot].strip())
    if spoken.above.speaker is not None or ":" not in "".join(words[:3]).replace("：", ":"):
        return spoken.above.speaker, words
    speaker, size = label_first(words)
    if size:
        text = " ".join(words[:size])
        kind = "field" if speaker is None else "label"
        named = {} if speaker is None else {"speaker": speaker}
        source.log.say(TXT_LABELS[kind], 1, text=text, **named)
    return speaker, words[size:]


def read_lines(source: Source) -> Iterator[Segment]:
    """Yield one segment per line. Its utterance id is the line number with six digits."""
    recording, make = source.recording, source.segment_type()

    def segments(first: int, texts: Iterable[Sequence[str]]) -> list[Segment]:
        return [
            make(recording, tuple(words), utterance=f"{number:06d}", line=number)
            for number, words in enumerate(texts, first)
        ]

    if source.is_short():
        lines = source.lines()
        return chain.from_iterable(segments(n, [split_words(line)]) for n, line in lines)
    from formats.reading.lines import cutter, read_in_bulk

    cut = cutter("")

    def read_columns(first: int, text: str) -> list[Segment] | None:
        columns = cut(text, "w")
        return None if columns is None else segments(first, columns[0])

    return read_in_bulk(
        source, read_columns, lambda first, lines: segments(first, map(split_words, lines))
    )


def write(
    segments: SegmentSource, sink: Sink, *, speaker_prefix: bool = False, stamps: bool = False
) -> None:
    """Write the words of each segment on one line, with the first branch of each alternation.

    With `stamps` and `speaker_prefix`, ``[0:12] anne: `` precedes the words; the format
    ``speaker-text`` can read such lines. The reader takes ``&amp;`` for a character, so that such
    a word is written as ``&amp;amp;``; it leaves out the codes of terminals, so that their first
    character is written as ``&#27;``.
    """
    for head, text in _lines_of(segments, sink, speaker_prefix, stamps):
        if "&" in text or "\x1b" in text:
            from formats.reading.marks import with_entities

            text = with_entities(text)
        sink.write(f"{head}{text}\n")


def write_lines(
    segments: SegmentSource, sink: Sink, *, speaker_prefix: bool = False, stamps: bool = False
) -> None:
    """Write the words of each segment on one line, as `write` does, and all words as they are."""
    for head, text in _lines_of(segments, sink, speaker_prefix, stamps):
        sink.write(f"{head}{text}\n")


def _lines_of(
    segments: SegmentSource, sink: Sink, speaker_prefix: bool, stamps: bool
) -> Iterator[tuple[str, str]]:
    """Yield what precedes the words of each segment, and its words."""
    from formats.schema.times import format_clock
    from formats.writing.out import Out

    for segment in segments:
        head = ""
        if stamps and segment.start_ns is not None and segment.start_ns >= 0:
            head = f"[{format_clock(segment.start_ns, decimals=3)}] "
        if speaker_prefix and segment.speaker:
            head += f"{' '.join(split_words(segment.speaker))}: "
        yield head, Out(segment, sink).plain_text()


SPEC = FormatSpec(
    title="free text: the whole file is one utterance",
    sign="text of any kind",
    read=read,
    write=write,
    read_options=(Option("titles", False, "read a title above the text as words"),),
    write_options=WRITE_OPTIONS,
    holds=("words",),
)

LINES_SPEC = FormatSpec(
    title="free text: each line is one utterance, numbered",
    sign="text of any kind, a line an utterance",
    read=read_lines,
    write=write_lines,
    write_options=WRITE_OPTIONS,
    holds=("words", "empty segments", "segment boundaries"),
)
