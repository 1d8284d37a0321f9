"""Patterns of lines with fields, such as ``[{start} - {end}] {speaker}: {text}``.

===========================  ====================================================================
in a pattern                 what it matches
===========================  ====================================================================
``{start}``, ``{end}``       a time: ``1:02``, ``61:26``, ``01:02:03.5``, ``12.5s``, ``00:00:05-2``,
                             ``1 minute 3 seconds``, ``0m3s``, ``1分03秒``;
                             ``hours:minutes:seconds`` and frames (the option ``fps``) or
                             milliseconds, ``0:00:12:500``
``{start 0:00}``             a time of this shape, with as many digits after the first colon
``{start ms}``, ``{end s}``  a number of milliseconds or seconds
``{start clock}``            a time that is not a plain number
``{start decimals}``         a number with at least two decimals
``{to}``                     a sign between two times: ``-``, ``..``, ``-->``, ``→``, ``~``, ``to``
``{speaker}``                a name: 1 to 60 characters without colon and brackets
``{speaker CAPS}``           a name in capitals, perhaps after a title; ``{speaker titled}`` begins
                             with one; ``{speaker word}`` has no blanks, ``{speaker any}`` has up to
                             100 characters, also colons and brackets
``{speaker Ann|Bob Lee}``    one of these names
``{text}``                   the rest of the line, or the text up to the next part of the pattern;
                             may be empty; ``{text word}`` is one word
``{id}``                     a token, which becomes the utterance
``{date}``, ``{_}``          any text, which is dropped; ``{date digits}`` is like ``2024-05-01``
``{? … ?}``                  a part that may be missing
a blank                      one or more blanks, tabs or no-break spaces
a tab                        one or more tabs
===========================  ====================================================================

The lines of a pattern match consecutive lines. `TextRules` holds the patterns for a file and other
rules: which lines are skipped, which marks are dropped, where the speech begins and stops.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from formats.schema import NamedTuple, lazy_pattern
from formats.schema.times import SECOND, UNITS

HOURS = r"[01]?[0-9]{1,6}"
"""Hours within 292 years, the longest time, and beyond the 146 years that writers can write."""
PLAIN_CLOCK = (
    rf"(?:(?:{HOURS}:)?[0-9]{{1,3}}:(?:0(?=[0-9]{{2}}[.,]))?[0-5][0-9]|[0-9]{{1,2}}:[0-9]{{1,2}}:[0-9]{{1,2}})"
    r"(?:[.,][0-9]{1,9})?"
)
CLOCK = PLAIN_CLOCK + r"(?:[ ]?[AaPp]\.?[Mm]\b\.?)?"
FRAMES = r"[0-9]{1,3}:[0-5][0-9]:[0-5][0-9][:;][0-9]{2}"
MILLIS = r"[0-9]{1,3}:[0-5][0-9]:[0-5][0-9][:;][0-9]{3}"
TENTHS = r"[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]-[0-9]"
SPELT = (
    r"(?:[0-9]{1,3}[ ]?h(?:ours?)?[, ]{0,2})?(?:[0-9]{1,3}[ ]?m(?:in(?:ute)?s?)?[,: ]{0,2})"
    r"[0-9]{1,2}[ ]?s(?:ec(?:ond)?s?)?\b"
    r"|(?:[0-9]{1,3}[ ]?(?:小?时|小?時|時間)[ ]?)?[0-9]{1,3}[ ]?分[ ]?[0-9]{1,2}[ ]?秒"
)
NUMBER = r"[0-8]?[0-9]{1,9}(?:[.,][0-9]{1,9})?"
MILLISECONDS = r"[0-9]{1,12}(?:[.,][0-9]{1,9})?"
STAMP = (
    rf"(?:{MILLIS}|{FRAMES}|{TENTHS}|{CLOCK}|{SPELT}|{NUMBER}[ ]?(?:s(?:ec)?\b)?)"
    r"(?![0-9]|:[0-9])"
)
TO = r"(?:-{1,3}>|--?|\.\.|[→~]|\bto\b|\ba\b|\bbis\b)"
BLANKS = r"[ \t\xa0\u3000]"
SPEAKER = r"[^\s:\[\](){}<>](?:[^:\[\](){}<>\t\n]{0,58}?[^\s:\[\](){}<>])??"
FRENCH_TITLE = r"(?:MM?\.|M(?:me|lle|mes)\.?|Sr[ta]{0,2}\.|Hr\.|Fr\.)[ ]"
TITLE = (
    r"(?:The|M[Rr][Ss]?|M[Ss]|Miss|D[Rr]|Sir|Lord|Lady|Senator|Representative|Chair(?:wo)?man|Judge"
    r"|Justice)\.?[ ]"
)
TITLE_OF_MEMBER = (
    r"(?:(?:El|La|O|A|Il|Le|The|Der|Die)[ ])?(?:se[ñn]or(?:a|ita)?|Mr|Mrs|Ms|Dr|Sr|Sra|Sr[.]ª|Dep"
    r"|Abg|Hon|Sen|Senator|Rep|Prof|Monsieur|Madame|Herr|Frau|Onorevole|Deputad[oa])[.]?[ ]"
)
"""What is before the names of the members of parliaments: ``El señor``, ``A Sra.``."""
IS_TITLE = lazy_pattern(TITLE)
FRENCH_NAME = lazy_pattern(FRENCH_TITLE)
SHAPES = {
    "ms": MILLISECONDS,
    "s": rf"{NUMBER}[ ]?s?",
    "decimals": r"[0-9]{1,6}[.,][0-9]{2,9}",
    "spelt": SPELT,
    "clock": rf"(?:{MILLIS}|{FRAMES}|{TENTHS}|{CLOCK}|{SPELT})(?![0-9]|:[0-9])",
}
"""Shapes of times with a name: numbers of a unit, and clocks, which no bare number is."""
ENDING = f"{BLANKS}{{0,200}}"
PLACEHOLDER = lazy_pattern(
    r"(?P<open>\{\?)|(?P<close>\?\})"
    r"|\{(?P<name>[a-z]+|_)(?:[ ](?P<value>[^{}]{1,500}))?\}"
    r"|(?P<tab>[ ]*\t[ \t]*)|(?P<blank>[ \xa0]+)|(?P<char>.)",
    re.DOTALL,
)
NAMES = ("start", "end", "to", "speaker", "text", "id", "date", "_")
EDGES = (
    " \t\r\f\xa0\u3000\ufeff\u200b\u200e\u200f"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""What is ignored at the ends of lines: blanks, byte-order marks, marks of direction."""
