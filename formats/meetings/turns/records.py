"""Records of fields in a text. Fields are on lines (``Speaker: Ann``), in brackets or between bars.

Field names are those of `formats.reading.member_names`, as for columns and JSON. A text has records
if at least two field names repeat, at least one of them means a time or a speaker, and nearly all
records have a text. A line without a field name continues the text. A field with any other name, as
in ``Ann: hello``, is a speaker and a text. In a table with bars, a header names the columns, or
their cells show which are times, repeated names and texts.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.io.source import without_media
from formats.meetings.layouts import fold
from formats.meetings.turns.heads import any_untimed
from formats.meetings.turns.induced import is_person
from formats.meetings.turns.lines import FOOTER, RULE
from formats.meetings.turns.plain import FEWEST_BLANKS, SEPARATED, Lines
from formats.reading.lines import BAR_RULE, SENTENCE_ENDS, cells_between_bars, strip_blanks
from formats.reading.member_names import field_role, plain_name, text_among
from formats.reading.patterns import STAMP, parse_stamp
from formats.reading.speakers import is_code, is_label, is_name
from formats.reading.time_values import number_of, plausible_units
from formats.schema import lazy_pattern

LEAST, MOST_UNFIT = 2, 0.2
"""The fewest records, and the largest share of them without a text."""
SAMPLE, FEWEST_FIELDS = 400, 4
"""Lines in which fields are looked for, and the fewest fields of records."""
LONGEST_LINE = 400
FIELD = lazy_pattern(
    r"(?:(?:\A|[|,;\[(]|[ \t][-–—·•][ \t]|[ \t]{2})[ \t]{0,9}|[ \t]{1,9}(?=[^\W\d_]\w{0,24}=))"
    r"([^\W\d_][\w ]{0,24}?(?:\([a-z]{1,12}\))?)[ \t]{0,9}"
    r"(?:[:=]|：)[ \t]{0,9}"
)
INDEX = lazy_pattern(
    r"(?:(?:segment|chunk|utterance|turn|entry|#)[ ]?#?)?[0-9]{1,6}[.:)]?\Z", re.IGNORECASE
)
CLOSING = lazy_pattern(r"[ \t]{0,9}[\])][ \t]{0,9}(?::|-)?[ \t]{0,9}")
TIMES = lazy_pattern(rf"\[?({STAMP})(?:[ \t]{{0,9}}(?:-->|→|-|–|to)[ \t]{{0,9}}({STAMP}))?\]?\Z")
MILLIS = lazy_pattern(r"([0-9]{1,12})[ ]?ms\Z")
SECONDS = lazy_pattern(r"[ ]?sec(?:ond)?s?\Z")
MOST_TITLES = 10
TIMED = ("start", "end", "duration")


ONLY_TIMES = lazy_pattern(
    r"(?:[\[(]?(?:start|end|begin|stop|from|to|duration)(?:[ _]?time)?[ ]?[:=][ ]?"
    rf"{STAMP}[\])]?[ \t,;|]{{0,9}}){{1,3}}\Z",
    re.IGNORECASE,
)
OF_RECORDINGS = lazy_pattern(
    r"(?:(?:video|audio|file|page|source)[ _]?)?(?:url|link|title|id|file(?:name)?|path|name)\Z"
    r"|(?:文件名|文件|标题|標題|链接|音频|ファイル名|タイトル|파일명|제목)\Z"
    r"|confidence\Z",
    re.IGNORECASE,
)
"""Names of the fields beside the text in a list of transcripts."""
TRANSCRIPT = lazy_pattern(
    r"(?:transcript(?:ion)?|transkript(?:ion)?|原文|原句|转写|轉寫|文字稿|逐字稿|書き起こし|원문|전사)\Z",
    re.IGNORECASE,
)


class FieldRecord(NamedTuple):
    """A record: its values by role (such as `start`), and the line at which it begins."""

    values: dict[str, str]
    line: int


class FieldRecords(NamedTuple):
    """The records of a text, with the lines above them and the counts of unused fields.

    `names` maps a role to the field name in the file. `left` counts the fields without a role.
    """

    records: list[FieldRecord]
    names: dict[str, str]
    above: list[str]
    left: Counter[str]
    between: str = ""

    @property
    def pattern(self) -> str:
        """The fields of a record in the syntax of patterns."""
        parts = [
            f"{{{role}}}" if self.between or not name else f"{name}: {{{role}}}"
            for role, name in self.names.items()
        ]
        return (self.between or " / ").join(parts)


class RecordTimes(NamedTuple):
    """Start and end of a record in nanoseconds, each `None` if missing."""

    start: int | None
    end: int | None


def records_of(lines: Lines) -> FieldRecords | None:
    """Return the records of a text, or `None` if it has none."""
    sample = [line for _, line in lines[:SAMPLE]]
    records = None
    for sign in ("|", "\t"):
        if records is None and sum(sign in line for line in sample) >= LEAST:
            records = _between_signs(lines, sign)
    if records is None and sum(map(_signs, sample)) >= FEWEST_FIELDS:
        records = _of_fields(lines)
    return records


def _signs(line: str) -> int:
    """Return the number of signs (`:` or `=`) in a line that may end a field name."""
    return line.count(":") + line.count("=") + line.count("：")


def _role(name: str) -> str:
    """Return the role of a field name. A single letter has none: it is a speaker's initial."""
    return field_role(name) if len(plain_name(name)[0]) > 1 else ""


