"""salt: SALT transcripts of a child and an examiner, with codes in the text.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
``$ Child, Examiner``                  the speakers: ``C`` and ``E`` begin their lines
``C text``                             one `Segment`; following lines continue it
``- 1:02``                             a time: the next utterance begins and the previous utterance
                                       ends at this time; other utterances have no times
``+ Key: value``                       property of the file
``=`` comment, ``;`` and ``:`` pause   not read, counted in a note
``(um)``, ``kid/s``, ``{…}``, ``[…]``  words as written; with ``salt_clean=True`` see `clean`
=====================================  ======================================================
"""

import re
from collections.abc import Iterator, Sequence

from formats.annotation.messages import SALT_COMMENTS, SALT_MARKS
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.reading.lines import split_words, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, parse_time

TIME = re.compile(r"-[ \t]*((?:[0-9]{1,4}:)?[0-9]{1,4}:[0-9]{2}(?:\.[0-9]{1,9})?)[ \t]*\Z")
ENTRY = re.compile(r"([A-Z])[ \t]+(.*)\Z", re.S)
BARS = re.compile(r"\|[^\s.?!^~>]*")
ENDS = re.compile(r" ([.?!^~])(?= |\Z)")
BRACKETS = re.compile(r"[()<>]")
COMMENTS = re.compile(r"\{[^{}]*\}|\[[^\[\]]*\]|(?<!\S):[0-9]{1,3}(?=[.?!^~>]*(?!\S))|(?<!\S)\*\S+")
OMITTED = re.compile(r"/\*\S*?(?=[.?!^~>]|\s|\Z)")
PLAIN = re.compile(r"(?<=[a-z])/(s|z|ed|ing|en|er|est|'s|'ll|'m|'d|'re|'ve|n't)(?![a-z])")
MARKS = re.compile(r"[(){}\[\]/*|_<>:]")


def clean(text: str) -> str:
    """Return the spoken words, without codes, comments, pauses, omitted words and endings."""
    text = OMITTED.sub("", COMMENTS.sub("", text))
    text = PLAIN.sub(r"\1", BARS.sub("", text))
    text = " ".join(BRACKETS.sub("", text).replace("_", " ").split())
    return ENDS.sub(r"\1", text)


def read(source: Source, *, salt_clean: bool = False) -> Iterator[Segment]:
    """Yield one segment per utterance."""
    speakers: dict[str, str] = {}
    waiting: list[tuple[str, str, int]] = []
    mark: int | None = None
    others = marked = 0
    for number, line in source.lines():
        bare = strip_blanks(line)
        try:
            sign, rest = bare[:1], strip_blanks(bare[1:])
            entry = ENTRY.match(bare)
            if sign == "$":
                names = [strip_blanks(name) for name in rest.split(",")]
                speakers = {name[0].upper(): name for name in reversed(names) if name}
            elif sign == "+":
                name, colon, value = rest.partition(":")
                if colon and strip_blanks(name):
                    source.properties[strip_blanks(name).lower()] = strip_blanks(value)
            elif sign == "-":
                time = _time(source, number, bare, mark)
                yield from _timed(source, waiting, mark, time, salt_clean)
                waiting, mark = [], time
            elif entry is not None and (not speakers or entry[1] in speakers):
                waiting.append((speakers.get(entry[1], entry[1]), entry[2], number))
                marked += MARKS.search(entry[2]) is not None
            elif not bare or sign in ("=", ";", ":"):
                others += bool(bare)
            elif waiting:
                speaker, text, first = waiting[-1]
                waiting[-1] = speaker, f"{text} {bare}", first
            else:
                expected = "a line of SALT: $, +, -, =, ; or a speaker's letter, and a blank"
                raise source.syntax_error(number, expected, quoted(bare), 1)
        except SyntaxFormatError as error:
            source.log.reject("SALT-SYNTAX", error)
    yield from _timed(source, waiting, mark, None, salt_clean)
    if others:
        source.log.say(SALT_COMMENTS, others=others)
    if marked and not salt_clean:
        source.log.say(SALT_MARKS, marked=marked)


def _time(source: Source, number: int, line: str, before: int | None) -> int:
    match = TIME.match(line)
    try:
        if match is None:
            raise ValueError
        hours, minutes, seconds = ["0", *match[1].split(":")][-3:]
        time = parse_time(seconds) + (int(hours) * 60 + int(minutes)) * 60 * SECOND
    except ValueError:
        raise source.syntax_error(number, "a time such as - 1:02", quoted(line), 1) from None
    if before is not None and time < before:
        raise source.syntax_error(number, "a time not before that above", quoted(line), 1)
    return time


def _timed(
    source: Source,
    waiting: Sequence[tuple[str, str, int]],
    begin: int | None,
    end: int | None,
    is_clean: bool,
) -> Iterator[Segment]:
    """Yield the utterances between two times.

    The first starts at `begin`, and the last ends at `end`; all other times are unknown.
    """
    for index, (speaker, text, number) in enumerate(waiting):
        yield Segment(
            source.recording, tuple(split_words(clean(text) if is_clean else text)),
            speaker=speaker, start_ns=begin if not index else None,
            end_ns=end if index + 1 == len(waiting) else None, line=number,
        )  # fmt: skip


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if line 1 names the speakers and 80 % of all lines begin with SALT's signs."""
    filled = [line for line in map(strip_blanks, lines) if line]
    if not filled or filled[0][:2] not in ("$ ", "$\t"):
        return Sniff.NO
    fitting = sum(line[0] in "$+-=:;" or ENTRY.match(line) is not None for line in filled)
    return Sniff.SURE if fitting >= 0.8 * len(filled) else Sniff.NO


SPEC = FormatSpec(
    title="transcripts of SALT: utterances by speakers' letters, with times between them",
    sign="a first line of $ and speakers",
    read=read,
    sniff=sniff,
    read_options=(
        Option("salt_clean", False, "remove marks, codes and comments from the text of salt files"),
    ),
)
