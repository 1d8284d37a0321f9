"""Code that manifests share: recording names from file names, and records from segments."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat

from formats.io.source import names_without_media
from formats.manifests.messages import ROWS_SHORT, RULE_BEYOND_A_DOUBLE, RULE_NAMES_IN_USE
from formats.schema import lazy_pattern, split_words, words_of_texts
from formats.schema.errors import FormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, nanoseconds
from formats.schema.words import Token
from formats.writing.out import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from formats.io.sink import Sink
    from formats.io.source import Source
    from formats.schema.words import Properties

    Row = TypeVar("Row")

FEWEST_SHORT = 3
"""The fewest rows that show that the last columns of a table are empty."""

VIDEO = lazy_pattern(
    r"https?://(?:(?:www\.|m\.)?youtube\.com/(?:watch\?(?:[^#]{0,200}&)?v=|embed/|shorts/|live/)"
    r"|youtu\.be/|(?:www\.)?vimeo\.com/)([\w-]{6,20})(?![\w-])",
    re.ASCII,
)
"""A link to a video, with its identifier."""

UTTERANCES = ("words", "utterance ids", "properties", "empty segments", "segment boundaries")
MANIFEST = (*UTTERANCES, "recordings", "speakers", "segment times")
"""The data in a manifest that names an audio file and its words for each utterance."""


def are_videos(values: Sequence[Any]) -> bool:
    """Return True if all values are links to videos."""
    return bool(values) and all(isinstance(v, str) and VIDEO.match(v) for v in values)


def name_around(columns: Mapping[str, Sequence[Any]], name: str, used: Collection[str] = ()) -> str:
    """Return the column within which the values of another begin again; empty if there is none.

    Each value of that column, and each pair of both, is in rows that are together. Within each, the
    values of the other begin as within the first.

    >>> columns = {"unit": [1, 1, 1, 1, 2, 2, 2, 2], "talk": [1, 1, 2, 2] * 2}
    >>> name_around(columns, "talk"), name_around({"unit": [1] * 4, "talk": [1, 1, 2, 2]}, "talk")
    ('unit', '')
    """
    ids = columns[name]
    if _runs(ids) == len({*ids}):
        return ""
    for outer, around in columns.items():
        if outer in used or outer == name or not all(isinstance(v, (str, int)) for v in around):
            continue
        pairs = [*zip(around, ids, strict=True)]
        first = dict(reversed(pairs))
        groups, units = len({*pairs}), len(first)
        are_together = _runs(around) == units and _runs(pairs) == groups
        if are_together and 1 < units < groups <= len(pairs) / 2 and len({*first.values()}) == 1:
            return outer
    return ""


def name_within(around: object, name: object) -> str:
    """Return the name of a recording within the unit that `name_around` found.

    >>> name_within("unit 1", 2)
    'unit 1-2'
    """
    return f"{around}-{name}"


def _runs(values: Iterable[Any]) -> int:
    """Return the number of runs of equal values."""
    return sum(1 for _ in groupby(values))


def recording_of_audio(path: str) -> str:
    """Return the recording name for an audio file: its name without folders and audio suffix.

    Other suffixes are part of the name, as in ``rec.1``. The name of a video that a link names is
    its identifier.

    >>> recording_of_audio("wav/rec.1.FLAC"), recording_of_audio("rec.1")
    ('rec.1', 'rec.1')
    >>> recording_of_audio("https://www.youtube.com/watch?v=a1B2c3D4e5F&t=10s")
    'a1B2c3D4e5F'
    """
    return recordings_of_audio([path])[0]


def folder_of_audio(path: str) -> str:
    """Return the name of the folder that an audio file is in; empty if there is none.

    >>> folder_of_audio("data/talk/audio.wav"), folder_of_audio("audio.wav")
    ('talk', '')
    """
    return "".join(path.replace("\\", "/").rstrip("/").split("/")[-2:-1])


def without_shared_name(path: str, shared: Collection[str]) -> str:
    """Return the folder of an audio file if its name is in `shared`; else its path.

    >>> without_shared_name("talk/audio.wav", {"audio"}), without_shared_name("a/b.wav", {"audio"})
    ('talk', 'a/b.wav')
    """
    return folder_of_audio(path) if shared and recording_of_audio(path) in shared else path


def recordings_of_audio(paths: Sequence[str]) -> list[str]:
    """Return the recording names for audio files, as `recording_of_audio` does for each."""
    joined = "\n".join([*paths, ""])
    if "://" in joined:
        paths = [link[1] if (link := VIDEO.match(path)) else path for path in paths]
    if "\\" in joined or "/\n" in joined:
        paths = [path.replace("\\", "/").rstrip("/") for path in paths]
    return names_without_media([path.rpartition("/")[2] for path in paths])


def first_twice(names: Iterable[str]) -> str | None:
    """Return the first name that occurs a second time, or `None`."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def first_tokens(segment: Segment) -> list[Token]:
    """Return the words of a segment; alternatives are replaced by their first branch."""
    return [
        token
        for item in segment.items()
        for token in ((item,) if isinstance(item, Token) else item.first_branch())
    ]