def _of_fields(lines: Lines) -> FieldRecords | None:
    """Return the records whose field names are on the lines; `None` if there are no records."""
    counts: Counter[str] = Counter()
    texts: Counter[str] = Counter()
    speaking: Counter[str] = Counter()
    said_by: Counter[str] = Counter()
    filled: set[str] = set()
    for _, line in lines[:SAMPLE]:
        fields, before, _ = _fields(line)
        counts.update(role for _, role, _ in fields)
        counts.update(["speaker"] if before else [])
        named = [(name, value) for name, role, value in fields if role == "speaker" and value]
        speaking.update(name for name, _ in named)
        said_by.update(name for name, value in named if _is_said(value))
        texts.update(name for name, role, _ in fields if role == "text")
        filled.update(name for name, role, value in fields if role == "text" and value)
    returning = {name for name, count in texts.items() if count >= LEAST}
    said = text_among([name for name in texts if name in returning & filled])
    beside = returning - {said} if said else set()  # translations, and titles of records
    speakers: frozenset[str] = frozenset()
    if "text" not in counts:  # ``Agent: so it was`` above its times
        speakers = frozenset(name for name, n in said_by.items() if 2 * n > speaking[name])
        counts["speaker"] -= sum(speaking[name] for name in speakers)
    roles = {role for role, count in counts.items() if count >= LEAST}
    others = _other_names(lines, counts)
    is_listed = roles == {"text", "confidence"} or (
        roles == {"text"} and any(map(OF_RECORDINGS.match, others))
    )
    if not is_listed and (
        not roles & {"start", "speaker"} or (len(roles) < 2 and roles != {"start"})
    ):
        return None
    are_names = roles.isdisjoint(("text", "speaker"))
    reader = _RecordReader(
        is_of_names=are_names, others=others, beside=beside,
        speakers=speakers if are_names else frozenset(),
    )  # fmt: skip
    for number, line in lines:
        reader.line(number, line)
    return _accepted(reader.finish(), is_listed=is_listed)


def _is_said(value: str) -> bool:
    """Return True for a text that is no name: it ends a sentence, or has many words."""
    return value.endswith(SENTENCE_ENDS) or value.count(" ") >= FEWEST_BLANKS


def _other_names(lines: Lines, counts: Counter[str]) -> set[str]:
    """Return field names without a role that occur in nearly all records."""
    if counts["text"] < LEAST:
        return set()
    heads = (any_untimed(fold(line)) for _, line in lines[:SAMPLE])
    names = Counter(head.name for head in heads if head is not None and head.name)
    least = 0.8 * counts["text"]
    return {name for name, count in names.items() if count >= least and not _role(name)}


