"""Roles of columns of times: units of numbers, and times that are none of speech."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from formats.io.source import without_media
from formats.manifests.messages import (
    CHARACTER_OFFSETS,
    DESCRIPTIONS,
    ROLE,
    SAMPLES,
    TIME_BESIDE_DAYS,
    TIME_OF_DAY,
    UNIT_OF_PACE,
    UNIT_OPEN,
)
from formats.manifests.role_columns import COUNTS, FEWEST_LISTED, RoleColumns, is_given
from formats.reading.dates import are_times_of_day, is_day
from formats.reading.member_names import name_parts, plain_name
from formats.reading.time_values import (
    are_offsets,
    clock_names,
    number_of,
    plausible_units,
    span_names,
    time_number,
    unit_of_turns,
    word_count,
)

FEWEST_TO_DOUBT = 50
"""The fewest words by whose pace times are doubted."""
SLOWEST = 0.03
"""Words per second of texts that are no speech."""
LEAST_RATE = 4000
"""The fewest samples a second, from which a start and an end are no milliseconds."""


class RoleTimes(RoleColumns):
    """Roles of times."""

    def per_second(self, given: int = 0) -> int:
        """Return the time units per second: `given`, or the unit in the name of the start column.

        If both are missing, numbers are seconds, unless only another unit gives speech a natural
        pace. Numbers with a fraction are seconds; `3.000` has a fraction. They are milliseconds
        only if turns in seconds would be too long and some numbers are whole.
        """
        timed = self.by_role.get("start") or self.by_role.get("duration", "")
        named = given or plain_name(timed)[1]
        if named:
            return named
        columns = [self._column(role) for role in ("start", "end", "duration", "text")]
        size = max((len(column) for column in columns if column is not None), default=0)
        rows = [*zip(*(column or [None] * size for column in columns), strict=False)]
        spans = [span for row in rows if (span := _span(*row)) is not None]
        self._drop_offsets(spans)
        self._say_slow(rows)
        if self._drop_samples(rows):
            return 1
        recordings = self._column("recording") or ()
        has_ends = any(end is not None for _, end, _ in spans)
        if not has_ends and len(set(map(str, recordings))) > 1:
            return 1
        units = plausible_units(spans)
        words = sum(word_count(text) for _, _, text in spans)
        name = self.by_role.get("start") or self.by_role.get("duration", "")
        cells = [cell for row in rows for cell in row[:3] if is_given(cell)]
        may_be_ms = has_ends and units[:1] == [1000]
        are_parts = (has_ends or units[:1] == [1000]) and all(
            _is_whole(cell, has_ends=may_be_ms) for cell in cells
        )
        if may_be_ms and unit_of_turns(spans) == 1000:  # fractions of milliseconds
            are_parts = any(_is_whole(cell, has_ends=True) for cell in cells)
        if units and units[0] != 1 and are_parts:
            self._say(UNIT_OF_PACE, name=name, parts=units[0])
            return units[0]
        is_odd = units[:1] != [1] and has_ends and words >= FEWEST_TO_DOUBT
        if is_odd:
            self._say(UNIT_OPEN, name=name)
        return 1

    def _say_slow(self, rows: Sequence[Sequence[Any]]) -> None:
        """Warn about texts beside clock times that are far too slow for speech."""
        seconds = words = 0.0
        for start, end, _, text in rows:
            if isinstance(start, str) and ":" in start and isinstance(text, str) and text:
                first, last = time_number(start), time_number(end)
                if first is not None and last is not None:
                    seconds, words = seconds + last - first, words + word_count(text)
        name = self.by_role.get("text", "")
        if words < SLOWEST * seconds:
            self._say_once(DESCRIPTIONS, name=name)

    def _drop_offsets(self, spans: Sequence[tuple[float, float | None, str]]) -> None:
        """Read no starts and ends that count characters of a text, and warn."""
        if "start" not in self.by_role or not are_offsets(spans):
            return
        first, last = (self.by_role.pop(role) for role in ("start", "end"))
        self._say_once(CHARACTER_OFFSETS, first=first, last=last)

    def _drop_days(self) -> None:
        """Read no starts that are times of day: the same in each recording, or beside dates."""
        starts, names = (list(map(str, self._column(r) or ())) for r in ("start", "recording"))
        pairs = {*zip(names, starts, strict=False)}
        is_same = len(starts) == len(names) >= 2 * FEWEST_LISTED and 2 * len(pairs) <= len(names)
        is_same = is_same and len(pairs) <= len({*names})
        are_days = not is_same and self._are_beside_days(starts)
        if "end" in self.by_role or not (is_same or are_days):
            return
        name = self.by_role.pop("start")
        self.by_role.pop("duration", None)
        self._say_once(TIME_BESIDE_DAYS if are_days else TIME_OF_DAY, name=name)

    def _drop_lone_times(self) -> None:
        """Read no lone ``time`` beside audio files of one row each: it says how long a job took."""
        files, name = self._column("recording") or (), self.by_role.get("start", "")
        are_files = bool(files) and all(isinstance(f, str) and without_media(f) != f for f in files)
        is_lone = plain_name(name)[0] == "time" and {"end", "duration"}.isdisjoint(self.by_role)
        if is_lone and are_files and len({*files}) == len(files):
            del self.by_role["start"]

    def _are_beside_days(self, starts: Sequence[str]) -> bool:
        """Return True if starts have hours and minutes, none is of midnight, and days are given."""
        columns = (self._values or {}).values()
        return (
            bool(starts)
            and are_times_of_day(starts)
            and any(
                all(isinstance(day, str) and is_day(day) for day in column) for column in columns
            )
        )

    def _drop_samples(self, rows: Sequence[Sequence[Any]]) -> bool:
        """Read no starts and ends that count samples, as the durations beside them show."""
        if not {"start", "end", "duration"} <= self.by_role.keys():
            return False
        ratios: list[float] = []
        for row in rows:
            start, end, duration = (number_of(value) for value in row[:3])
            if start is not None and end is not None and duration and end > start:
                ratios.append((end - start) / duration)
        if not ratios or min(ratios) < LEAST_RATE:
            return False
        first, last = (self.by_role.pop(role) for role in ("start", "end"))
        self._say_once(SAMPLES, first=first, last=last)
        return True

    def _add_clocks(self, names: Collection[str]) -> None:
        """Use a column of clock times as starts, and another as ends, if no name means a time."""
        if not {"start", "end"}.isdisjoint(self.by_role):
            return
        taken = self.by_role.values()
        columns = {n: v for n, v in (self._values or {}).items() if n in names and n not in taken}
        for role, name in zip(("start", "end"), clock_names(columns), strict=False):
            self.by_role[role] = name
            self._say(ROLE, role=role, name=name)
        if "duration" in self.by_role and {"start", "recording"}.isdisjoint(self.by_role):
            self._place_durations()

    def _place_durations(self) -> None:
        """Read rows with durations alone as whole recordings that their ids name, if they differ.

        All rows would begin at 0 of one recording otherwise. Rows with speakers may be turns of one
        talk.
        """
        rows = max(map(len, (self._values or {}).values()), default=0)
        ids = list(map(str, filter(is_given, self._column("id") or ())))
        if "id" not in self.by_role and rows > 1:
            del self.by_role["duration"]
        elif "speaker" not in self.by_role and ids and len({*ids}) == rows:
            name = self.by_role["recording"] = self.by_role["id"]
            self._say_once(ROLE, role="recording", name=name)

    def _add_spans(self, names: Collection[str]) -> None:
        """Use columns of numbers as starts and ends, if no name means them but their values do."""
        texts, owners = self._column("text"), self._column("recording")
        if not texts or not {"end", "duration"}.isdisjoint(self.by_role):
            return
        owners = list(map(str, owners or [""] * len(texts)))
        owner = max({*owners}, key=owners.count)
        start = self.by_role.get("start", "")
        taken = self.by_role.values()
        free = [n for n in names if n == start or (n not in taken and not is_counted(n))]
        rows = [n for n, other in enumerate(owners) if other == owner]
        columns = {
            name: [self._values[name][n] for n in rows]
            for name in free
            if self._values is not None and len(self._values.get(name, ())) == len(texts)
        }
        found = span_names(columns, [texts[n] for n in rows], start)
        for role, name in zip(("start", "end"), found, strict=False):
            if name != start:
                self.by_role[role] = name
                self._say_once(ROLE, role=role, name=name)


def _is_whole(cell: object, *, has_ends: bool) -> bool:
    """Return True if a number has no fraction; a number of milliseconds has none.

    ``3.000`` has a fraction, because seconds are often written in this way. ``3.0`` has a fraction
    only if there are no ends.
    """
    number = number_of(cell)
    if number is None or type(number) is int:
        return number is not None
    is_fixed = isinstance(cell, str) and cell.strip()[-2:-1] != "."
    return has_ends and not is_fixed and number % 1 == 0


def is_counted(name: str) -> bool:
    """Return True if a name says that its times are in a unit that is not read, such as frames."""
    return not COUNTS.isdisjoint(name_parts(name))


def _span(
    start: object, end: object, length: object, text: object
) -> tuple[float, float | None, str] | None:
    """Return the start, end and text of a row whose times are numbers; otherwise `None`."""
    numbers = [number_of(value) for value in (start, end, length)]
    for value, number in zip((start, end, length), numbers, strict=True):
        if is_given(value) and number is None:
            return None
    first, last, duration = numbers
    if first is None and duration is None:
        return None
    first = first or 0
    last = first + duration if last is None and duration is not None else last
    return first, last, text if isinstance(text, str) else ""
