"""Parser of Praat's text files, limited to TextGrids.

Praat does not parse line by line. It parses *free-standing* tokens: numbers, ``"strings"`` and
``<flags>`` that are surrounded by white space or the ends of the file. It skips all other text,
such as ``xmin =``, ``intervals [1]:`` and ``! comments`` up to the end of the line. Therefore one
grammar covers the long form, the short form and all mixtures. In a string, a quotation mark is
written twice, and a line end is part of the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from formats.annotation.messages import (
    TEXTGRID_DIGITS,
    TEXTGRID_GAP,
    TEXTGRID_NAMES,
    TEXTGRID_OVERLAP,
    TEXTGRID_XMAX,
)
from formats.annotation.tiers import Tier, TierLabel
from formats.io.source import Source
from formats.reading.frames import nearest
from formats.schema import compiled, lazy_pattern
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.times import LARGEST, plain_time

TOKEN = lazy_pattern(
    r"""\s*(?:[^\s"<!0-9+-]\S*\s+)*         # what Praat skips
    (?: "([^"]*(?:""[^"]*)*)"(?!\S)         # 1: a string
      | ([+-]?[0-9]\S*)                     # 2: a number
      | (<\S*)                              # 3: a flag
      | (![^\n]*)                           # 4: a comment
      | (\S*) )                             # 5: skipped, a broken string, or the end
    """,
    re.VERBOSE | re.ASCII,
)
NUMBER = lazy_pattern(r"([+-]?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]{1,3}))?", re.ASCII)
STRING, NUMERAL, FLAG, COMMENT, REST = range(1, 6)
_plain_intervals = compiled("plain_intervals")
KINDS = {STRING: "a string", NUMERAL: "a number", FLAG: "a flag"}


CHRONOLOGICAL = "Praat chronological TextGrid text file"


def praat_text(text: str) -> str:
    """Return a text in quotation marks, with its inner quotation marks doubled."""
    return '"' + text.replace('"', '""') + '"'


class Grid(NamedTuple):
    """A TextGrid: the recording name, the end in nanoseconds, and the tiers."""

    recording: str
    end_ns: int
    tiers: list[Tier]


def parse_number(text: str) -> tuple[int, bool]:
    """Parse seconds; return nanoseconds, and True if they were rounded (half to even)."""
    number = NUMBER.fullmatch(text)
    if number is None:
        raise ValueError(f"not a number: {text!r}")
    sign, whole, fraction, exponent = number.groups(default="")
    if len(whole) + len(fraction) > 1000:
        raise ValueError(f"too long a number: {text[:20]!r}")
    shift = 9 - len(fraction) + int(exponent or 0)
    digits, unit = int(whole + fraction) * 10 ** max(shift, 0), 10 ** max(-shift, 0)
    value = nearest(digits, unit)
    if value > LARGEST:
        raise ValueError(f"not within 292 years: {text!r}")
    return (-value if sign == "-" else value), digits % unit > 0


class _Tokens:
    """Reads the tokens of a file and checks the type of each."""

    def __init__(self, source: Source, text: str) -> None:
        self.source = source
        self.text = text
        self.rounded = 0
        self._matches = TOKEN.finditer(text)
        self._start = self._end = 0
        self._line = 1
        self._counted_to = 0

    def next(self) -> tuple[int, str]:
        """Return the type and text of the next token. The type is `REST` at the end of the file."""
        for match in self._matches:
            kind = match.lastindex or REST
            self._start, self._end = match.start(kind) - (kind == STRING), match.end()
            if kind == COMMENT:
                continue
            text = match[kind]
            if kind == REST and text:
                if text.startswith('"'):
                    raise self._broken_string()
                continue
            return kind, text
        self._start = len(self.text)
        return REST, ""

    def _broken_string(self) -> SyntaxFormatError:
        """Return the error for the invalid string at the current position."""
        start = self._start
        close = re.compile(r'"[^"]*(?:""[^"]*)*"').match(self.text, start)
        if close is None:
            return self.error("a second quotation mark to end this string", "the end of the file")
        self._start = close.end() - 1
        expected = "white space after a string, and quotation marks in it written twice"
        return self.error(
            expected, quoted(self.text[close.end() - 1 : close.end() + 19].partition("\n")[0])
        )

    def plain_intervals(self, most: int) -> list[TierLabel]:
        """Return the next intervals of the usual form, at most `most`.

        The list ends before the first interval in another form. The caller reads that interval
        token by token.
        """
        if _plain_intervals is None:
            return []
        starts, ends, texts, lines, position, line = _plain_intervals(
            self.text, self._end, self.line, most
        )
        if starts:
            self._matches = TOKEN.finditer(self.text, position)
            self._start = self._counted_to = self._end = position
            self._line = line
            self.source.log.accept("TEXTGRID-TIME", len(starts))
        return list(map(TierLabel, starts, ends, texts, lines))

    @property
    def line(self) -> int:
        """The line of the last token."""
        start = self._start
        self._line += self.text.count("\n", self._counted_to, start)
        self._counted_to = start
        return self._line

    def error(self, expected: str, found: str) -> SyntaxFormatError:
        """Return an error about the last token."""
        line = self.text.count("\n", 0, self._start) + 1
        column = self._start - self.text.rfind("\n", 0, self._start)
        return self.source.syntax_error(line, expected, found, column)

    def wrong(self, expected: str, kind: int, text: str) -> SyntaxFormatError:
        """Return the error for a token that has the wrong type."""
        if kind == REST:
            return self.error(expected, "the end of the file")
        shown = quoted(text.replace('""', '"')) if kind == STRING else quoted(text)
        return self.error(expected, f"{KINDS[kind]}, {shown}")

    def string(self, *expected: str) -> str:
        """Return the text of the next token. A token that is not a string is an error.

        The parts of `expected` are joined for the message.
        """
        kind, text = self.next()
        if kind != STRING:
            raise self.wrong("".join(expected), kind, text)
        return text.replace('""', '"') if '""' in text else text

    def time(self, *expected: str) -> int:
        """Read the next token, a number of seconds; return nanoseconds.

        Any other token is an error.
        """
        kind, text = self.next()
        if kind != NUMERAL:
            raise self.wrong("".join(expected), kind, text)
        time = plain_time(text)
        if time is not None:
            return time
        try:
            time, is_rounded = parse_number(text)
        except ValueError:
            raise self.wrong(f"{''.join(expected)} in seconds", kind, text) from None
        self.rounded += is_rounded
        return time

    def count(self, expected: str) -> int:
        """Read the next token, a whole number. Any other token is an error."""
        kind, text = self.next()
        digits = text.removeprefix("+")
        if kind != NUMERAL or not (digits.isascii() and digits.isdigit() and len(digits) < 19):
            raise self.wrong(expected, kind, text)
        return int(digits)


def read_grids(source: Source, text: str) -> Iterator[Grid]:
    """Yield the TextGrids of a file: a single one, or all of a Collection."""
    tokens = _Tokens(source, text)
    header = tokens.string('"ooTextFile"')
    if header == CHRONOLOGICAL:
        yield _chronological(tokens, source.recording)
        return
    if not header.startswith("ooTextFile"):
        raise tokens.error('"ooTextFile"', quoted(header))
    kind = tokens.string('the class "TextGrid"')
    if kind == "Collection":
        for number in range(1, tokens.count("the number of objects") + 1):
            which = f"object {number} of the collection"
            kind = tokens.string(f'the class "TextGrid" of {which}')
            if kind != "TextGrid":
                raise tokens.error(f'"TextGrid" as the class of {which}', quoted(kind))
            name = tokens.string(f"the name of {which}")
            yield _grid(tokens, name or source.recording)
    elif kind == "TextGrid":
        yield _grid(tokens, source.recording)
    else:
        raise tokens.error('an object of class "TextGrid"', quoted(kind))
    token = tokens.next()
    if token[0] != REST:
        raise tokens.wrong("the end of the file", *token)
    if tokens.rounded:
        source.log.say(TEXTGRID_DIGITS, rounded=tokens.rounded)


def _grid(tokens: _Tokens, recording: str) -> Grid:
    tokens.time("the begin (xmin) of the TextGrid")
    end_ns = tokens.time("the end (xmax) of the TextGrid")
    kind, flag = tokens.next()
    if kind != FLAG:
        raise tokens.wrong("the flag <exists>", kind, flag)
    tiers: list[Tier] = []
    if flag == "<absent>":
        return Grid(recording, end_ns, tiers)
    size = tokens.count("the number of tiers")
    used: dict[str, int] = {}
    for number in range(1, size + 1):
        tier = _tier(tokens, f"tier {number} of {size}", end_ns)
        number_name(tokens.source, tier, used, tokens.line)
        tiers.append(tier)
    return Grid(recording, end_ns, tiers)


def number_name(source: Source, tier: Tier, used: dict[str, int], line: int | None = None) -> None:
    """Append a number to the name of a tier if a tier above has the same name."""
    used[tier.name] = used.get(tier.name, 0) + 1
    if used[tier.name] > 1:
        first, tier.name = tier.name, f"{tier.name}#{used[tier.name]}"
        source.log.say(TEXTGRID_NAMES, line, first=first, name=tier.name)


def _chronological(tokens: _Tokens, recording: str) -> Grid:
    """Parse a TextGrid in chronological layout: labels by time, each with its tier number."""
    tokens.time("the begin of the TextGrid")
    end_ns = tokens.time("the end of the TextGrid")
    size = tokens.count("the number of tiers")
    tiers: list[Tier] = []
    for number in range(1, size + 1):
        which = f"tier {number} of {size}"
        tiers.append(_named_tier(tokens, which))
        tokens.time(f"the begin of {which}")
        tokens.time(f"the end of {which}")
    while (token := tokens.next())[0] != REST:
        kind, text = token
        number = int(text) if kind == NUMERAL and text.isdigit() and len(text) < 9 else 0
        if not 0 < number <= size:
            raise tokens.wrong(f"the number of a tier, 1 to {size}", kind, text)
        tier = tiers[number - 1]
        label = (_point if tier.is_points else _interval)(tokens, f"a label of tier {number}")
        if label is not None:
            tier.labels.append(label)
    for tier in tiers:
        if not tier.is_points:
            check_order(tokens.source, tier)
    return Grid(recording, end_ns, tiers)


def _named_tier(tokens: _Tokens, which: str) -> Tier:
    kind = tokens.string(f"the class of {which}")
    if kind not in ("IntervalTier", "TextTier"):
        raise tokens.error(f'"IntervalTier" or "TextTier" as the class of {which}', quoted(kind))
    return Tier(tokens.string(f"the name of {which}"), is_points=kind == "TextTier")


def _tier(tokens: _Tokens, which: str, end_ns: int) -> Tier:
    tier = _named_tier(tokens, which)
    tokens.time(f"the begin (xmin) of {which}")
    tier_end = max(tokens.time(f"the end (xmax) of {which}"), end_ns)
    noun, read_label = ("point", _point) if tier.is_points else ("interval", _interval)
    size = tokens.count(f"the number of {noun}s of {which}")
    of_tier = f"of {size} of tier {quoted(tier.name)}"
    number = 0
    while number < size:
        labels = [] if tier.is_points else tokens.plain_intervals(size - number)
        tier.labels += labels
        number += len(labels)
        if number < size:
            number += 1
            if (label := read_label(tokens, noun, f" {number} ", of_tier)) is not None:
                tier.labels.append(label)
    if not tier.is_points:
        check_order(tokens.source, tier)
    last = max([label.end_ns or 0 for label in tier.labels], default=0)
    if last > tier_end:
        tokens.source.log.say(TEXTGRID_XMAX, tokens.line, tier=tier.name, end=last / 1e9)
    return tier


def _point(tokens: _Tokens, *which: str) -> TierLabel | None:
    time = tokens.time("the time of ", *which)
    line, problem = tokens.line, None
    if time < 0:
        problem = tokens.error(f"a time of 0 or more of {''.join(which)}", f"{time / 1e9:g}")
    label = TierLabel(time, time, tokens.string("the mark of ", *which), line)
    return _checked(tokens, label, problem)


def _interval(tokens: _Tokens, *which: str) -> TierLabel | None:
    begin = tokens.time("the begin (xmin) of ", *which)
    line, problem = tokens.line, None
    if begin < 0:
        problem = tokens.error(f"a begin of 0 or more of {''.join(which)}", f"{begin / 1e9:g}")
    end = tokens.time("the end (xmax) of ", *which)
    if end < begin:
        expected = f"an end after {begin / 1e9:g} of {''.join(which)}"
        problem = tokens.error(expected, f"{end / 1e9:g}")
    label = TierLabel(begin, end, tokens.string("the text of ", *which), line)
    return _checked(tokens, label, problem)


def _checked(
    tokens: _Tokens, label: TierLabel, problem: SyntaxFormatError | None
) -> TierLabel | None:
    """Return the label. With a `problem`, reject the label and return `None`."""
    if problem is None:
        tokens.source.log.accept("TEXTGRID-TIME")
        return label
    tokens.source.log.reject("TEXTGRID-TIME", problem)
    return None


def check_order(source: Source, tier: Tier) -> None:
    """Warn about overlaps and gaps between intervals, both of which Praat rejects."""
    starts = [label.start_ns for label in tier.labels]
    if starts[1:] == [label.end_ns for label in tier.labels[:-1]]:
        return
    last: int | None = None
    for label in tier.labels:
        begin = label.start_ns or 0
        if last is not None and begin != last:
            entry = TEXTGRID_OVERLAP if begin < last else TEXTGRID_GAP
            source.log.say(entry, label.line, tier=tier.name, time=begin / 1e9, end=last / 1e9)
        last = label.end_ns