def _fields(line: str) -> tuple[list[tuple[str, str, str]], str, str]:
    """Return the fields of a line (name, role, value), and the text before and after them."""
    text = fold(line).text
    matches = [(m, role) for m in FIELD.finditer(text[:LONGEST_LINE]) if (role := _role(m[1]))]
    if not matches:
        return [], "", text
    before = text[: matches[0][0].start()].strip(" \t-•*")
    if before and not (is_name(before) or is_label(before)):
        return [], "", text
    fields = []
    rest = ""
    ends = [match.start() for match, _ in matches[1:]] + [len(text)]
    for (match, role), end in zip(matches, ends, strict=True):
        are_times_behind = match is not matches[-1][0] and _are_times(text[end:])
        if role == "text" and not are_times_behind:
            end = len(text)
        value = text[match.end() : end]
        closing = CLOSING.search(value) if match[0][:1] in "[(" or before else None
        if closing is not None and role != "text":
            rest = value[closing.end() :]
            value = value[: closing.start()]
        is_whole = role == "text" and not are_times_behind
        value = strip_blanks(value) if role == "text" else value.strip(" \t|,;])-–—·•")
        if role in TIMED:
            value = SECONDS.sub("s", value)
            if TIMES.match(value) is None and MILLIS.match(value) is None:
                return [], "", text
        fields.append((match[1].strip(), role, value))
        if is_whole:
            break
    return fields, before, rest.strip("|[(, \t")


def _are_times(text: str) -> bool:
    """Return True if a text has only fields with times: ``start: 0.5, end: 0.9``."""
    return ONLY_TIMES.match(text.strip(" \t,;|")) is not None


class _RecordReader:
    """Collects the fields of consecutive lines in records."""

    def __init__(
        self, *, is_of_names: bool, others: set[str], beside: set[str], speakers: frozenset[str]
    ) -> None:
        self.speakers = speakers
        self.is_of_names = is_of_names
        self.others = others
        self.beside = beside
        self.is_beside = False
        self.has_titles = False
        self.records: list[FieldRecord] = []
        self.names: dict[str, str] = {}
        self.above: list[str] = []
        self.left: Counter[str] = Counter()
        self.values: dict[str, str] = {}
        self.begin = 0
        self.is_apart = False

    def line(self, number: int, line: str) -> None:
        """Process a line: its fields, or text that continues a record."""
        text = strip_blanks(line)
        if not text or RULE.match(text) or INDEX.match(text):
            self.is_apart = True
            return
        fields, before, rest = _fields(line)
        if fields and fields[0][0] in self.speakers:
            fields, before, rest = [], "", ""
        if self.is_beside and not fields:
            self.left.update(self.beside & self.left.keys())
            return
        if any(name in self.beside for name, _, _ in fields):
            self.is_beside = any(value for _, _, value in fields)
            if not self.is_beside:  # the title of a record
                self.has_titles = True
                self._end(number)
            self.left.update(name for name, _, _ in fields)
            return
        self.is_beside = False
        head = any_untimed(fold(line)) if not fields else None
        if before:
            fields.insert(0, ("", "speaker", before))
        for name, role, value in fields:
            is_apart = self.is_apart and not self.has_titles
            if role in self.values or (is_apart and "text" in self.values and role != "end"):
                self._end(number)
            self.is_apart = False
            self.begin = self.begin or number
            self.names.setdefault(role, name)
            self.values[role] = value
        if fields:
            if rest:
                self.values["text"] = " ".join(filter(None, (self.values.get("text"), rest)))
                self.names.setdefault("text", "")
        elif head is not None and head.name in self.others:
            self.left[head.name] += 1
            self.is_beside = not head.text
        elif head is not None and self.is_of_names:
            if not {"text", "speaker"}.isdisjoint(self.values):
                self._end(number)
            self.begin = self.begin or number
            self.values |= {"speaker": head.name or "", "text": head.text}
            self.names |= {"speaker": "", "text": ""}
        elif self.values and not (self.is_of_names and self.above and "text" not in self.values):
            self.values["text"] = f"{self.values.get('text', '')} {text}".strip()
        else:
            self.above.append(text)
        self.is_apart = self.is_apart and not fields and head is None

    def _end(self, number: int) -> None:
        """End the current record; the next one begins at line `number`."""
        if self.values:
            self.records.append(FieldRecord(self.values, self.begin))
        self.values, self.begin = {}, number

    def finish(self) -> FieldRecords:
        """Return all records."""
        self._end(0)
        return FieldRecords(self.records, self.names, self.above, self.left)


