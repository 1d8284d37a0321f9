"""callhome: LDC's transcripts of telephone calls, ``begin end speaker: text``.

The texts are read as in NIST's program `chfilt`.

A turn begins with its times in decimal seconds and ``A`` or ``B``. If several people share a
channel, a number follows the letter. A line without times continues the preceding turn. Lines that
begin with ``#`` are comments. The reader removes comments ``[[…]]``, noises ``{…}`` and ``[…]``,
and the marks of unsure words, names, other languages and asides. It adds a point to each spelled
letter, writes hesitations as ``%HESITATION``, and expands annotated contractions.

==================  =======================================================
in the file         in the schema
==================  =======================================================
turn                a `Segment` with times, channel and speaker
``A``, ``B1``       the speaker; its letter is the channel
==================  =======================================================

`chfilt` differs in three ways. It converts words to capitals, it reads the last ``A:`` or ``B:`` of
a line as the speaker, and it keeps contractions in continued lines.
"""

import re
from collections.abc import Iterator, Sequence

from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.nist.callhome_text import ENCODINGS, CallhomeText, without_comments
from formats.reading.lines import read_time, split_words, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment

TIMES = re.compile(r"[ \t]*([0-9]+\.[0-9]*)[ \t]+([0-9]+\.[0-9]*)[ \t]+")
HEAD = re.compile(rf"{TIMES.pattern}([AB][0-9]*):")
SHARE = 0.95
CONTRACTION = re.compile(r'<contraction\s+e_form="([^"<]+)">[^ \t\n\r\f)]+', re.IGNORECASE)
FORM = re.compile(r"\[[^\[\]=]+=>([^\[\]]*)\]")


def read(
    source: Source, *, callhome_language: str = "english", optional_marks: bool = False
) -> Iterator[Segment]:
    """Yield one segment per turn, in the order of the file."""
    text = CallhomeText(callhome_language, optional_marks, folds=False)
    head: tuple[int, str, re.Match[str]] | None = None
    lines: list[str] = []
    for number, line in source.lines():
        if line.startswith("#") or not strip_blanks(line):
            continue
        match = HEAD.match(line)
        if match is None and head is None:
            expected = "a turn: begin, end, A or B with a colon, text"
            error = source.syntax_error(number, expected, quoted(line), column=1)
            source.log.reject("CALLHOME-SYNTAX", error)
        elif match is None:
            lines.append(line)
        else:
            if head is not None:
                yield from _turn(source, head, lines, text)
            head, lines = (number, line, match), [line[match.end() :]]
    if head is not None:
        yield from _turn(source, head, lines, text)


def _turn(
    source: Source, head: tuple[int, str, re.Match[str]], lines: Sequence[str], text: CallhomeText
) -> Iterator[Segment]:
    """Yield the segment of a turn; nothing if the turn is skipped."""
    number, line, found = head
    begin, end, speaker = found.groups()
    try:
        start_ns = read_time(source, number, line, 0, begin, "begin time")
        end_ns = read_time(source, number, line, 1, end, "end time")
        if end_ns < start_ns:
            column = found.start(2) + 1
            expected = f"an end time of {begin} or after"
            raise source.syntax_error(number, expected, quoted(end), column=column)
        words = _words(source, number, " ".join(lines), text)
    except SyntaxFormatError as error:
        source.log.reject("CALLHOME-SYNTAX", error)
        return
    segment = Segment(
        source.recording, tuple(words), channel=speaker[0], speaker=speaker, start_ns=start_ns,
        end_ns=end_ns, line=number,
    )  # fmt: skip
    if text.is_optional:
        marks = [word[0] == "(" and word[-1] == ")" and len(word) > 2 for word in words]
        bare = [word[1:-1] if mark else word for word, mark in zip(words, marks, strict=True)]
        segment = segment.replace(words=tuple(bare), optional=tuple(marks) if any(marks) else None)
    yield segment


def _words(source: Source, number: int, speech: str, text: CallhomeText) -> list[str]:
    if "<" in speech:
        speech = CONTRACTION.sub(lambda found: " ".join(FORM.findall(found[1])) or found[1], speech)
    encoding = ENCODINGS[text.language]
    try:
        data = speech.encode(encoding)
    except UnicodeEncodeError as problem:
        raise source.syntax_error(
            number,
            f"characters of {encoding}, in which {text.language} is read",
            quoted(speech[problem.start : problem.end]),
        ) from None
    cleaned = text.words_of(without_comments(data) if b"[[" in data else data)
    return split_words(cleaned.decode(encoding, "replace").strip(" "))


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first line is a turn, and so are nearly all lines with two times."""
    filled = [line for line in lines if strip_blanks(line) and not line.startswith("#")]
    if not filled or HEAD.match(filled[0]) is None or filled[0].count("\t") == 2:  # of Audacity
        return Sniff.NO
    timed = [line for line in filled if TIMES.match(line)]
    turns = sum(map(bool, map(HEAD.match, timed)))
    return Sniff.SURE if turns >= SHARE * len(timed) else Sniff.NO


SPEC = FormatSpec(
    title="CallHome transcripts of LDC: timed turns of telephone calls, as chfilt reads them",
    sign="lines of a begin, an end and A: or B:",
    read=read,
    sniff=sniff,
    holds="words, channels, speakers, segment times, optional marks, empty segments, "
    "segment boundaries",
    read_options=(
        Option(
            "callhome_language",
            "english",
            "language of the marks and hesitations in callhome files",
            tuple(ENCODINGS),
        ),
        Option(
            "optional_marks",
            False,
            "mark unsure words, hesitations and fragments as optional words",
        ),
    ),
)
