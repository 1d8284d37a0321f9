"""meeteval's `io`: segments in memory, read from and written to files.

Segments are dictionaries with `session_id`, `speaker`, `words`, `start_time` and `end_time`, also
in `STM`, `CTM` and `RTTM`. Grouping also accepts the field names that meeteval has for these
classes (`filename`, `transcript` …). `load` detects every format of sclite-kit.

>>> data = STM.parse("talk 1 anne 0 1 good morning")
>>> data.groupby("filename")["talk"][0]["words"]
'good morning'
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from io import StringIO
from typing import Any, ClassVar, overload

from formats import Segment, Transcript, read, write
from scoring.peers.meeteval.given import Item, items_of, items_of_segments

__all__ = ["CTM", "RTTM", "STM", "SegLST", "asseglst", "dump", "load"]

# Names of fields in meeteval's lines of stm, ctm and rttm.
FIELDS = {
    "filename": "session_id",
    "speaker_id": "speaker",
    "transcript": "words",
    "word": "words",
    "begin_time": "start_time",
}
Key = str | Callable[[Item], Any]


class SegLST:
    """A list of segments.

    >>> data = SegLST([{"session_id": "a", "speaker": "x", "words": "hello"}])
    >>> len(data + data), data.filter(lambda segment: segment["speaker"] == "y")
    (2, SegLST([]))
    """

    format: ClassVar[str] = "seglst"

    def __init__(self, segments: Iterable[Any] = ()) -> None:
        self.segments: list[Any] = list(segments)

    @classmethod
    def load(cls, path: Any) -> Any:
        """Read one or more files; errors are those of `formats.read`."""
        return cls(items_of(path))

    @classmethod
    def parse(cls, text: str) -> Any:
        """Read segments from a text in the format of the class; indentation of lines is ignored."""
        lines = "".join(f"{line.strip()}\n" for line in text.strip().splitlines())
        return cls(items_of_segments(read(StringIO(lines), cls.format)))

    @classmethod
    def new(cls, segments: Any) -> Any:
        """Create an object of the same class with the given segments."""
        return cls(asseglst(segments).segments)

    def to_seglst(self) -> SegLST:
        """Return the segments as a `SegLST`."""
        return SegLST(self.segments)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.segments)

    def __len__(self) -> int:
        return len(self.segments)

    @overload
    def __getitem__(self, position: int) -> Any: ...
    @overload
    def __getitem__(self, position: slice) -> SegLST: ...
    def __getitem__(self, position: int | slice) -> Any:
        """Return one segment, or a slice of the segments."""
        chosen = self.segments[position]
        return type(self)(chosen) if isinstance(position, slice) else chosen

    def __add__(self, other: Any) -> Any:
        """Return the segments of both objects."""
        return type(self)([*self.segments, *asseglst(other).segments])

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.segments == getattr(other, "segments", None)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.segments!r})"

    def map(self, change: Callable[[Any], Any]) -> Any:
        """Apply a function to each segment, and return the changed segments."""
        return type(self)(map(change, self.segments))

    def flatmap(self, change: Callable[[Any], Iterable[Any]]) -> Any:
        """Replace each segment by the segments that a function returns for the segment."""
        return type(self)(new for segment in self.segments for new in change(segment))

    def filter(self, keep: Callable[[Any], Any]) -> Any:
        """Return the segments for which `keep` is true."""
        return type(self)(filter(keep, self.segments))

    def sorted(self, key: Key) -> Any:
        """Return the segments sorted by a field, or by the value of a function."""
        return type(self)(sorted(self.segments, key=_key(key)))

    def unique(self, key: Key) -> set[Any]:
        """Return the distinct values of a field, or of a function of the segments."""
        return set(map(_key(key), self.segments))

    def groupby(self, key: Key) -> dict[Any, Any]:
        """Return the segments grouped by a field or by the value of a function.

        Groups are in order of appearance.
        """
        groups: dict[Any, list[Any]] = {}
        for segment in self.segments:
            groups.setdefault(_key(key)(segment), []).append(segment)
        return {value: type(self)(segments) for value, segments in groups.items()}

    def grouped_by_filename(self) -> dict[Any, Any]:
        """Return the segments by session."""
        return self.groupby("session_id")

    def dumps(self) -> str:
        """Return the text that `dump` would write; errors are those of `dump`."""
        if self.format == SegLST.format:
            return json.dumps(self.segments, indent=2, ensure_ascii=False, default=_number) + "\n"
        target = StringIO()
        write(Transcript(map(_segment, self.segments)), target, self.format)
        return target.getvalue()

    def dump(self, path: str | os.PathLike[str]) -> None:
        """Write the segments in the format of the file's suffix.

        Without a suffix, the class determines the format.
        """
        dump(self, path)


class STM(SegLST):
    """Segments of an stm file."""

    format = "stm"


class CTM(SegLST):
    """Words of a ctm file; each word is a segment."""

    format = "ctm"


class RTTM(SegLST):
    """Turns of an rttm file."""

    format = "rttm"


CLASSES = {kind.format: kind for kind in (STM, CTM, RTTM)}


def load(path: Any, format: str | None = None) -> Any:  # noqa: A002
    """Read segments from files; return `STM`, `CTM` or `RTTM` by the suffix, otherwise `SegLST`.

    Errors are those of `formats.read`.
    """
    first = path if isinstance(path, (str, os.PathLike)) else next(iter(path))
    name = format or os.path.splitext(os.fspath(first))[1].lstrip(".")
    return CLASSES.get(name.lower(), SegLST).load(path)


def dump(
    data: Any,
    path: str | os.PathLike[str],
    format: str | None = None,  # noqa: A002
) -> None:
    """Write segments in the format of the file's suffix.

    Without a suffix, the class of `data` determines the format. Raises ValueError for a segment
    without session, and the errors of `formats.write`.
    """
    segments = data if isinstance(data, SegLST) else asseglst(data)
    name = format or os.path.splitext(os.fspath(path))[1].lstrip(".").lower()
    kind = CLASSES.get(name, SegLST if name in ("json", "seglst") else type(segments))
    text = kind(segments.segments).dumps()
    with open(path, "w", encoding="utf-8") as target:
        target.write(text)


def asseglst(given: Any) -> SegLST:
    """Convert paths, dictionaries or nested texts to segments, as meeteval does."""
    return given.to_seglst() if isinstance(given, SegLST) else SegLST(items_of(given))


def _key(key: Key) -> Callable[[Any], Any]:
    if not isinstance(key, str):
        return key
    name = FIELDS.get(key, key)
    return lambda segment: segment[name]


def _number(value: Any) -> float:
    """Return a decimal as a float for JSON; raise TypeError for any other type."""
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f"expected a number or text, found {value!r}")


def _segment(item: Item) -> Segment:
    if "session_id" not in item:
        raise ValueError(f"expected a segment with session_id, found {item!r}")
    times = {
        name: float(item[field])
        for name, field in (("start", "start_time"), ("end", "end_time"))
        if item.get(field) is not None
    }
    words = str(item.get("words", "")).split()
    fields = {name: item[name] for name in ("speaker", "channel") if item.get(name) is not None}
    return Segment.of(str(item["session_id"]), words, **{**fields, **times})