def _accepted(fields: FieldRecords, *, is_listed: bool = False) -> FieldRecords | None:
    """Return the records, or `None` if they are not acceptable."""
    records = fields.records
    with_text = sum(bool(record.values.get("text")) for record in records)
    roles = ("start", "speaker") if fields.names.get("speaker", "start") else ("start",)
    others = max(sum(role in record.values for record in records) for role in roles)
    least = (1 - MOST_UNFIT) * len(records)
    if is_listed:
        others = fields.left.total() + sum("confidence" in record.values for record in records)
        others = others if TRANSCRIPT.match(fields.names.get("text", "")) else 0
    is_record = len(records) >= LEAST and with_text >= least and others >= least
    return fields if is_record else None


def _between_signs(lines: Lines, sign: str) -> FieldRecords | None:
    """Return the rows of a table whose cells `sign` (a bar or a tab) separates, or `None`.

    Above the table, there may only be a title.
    """
    filled = [
        (number, text) for number, line in lines
        if (text := strip_blanks(line) if sign == "|" else line.strip(" \n")).strip()
        and BAR_RULE.match(text) is None and FOOTER.match(text) is None
    ]  # fmt: skip
    above = [text for _, text in itertools.takewhile(lambda row: sign not in row[1], filled)]
    if len(above) > MOST_TITLES:
        return None
    rows = [
        (
            number,
            cells_between_bars(text) if sign == "|" else [*map(strip_blanks, text.split(sign))],
        )
        for number, text in filled[len(above) :]
    ]
    size = len(rows[0][1]) if rows else 0
    if (
        size < (2 if sign == "|" else 3)
        or len(rows) < LEAST
        or any(len(row) != size for _, row in rows)
    ):
        return None
    some = [cell for _, row in rows[:LEAST] for cell in row]
    if any(without_media(cell) != cell or cell.count("[") != cell.count("]") for cell in some):
        return None  # a list of audio files, or spans ``[0:00 | 0:04]``
    names = rows[0][1]
    roles = [_role(name) for name in names]
    if "text" in roles and {"start", "speaker"} & set(roles):
        if sign == "\t" and not above:
            return None  # the format tsv reads it
        rows = rows[1:]
    elif len(rows) >= LEAST:
        roles = _roles_of_columns([row for _, row in rows])
        if sign == "\t" and not _are_turns(roles, rows[0][1]):
            return None
        if "speaker" not in roles and "text" in roles and _are_named(rows, roles.index("text")):
            return None  # turns: ``0:12 | Ann: so``
    else:
        return None
    left: Counter[str] = Counter(
        {name: len(rows) for name, role in zip(names, roles, strict=True) if not role}
    )
    records = [
        FieldRecord({r: cell for r, cell in zip(roles, row, strict=True) if r and cell}, number)
        for number, row in rows
    ]
    written = {role: name for role, name in zip(roles, names, strict=True) if role}
    between = " | " if sign == "|" else sign
    return _accepted(FieldRecords(records, written, above, left, between))


def _are_turns(roles: Sequence[str], cells: Sequence[str]) -> bool:
    """Return True if a table has starts and speakers, or starts such as ``0:12``."""
    starts = [cell for cell, role in zip(cells, roles, strict=True) if role == "start"]
    return bool(starts) and ("speaker" in roles or ":" in starts[0])


