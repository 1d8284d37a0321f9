"""What manifests share: file names as recordings, exact numbers in JSON, words of a text."""

from __future__ import annotations

import json
from itertools import repeat

from formats.blanks import split_words, words_of_text
from formats.errors import FormatError, quoted
from formats.loss import refused
from formats.recordings import without_media
from formats.times import SECOND, nanoseconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from typing import Any, TypeVar

    from formats.model import Segment
    from formats.sink import Sink
    from formats.words import Token

    Row = TypeVar("Row")

MOST_SHAPES = 1000
"""Lists of names for which a reader remembers what they mean."""
# What a manifest holds that names an audio file, and what is said in it, for each utterance.
UTTERANCES = (
    *("words", "recordings", "speakers", "utterance ids", "segment times", "properties"),
    *("empty segments", "segment boundaries"),
)


def recording_of_audio(path: str) -> str:
    """Name of the recording in an audio file: no folders, no ending of audio.

    Other endings stay: ``rec.1`` is a name.

    >>> recording_of_audio("wav/rec.1.FLAC"), recording_of_audio("rec.1")
    ('rec.1', 'rec.1')
    """
    base = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return without_media(base)


def recording_to_write(segment: Segment, path: str | None) -> str:
    """The recording of a segment, after which its audio file is called."""
    if recording_of_audio(segment.recording) != segment.recording:
        expected = "a recording without folders and endings of audio"
        raise refused(path, segment.line, expected, quoted(segment.recording))
    return segment.recording


def add_properties(
    record: dict[str, object],
    segment: Segment,
    reserved: Container[str],
    sink: Sink,
    path: str | None,
) -> None:
    """Add the properties of a segment to a record; those of reserved names are counted lost."""
    kept = [pair for pair in segment.properties if pair[0] not in reserved]
    record.update(kept)
    lost = len(segment.properties) - len(kept)
    sink.losses.add("properties", lost, "names in use", path, segment.line)


