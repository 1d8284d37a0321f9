"""conllu: sentences with one word per line, as CoNLL-U and WebAnno TSV 3 have them.

=====================================  =======================================================
in the file                            in the schema
=====================================  =======================================================
``# text = so it is.``, ``#Text=…``    the words of a segment, split at blanks
a sentence without this comment        its words; ``SpaceAfter=No`` joins a word to the next
``# sent_id = s1``                     `Segment.utterance`
``# newdoc id = d1``                   `Segment.recording`
``# speaker_id = A``, ``# speaker``    `Segment.speaker`
``…#0.5#0.9``, ``AlignBegin=500`` …    times of words in seconds and in milliseconds
``…#@ann#0.5#0.9``                     `Segment.speaker`; each change begins a turn
all other comments and columns         not read
=====================================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter

from formats.annotation.messages import CONLLU_SIGNS
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time

COMMENT = re.compile(r"#[ \t]?([\w. ]{1,40}?)[ \t]?=[ \t]?(.*)")
TOKEN = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?\t([^\t]*)(?:\t[^\t]*){6}\t[^\t]*\t([^\t]*)\Z")
"""A line of CoNLL-U: a number or a range of numbers, a word, and eight more columns."""
EMPTY_NODE = re.compile(r"[0-9]{1,6}\.[0-9]{1,6}\t")
SPAN = re.compile(r"[0-9]{1,6}-[0-9]{1,6}(?:\.[0-9]{1,6})?\t[0-9]{1,9}-[0-9]{1,9}\t([^\t]*)")
"""A line of WebAnno TSV: sentence and word, positions of characters, and the word."""
SUBWORD = re.compile(r"[0-9]{1,6}-[0-9]{1,6}\.")
TIMES = re.compile(
    r"#(\d{1,9}(?:\.\d{1,9})?)#(\d{1,9}(?:\.\d{1,9})?)(?![^|])"
    r"|AlignBegin=(\d{1,12})\|AlignEnd=(\d{1,12})(?![^|])",
    re.ASCII,
)
"""Start and end in the last column, in seconds or in milliseconds."""
OWNER = re.compile(r"#([^#|\t]{1,100})#[0-9]{1,9}(?:\.[0-9]{1,9})?#[0-9.]{1,20}\Z", re.ASCII)
"""Who says a word, before its times."""
WEBANNO = "#FORMAT=WebAnno TSV"
SHARE = 0.95
ESCAPED = re.compile(r"\\([\\\[\]|_;*>])")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per sentence."""
    recording = source.recording
    is_webanno = bool(source.head_lines()) and source.head_lines()[0].startswith(WEBANNO)
    lines: list[Line] = []
    signs: list[str] = []
    for number, text in (*source.lines(), (0, "")):
        if strip_blanks(text):
            lines.append(Line(source, number, text))
            continue
        fields = dict(filter(None, map(_field, lines)))
        recording = fields.get("newdoc id") or recording
        for speaker, turn in _turns_in(lines):
            own = {"speaker": speaker, **fields} if speaker else fields
            record = turn, recording, is_webanno
            for segment in source.log.accepted("CONLLU", partial(_sentence, own), [record]):
                signs += [] if "text" in own or is_webanno else _signs_alone(segment.words)
                yield segment
        lines = []
    if signs:
        source.log.say(CONLLU_SIGNS, count=len(signs), sign=signs[0])


def _signs_alone(words: Sequence[str]) -> list[str]:
    """Return the words without letters and digits, such as ``/`` for a pause.

    >>> _signs_alone(["so", "/", "it's", ",", "50"])
    ['/', ',']
    """
    return [word for word in words if not any(map(str.isalnum, word))]


def _turns_in(lines: list[Line]) -> list[tuple[str, list[Line]]]:
    """Return the lines of each speaker in turn, if the last column of all words names them.

    The name is before the times: ``@ann-words#@ann#0.5#0.9``. Otherwise the lines are one turn.
    """
    tokens = [line for line in lines if not line.text.startswith("#")]
    names = [OWNER.search(line.text) for line in tokens]
    if len(tokens) < len(lines) or None in names:
        return [("", lines)]
    pairs = [(name[1].lstrip("@"), line) for name, line in zip(names, tokens, strict=True) if name]
    return [(name, [line for _, line in group]) for name, group in groupby(pairs, itemgetter(0))]