WIDE = str.maketrans(
    "：∶（）［］【】，–—−‒\u2002\u2003\u2007\u2009\u200a\u202f", "::()[][],----      "
)
"""Signs and blanks that patterns and lines may have in another form, each of one character."""
MOST_LINES = 20
HOURS_TO_FRAMES = lazy_pattern(rf"({FRAMES})\Z")
IS_FRAMES = lazy_pattern(r"([0-9]{1,3}):([0-9]{2}):([0-9]{2})[:;]([0-9]{2,3})\Z")
IS_CLOCK = lazy_pattern(
    r"(?:([0-9]{1,9}):)?([0-9]{1,9}):([0-9]{1,3})(?:[.,-]([0-9]{1,9}))?"
    r"(?:[ ]?([AaPp])\.?[Mm]\.?)?\Z"
)
PARTS_OF_TIME = lazy_pattern(r"([0-9]{1,3})[ ]?([hms小时時分秒])")
SECONDS_OF_PART = {
    "h": 3600,
    "小": 3600,
    "时": 3600,
    "時": 3600,
    "m": 60,
    "分": 60,
    "s": 1,
    "秒": 1,
}
DEFAULT_FPS = 25.0
DAY = 24 * 3600


class PatternError(ValueError):
    """Raised for an invalid pattern or rule; the text gives the reason."""


class Found(NamedTuple):
    """The values of a pattern's fields in a line, by field name, and the match."""

    values: dict[str, str]
    match: re.Match[str]

    @property
    def spans(self) -> dict[str, tuple[int, int]]:
        """The spans of the values by field name."""
        return {name: self.match.span(name) for name in self.values}


class Pattern(NamedTuple):
    """A compiled pattern: its source, a regular expression for each line, and its fields."""

    source: str
    lines: tuple[re.Pattern[str], ...]
    names: frozenset[str]
    units: tuple[str, ...] = ()
    capitals: bool = False

    @property
    def is_heading(self) -> bool:
        """True if the pattern has no ``{text}``: its speaker or start applies to the next lines."""
        return "text" not in self.names

    @property
    def unit(self) -> str:
        """The unit that the pattern gives for plain numbers; otherwise empty."""
        return self.units[0] if self.units else ""

    def take(self, line: str) -> Found | None:
        """Match a stripped and normalised line; return the values, or `None` without a match."""
        match = self.lines[0].match(line)
        if match is None:
            return None
        values = {name: text for name, text in match.groupdict().items() if text is not None}
        if self.capitals and not _is_in_capitals(values.get("speaker", "")):
            return None
        return Found(values, match)

    def take_all(self, lines: list[str], index: int) -> tuple[dict[str, str], int] | None:
        """Match the lines from `index` on; return the values and the index after the match.

        The lines must be stripped and not empty.
        """
        values: dict[str, str] = {}
        for offset, expression in enumerate(self.lines):
            if index + offset >= len(lines):
                return None
            line = lines[index + offset]
            match = expression.match(line.translate(WIDE))
            if match is None:
                return None
            for name in match.groupdict():
                if match.start(name) >= 0:
                    values[name] = line[slice(*match.span(name))]
        if self.capitals and not _is_in_capitals(values.get("speaker", "")):
            return None
        return values, index + len(self.lines)