def first_twice(names: Iterable[str]) -> str | None:
    """The first name that occurs a second time.

    >>> first_twice(["a", "b", "a"])
    'a'
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def first_tokens(segment: Segment) -> list[Token]:
    """The words of a segment, of alternations those of the first branch."""
    from formats.words import Token

    return [
        token
        for item in segment.items()
        for token in ((item,) if isinstance(item, Token) else item.first_branch())
    ]


def first_words(segment: Segment) -> list[str]:
    """The texts of `first_tokens`."""
    if not segment.alternations:
        return list(segment.words)
    return [token.text for token in first_tokens(segment)]


def joined_words(segment: Segment, path: str | None) -> str:
    """The words of a segment with blanks between them."""
    words = first_words(segment)
    text = " ".join(words)
    if split_words(text) != words or "\n" in text or "\r" in text:
        odd = next(w for w in words if split_words(w) != [w] or "\n" in w or "\r" in w)
        raise refused(
            path,
            segment.line,
            "words without blanks and line ends",
            quoted(odd) if odd else "an empty word",
        )
    return text


def seconds_number(
    value: int, precision: int, sink: Sink, segment: Segment, path: str | None
) -> float:
    """Nanoseconds as the number of seconds that JSON shows with at most `precision` decimals."""
    rounded = sink.losses.rounded(precision, path, segment.line, value)[0]
    made = rounded / SECOND
    if rounded > 1 << 53 and nanoseconds(made) != rounded:
        sink.losses.add("decimals of times", 1, "beyond a double", path, segment.line)
    return made


def dump(record: object) -> str:
    """A record as one line of JSON, without its line end."""
    return ENCODER.encode(record)


def text_of(value: object) -> str:
    """A text as it is; any other value as JSON."""
    return value if isinstance(value, str) else dump(value)


def segments_of_columns(
    lines: Sequence[int | None],
    recordings: list[str] | str,
    texts: Iterable[str],
    times: Sequence[Sequence[int | None] | None],
    properties: list[tuple[tuple[str, str], ...]] | tuple[()] = (),
    *,
    utterances: Sequence[Any] | None = None,
    channels: Sequence[Any] | None = None,
    speakers: Sequence[Any] | None = None,
) -> list[Segment]:
    """The segments that rows say, all at once."""
    from formats.model import Segment

    starts, ends, durations = times
    if durations:
        ends = ends or [None] * len(lines)
        starts = starts or [None] * len(lines)
        starts = [
            start or 0 if end is None and length is not None else start
            for start, end, length in zip(starts, ends, durations, strict=True)
        ]
        ends = [
            (start or 0) + length if end is None and length is not None else end
            for start, end, length in zip(starts, ends, durations, strict=True)
        ]
    columns = (
        recordings,
        list(map(words_of_text, texts)),
        _names(channels),
        _names(speakers),
        _names(utterances),
        starts,
        ends,
        properties,
        list(lines),
    )
    rows = zip(*(c if isinstance(c, list) else repeat(c, len(lines)) for c in columns), strict=True)
    return [
        Segment(
            recording,
            words,
            channel=channel,
            speaker=speaker,
            utterance=utterance,
            start_ns=start,
            end_ns=end,
            properties=named,
            line=line,
        )
        for recording, words, channel, speaker, utterance, start, end, named, line in rows
    ]


def recordings_of_columns(
    columns: Mapping[str, Sequence[Any]], by_role: Mapping[str, str], default: str
) -> list[str] | str:
    """The recordings that rows name, themselves or by their audio files."""
    role = by_role.get("recording", "")
    values = columns.get(role) if role else None
    if values is None:
        return default
    if dict in set(map(type, values)):
        values = [one.get("path") if type(one) is dict else one for one in values]
    names = _names(values) or []
    if role not in ("recording", "recording_id"):
        names = [name and recording_of_audio(name) for name in names]
    return [name or default for name in names]


def names_of_columns(
    columns: Mapping[str, Sequence[Any]], by_role: Mapping[str, str]
) -> dict[str, Sequence[Any] | None]:
    """Utterances, channels and speakers, as `segments_of_columns` takes them."""
    roles = {"utterances": "id", "channels": "channel", "speakers": "speaker"}
    return {what: columns.get(by_role[role]) for what, role in roles.items() if role in by_role}


def _names(values: Sequence[Any] | None) -> list[str | None] | None:
    """The names in a column; whole numbers are some."""
    kinds = set(map(type, values or ()))
    if values is None or kinds <= PLAIN:
        return values if values is None else list(values)
    if not kinds <= {*PLAIN, int}:
        raise ValueError("names and others")
    return [str(one) if type(one) is int else one for one in values]


def properties_of_columns(
    columns: Mapping[str, Sequence[Any]], names: Iterable[str]
) -> list[tuple[tuple[str, str], ...]] | tuple[()]:
    """What columns of these names, where they are there, say row by row."""
    pairs: list[Iterable[tuple[str, str]]] = []
    has_gaps = False
    for name in names:
        values = columns.get(name)
        if values is None:
            continue
        kinds = set(map(type, values))
        if not kinds <= PLAIN:
            values = [one if one is None else text_of(one) for one in values]
        has_gaps = has_gaps or type(None) in kinds
        pairs.append(zip(repeat(name), values, strict=False))
    rows = list(zip(*pairs, strict=True))
    if has_gaps:
        return [tuple([pair for pair in row if pair[1] is not None]) for row in rows]
    return rows or ()


def made_at_once(
    numbers: Sequence[int],
    rows: Sequence[Row],
    make: Callable[[Sequence[int], Sequence[Row]], Iterable[Segment]],
    reject: Callable[[Row, FormatError], None],
) -> Iterator[Segment]:
    """What is made of some rows at once, or of as many of them as have nothing wrong among them."""
    if not rows:
        return
    try:
        made = make(numbers, rows)
    except FormatError as error:
        half = len(rows) // 2
        if not half:
            reject(rows[0], error)
            return
    else:
        yield from made
        return
    yield from made_at_once(numbers[:half], rows[:half], make, reject)
    yield from made_at_once(numbers[half:], rows[half:], make, reject)


def _unusual(value: object) -> object:
    """What JSON has no word for, in lists and records of a table: decimals, days and times."""
    try:
        return float(str(value))
    except ValueError:
        return str(value)


PLAIN = frozenset({str, type(None)})
"""Types of names that are what they say."""
ENCODER = json.JSONEncoder(ensure_ascii=False, default=_unusual)
