"""trn: one utterance per line, ``words … (id)``, without times.

The id is the text between the last ``(`` and the last ``)`` of the line, including inner blanks.
The words may have the markup of `formats.nist.markup`. If all texts stand between ``<s>`` and
``</s>``, as in the transcripts of CMU Sphinx, these two are no words. Lines that begin with ``;;``
or ``**`` are comments, except ``;; LABEL`` and ``;; CATEGORY``, which define subset labels.

===========  ======================================================
in the file  in the schema
===========  ======================================================
id           `Segment.utterance`
speaker      `Segment.speaker`, taken from the id, see `speaker_of`
(none)       `Segment.recording`: the stem of the file's name
===========  ======================================================

sclite differs from this reader. It silently drops a last line without a line end; this reader reads
it. It gives a line without parentheses an empty id; here, the line is an error. It drops text after
the id; this reader also warns. It keeps parentheses in the names of ``sp`` speakers, and in
speakers that very short ``wsj`` ids give.
"""

from __future__ import annotations

from itertools import count

from formats.detection.spec import ESCAPE_MARKUP, FormatSpec, Option, SegmentSource, Sniff
from formats.reading.lines import (
    TEXT_BLANKS,
    Line,
    SeenIds,
    cutter,
    read_in_bulk,
    records_of,
    split_words,
    strip_blanks,
    write_definition,
)
from formats.schema import lazy_pattern
from formats.schema.errors import OptionError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from formats.io.sink import Sink
    from formats.io.source import Source
    from formats.nist.markup import MarkedWords
    from formats.schema.model import Segment
    from formats.schema.words import Definition
    from formats.writing.out import Out

MARKUP = "{}@"
SIGNS = (*MARKUP, "(")
"""Signs of which a text with markup has one."""
TIME = r"(?:[0-9]{1,3}(?::[0-9]{2}){1,2}(?:[.,][0-9]{1,9})?|[0-9]{1,6}\.[0-9]{1,3}s?)"
NO_ID = lazy_pattern(rf"\((?:\S+ -[0-9]+|{TIME}(?:[ ]?(?:[-=]{{1,2}}>?|[–—→~]|to)[ ]?{TIME})?)\)")
"""The end of a line as PocketSphinx writes it (an id and a score), or a time behind a text."""
SENTENCE = ("<s>", "</s>")
BY_MARK = ("spu_id", "rm", "swb")
ID_TYPES = (*BY_MARK, "wsj", "atis", "sp")


def speaker_of(utterance: str, id_type: str = "spu_id") -> str | None:
    """Return the speaker named in an utterance id, or `None`.

    For ``spu_id``, ``rm`` and ``swb``, the speaker is the text before the first hyphen, or
    otherwise before the first underscore. For ``wsj`` and ``atis``, it is the first three
    characters. For ``sp``, it is the whole id.

    >>> speaker_of("a_b-c"), speaker_of("a_b"), speaker_of("4k0c0301", "wsj")
    ('a_b', 'a', '4k0')
    """
    if id_type in BY_MARK:
        mark = "-" if "-" in utterance else "_"
        return utterance.partition(mark)[0] if mark in utterance else None
    if id_type in ("wsj", "atis"):
        return utterance[:3]
    if id_type == "sp":
        return utterance
    raise OptionError(expected=f"id type {', '.join(ID_TYPES)}", found=quoted(id_type))


