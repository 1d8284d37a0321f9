"""Cues: texts that a subtitle file shows from a start to an end, divided into runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise

from formats.io.source import Source
from formats.reading.lines import TEXT_BLANKS, replace_long_references, split_words
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.errors import message_line, quoted
from formats.schema.times import SECOND, parse_clock
from formats.schema.words import Properties
from formats.subtitles.messages import (
    CUE_BESIDE,
    CUE_END,
    CUE_ENDLESS,
    CUE_NO_END,
    CUE_NO_START,
    CUE_OPEN,
)

DASHES = frozenset(("-", "–", "—", "‐", "--"))
"""Dashes alone: signs of another speaker, or of a pause, and no words."""
TURN = lazy_pattern(r"(?m)^[ \t]*(?:[–—]|--?(?![a-zß-öø-ÿ])|‐)(?=[^\W\d_]|[\"'“„«¿¡(\[…♪])")
SIGNED = lazy_pattern(r"-[0-9]")
"""A number with a sign, before which a dash is a minus."""
DIALOGUE = lazy_pattern(r"(?m)^[ \t]*[-–—‐]{1,2}(?=\S)")
"""A dash that the words of another speaker follow without a blank, in any line, or in several."""

SETTINGS = lazy_pattern(
    r"(?i)(?:align|position|line|size|vertical|region)[ ]?[:=]|[A-DLSTXY][12]?:\S"
    r"|(?:[^\s:]{1,40}:\S{1,60}(?:[ \t]{1,9}|\Z)){1,9}\Z"
)
"""What is behind the times of a cue and is no text: where and how the text is shown."""


class Run(NamedTuple):
    """A piece of the text of a cue; all of it has the same markup.

    LF is a line break, and `chunk` is the index of the piece with times to which the run belongs.
    """

    text: str
    speaker: str | None = None
    chunk: int | None = None
    start_ns: int | None = None
    end_ns: int | None = None
    properties: Properties = ()
    confidence: float | None = None


class Cue(NamedTuple):
    """The text shown between two times, with its line number in the file.

    `pieces` decides what pieces with times become: ``words`` gives words with times if each piece
    is one word, otherwise segments; ``segments`` always gives segments; ``words only`` gives words
    with times or without.
    """

    start_ns: int | None
    end_ns: int | None
    runs: tuple[Run, ...]
    line: int | None
    properties: Properties = ()
    pieces: str = "words"
    confidence: float | None = None


def timed_cue(
    source: Source, number: int | None, start: int, end: int | None, shown: str, text: str = ""
) -> Cue:
    """Create a cue of one run.

    A cue that ends before its start gets no times, and there is a warning. An end at zero is none:
    programs write it if they do not know the end.
    """
    if end is None or end >= start:
        return Cue(start, end, (Run(text),), number)
    if not end:
        source.log.say(CUE_ENDLESS, number, shown=message_line(shown))
        return Cue(start, None, (Run(text),), number)
    source.log.say(CUE_END, number, shown=message_line(shown))
    return Cue(None, None, (Run(text),), number, (("times", shown),))


def cue_between(source: Source, number: int, start: int | None, end: int | None, line: str) -> Cue:
    """Create a cue without text; a time is `None` if no clock shows it, with a warning.

    Without its start a cue gets no times, otherwise only no end.
    """
    if start is not None and end is not None:
        return timed_cue(source, number, start, end, line)
    if start is not None:
        source.log.say(CUE_NO_END, number, shown=message_line(line))
        return Cue(start, None, (Run(""),), number)
    source.log.say(CUE_NO_START, number, shown=message_line(line))
    return Cue(None, None, (Run(""),), number, (("times", line),))


def text_beside(source: Source, cue: Cue, name: str) -> tuple[Cue, str]:
    """Return a cue that has no lines of text, and the text behind its times, perhaps empty.

    `name` is the property that has what is behind the times. The text is no longer a property.
    """
    text = dict(cue.properties).get(name, "")
    if not text or SETTINGS.match(text):
        return cue, ""
    source.log.say(CUE_BESIDE, cue.line, text=text)
    others = tuple(pair for pair in cue.properties if pair[0] != name)
    return cue._replace(properties=others), text


def shifted(cue: Cue, offset: int, least: int = -(2**63)) -> Cue:
    """Shift all times of a cue by `offset` nanoseconds, but not below `least`."""

    def later(time: int | None) -> int | None:
        return None if time is None else max(time + offset, least)

    runs = tuple(r._replace(start_ns=later(r.start_ns), end_ns=later(r.end_ns)) for r in cue.runs)
    return cue._replace(start_ns=later(cue.start_ns), end_ns=later(cue.end_ns), runs=runs)


def stretched(cue: Cue, above: int, below: int) -> Cue:
    """Multiply all times of a cue by `above` / `below`; they are rounded to milliseconds."""
    from formats.reading.frames import nearest

    unit = SECOND // 1000

    def at(time: int | None) -> int | None:
        return None if time is None else unit * nearest(time * above, unit * below)

    runs = tuple(r._replace(start_ns=at(r.start_ns), end_ns=at(r.end_ns)) for r in cue.runs)
    return cue._replace(start_ns=at(cue.start_ns), end_ns=at(cue.end_ns), runs=runs)


def clock_at(source: Source, number: int, column: int, text: str) -> int | None:
    """Parse a time in a timing line; return `None` if no clock shows it: ``99:99:99,999``.

    `column` (from 1) is the position of the time for errors.
    """
    if text.startswith("-"):
        raise source.syntax_error(number, "a time of 0 or more", quoted(text), column)
    try:
        return parse_clock(text)
    except ValueError:
        return None


def closed(source: Source, cues: Iterable[Cue]) -> Iterator[Cue]:
    """Yield the cues; give each cue without an end the start of the next cue as its end.

    The next cue is the first after it that does not start earlier.
    """
    for cue, (following, *_) in pairwise(chain(cues, (Cue(None, None, (), None),))):
        if cue.end_ns is None and cue.start_ns is not None:
            if following is not None and following >= cue.start_ns:
                cue = cue._replace(end_ns=following)
            else:
                source.log.say(CUE_OPEN, cue.line)
        yield cue


def until_next(source: Source, marks: Iterable[tuple[int, Cue | None]]) -> list[Cue]:
    """Return the cues in order. A cue ends at the next mark with another time.

    A mark without a cue only ends the cues before it.
    """
    cues: list[Cue] = []
    first_open = 0
    for start, cue in marks:
        while first_open < len(cues) and (cue is None or cues[first_open].start_ns != start):
            cues[first_open] = cues[first_open]._replace(end_ns=start)
            first_open += 1
        if cue is not None:
            cues.append(cue)
    for cue in cues[first_open:]:
        if cue.end_ns is None:
            source.log.say(CUE_OPEN, cue.line)
    return cues


def decode_entities(text: str) -> str:
    """Decode ``&amp;`` and other HTML references; CR becomes a line break."""
    if "&" not in text:
        return text
    from html import unescape

    text = text.replace("&nbsp;", " ")  # a blank of the layout
    return unescape(replace_long_references(text)).replace("\r", "\n")


def lines_of(runs: Sequence[Run]) -> list[str]:
    """Return the non-empty lines of a cue, without outer blanks."""
    text = runs[0][0] if len(runs) == 1 else "".join([run[0] for run in runs])
    if "\n" not in text:  # as it is with most
        line = text.strip(TEXT_BLANKS)
        return [line] if line else []
    lines = [part.strip(TEXT_BLANKS) for part in text.split("\n")]
    return [line for line in lines if line] if "" in lines else lines


def has_dash(text: str) -> bool:
    """Return True if a text has a dash or a hyphen."""
    return "-" in text or (not text.isascii() and ("–" in text or "—" in text or "‐" in text))


def spoken_words(text: str) -> list[str]:
    r"""Split the text of a cue into words, without the dashes that mean another speaker.

    A dash alone is never a word. Neither is a dash directly before the text of a line: before a
    capital, or in a cue with several such lines. A number keeps its sign, and a dash before such a
    number is a minus.

    >>> spoken_words("- Hi.\n-Hello - you"), spoken_words("-5 degrees"), spoken_words("-ish")
    (['Hi.', 'Hello', 'you'], ['-5', 'degrees'], ['-ish'])
    """
    if not has_dash(text):
        return split_words(text.replace("\n", " "))
    dashes = len(DIALOGUE.findall(text))
    bare = DIALOGUE.sub("", text) if dashes > 1 else TURN.sub("", text)
    words = split_words(bare.replace("\n", " "))
    if DASHES.isdisjoint(words):
        return words
    pairs = zip(words, [*words[1:], ""], strict=True)
    return [word for word, after in pairs if word not in DASHES or SIGNED.match(after)]


def is_dashed(line: str) -> bool:
    """Return True if a line of a cue begins with a dash."""
    return line.lstrip(TEXT_BLANKS)[:1] in DASHES