def _field(line: Line) -> tuple[str, str] | None:
    """Return the name and the value of a comment, or `None` for another line."""
    match = COMMENT.match(line.text)
    return None if match is None else (match[1].lower(), match[2])


def _sentence(fields: dict[str, str], record: tuple[list[Line], str, bool]) -> Iterator[Segment]:
    """Yield the segment of a sentence; comments alone are no sentence."""
    lines, recording, is_webanno = record
    tokens = [line for line in lines if not line.text.startswith("#")]
    words = _words_of_spans(tokens) if is_webanno else _words(tokens)
    text = fields.get("text", words)
    if not text.strip():
        return
    spoken = tuple(split_words(ESCAPED.sub(r"\1", text) if is_webanno else text))
    spans = [] if is_webanno else _times(tokens)
    starts, ends = tuple(start for start, _ in spans), tuple(end for _, end in spans)
    are_words = bool(spans) and len(spans) == len(tokens) == len(spoken)
    yield Segment(
        recording,
        spoken,
        utterance=fields.get("sent_id"),
        speaker=fields.get("speaker_id") or fields.get("speaker"),
        start_ns=min(starts, default=None),
        end_ns=max(ends, default=None),
        starts_ns=starts if are_words else None,
        ends_ns=ends if are_words else None,
        line=lines[0].number,
    )


def _times(tokens: Sequence[Line]) -> list[tuple[int, int]]:
    """Return the start and end of each word in nanoseconds; empty if an end is before its start."""
    found = [match for line in tokens if (match := TIMES.search(line.text.rpartition("\t")[2]))]
    spans = [
        (parse_time(time[1]), parse_time(time[2])) if time[1]
        else (int(time[3]) * 1_000_000, int(time[4]) * 1_000_000)
        for time in found
    ]  # fmt: skip
    return spans if all(start <= end for start, end in spans) else []


def _words(tokens: Sequence[Line]) -> str:
    """Return the words of a sentence of CoNLL-U as text; invalid lines raise an error."""
    parts: list[str] = []
    last = 0
    for line in tokens:
        match = TOKEN.match(line.text)
        if match is None and EMPTY_NODE.match(line.text):
            continue
        if match is None:
            raise line.source.syntax_error(
                line.number, "a number, a word and eight more columns", quoted(line.text[:40]), 1
            )
        first, end, word, others = match.groups()
        if int(first) > last:  # the parts of a range of words are in the range's word
            parts += [word, "" if "SpaceAfter=No" in others else " "]
            last = int(end or first)
    return "".join(parts)


def _words_of_spans(tokens: Sequence[Line]) -> str:
    """Return the words of a sentence of WebAnno as text; invalid lines raise an error."""
    words: list[str] = []
    for line in tokens:
        match = SPAN.match(line.text)
        if match is None:
            expected = "the number of a word, its position, and the word"
            raise line.source.syntax_error(line.number, expected, quoted(line.text[:40]), 1)
        words += [] if SUBWORD.match(line.text) else [match[1]]
    return " ".join(words)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` for the first line of WebAnno TSV, or if nearly all lines are of CoNLL-U."""
    if lines and lines[0].startswith(WEBANNO):
        return Sniff.SURE
    rows = [line for line in lines if strip_blanks(line) and not line.startswith("#")]
    words = sum(map(bool, map(TOKEN.match, rows)))
    words += sum(map(bool, map(EMPTY_NODE.match, rows))) if words else 0
    begins = any(row.startswith(("1\t", "1-")) for row in rows)
    return Sniff.SURE if begins and words >= SHARE * len(rows) else Sniff.NO


SPEC = FormatSpec(
    title="CoNLL-U and WebAnno TSV: sentences with one word per line",
    sign="lines of a number, a word and eight more columns, or #FORMAT=WebAnno TSV",
    read=read,
    sniff=sniff,
)