def _is_in_capitals(name: str) -> bool:
    """Return True if a name has capitals and no small letters; a title before it may have some."""
    bare = IS_TITLE.sub("", name, count=1)
    return bare.upper() == bare != bare.lower()


def strip_edges(line: str) -> str:
    """Strip blanks and invisible characters from both ends of a line."""
    return line.strip(EDGES)


@lru_cache(maxsize=1024)
def compile_pattern(source: str) -> Pattern:
    r"""Compile a pattern; raise `PatternError` for an invalid pattern.

    >>> compile_pattern("[{start}] {speaker}: {text}").take("[0:12] Ann: well then").values
    {'start': '0:12', 'speaker': 'Ann', 'text': 'well then'}
    >>> compile_pattern("{speaker} ({start}):\n{text}").take_all(["Bob (61:26):", "so"], 0)
    ({'speaker': 'Bob', 'start': '61:26', 'text': 'so'}, 2)
    """
    rows = [row for row in map(strip_edges, source.split("\n")) if row]
    if not rows:
        raise PatternError("expected a pattern, found an empty one")
    if len(rows) > MOST_LINES:
        raise PatternError(f"expected a pattern of at most {MOST_LINES} lines, found {len(rows)}")
    names: set[str] = set()
    units: list[str] = []
    is_capitals = False
    expressions = []
    for row in rows:
        text, is_caps = _expression(row.translate(WIDE), names, units)
        is_capitals |= is_caps
        expressions.append(re.compile(text))
    if not names:
        raise PatternError(
            f"expected a placeholder, as {{text}} or {{speaker}}, found none in {source!r}"
        )
    return Pattern("\n".join(rows), tuple(expressions), frozenset(names), tuple(units), is_capitals)


def _expression(row: str, names: set[str], units: list[str]) -> tuple[str, bool]:
    """Return the regular expression of a pattern's line, and True if names must be in capitals."""
    parts: list[str] = []
    depth = 0
    is_capitals = False
    tokens = list(PLACEHOLDER.finditer(row))
    for number, token in enumerate(tokens):
        is_last = all(later["close"] for later in tokens[number + 1 :])
        if token["open"]:
            depth += 1
            parts.append("(?:")
        elif token["close"]:
            depth -= 1
            if depth < 0:
                raise PatternError(f"expected {{? before ?}} in {row!r}")
            parts.append(")?")
        elif token["tab"]:
            parts.append(rf"[ \xa0]{{0,200}}\t{BLANKS}{{0,200}}")
        elif token["blank"]:
            parts.append(f"{BLANKS}{{1,200}}")
        elif token["char"]:
            parts.append(re.escape(token["char"]))
        else:
            name, value = token["name"], strip_edges(token["value"] or "")
            if name not in NAMES:
                raise PatternError(
                    f"expected a placeholder out of {', '.join(f'{{{x}}}' for x in NAMES)}, "
                    f"found {{{name}}}"
                )
            if name in names:
                raise PatternError(f"expected {{{name}}} once in a pattern, found it twice")
            if name not in ("_", "date", "to"):
                names.add(name)
            if name in ("start", "end") and value in ("ms", "s"):
                units.append(value)
            is_capitals |= name == "speaker" and value == "CAPS"
            parts.append(_group(name, value, is_last=is_last))
    if depth:
        raise PatternError(f"expected ?}} after {{? in {row!r}")
    names_last = next((token["name"] for token in reversed(tokens) if not token["close"]), None)
    # a text goes on to the end, with its blanks: a second repeat of blanks would try each of them
    return "".join(parts) + ("" if names_last == "text" else ENDING) + r"\Z", is_capitals


def beginning_of(expression: str) -> str:
    """Remove the part of a regular expression that matches the end of the line."""
    return expression.removesuffix(r"\Z").removesuffix(ENDING)


