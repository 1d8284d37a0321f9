"""Parsing of the lines that begin a turn, with a layout or with a notation of names.

A notation of names is a form of lines without times, such as ``Name: text``. In this module,
`pattern` is a notation or the first pattern of a layout.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from formats.io.source import without_media
from formats.meetings.layouts import (
    INSIDE,
    LAYOUTS,
    LEADS,
    LONGEST_HEAD,
    Folded,
    TextLayout,
    fold,
    induced_layout,
    leads_of,
    signs_of,
)
from formats.reading.lines import strip_blanks
from formats.reading.patterns import (
    EDGES,
    PLAIN_CLOCK,
    WIDE,
    Found,
    Pattern,
    compile_pattern,
    parse_stamp,
)
from formats.reading.speakers import (
    CONFIDENCE,
    LANGUAGE,
    LOG_WORDS,
    NICK,
    NOTATIONS,
    is_code,
    is_label,
    is_name,
    is_sound,
    split_name,
)
from formats.schema import lazy_pattern

BLOCKS = "{start} over {speaker}: {text}"
"""The layout in which separate lines have the times of several turns."""
OF_LINES = {
    BLOCKS: TextLayout((BLOCKS,), least=2, share=0.6),
    INSIDE: TextLayout((INSIDE,), ""),
}
"""The layouts that are no beginnings of lines."""
UNTIMED = "Name: text"
UNTIMED_MARKDOWN = "**Name:** text"
WRITTEN_TIMED = "[{start clock}{?{to}{end clock}?}] {speaker}:{? {text}?}"
"""What `formats.meetings.speaker_text` writes with times; with bold names it is folded to this."""
WRITTEN_UNTIMED = (UNTIMED_MARKDOWN, UNTIMED)
BY_NAME = {layout.name: layout for layout in LAYOUTS}
CLOCK = PLAIN_CLOCK
NO_SPEAKERS = frozenset(
    (
        *("AM", "PM", "A.M", "P.M", "A.M.", "P.M.", "TC", "TIMECODE", "TIME", "TIMES", "DATE"),
        *("DURATION", "LENGTH", "TIMESTAMP", "WHEN", "ZEIT", "HORA", "HEURE", "ORA"),
    )
)
"""What is beside a time and is no speaker."""
TITLES = frozenset(
    ("MR", "MRS", "MS", "DR", "THE", "SEN", "REP", "GOV", "HON", "PROF", "ST", "REV", "SR", "SRA",
     "O SR", "A SRA", "EL SR", "LA SRA", "IL SIG")
)  # fmt: skip
"""What begins a name and is none before a text: ``Rep. Doe``."""
LITERAL_DATE = lazy_pattern(r"(\[?)[^,{}\[\]]{1,20}?(, | )(?=\{start\})")
BEHIND_NAME = lazy_pattern(r"(?<=\{speaker\}) \([^(){}:]{1,30}: [^(){}]{1,30}\)(?=:)")
"""What a recogniser says of a turn behind its name, which differs from turn to turn."""
LIST_SIGNS = frozenset(("- ", "* ", "• ", "– "))
MARKS = ("**", "__", "`")
"""Marks of emphasis; beside a name in bold, one without its counterpart belongs to the name."""
HALF_FIRST = lazy_pattern(r"(?:[AP]\.?M\b|[ap]\.?m\b)\.?[ ]?[^\w\s.,'’]")
"""What ends a time of day, ``6:30 AM -``, at the beginning of a text, and a sign."""
SHORTEST_ROLE = 8
"""Characters behind a name from which they may be a role and not only signs."""
IDS = "ids"
"""The layout whose lines begin with identifiers; see `TextLayout`."""
IDENTIFIER = lazy_pattern(
    r"(?=[^-_]{1,200}[-_])(?=\D{0,300}\d)(?=[\W\d_]{0,300}[^\W\d_]|(?:\D{0,40}\d){8})"
    r"(?!\d{1,4}[-./]\d\d?[-./]\d{1,4}\b)[^\W_][\w.-]{0,300}\w\Z"
)
"""A name with a digit and a hyphen or an underscore, but no date and no short numbers."""
SETTING = lazy_pattern(r"\w{1,40}=")
"""A name of a value that a program sets, as in ``idx=0``."""
PHONE = lazy_pattern(r"\+[0-9][0-9 \xa0()-]{6,24}\Z")
"""The number of a person whose name a chat does not know."""
DATE_LAST = lazy_pattern(r"(?<!\d)\d{1,4}([./-])\d{1,2}\1\d{1,4}\Z")
"""A date at the end of what is before a time; it is no part of a name."""
CLOCK_WORD = lazy_pattern(rf"[\[(]?{CLOCK}(?![0-9])")
CLOCK_ANYWHERE = lazy_pattern(rf"(?<![0-9:]){CLOCK}")


class TurnHead(NamedTuple):
    """A turn's beginning: speaker, times in nanoseconds, text, and whether the name was bold.

    `role` is what was beside the name, such as a party. `recording` is empty unless the line names
    an audio file, and `utterance` unless it begins with another identifier.
    """

    name: str | None
    start: int | None
    end: int | None
    text: str
    is_marked: bool = False
    recording: str = ""
    utterance: str = ""
    role: str = ""


def head_of_turn(pattern: str, line: str, *, is_any_name: bool = False) -> TurnHead | None:
    """Parse a line that begins a turn; return `None` for any other line."""
    return head_of(pattern, fold(line), is_any_name=is_any_name)


def written_head(line: str) -> TurnHead | None:
    """Parse the beginning of a turn in the form that the writers use; `None` for any other line."""
    folded = fold(line)
    match = written_timed(folded)
    return None if match is None else turn_head(folded, match)


def written_timed(folded: Folded) -> Found | None:
    """Match a normalised line with the form that the writers use; `None` for any other line."""
    is_possible = folded.text[:1] == WRITTEN_TIMED[0]  # its pattern is large: 7 ms to compile
    return compile_pattern(WRITTEN_TIMED).take(folded.text) if is_possible else None


def head_of(pattern: str, folded: Folded, *, is_any_name: bool = False) -> TurnHead | None:
    """Parse a normalised line that begins a turn; return `None` for any other line."""
    if pattern in NOTATIONS:
        name, rest = split_name(pattern, folded.line)
        if name is None:
            return None
        is_written = pattern in WRITTEN_UNTIMED
        begin = folded.line[: len(folded.line) - len(rest)] if is_written else ""
        role = _role_behind(name, begin)
        rest = rest.strip(" \xa0\t")
        rest = _without_emphasis(rest) if pattern == UNTIMED_MARKDOWN else rest
        return TurnHead(name, None, None, rest, role=role)
    layout, rows, has_bare_numbers, needed = compiled_row(pattern)
    text = folded.line if layout.is_raw else folded.text
    if (has_bare_numbers and "\t" in text) or (needed and needed.isdisjoint(text)):
        return None
    for row, signs, leads in rows:
        if leads and not text.startswith(leads):
            continue
        # that a line lacks a sign is faster to see than that it does not match
        match = row.take(text) if all(map(text.__contains__, signs)) else None
        if match is None:
            continue
        name = strip_blanks(match.values.get("speaker", "").strip("* \xa0"))
        name = CONFIDENCE.sub("", name) if name[-1:] == ")" else name
        if name and not (is_any_name or _is_speaker(layout.names, name)):
            continue
        named = match.values.get("id", "") if layout.names == IDS else ""
        is_audio = named and without_media(named) != named
        audio = without_media(named.rpartition("/")[2]) if is_audio else ""
        if (
            layout.names == IDS
            and not audio
            and (row.source == "{id} {text}" or not is_identifier(named))
        ):
            continue
        is_counted = row.source.startswith("{id}.")
        if " [{speaker}]" in row.source and is_sound(name):
            continue  # a sound at a time
        if len(name) == 1 and row.source.startswith(("{speaker titled}.", "{speaker CAPS}.")):
            continue  # the first initial of a name
        if is_counted and not match.values.get("id", "0")[-1:].isdigit():
            continue  # a title or initials: ``Mr. Doe:``, ``J. Doe:``
        is_of_log = layout.is_clock and not LOG_WORDS.isdisjoint(name.upper().split()[:2])
        after = match.values.get("text", "")
        no_speakers = NO_SPEAKERS | TITLES if after else NO_SPEAKERS
        if is_of_log or name.rstrip(": ").upper() in no_speakers:
            continue
        if not name and "start" in match.values and HALF_FIRST.match(after):
            continue  # the rest of a time
        is_column = "speaker" not in match.values or "\t" in row.source
        if "\t" in folded.line and (CLOCK_ANYWHERE.match(after) or ("\t" in after and is_column)):
            continue  # a row of a table
        head = turn_head(folded, match, is_raw=layout.is_raw)
        if not named:
            return head
        return head._replace(recording=audio, utterance="" if audio else named)
    return None


def _role_behind(name: str, head: str) -> str:
    """Return the role or the direction that a long head has behind the name; empty without one."""
    if len(head) <= len(name) + SHORTEST_ROLE:
        return ""
    role = head.partition(name)[2].strip(" \t\xa0:：,()[]*_")
    return role if any(map(str.isalpha, role)) else ""


@lru_cache(maxsize=128)
def row_of(pattern: str) -> TextLayout | None:
    """Return the layout with this pattern; create it if the pattern is derived from the text.

    Return `None` for a notation of names.
    """
    if pattern in NOTATIONS:
        return None
    return BY_NAME.get(pattern) or OF_LINES.get(pattern) or induced_layout(pattern)


SIGNS_OF_PROSE = "()\"'?!-:;,."
"""Signs that lines of any text have, the most frequent last."""


class CompiledRow(NamedTuple):
    """A layout and its compiled patterns, each with the signs and the beginnings of its lines."""

    layout: TextLayout
    patterns: tuple[tuple[Pattern, str, tuple[str, ...]], ...]
    has_bare_numbers: bool
    needed: frozenset[str]  # signs of which each line has one; none if it may be without


@lru_cache(maxsize=128)
def compiled_row(name: str) -> CompiledRow:
    """Return the layout with this name and its compiled patterns."""
    row = row_of(name)
    assert row is not None, name
    patterns = [
        (each, "".join(sorted(signs_of(each.source.translate(WIDE)))), leads_of(each.source))
        for each in row.compiled()
    ]
    rarest = {min(signs, key=SIGNS_OF_PROSE.find, default="") for _, signs, _ in patterns}
    needed = frozenset() if "" in rarest else frozenset(rarest)
    return CompiledRow(row, tuple(patterns), row.has_bare_numbers, needed)


class RowSigns(NamedTuple):
    """What lines with each pattern of a layout must have, which is known before one is compiled."""

    layout: TextLayout
    signs: tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]
    needs_digit: bool


@lru_cache(maxsize=256)
def signs_of_row(name: str) -> RowSigns | None:
    """Return the signs of the layout with this name; `None` for a notation of names.

    To compile the patterns of all layouts takes most of the time of a short text.
    """
    row = row_of(name)
    if row is None:
        return None
    signs = ((each, signs_of(each), leads_of(each)) for each in row.patterns)
    return RowSigns(row, tuple(signs), row.needs_digit)


def _without_emphasis(text: str) -> str:
    """Remove emphasis marks (`*`, `_`) that enclose a whole text."""
    for mark in ("*", "_"):
        if len(text) > 2 and text[0] == mark == text[-1] and text.count(mark) == 2:
            return text[1:-1].strip()
    return text


def shown_notation(pattern: str) -> str:
    """Write a notation of names in the syntax of patterns, such as ``{speaker}: {text}``."""
    if pattern not in NOTATIONS:
        return pattern
    return pattern.replace("Name", "{speaker}").replace("text", "{text}")


def filled_pattern(
    folded: Folded, spans: dict[str, tuple[int, int]], *, is_raw: bool = False
) -> str:
    """Replace the values in a line by field names."""
    places = [
        (
            span
            if is_raw
            else folded.original(*span)
            if key == "text"
            else folded.original_value(*span),
            key,
            span[1] > span[0],
        )
        for key, span in spans.items()
    ]
    parts, position = [], 0
    for (begin, end), key, is_there in sorted(places):
        parts += [folded.line[position:begin], f"{{{key}}}" if is_there else ""]
        position = end
    pattern = " ".join("".join([*parts, folded.line[position:]]).split())
    return BEHIND_NAME.sub(" ({_}: {_})", pattern)


def example_of(pattern: str, folded: Folded) -> str:
    """Return a pattern that a line gives: field names replace the values in the line."""
    if pattern in NOTATIONS:
        return shown_notation(pattern)
    layout, rows, *_ = compiled_row(pattern)
    for row, *_ in rows:
        match = row.take(folded.line if layout.is_raw else folded.text)
        name = strip_blanks(match.values.get("speaker", "")) if match else ""
        if match is None or (name and not _is_speaker(layout.names, name)):
            continue
        shown = filled_pattern(folded, match.spans, is_raw=layout.is_raw)
        return LITERAL_DATE.sub(r"\1{date}\2", shown) if "{date" in row.source else shown
    return pattern


@lru_cache(maxsize=4096)
def _is_speaker(names: str, text: str) -> bool:
    """Return True if a layout with these `names` (see `TextLayout`) accepts a text as a speaker."""
    if LANGUAGE.match(text) or SETTING.match(text):
        return False
    if text[-1:].isdigit() and DATE_LAST.search(text):
        return False
    if names == "any":
        return text[:2] not in LIST_SIGNS and " : " not in text
    if names == "labels":
        return is_label(text)
    if text[0] == "+" and PHONE.match(text):
        return names != "labels"
    if names == "nicks" and NICK_WITH_POINTS.match(text):
        return True
    may_be_code = names in ("codes", "nicks") or (names == "users" and " " not in text)
    return (is_name(text) and ": " not in text) or is_label(text) or (may_be_code and is_code(text))


NICK_WITH_POINTS = lazy_pattern(r"[^\W_][\w-]{0,30}(?:\.[\w-]{1,30}){1,3}\Z")
"""A name of a user with points: ``ben.roe``."""


def is_identifier(text: str) -> bool:
    """Return True for the identifier of an utterance, unlike `SPEAKER_01`."""
    return IDENTIFIER.match(text) is not None and not is_label(text)


@lru_cache(maxsize=4096)
def _clean_name(text: str) -> str:
    """Strip punctuation, blanks and marks of direction from both ends of a name.

    >>> _clean_name("_Ann_"), _clean_name("ann_")
    ('Ann', 'ann_')
    """
    if NICK.match(bare := text.strip(f"*{EDGES}").rstrip(f": |{EDGES}")):
        return bare
    return text.strip(f"*_{EDGES}").rstrip(f": |{EDGES}")


def turn_head(folded: Folded, taken: Found, *, is_raw: bool = False) -> TurnHead:
    """Create a head from the values that a pattern matched.

    The text of the head keeps the original spelling.
    """
    values = taken.values
    text = ""
    is_marked = is_raw or bool(folded.dropped)
    if values.get("text"):
        span = taken.match.span("text")
        text = folded.line[slice(*(span if is_raw else folded.original(*span)))].strip(" \xa0\t")
        if is_marked or len(folded.line) > LONGEST_HEAD:
            for mark in MARKS:
                if text.count(mark) % 2:
                    is_before = text.startswith(mark)
                    text = text.removeprefix(mark) if is_before else text.removesuffix(mark)
            text = text.strip(" \xa0\t")
        if text[:1] == "#" and (lead := LEADS.match(text)):
            text = text[lead.end() :]
    name = CONFIDENCE.sub("", _clean_name(values.get("speaker", "")))
    start, end = values.get("start"), values.get("end")
    return TurnHead(
        name or None,
        None if start is None else parse_stamp(start),
        None if end is None else parse_stamp(end),
        text,
        is_marked,
    )


def any_untimed(folded: Folded) -> TurnHead | None:
    """Return the head of a line with a name but no time; `None` if the line has no name."""
    for pattern in WRITTEN_UNTIMED:
        if head := head_of(pattern, folded):
            return head
    return None