def read(
    source: Source, *, id_type: str = "spu_id", alternations: bool = True, markup: bool = True,
    segments: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per utterance, in the order of the file.

    `alternations=False` makes braces ordinary characters, as Buckwalter Arabic needs, and
    `markup=False` makes all markup ordinary characters. `segments` is a file with the times of the
    utterances.
    """
    speaker_of("", id_type)
    seen = SeenIds()
    recording = source.recording
    make = source.segment_type()
    has_marks = markup and _are_sentences(source.head_lines())
    cut = None if has_marks or source.is_short() else cutter(";*", MARKUP)
    kinds = "wip" if id_type in BY_MARK else "wi"

    def read_columns(first: int, text: str) -> list[Segment] | None:
        columns = None if cut is None else cut(text, kinds)
        if columns is None or not seen.all_new(columns[1], first, columns[0]):
            return None
        texts, utterances, *parts = columns
        speakers = parts[0] if parts else [speaker_of(name, id_type) for name in utterances]
        rows = zip(texts, speakers, utterances, count(first), strict=False)
        return [
            make(recording, words, speaker=speaker, utterance=utterance, line=line)
            for words, speaker, utterance, line in rows
        ]

    def read_lines(first: int, lines: list[str]) -> Iterator[Segment]:
        def read_line(line: Line) -> Iterator[Segment]:
            opening, utterance = _split_id(line)
            speaker = speaker_of(utterance, id_type)
            if speaker is None:
                from formats.nist.messages import TRN_SPEAKER

                source.log.say(TRN_SPEAKER, line.number, opening + 2, utterance=utterance)
            spoken = tuple(split_words(line.text[:opening]))
            marked = _marked(line, opening, spoken, alternations) if markup else (spoken, None, ())
            words, optional, choices = marked
            if not _is_repeated(seen, line, utterance, spoken):
                names: dict[str, Any] = {
                    "speaker": utterance if speaker is None else speaker,
                    "utterance": utterance,
                    "line": line.number,
                }
                if optional is None and not choices:
                    yield make(recording, words, **names)
                    return
                from formats.schema.model import Segment

                yield Segment(recording, words, optional=optional, alternations=choices, **names)

        if has_marks:
            lines = [_without_marks(source, line, n) for n, line in enumerate(lines, first)]
        records = records_of(source, first, lines, (";;", "**"))
        return source.log.accepted("TRN-SYNTAX", read_line, records)

    utterances = read_in_bulk(source, read_columns, read_lines)
    if not segments:
        return utterances
    from formats.nist.beside import placed_utterances

    return placed_utterances(source, segments, utterances)


def _are_sentences(lines: Sequence[str]) -> bool:
    """Return True if all texts stand between ``<s>`` and ``</s>``, as CMU Sphinx writes them."""
    records = [x for x in lines if strip_blanks(x) and not x.startswith((";;", "**"))]
    if not records or SENTENCE[0] not in records[0]:
        return False
    texts = [split_words(line[: line.rfind("(")]) for line in records]
    return all(len(words) > 1 and (words[0], words[-1]) == SENTENCE for words in texts)


def _without_marks(source: Source, line: str, number: int) -> str:
    """Replace the marks of a sentence at both ends of a text by blanks."""
    end = line.rfind("(")
    bare = line[:end].rstrip(TEXT_BLANKS)
    begin = line[:end].lstrip(TEXT_BLANKS)
    words = split_words(line[:end])
    if len(words) < 2 or (words[0], words[-1]) != SENTENCE:
        return line
    from formats.nist.messages import TRN_SENTENCES

    source.log.say(TRN_SENTENCES, number)
    start = end - len(begin)
    inner = line[start + 3 : len(bare) - 4]
    return f"{line[:start]}   {inner}    {line[len(bare) :]}"


def _marked(line: Line, opening: int, words: tuple[str, ...], alternations: bool) -> MarkedWords:
    """Return the words before the id without markup, marks of optional words, and alternations."""
    if not any(sign in line.text[:opening] for sign in SIGNS):
        return words, None, ()
    from formats.nist.markup import parse_columns

    return parse_columns(line.source, line.number, line.text, 0, opening, alternations=alternations)


def _is_repeated(seen: SeenIds, line: Line, utterance: str, words: tuple[str, ...]) -> bool:
    """Return True, with a note, if a line repeats an earlier utterance id and its words."""
    if seen.all_new([utterance], line.number, [words]):
        return False
    from formats.nist.messages import TRN_DUPLICATE

    return seen.is_repeated(line.source, line.number, utterance, words, TRN_DUPLICATE)


def _split_id(line: Line) -> tuple[int, str]:
    """Return the position of the ``(`` of the id, and the id."""
    source, number, text = line.source, line.number, line.text
    opening, closing = text.rfind("("), text.rfind(")")
    if opening < 0 or closing < opening:
        expected, found, column = '")" after the id', "the end of the line", len(text)
        if opening < 0 and closing < 0:
            expected, found = '"(id)" at the end of the line', "no parentheses"
        elif opening < 0:
            expected, found, column = '"(" before the id', '")"', closing
        raise source.syntax_error(number, expected, found, column=column + 1)
    utterance = text[opening + 1 : closing]
    if not strip_blanks(utterance):
        found = quoted(text[opening : closing + 1])
        raise source.syntax_error(number, "an id", found, column=opening + 2)
    rest = strip_blanks(text[closing + 1 :])
    if rest:
        from formats.nist.messages import TRN_TRAILING

        source.log.say(TRN_TRAILING, number, closing + 2, text=rest)
    return opening, utterance


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    id_type: str = "spu_id",
    alternations: bool = True,
    escape_markup: bool = False,
    sort: str = "input",
) -> None:
    """Write one line per segment in the given order; definitions become comments.

    A speaker that a reader cannot derive from the id by `id_type` is counted as lost. ``sort="id"``
    sorts the lines by the bytes of the utterance id, and holds all lines in memory.
    """
    from formats.nist.markup_writer import write_text
    from formats.writing.out import Out

    written = 0
    used: set[str] = set()
    lines: list[tuple[str, str]] = []
    for segment in segments:
        out = Out(segment, sink)
        written = _write_definitions(segments.definitions, written, sink)
        utterance = _checked_id(out, used)
        speaker = segment.speaker
        if speaker is not None and speaker != (speaker_of(utterance, id_type) or utterance):
            from formats.nist.messages import RULE_OTHER_SPEAKER

            out.lost("speakers", rule=RULE_OTHER_SPEAKER)
        text = write_text(out, alternations=alternations, escape=escape_markup)
        if text.startswith((";", "*")):
            text = " " + text
        line = f"{text} ({utterance})\n" if text else f"({utterance})\n"
        if sort == "id":
            lines.append((utterance, line))
        else:
            sink.write(line)
    from formats.io.messages import RULE_SORTED_ID

    for _, line in sink.losses.in_order(lines, lambda row: row[0], RULE_SORTED_ID, sink.source):
        sink.write(line)
    _write_definitions(segments.definitions, written, sink)


def _checked_id(out: Out, used: set[str]) -> str:
    utterance = out.segment.utterance
    if utterance is None or not strip_blanks(utterance):
        raise out.refuse("an utterance id", "none")
    if any(character in utterance for character in "()\n\r\0"):
        raise out.refuse("an utterance id without parentheses and line ends", quoted(utterance))
    if utterance in used:
        raise out.refuse("a unique utterance id", quoted(utterance))
    used.add(utterance)
    return utterance


def _write_definitions(definitions: Sequence[Definition], written: int, sink: Sink) -> int:
    for definition in definitions[written:]:
        sink.write(write_definition(definition))
    return len(definitions)


OF_LYRICS = lazy_pattern(r"\[[0-9]{1,9},[0-9]{1,9}\]")
"""The begin and length before a line of lyrics, whose syllables have such numbers behind them."""


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 95 % of the records end in a balanced ``(…)`` and most of these differ."""
    records = [x for x in lines if strip_blanks(x) and not x.startswith((";;", "**"))]
    bold = sum(x.startswith("**") and x.count("**") > 1 for x in lines)
    if len(records) <= bold:  # text in Markdown, and no comments
        return Sniff.NO
    ids = [x[x.rfind("(") :] for x in map(strip_blanks, records) if _ends_in_id(x)]
    if len(ids) >= 0.95 * len(records) and 2 * len({*ids}) >= len(ids):
        return Sniff.SURE
    return Sniff.MAYBE if len(ids) * 2 > len(records) else Sniff.NO


def _ends_in_id(line: str) -> bool:
    opening = line.rfind("(")
    is_id = line.endswith(")") and opening >= 0 and ")" not in line[opening:-1]
    is_id = is_id and not (opening == 0 and '"' in line)  # Festival's: ( id "text" )
    if not is_id or (line[0] == "[" and OF_LYRICS.match(line)):
        return False
    end = line[opening:]
    # of PocketSphinx, or a time
    is_other = (" " in end or ":" in end or "." in end) and NO_ID.fullmatch(end) is not None
    return not is_other and "://" not in end


SPEC = FormatSpec(
    title="NIST transcript: one utterance per line, id in parentheses at the end",
    sign='words and "(id)" at the end of each line',
    read=read,
    write=write,
    sniff=sniff,
    holds="words, utterance ids, speakers, definitions, optional marks, alternations, "
    "empty segments, segment boundaries",
    needs=("utterance ids",),
    read_options=(
        Option(
            "id_type",
            "spu_id",
            "rule that finds the speaker in an utterance id (trn)",
            ID_TYPES,
        ),
        Option("alternations", True, "read { a / b } as alternations", (True, False)),
        Option("markup", True, "read braces, @ and parentheses as markup", (True, False)),
        Option(
            "segments",
            "",
            "file with the times of the utterances: stm, Kaldi's segments, or a manifest",
            is_path=True,
        ),
    ),
    write_options=(
        Option(
            "id_type",
            "spu_id",
            "rule that finds the speaker in an utterance id (trn)",
            ID_TYPES,
        ),
        Option("alternations", True, "write alternations as { a / b }", (True, False)),
        ESCAPE_MARKUP,
        Option(
            "sort",
            "input",
            "write utterances in the order of the input, or sorted by id (trn)",
            ("input", "id"),
        ),
    ),
)