def first_words(segment: Segment) -> list[str]:
    """Return the texts of a segment's words; alternatives are replaced by their first branch."""
    if not segment.alternations:
        return list(segment.words)
    return [token.text for token in first_tokens(segment)]


class RecordOut(Out):
    """A segment that is written as a record. Times have at most `precision` decimals."""

    __slots__ = ("precision",)

    def __init__(self, segment: Segment, sink: Sink, precision: int = 9) -> None:
        super().__init__(segment, sink)
        self.precision = precision

    def new_id(self, seen: set[str], expected: str = "a unique utterance id",
               *, is_valid: bool = True) -> str:  # fmt: skip
        """Return the utterance id, and add it to `seen`.

        Raise `LossError` if the id is missing, invalid, or in `seen` already.
        """
        name = self.segment.utterance or ""
        if not name or name in seen or not is_valid:
            raise self.refuse(expected, quoted(name) if name else "none")
        seen.add(name)
        return name

    def recording(self) -> str:
        """Return the recording; raise `LossError` if it has folders or an audio suffix."""
        name = self.segment.recording
        if recording_of_audio(name) != name:
            expected = "a recording without folders and endings of audio"
            raise self.refuse(expected, quoted(name))
        return name

    def text(self) -> str:
        """Return the words joined by blanks; raise `LossError` for words that contain blanks."""
        words = first_words(self.segment)
        text = " ".join(words)
        if split_words(text) != words or "\n" in text or "\r" in text:
            odd = next(w for w in words if split_words(w) != [w] or "\n" in w or "\r" in w)
            expected = "words without blanks and line ends"
            raise self.refuse(expected, quoted(odd) if odd else "an empty word")
        return text

    def seconds(self, time_ns: int) -> float:
        """Return a time in seconds, as a number with at most `precision` decimals."""
        rounded = time_ns
        if self.precision < 9:  # nanoseconds
            (rounded,) = self.round(self.precision, time_ns)
        number = rounded / SECOND
        if rounded > 1 << 53 and nanoseconds(number) != rounded:
            self.lost("decimals of times", 1, RULE_BEYOND_A_DOUBLE)
        return number

    def times(self, start: str = "start", end: str = "end") -> dict[str, object]:
        """Return the known times of the segment as members named `start` and `end`."""
        times: dict[str, object] = {}
        for name, time in (start, self.segment.start_ns), (end, self.segment.end_ns):
            if time is not None:
                times[name] = self.seconds(time)
        return times

    def properties(self, reserved: Container[str]) -> dict[str, str]:
        """Return the properties of the segment; count properties with reserved names as lost."""
        kept = {name: text for name, text in self.segment.properties if name not in reserved}
        self.lost("properties", len(self.segment.properties) - len(kept), RULE_NAMES_IN_USE)
        return kept


def dump(record: object) -> str:
    """Return a record as one line of JSON without a line end."""
    return ENCODER.encode(record)


def text_of(value: object) -> str:
    """Return a text unchanged, and any other value as JSON."""
    return value if isinstance(value, str) else dump(value)


def usual_size(source: Source, rows: Sequence[Sequence[str]]) -> int:
    """Return the number of cells of the first rows if all are shorter than the header.

    Otherwise return the number of names in the header.
    """
    from formats.reading.member_names import MOST_TRIED

    header, *others = rows[:MOST_TRIED]
    sizes = {*map(len, others)}
    are_short = len(others) >= FEWEST_SHORT and len(sizes) == 1 and 1 < max(sizes) < len(header)
    if are_short:
        source.log.say(ROWS_SHORT, names=[*header[max(sizes) :]])
    return max(sizes) if are_short else len(header)


def with_last_cells(rows: Sequence[list[str]], short: int, size: int) -> list[list[str]]:
    """Return the rows with `size` cells instead of `short`; the added cells are empty."""
    return [[*row, *[""] * (size - short)] if len(row) == short else row for row in rows]


