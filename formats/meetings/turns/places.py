"""Times of turns in their place: before the name, which is before the text.

A time may be alone above the line of a name, or behind the last word of a turn. All turns must have
their times in the same place. Each function returns the same lines if the text does not have that.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from formats.meetings.layouts import fold
from formats.meetings.turns.heads import any_untimed
from formats.meetings.turns.plain import (
    LEAST,
    LONGEST_PART,
    LONGEST_TIMES,
    SEPARATED,
    Lines,
    if_in_sample,
)
from formats.reading.patterns import NUMBER as NUMBER_OF_TIME
from formats.reading.patterns import SHAPES, TO, WIDE, parse_stamp
from formats.reading.speakers import is_label, is_name, is_sound
from formats.reading.time_values import NO_BLANKS
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.times import format_clock

STAMP = rf"(?:{SHAPES['clock']}|{NUMBER_OF_TIME}[ ]?s(?:ec)?\b)"
MARK = r"(?:T\+|\#)?"
SPAN = rf"{MARK}({STAMP})\#?(?:[ ]{{0,3}}{TO}[ ]{{0,3}}{MARK}({STAMP})\#?)?"
IN_BRACKETS = rf"\[{SPAN}\]|\({SPAN}\)|<{SPAN}>"
ALONE = lazy_pattern(
    rf"(?:{IN_BRACKETS}|{SPAN}|([0-9]{{1,6}}\.[0-9]{{1,9}})[ \t]{{1,9}}"
    r"([0-9]{1,6}\.[0-9]{1,9})):?\Z"
)
"""A time or a span that is a whole line."""
BEHIND = lazy_pattern(rf"[ \t](?:[-–—|@][ \t]{{0,3}})?(?:{IN_BRACKETS}|{SPAN})\Z")
"""The same behind a text, perhaps after a sign."""
WIDE_GAP = lazy_pattern(r"[ \t]{2,90}[0-9:]{4,8}[ \t]{0,9}\Z")
"""A time at the right margin."""
FIRST = lazy_pattern(rf"(?:{IN_BRACKETS}|{SPAN}):?[ \t]{{1,9}}(?=\S)")
"""The same before a text."""
BRACKETED = lazy_pattern(rf"(?:{IN_BRACKETS})[ \t]*:?[ \t]*")
"""The same in brackets at the beginning of a text."""
BESIDE = lazy_pattern(
    rf"[*_`]{{0,2}}(?:{IN_BRACKETS}|(?<![\w:.]){SPAN}(?![\w:.]\S))[*_`]{{0,2}}:?[ \t]{{0,9}}"
)
"""The same before or behind a name."""
NAME_IN_SIGNS = lazy_pattern(
    r"(?:>{1,3}[ ]?)?(?:\*([^*\n]{1,60})\*(?=:)"
    r"|\[([^\[\]\n]{1,60})\]|\(([^()\n]{1,60})\)|<([^<>\n]{1,60})>"
    r"|([^\W\d_][^:|\n\[\](){}<>]{0,58}?)[ ](?:\||-{1,2}|[–—]|>|=>)"
    r"|([^\W\d_][^\t\n:]{0,58})(?=\t)):?"
    r"(?:[ \t]{1,9}(.*))?\Z"
)
"""A name in brackets, or with a sign behind it."""
FIELD = lazy_pattern(
    r"(?i)[ \t]{0,9}(?:speaker|name|spk)[ ]?[:=][ ]?([^\s:][^:\n]{0,58}?)[ \t]{0,9}\Z"
)
MOST_WORDS = 4
NUMBER = lazy_pattern(r"[0-9]{1,4}[.)][ \t]{1,4}(?=\S)")
"""The number of a turn."""


class NameLine(NamedTuple):
    """A line that begins with a name: the name, and the text behind it."""

    name: str
    text: str


@if_in_sample
def with_times_before_names(lines: Lines) -> Lines:
    """Write times that are on the lines above or below names before the names.

    >>> page = ["0:00", "Ann: so", "0:03", "Bob: well", "0:05", "Ann: then"]
    >>> with_times_before_names(list(enumerate(page)))[2:4]
    [(2, ''), (3, '[0:03] Bob: well')]
    >>> page = ["# Ann", "[0:00] so", "# Bob", "[0:03] well", "# Ann", "[0:05] then"]
    >>> with_times_before_names(list(enumerate(page)))[2:4]
    [(2, ''), (3, '[0:03] Bob: well')]
    """
    alone = {n: span for n, (_, line) in enumerate(lines) if (span := _time_alone(line))}
    if len(alone) >= LEAST:
        return _from_above(_with_fields_first(lines, alone), alone)
    first = {n: part for n, (_, line) in enumerate(lines) if (part := _time_first(line))}
    return _from_below(lines, first) if len(first) >= LEAST else lines


@if_in_sample
def with_times_behind_first(lines: Lines) -> Lines:
    """Write the time at the end of each turn before it; the turn becomes one line.

    A single time is the start of its turn if the first time is zero; otherwise it is the end, and
    stays behind the text: ``Ann: so #0:12#``. Without names, each line must have a time.

    >>> page = ["Ann: so it (0:00)", "Bob: was (0:03)", "Ann: one of (0:05)", "Bob: no (0:07)"]
    >>> with_times_behind_first(list(enumerate(page)))[1]
    (1, '[0:03] Bob: was')
    """
    behind = {n: part for n, (_, line) in enumerate(lines) if (part := _time_behind(line))}
    return _from_behind(lines, behind) if len(behind) >= LEAST else lines


def _from_above(lines: Lines, alone: dict[int, tuple[str, str]]) -> Lines:
    """Join the times that are alone on their lines with the names below them."""
    following = _next_filled(lines)
    pairs = {
        n: (following[n], head) for n in alone
        if following[n] not in alone and (head := _name_line(lines[following[n]][1])) is not None
    }  # fmt: skip
    names = {head.name for _, head in pairs.values()}
    under = {m for m, _ in pairs.values()}
    others = [
        (head.name, ":" in line and head.text != "") for m, (_, line) in enumerate(lines)
        if m not in under and (head := _name_line(line)) is not None
    ]  # fmt: skip
    counts = Counter(name for name, is_turn in others if is_turn)
    again = sum(name in names or (is_turn and counts[name] > 1) for name, is_turn in others)
    if (
        len(pairs) < SEPARATED * len(alone) or again > (1 - SEPARATED) * len(pairs)
        or not _are_speakers([head.name for _, head in pairs.values()])
        or not _are_in_order([alone[n][0] for n in pairs])
    ):  # fmt: skip
        return lines
    moved = list(lines)
    for n, (m, head) in pairs.items():
        moved[n] = (lines[n][0], "")
        moved[m] = (lines[m][0], _timed(alone[n], head))
    return moved


def _with_fields_first(lines: Lines, alone: dict[int, tuple[str, str]]) -> Lines:
    """Write the names that fields below texts give, ``Speaker: Ann``, above the texts."""
    fields = {n: name for n, (_, line) in enumerate(lines) if (name := FIELD.match(line))}
    borders = list(itertools.pairwise([*alone, len(lines)]))
    ends = {a: [n for n in range(a, b) if lines[n][1].strip()][-1] for a, b in borders}
    if len(fields) < SEPARATED * len(alone) or not all(n in fields for n in ends.values()):
        return lines
    moved = list(lines)
    for first, n in ends.items():
        moved[n] = (lines[n][0], "")
        moved[first + 1] = (lines[first + 1][0], f"{fields[n][1]}: {lines[first + 1][1].strip()}")
    return moved


def _from_below(lines: Lines, first: dict[int, tuple[str, str, str]]) -> Lines:
    """Join the names that are alone on their lines with the times and texts directly below."""
    pairs = {n: name for n in first if n and (name := _name_alone(lines[n - 1][1]))}
    if (
        len(pairs) < SEPARATED * len(first)
        or not _are_speakers(list(pairs.values()))
        or not _are_in_order([first[n][1] for n in pairs])
    ):
        return lines
    moved = list(lines)
    for n, name in pairs.items():
        rest, *span = first[n]
        moved[n - 1] = (lines[n - 1][0], "")
        moved[n] = (lines[n][0], _timed((span[0], span[1]), NameLine(name, rest)))
    return moved


def _from_behind(lines: Lines, behind: dict[int, tuple[str, str, str]]) -> Lines:
    """Move the times of `behind`, if each turn ends with one."""
    filled = [n for n, (_, line) in enumerate(lines) if line.strip()]
    heads = {n: head for n in filled if (head := _name_line(lines[n][1]))}
    counts = Counter(head.name for head in heads.values())
    heads = {n: head for n, head in heads.items() if counts[head.name] > 1 or is_label(head.name)}
    if not heads and len(behind) >= SEPARATED * len(filled):
        heads = {n: NameLine("", lines[n][1]) for n in behind}
    last: dict[int, int] = {}
    for first, after in itertools.pairwise([*heads, len(lines)]):
        last[first] = max((n for n in range(first, after) if n in behind), default=first)
    timed = {n: behind[end] for n, end in last.items() if end in behind}
    if heads and (margin := _from_margin(lines, behind, heads)) is not None:
        return margin
    rests = {_rest_of(rest, heads[n]).strip() for n, (rest, _, _) in timed.items()}
    # the words beside dates are the same
    spoken = sum(" " in rest or NO_BLANKS.search(rest) is not None for rest in rests)
    if (
        2 * spoken < len(timed) or len(timed) < max(LEAST, SEPARATED * len(heads))
        or len(timed) < SEPARATED * sum(n >= min(heads) for n in behind)
        or not _are_in_order([start for _, start, _ in timed.values()])
    ):  # fmt: skip
        return lines
    _, start, end = next(iter(timed.values()))
    are_starts = bool(end) or parse_stamp(start) == 0
    if not are_starts and not any(head.name for head in heads.values()):
        return lines
    moved = list(lines)
    for n, (rest, start, end) in timed.items():
        inner = [line for _, line in lines[n : last[n]]] + [rest]
        name, text = heads[n].name, " ".join([_rest_of(inner[0], heads[n]), *inner[1:]]).strip()
        moved[n : last[n] + 1] = [(number, "") for number, _ in lines[n : last[n] + 1]]
        turn = _timed((start, end), NameLine(name, text))
        moved[n] = (lines[n][0], turn if are_starts else f"{name}: {text} #{_plain(start)}#")
    return moved


def _from_margin(
    lines: Lines, behind: Mapping[int, tuple[str, str, str]], heads: Mapping[int, NameLine]
) -> Lines | None:
    """Move the times at the right margin before the names; leave out those of other lines.

    Nearly all lines have one, also those that go on with a turn, as in a court's transcript.
    """
    filled = [n for n, (_, line) in enumerate(lines) if line.strip()]
    starts = [start for _, start, _ in behind.values()]
    if (
        len(behind) < SEPARATED * len(filled) or len(behind.keys() & heads.keys()) == len(behind)
        or not all(WIDE_GAP.search(lines[n][1]) for n in behind) or not _are_in_order(starts)
        or any(end for _, _, end in behind.values())
    ):  # fmt: skip
        return None
    moved = list(lines)
    for n, (rest, start, _) in behind.items():
        head = heads[n]._replace(text=_rest_of(rest, heads[n])) if n in heads else None
        moved[n] = (lines[n][0], rest if head is None else _timed((start, ""), head))
    return moved


def _rest_of(line: str, head: NameLine) -> str:
    """Return the text behind the name of a line that may have lost the time at its end."""
    named = _name_line(line) if head.name else None
    return line if named is None else named.text


def _timed(span: tuple[str, str], head: NameLine) -> str:
    """Write a turn with its time before the name."""
    start, end = map(_plain, span)
    time = f"[{start} - {end}]" if end else f"[{start}]"
    return f"{time} {head.name}: {head.text}" if head.name else f"{time} {head.text}"


def _plain(time: str) -> str:
    """Write a time with colons and decimals, unless it has colons already, as frames have."""
    is_plain = ":" in time and "-" not in time
    return time if is_plain or not time else format_clock(parse_stamp(time), decimals=3)


def _time_alone(line: str) -> tuple[str, str] | None:
    """Return the start and the end that are a whole line; the end may be empty."""
    text = line.strip()
    if not 0 < len(text) <= 3 * LONGEST_TIMES or not any(map(str.isdigit, text)):
        return None
    match = ALONE.match(fold(text).text)
    return None if match is None else times_of(match)


def _time_first(line: str) -> tuple[str, str, str] | None:
    """Return the text behind the times with which a line begins, the start and the end."""
    if not any(map(str.isdigit, line[:12])):
        return None
    folded = fold(line)
    match = FIRST.match(folded.text)
    return None if match is None else (folded.text[match.end() :], *times_of(match))


def _time_behind(line: str) -> tuple[str, str, str] | None:
    """Return the text of a line, and the start and the end behind it; the end may be empty."""
    if not any(map(str.isdigit, line[-4:])):
        return None
    line = line.rstrip()
    tail = line[-3 * LONGEST_TIMES :].translate(WIDE)
    match = BEHIND.search(f" {tail}" if len(tail) == len(line) else tail)
    if match is None:
        return None
    rest = line[: max(0, len(line) - len(match.string) + match.start())].rstrip()
    is_field = rest[-1:] in (":", "=")  # ``Speaker: Ann | End: 0:12``
    return (rest, *times_of(match)) if rest.strip() and not is_field else None


def times_of(match: re.Match[str]) -> tuple[str, str]:
    """Return the start and the end that a pattern matched; the end may be empty."""
    groups = match.groups()
    first = next(n for n, group in enumerate(groups) if group is not None)
    return groups[first], groups[first + 1] or ""


def _next_filled(lines: Lines) -> list[int]:
    """Return, for each line, the position of the next line with text, or its own at the end."""
    following = list(range(len(lines)))
    last = -1
    for n in range(len(lines) - 1, -1, -1):
        following[n] = n if last < 0 else last
        if lines[n][1].strip():
            last = n
    return following


def _name_line(line: str) -> NameLine | None:
    """Return the name with which a line begins, and the text behind it."""
    if not line[:LONGEST_PART].strip():
        return None
    folded = fold(line)
    if (head := any_untimed(folded)) is not None and head.start is None:
        return NameLine(head.name or "", head.text)
    text = folded.text
    if number := NUMBER.match(text):
        folded = fold(text[number.end() :])
        head = any_untimed(folded)
        return None if head is None else NameLine(head.name or "", head.text)
    match = NAME_IN_SIGNS.match(text)
    name = next((group for group in match.groups()[:-1] if group), "") if match else ""
    if match is None or not (is_name(name) or is_label(name)) or is_sound(name):
        return None
    return NameLine(name, match[match.lastindex or 0] if match.groups()[-1] else "")


def _name_alone(line: str) -> str:
    """Return the name that is a whole line, perhaps as a heading; otherwise empty."""
    if not 0 < len(line) <= LONGEST_PART:
        return ""
    name = fold(line).text.strip("*_ ").rstrip(": ")
    is_person = (is_name(name) and len(name.split()) <= MOST_WORDS) or is_label(name)
    return name if is_person and not is_sound(name) else ""


def _are_speakers(names: Sequence[str]) -> bool:
    """Return True if names return, or are generic."""
    return 2 * len(set(names)) <= len(names) + 1 or all(map(is_label, names))


def _are_in_order(times: Sequence[str]) -> bool:
    """Return True if nearly no time is before the one above it."""
    starts = [parse_stamp(time) for time in times]
    steps = sum(a <= b for a, b in itertools.pairwise(starts))
    return len(starts) >= LEAST and steps >= SEPARATED * (len(starts) - 1)
