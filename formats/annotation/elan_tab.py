"""elan-tab: ELAN's tab-delimited export, with or without a header line.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
tier and participant before the times  `Segment.tier` and the speaker, by the rules of
                                       `formats.annotation.tiers`; a tier may be behind the times
a column for each tier                 the same, by the column's name in the first line
``00:00:00.500``, ``0.5``, ``500``     `Segment.start_ns`, `Segment.end_ns`, from the first of these
                                       forms that is present
duration                               compared with the end; without an end, added to the begin
``talk.eaf`` in the last column        `Segment.recording` (exports of several files)
``#…`` above the table                 not read
=====================================  ==========================================================

*Repeated values.* In an export with one column per tier, ELAN may repeat an annotation in the rows
of annotations that overlap it. A label is such a repetition if its times lie within those of a
label with the same tier and text. Repetitions are counted and skipped.

*Column names depend on ELAN's language.* Columns are therefore detected by their content. Only the
names of tiers come from the header.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import NamedTuple

from formats.annotation.messages import ELAN_COLUMNS, ELAN_REPEATED
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import KEEP_EMPTY, TIER_OPTIONS, Tier, TierLabel, TierRules
from formats.detection.line_shapes import are_tier_rows
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source, recording_of
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.reading.lines import strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_clock, parse_time

MILLISECOND = 10**6
KINDS = {
    "clock": re.compile(r"[0-9]{1,3}:[0-5][0-9]:[0-5][0-9]\.[0-9]{1,3}"),
    "seconds": re.compile(r"[0-9]{1,7}\.[0-9]{1,3}"),
    "milliseconds": re.compile(r"[0-9]{1,10}"),
    "frames": re.compile(r"[0-9]{2}:[0-5][0-9]:[0-5][0-9]:[0-9]{2}"),
}
"""Forms of times; the first that a file has is read, and that in frames is ignored."""
FORMS = {"clock": "hh:mm:ss.ms", "seconds": "seconds", "milliseconds": "milliseconds"}
NAME_OF_TIMES = re.compile(r"[^\t]{2,60} - \w{2,4}(?:[:.]\w{1,4}){0,3}(?: \w{1,8})?")
LENGTHS = re.compile(r"dur|länge|longitud|продолж|длит", re.IGNORECASE)
FILE = re.compile(r"[^\t]{1,400}\.(?:eaf|pfsx)", re.IGNORECASE)
SHARE = 0.9
PEOPLE = "tier", "participant"
"""What the columns before the times have; the second may be the text instead."""
MOST_OF_TIERS = 0.7
"""The most different names of tiers, as a share of the rows."""
Row = tuple[int, list[str]]


class ElanColumns(NamedTuple):
    """The columns of a table. `kind` is the form of the times.

    `begin` and `end` are the numbers of the columns of times; from `before` to `after` are all
    columns about times. If `is_length` is true, the column `end` has durations. `names` are the
    names of tiers that have a column each.
    """

    begin: int
    end: int
    kind: str
    is_length: bool
    """True if `end` holds durations."""
    before: int
    """How many columns are before the times: tier and participant, or none."""
    after: int
    """The first column behind the times."""
    names: tuple[str, ...]


@reads_labels
def read(
    source: Source, *, tier_map: str = "", speaker_from: str = "auto", keep_empty: bool = False
) -> Iterator[Segment]:
    """Yield the segments of all tiers, tier by tier."""
    rules = TierRules(tier_map, speaker_from)
    rows = _rows(source.lines())
    if not rows:
        return
    header, rows = _split_header(rows)
    columns = columns_of(header, [cells for _, cells in rows])
    if columns is None:
        number, cells = (rows or [(1, list(header))])[0]
        expected = "columns of begin and end in hh:mm:ss.ms, seconds or milliseconds"
        raise source.syntax_error(number, expected, quoted("\t".join(cells)), 1)
    reader = _Reader(source, columns, rows)
    tiers: dict[tuple[str, str, str], Tier] = {}
    for key, label in source.log.accepted("ELAN-TAB", reader.labels, rows):
        _, name, participant = key
        if key not in tiers:
            tiers[key] = Tier(name, participant=participant or None, level=name)
        tiers[key].labels.append(label)
    repeated = 0 if reader.has_tier else sum(map(_drop_repeated, tiers.values()))
    if repeated:
        source.log.say(ELAN_REPEATED, rows=repeated)
    if reader.unread:
        source.log.say(ELAN_COLUMNS, names=reader.unread)
    for recording in dict.fromkeys(key[0] for key in tiers):
        yield from segments_of_tiers(
            source, recording, [tier for key, tier in tiers.items() if key[0] == recording], rules,
            keep_empty=keep_empty, single_is_speaker=True,
        )  # fmt: skip


def _rows(lines: Iterator[tuple[int, str]]) -> list[Row]:
    """Split each line into cells, without the lines above the table that name files."""
    return [
        (number, line.split("\t"))
        for number, line in lines
        if strip_blanks(line) and not line.startswith(("#", '"#'))
    ]


def _split_header(rows: Sequence[Row]) -> tuple[tuple[str, ...], list[Row]]:
    """Return the header, and the rows below it with the columns of times side by side."""
    first = rows[0][1]
    if any(pattern.fullmatch(cell) for cell in first for pattern in KINDS.values()):
        return (), list(rows)
    header = list(map(strip_blanks, first))
    named = [n for n, name in enumerate(header) if NAME_OF_TIMES.fullmatch(name)]
    if not named or named[-1] - named[0] == len(named) - 1:
        return tuple(header), list(rows[1:])
    others = [n for n in range(named[0], len(header)) if n not in named]
    places = [*range(named[0]), *named, *others]
    return tuple(header[n] for n in places), [
        (number, [cells[n] if n < len(cells) else "" for n in places]) for number, cells in rows[1:]
    ]


def columns_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> ElanColumns | None:
    """Detect what the columns mean; `None` if there are no columns for begin and end."""
    width = max(map(len, rows), default=0)
    kinds = [_kind(rows, n) for n in range(width)]
    named = [n for n, name in enumerate(header) if NAME_OF_TIMES.fullmatch(name)]
    first = next(
        (n for n, kind in enumerate(kinds) if kind and (not named or n >= named[0])), width
    )
    last = first
    most = width if first == len(PEOPLE) and not header else width - 1
    while last < most and kinds[last] and (not named or last in named):
        last += 1
    block = kinds[first:last]
    for size in range(1, len(block)):
        parts = len(block) // size
        if parts in (2, 3) and block == block[:size] * parts:
            break
    else:
        return None
    kind = next((name for name in KINDS if name in block[:size] and name != "frames"), None)
    if kind is None:
        return None
    begin = first + block.index(kind)
    is_length = parts == 2 and _are_lengths(header, rows, begin, begin + size, kind)
    return ElanColumns(begin, begin + size, kind, is_length, first, last, tuple(header))


def _kind(rows: Sequence[Sequence[str]], number: int) -> str | None:
    """Return the form of the times in a column; `None` for a column without times."""
    cells = [row[number] for row in rows if len(row) > number]
    for name, pattern in KINDS.items():
        if cells and sum(map(bool, map(pattern.fullmatch, cells))) > 0.5 * len(rows):
            return name
    return None


def _are_lengths(
    header: Sequence[str], rows: Sequence[Sequence[str]], begin: int, end: int, kind: str
) -> bool:
    """Return True if the column `end` has durations.

    This is so if its heading means durations, or if most of its values are less than the begin.
    """
    if len(header) > end and LENGTHS.match(header[end]):
        return True
    earlier = 0
    for row in rows:
        with suppress(ValueError, IndexError):
            earlier += _time(row[end], kind) < _time(row[begin], kind)
    return earlier * 2 > len(rows)


def _time(text: str, kind: str) -> int:
    """Parse a time in the form `kind`; return nanoseconds."""
    if KINDS[kind].fullmatch(text) is None:
        raise ValueError(text)
    if kind == "clock":
        return parse_clock(text)
    return int(text) * MILLISECOND if kind == "milliseconds" else parse_time(text)


class _Reader:
    """Reads labels from rows, each with its recording, tier and participant."""

    def __init__(self, source: Source, columns: ElanColumns, rows: Sequence[Row]) -> None:
        self.source = source
        self.columns = columns
        width = max(len(cells) for _, cells in rows)
        self.file = next(
            (n for n in range(columns.after, width) if _is_file([cells for _, cells in rows], n)),
            None,
        )
        texts = [n for n in range(columns.after, width) if self.file is None or n < self.file]
        behind = [] if columns.before or columns.names else _tiers_behind(rows, texts)
        self.people = [*range(columns.before), *behind]
        texts = [n for n in texts if n not in behind]
        if not texts and len(self.people) == len(PEOPLE):
            texts = [self.people.pop()]
        self.has_tier = bool(self.people)
        self.texts = texts[:1] if self.has_tier else texts
        beyond = texts[1:] if self.has_tier else []
        self.unread = [
            self._name(n) for n in beyond if any(strip_blanks(c[n]) for _, c in rows if len(c) > n)
        ]

    def _name(self, number: int) -> str:
        names = self.columns.names
        return names[number] if number < len(names) and names[number] else f"column {number + 1}"

    def labels(self, row: Row) -> Iterator[tuple[tuple[str, str, str], TierLabel]]:
        """Yield one label for each text in a row, with the key (recording, tier, participant)."""
        number, cells = row
        columns = self.columns
        if len(cells) < columns.after:
            expected = f"{columns.after + 1} cells with tabs between them"
            raise self.source.syntax_error(number, expected, str(len(cells)))
        begin, end = self._times(number, cells)
        recording = self.source.recording
        if self.file is not None and len(cells) > self.file and strip_blanks(cells[self.file]):
            recording = recording_of(strip_blanks(cells[self.file]))
        before = [strip_blanks(cells[n]) if n < len(cells) else "" for n in self.people]
        for n in self.texts:
            text = strip_blanks(cells[n]) if n < len(cells) else ""
            if text:
                name = before[0] if self.has_tier else self._name(n)
                participant = before[1] if len(before) > 1 else ""
                yield (recording, name, participant), TierLabel(begin, end, text, number)

    def _times(self, number: int, cells: Sequence[str]) -> tuple[int, int]:
        times = []
        for column in (self.columns.begin, self.columns.end):
            try:
                times.append(_time(cells[column], self.columns.kind))
            except ValueError:
                at = sum(len(cell) + 1 for cell in cells[:column]) + 1
                expected = f"a time in {FORMS[self.columns.kind]}"
                found = quoted(cells[column])
                raise self.source.syntax_error(number, expected, found, at) from None
        begin, end = times
        if self.columns.is_length:
            return begin, begin + end
        if end < begin:
            expected = f"an end not before {cells[self.columns.begin]}"
            raise self.source.syntax_error(number, expected, quoted(cells[self.columns.end]))
        return begin, end


def _tiers_behind(rows: Sequence[Row], columns: Sequence[int]) -> list[int]:
    """Return the one of two columns behind the times that has the names of tiers, if one has them.

    Both have text in each row, unlike those of two tiers, and only the names of tiers return.

    >>> rows = [(1, ["0", "1", "so it is", "Ann"]), (2, ["1", "2", "well", "Ann"])]
    >>> _tiers_behind(rows, [2, 3]), _tiers_behind(rows[:1], [2, 3])
    ([3], [])
    """
    cells = [[row[n] if n < len(row) else "" for _, row in rows] for n in columns]
    if len(columns) != len(PEOPLE) or not all(all(map(strip_blanks, column)) for column in cells):
        return []
    names = [len({*column}) <= max(1, MOST_OF_TIERS * len(rows)) for column in cells]
    return [columns[names.index(True)]] if len(rows) > 1 and names.count(True) == 1 else []


def _is_file(rows: Sequence[Sequence[str]], number: int) -> bool:
    cells = [strip_blanks(row[number]) for row in rows if len(row) > number]
    return bool(cells) and all(map(FILE.fullmatch, cells))


def _drop_repeated(tier: Tier) -> int:
    """Drop each label that lies inside a label with the same text; return how many were dropped."""
    by_text: defaultdict[str, list[TierLabel]] = defaultdict(list)
    for label in tier.labels:
        by_text[label.text].append(label)
    kept: list[TierLabel] = []
    for labels in by_text.values():
        last = -1
        for label in sorted(labels, key=lambda x: (x.start_ns or 0, -(x.end_ns or 0))):
            if (label.end_ns or 0) > last:
                kept.append(label)
                last = label.end_ns or 0
    dropped = len(tier.labels) - len(kept)
    if dropped:
        tier.labels = sorted(kept, key=lambda x: (x.start_ns or 0, x.line or 0))
    return dropped


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` for a header with time columns, or if times in most rows are consistent."""
    rows = _rows(iter(enumerate(lines, 1)))
    if not rows or any(len(cells) < 3 for _, cells in rows):
        return Sniff.NO
    header, rows = _split_header(rows)
    if header:
        named = sum(NAME_OF_TIMES.fullmatch(name) is not None for name in header)
        return Sniff.SURE if named > 1 and columns_of(header, _cells(rows)) else Sniff.NO
    columns = columns_of((), _cells(rows))
    if are_tier_rows(lines):
        return Sniff.SURE
    if columns is None or columns.kind != "clock" or columns.before > 2:
        return Sniff.NO
    agreeing = sum(_agrees(cells, columns) for _, cells in rows)
    return Sniff.SURE if agreeing >= SHARE * len(rows) else Sniff.NO


def _cells(rows: Sequence[Row]) -> list[list[str]]:
    return [cells for _, cells in rows]


def _agrees(cells: Sequence[str], columns: ElanColumns) -> bool:
    """Return True if the times of a row are consistent.

    Two forms of a time are equal, or the duration is the end minus the begin.
    """
    try:
        times = [parse_clock(c) if ":" in c else parse_time(c)
                 for c in cells[columns.before : columns.after]]  # fmt: skip
    except ValueError:
        return False
    size = columns.end - columns.begin
    if size > 1:
        return times[0] == times[1] or times[0] * MILLISECOND == times[1] * 10**9
    return len(times) == 3 and times[1] - times[0] == times[2]


SPEC = FormatSpec(
    title="ELAN's tab-delimited export: an annotation per row, or a column per tier",
    sign='names such as "Begin Time - hh:mm:ss.ms", or begin, end and duration that agree',
    read=read,
    sniff=sniff,
    read_options=(*TIER_OPTIONS, KEEP_EMPTY, LABEL_IS),
)