def _group(name: str, value: str, *, is_last: bool) -> str:
    """Return the regular expression of a placeholder."""
    if name in ("start", "end"):
        return rf"{BLANKS}{{0,20}}(?P<{name}>{_time_shape(value)}){BLANKS}{{0,20}}"
    if name == "to":
        return rf"{BLANKS}{{0,20}}{TO}{BLANKS}{{0,20}}"
    if name == "speaker":
        return rf"(?P<speaker>{_speaker(value)})"
    if name == "id":
        return r"(?P<id>\S{1,300}?)"
    if name == "text" and value == "word":
        return r"(?P<text>\S{1,300})"
    if name == "text":
        return r"(?P<text>.*)" if is_last else r"(?P<text>.*?)"
    if name == "date" and value == "digits":
        return r"[0-9]{1,4}[-/.](?:[0-9]{1,4}|[A-Z][a-z]{2})[-/.][0-9]{1,4}"
    if name == "date":
        return r"[^\s\[\]()][^\[\]()\n]{0,40}?"
    return r".*" if is_last else r".{0,300}?"


def _speaker(value: str) -> str:
    """Return the regular expression of a speaker: any name, capitals, one word, or listed names."""
    if value == "CAPS":
        return rf"(?:{TITLE})?{SPEAKER}"
    if not value:
        return SPEAKER
    if value == "titled":
        return rf"(?:{TITLE}(?=[A-Z\u00c0-\u00de])|{FRENCH_TITLE})[^.:\[\](){{}}<>\t\n]{{1,50}}"
    if value == "word":
        return r"[^\s:\[\](){}<>]{1,60}"
    if value == "any":
        return r"\S(?:[^\t\n]{0,98}?\S)??"
    listed = sorted(filter(None, map(strip_edges, value.split("|"))), key=len, reverse=True)
    blanks = f"{BLANKS}{{1,20}}"
    return "|".join(blanks.join(map(re.escape, name.split())) for name in listed)


def _time_shape(value: str) -> str:
    """Return the regular expression of a time: in any form, in a unit, or like an example."""
    if not value:
        return STAMP
    if value in SHAPES:
        return SHAPES[value]
    if not re.fullmatch(r"[0-9]{1,9}(?:[:;.,-][0-9]{1,9})*", value):
        raise PatternError(f"expected a time such as 0:00, ms or s, found {value!r}")
    runs = re.split(r"([:;.,-])", value)
    is_number = len(runs) == 1 or (len(runs) == 3 and runs[1] in ".,")
    parts = [r"[0-9]{1,9}" if is_number else r"[0-9]{1,3}"]
    for sign, digits in zip(runs[1::2], runs[2::2], strict=True):
        width = "1,9" if sign in ".," else str(len(digits))
        parts.append(rf"{'[.,]' if sign in '.,' else re.escape(sign)}[0-9]{{{width}}}")
    return "".join(parts)


def parse_stamp(text: str, unit: str = "", *, fps: float = DEFAULT_FPS) -> int:
    """Parse a time in any notation that patterns allow; return nanoseconds.

    >>> [parse_stamp(x) / SECOND for x in ("61:26", "1:02:03,5", "12.5s", "1 minute 3 seconds")]
    [3686.0, 3723.5, 12.5, 63.0]
    >>> [parse_stamp(x, fps=20) / SECOND for x in ("01:01:40:10", "00:00:05-2", "12:05 AM")]
    [3700.5, 5.2, 300.0]
    """
    clock = IS_CLOCK.match(text) or IS_CLOCK.match(text := strip_edges(text))
    if clock is not None:
        hour, minute, second, fraction, half = clock.groups()
        hours = int(hour or 0)
        if half:  # a time of day, whose first number is its hour, in any case
            hours, minutes, seconds = (
                (hours, int(minute), int(second)) if hour else (int(minute), int(second), 0)
            )
            hours = hours % 12 + (12 if half in "Pp" else 0)
        else:
            minutes, seconds = int(minute), int(second)
        whole = (hours * 60 + minutes) * 60 + seconds
        value = whole * SECOND
        if fraction:
            value += int(fraction) * UNITS[len(fraction)]
    elif (frames := IS_FRAMES.match(text)) is not None:
        hours, minutes, seconds, count = map(int, frames.groups())
        whole = (hours * 60 + minutes) * 60 + seconds
        is_fraction = len(frames[4]) == 3  # milliseconds, and no frames
        return whole * SECOND + round(count * SECOND / (1000 if is_fraction else fps))
    elif re.search(r"[hm分]", text) and unit != "ms":
        parts = PARTS_OF_TIME.findall(text)
        value = SECOND * sum(int(count) * SECONDS_OF_PART[part] for count, part in parts)
    else:
        whole_part, _, fraction = text.rstrip(" sec").replace(",", ".").partition(".")
        value = int(whole_part) * SECOND + int(fraction or 0) * UNITS[len(fraction)]
        value = value // 1000 if unit == "ms" else value
    if value > 2**63 - 1:
        raise ValueError(f"not within 292 years: {text!r}")
    return value