def _are_named(rows: Sequence[tuple[int, Sequence[str]]], place: int) -> bool:
    """Return True if nearly all cells of a column begin with names, and a name returns."""
    heads = [any_untimed(fold(row[place])) for _, row in rows]
    names = [head.name for head in heads if head is not None and head.text]
    return len(names) >= SEPARATED * len(rows) and len(set(names)) < len(names)


def _roles_of_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the roles of columns, as their cells show: times, repeated names, text."""
    columns = list(zip(*rows, strict=True))
    roles = [""] * len(columns)
    for n, column in enumerate(columns):
        if all(map(str.isdigit, column)):
            steps = [int(b) - int(a) for a, b in itertools.pairwise(column)]
            roles[n] = "id" if set(steps) == {1} else ""
    times = [
        n for n, column in enumerate(columns)
        if all(TIMES.match(cell) for cell in column) and not all(map(str.isdigit, column))
    ]  # fmt: skip
    for n, role in zip(times, ("start", "end"), strict=False):
        roles[n] = role
    others = [n for n in range(len(columns)) if n not in times and not roles[n]]
    if not others:
        return roles
    text = max(others, key=lambda n: sum(len(cell) for cell in columns[n]))
    if not any(map(str.isalpha, "".join(columns[text]))):
        return [""] * len(columns)
    roles[text] = "text"
    for n in others:
        names = Counter(columns[n])
        are_names = all(is_name(name) or is_label(name) or is_code(name) for name in names)
        are_few = 2 * len(names) <= len(rows) or (times and all(map(is_person, names)))
        if n != text and "speaker" not in roles and are_names and are_few:
            roles[n] = "speaker"
    return roles if all(roles) and len(times) < 3 else [""] * len(columns)


def pattern_of_records(fields: FieldRecords, lines: Lines) -> list[str]:
    """Return the lines of a pattern that reads these records, derived from the first record."""
    first, second = fields.records[:2]
    rows = [line for number, line in lines if first.line <= number < second.line]
    pattern = "\n".join(row for row in map(strip_blanks, rows) if row and not RULE.match(row))
    for role, value in first.values.items():
        times = TIMES.match(value) if role in TIMED else None
        if times is not None and times[2]:
            begin, end = times.span(2)
            replacement = f"{{start}}{value[times.end(1) : begin]}{{end}}{value[end:]}"
        else:
            replacement = (
                "{_}" if role not in ("start", "end", "speaker", "text") else f"{{{role}}}"
            )
        pattern = pattern.replace(value, replacement, 1) if value else pattern
    return pattern.split("\n")


def times_of_records(fields: FieldRecords) -> Iterator[RecordTimes]:
    """Yield the times of each record.

    Plain numbers are milliseconds if only milliseconds give the pace of speech.
    """
    units = {role: plain_name(name)[1] for role, name in fields.names.items()}
    numbers = [
        (number_of(values.get("start")), number_of(values.get("end")), values.get("text", ""))
        for values, _ in fields.records
    ]
    spans = [(start, end, text) for start, end, text in numbers if start is not None]
    paces = plausible_units(spans) if len(spans) == len(numbers) else []
    are_whole = all("." not in r.values.get(role, "") for r in fields.records for role in TIMED)
    assumed = 1000 if paces[:1] == [1000] and are_whole else 1
    for record in fields.records:
        parts = {
            role: _times(record.values[role], units.get(role) or assumed)
            for role in TIMED
            if role in record.values
        }
        start, end = parts.get("start") or (None, None)
        last = parts.get("end")
        length = parts.get("duration")
        if last is not None:
            end = last[0]
        elif end is None and length is not None and start is not None:
            end = start + length[0]
        yield RecordTimes(start, end)


def _times(value: str, per_second: int) -> tuple[int, int | None] | None:
    """Parse a field with one or two times; return nanoseconds, or `None` for any other text."""
    if (millis := MILLIS.match(value)) is not None:
        return parse_stamp(millis[1], "ms"), None
    match = TIMES.match(value)
    if match is None:
        return None
    first, second = (
        None if text is None else parse_stamp(text) // (1 if ":" in text else per_second)
        for text in match.groups()
    )
    return (first or 0), second