def segments_of_columns(
    lines: Sequence[int | None],
    columns: Mapping[str, Sequence[Any]],
    by_role: Mapping[str, str],
    times: Sequence[Sequence[int | None] | None],
    others: Iterable[str],
    recordings: Sequence[str] | str,
) -> list[Segment]:
    """Return the segments of rows, given as columns. Columns in `others` become properties.

    `times` has starts, ends and durations in nanoseconds. `recordings` has one recording per row,
    or a single recording for all rows.
    """
    starts, ends, durations = times
    if durations and starts and ends is None and None not in starts and None not in durations:
        ends = list(map(operator.add, starts, durations))
    elif durations:
        ends = ends or [None] * len(lines)
        starts = starts or [None] * len(lines)
        durations = [
            None if length == 0 and start is None else length  # unknown
            for start, length in zip(starts, durations, strict=True)
        ]
        starts = [
            start or 0 if end is None and length is not None else start
            for start, end, length in zip(starts, ends, durations, strict=True)
        ]
        ends = [
            (start or 0) + length if end is None and length is not None else end
            for start, end, length in zip(starts, ends, durations, strict=True)
        ]
    roles = ("channel", "speaker", "id")
    names = [_names(columns.get(by_role[role])) if role in by_role else None for role in roles]
    names[1] = names[1] and [name or None for name in names[1]]
    words = words_of_texts(columns[by_role["text"]])
    owners: Iterable[str] = recordings
    if isinstance(recordings, str):
        owners = _recordings(columns, by_role.get("recording"), recordings)
    fields = (owners, *names, starts, ends, _properties(columns, others) or repeat(()))
    rows = zip(
        words, lines, *(repeat(None) if field is None else field for field in fields), strict=False
    )
    return [
        Segment(
            recording,
            text,
            channel=channel,
            speaker=speaker,
            utterance=utterance,
            start_ns=start,
            end_ns=end,
            properties=properties,
            line=line,
        )
        for text, line, recording, channel, speaker, utterance, start, end, properties in rows
    ]


def _recordings(
    columns: Mapping[str, Sequence[Any]], role: str | None, default: str
) -> Iterable[str]:  # fmt: skip
    """Return the recordings of rows. A column has their names or their audio files."""
    values = None if role is None else columns.get(role)
    if values is None:
        return repeat(default)
    if dict in set(map(type, values)):
        values = [value.get("path") if type(value) is dict else value for value in values]
    names: Iterable[str | None] = _names(values) or []
    if role not in ("recording", "recording_id"):
        names = recordings_of_audio([name or "" for name in names])
    return [name or default for name in names]


def _names(values: Sequence[Any] | None) -> list[str | None] | None:
    """Return the names in a column; whole numbers also count as names."""
    kinds = set(map(type, values or ()))
    if values is None or kinds <= PLAIN:
        return values if values is None else list(values)
    if not kinds <= {*PLAIN, int}:
        raise ValueError("names and others")
    return [str(value) if type(value) is int else value for value in values]


def _properties(columns: Mapping[str, Sequence[Any]], names: Iterable[str]) -> list[Properties]:
    """Return the properties of each row: the cells of the named columns, without missing values."""
    pairs: list[Iterable[tuple[str, str]]] = []
    has_gaps = False
    for name in names:
        values = columns.get(name)
        if values is None:
            continue
        kinds = set(map(type, values))
        if not kinds <= PLAIN:
            values = [value if value is None else text_of(value) for value in values]
        has_gaps = has_gaps or type(None) in kinds
        pairs.append(zip(repeat(name), values, strict=False))
    rows: list[Any] = list(zip(*pairs, strict=True))
    if has_gaps:
        return [tuple([pair for pair in row if pair[1] is not None]) for row in rows]
    return rows


def segments_by_halves(
    numbers: Sequence[int],
    rows: Sequence[Row],
    make: Callable[[Sequence[int], Sequence[Row]], Iterable[Segment]],
    reject: Callable[[Row, FormatError], None],
) -> Iterator[Segment]:
    """Yield the segments that `make` returns for a batch of rows.

    A batch with an invalid row is halved until the row is isolated. This row goes to `reject`.
    """
    half = len(rows) // 2
    try:
        yield from make(numbers, rows) if rows else ()
    except FormatError as error:
        if not half:
            reject(rows[0], error)
            return
        yield from segments_by_halves(numbers[:half], rows[:half], make, reject)
        yield from segments_by_halves(numbers[half:], rows[half:], make, reject)


def _unusual(value: object) -> object:
    """Convert decimals, dates and times to values that JSON has."""
    try:
        return float(str(value))
    except ValueError:
        return str(value)


PLAIN = frozenset({str, type(None)})
"""Types of names that are what they say."""
ENCODER = json.JSONEncoder(ensure_ascii=False, default=_unusual)