def is_whole_number(text: str) -> bool:
    """Return True if a time is a plain whole number, so that its unit must be known."""
    return strip_edges(text).isdigit()


class TextRules(NamedTuple):
    """The patterns of a text, and other rules, for example for lines to skip."""

    patterns: tuple[Pattern, ...]
    skip: tuple[Pattern | str, ...] = ()
    begin: tuple[Pattern | str, ...] = ()
    stop: tuple[Pattern | str, ...] = ()
    drop: tuple[Pattern | str, ...] = ()
    blank_ends: bool = False
    inline: bool = False
    clock: bool = False
    carry: bool = False


WORDS_OF_RULES = ("pattern", "skip", "begin", "stop", "drop")
SWITCHES = {
    "blank ends": "blank_ends", "inline": "inline", "clock": "clock", "carry": "carry",
}  # fmt: skip


def parse_rules(text: str) -> TextRules:
    r"""Parse a file of rules: a keyword and a value per line; pattern lines are indented.

    The first line, or a line after an empty line, may be a pattern without the keyword if it has
    placeholders.

    >>> rules = parse_rules("# an interview\npattern {speaker}: {text}\nskip ---{_}\nclock\n")
    >>> rules.patterns[0].source, rules.clock
    ('{speaker}: {text}', True)
    """
    entries: list[tuple[str, list[str]]] = []
    switches: set[str] = set()
    is_first = True
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), 1):
        begins, is_first = is_first, not line.strip()
        if not line.strip() or line.startswith("# ") or line.strip() == "#":
            continue
        if line[0] in " \t" and entries and entries[-1][0]:
            entries[-1][1].append(line)
            continue
        bare = " ".join(line.split())
        if bare in SWITCHES:
            switches.add(SWITCHES[bare])
            entries.append(("", []))
            continue
        word, _, value = line.strip().partition(" ")
        if word not in WORDS_OF_RULES and begins and "{" in line:  # a pattern beside a file
            word, value = "pattern", line.strip()
        if word not in WORDS_OF_RULES:
            expected = ", ".join((*WORDS_OF_RULES, *SWITCHES))
            raise PatternError(f"line {number}: expected a rule out of {expected}, found {word!r}")
        entries.append((word, [value]))
    kept: dict[str, list[str]] = {word: [] for word in WORDS_OF_RULES}
    for word, rows in entries:
        if word:
            kept[word].append("\n".join(rows).replace("⏎", "\n"))
    rules = make_rules(
        kept["pattern"],
        skip=kept["skip"],
        begin=kept["begin"],
        stop=kept["stop"],
        drop=kept["drop"],
    )
    return rules._replace(
        blank_ends="blank_ends" in switches,
        inline="inline" in switches,
        clock="clock" in switches,
        carry="carry" in switches,
    )


def make_rules(
    patterns: Iterable[str], *, skip: Iterable[str] = (), begin: Iterable[str] = (),
    stop: Iterable[str] = (), drop: Iterable[str] = (),
) -> TextRules:  # fmt: skip
    """Compile patterns and rules; raise `PatternError` if there is no pattern."""
    compiled = tuple(map(compile_pattern, patterns))
    if not compiled:
        raise PatternError("expected a line that begins with the word pattern, found none")
    if not any({"text", "speaker", "start", "id"} & pattern.names for pattern in compiled):
        raise PatternError("expected {text}, {speaker}, {start} or {id} in a pattern, found none")
    return TextRules(
        compiled,
        tuple(map(_line_rule, skip)),
        tuple(map(_line_rule, begin)),
        tuple(map(_line_rule, stop)),
        tuple(map(_line_rule, drop)),
    )


def _line_rule(source: str) -> Pattern | str:
    """Parse a rule for lines: a pattern, or the text that a line must equal."""
    source = strip_edges(source)
    if "{" not in source:
        return source
    names: set[str] = set()
    text, is_capitals = _expression(source.translate(WIDE), names, [])
    return Pattern(source, (re.compile(text),), frozenset(names), (), is_capitals)


def line_fits(rules: Iterable[Pattern | str], line: str) -> int | None:
    """Return the index of the first rule that matches a stripped line, or `None`."""
    for number, rule in enumerate(rules):
        if line == rule if isinstance(rule, str) else rule.take(line.translate(WIDE)) is not None:
            return number
    return None
