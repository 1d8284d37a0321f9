"""The inputs of meeteval's functions: paths, segments, meeteval's objects, nested lists, texts."""

from __future__ import annotations

import glob
import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from formats.schema.model import Segment

Item: TypeAlias = Mapping[str, Any]
# Paths, or segments: dictionaries, or an object that holds such; or speakers and their texts.
Given: TypeAlias = Any
Normalizer: TypeAlias = str | Callable[[str], str] | None
MOST_MISSING = 0.1
# What a segment says, and a nested dictionary does not.
_SEGMENT = {"session_id", "speaker", "start_time", "end_time"}
_REMOVED = {
    "lower,rm(.?!,)": re.compile("[.?!,]"),
    "lower,rm([^a-z0-9 ])": re.compile("[^a-z0-9 ]"),
}
_OF_CHIME, _CHIME = ("chime6", "chime7", "chime8"), "chime_utils.text_norm"


class OneSession(list[Item]):
    """The segments of a single session; their `session_id` is ignored."""


def sessions_of(
    given: Given,
    regex: str | None = None,
    normalizer: Normalizer = None,
    uem: Mapping[Any, tuple[Any, Any]] | None = None,
    needed: str = "words",
) -> dict[Any, list[Item]]:
    """Group segments by session, in order of appearance.

    The member `needed` of each segment is required.
    """
    items = items_of(given, needed=needed)
    if uem is not None:
        items = [item for item in items if _is_inside(item, uem)]
    if normalizer is not None:
        change = _normalizer(normalizer)
        items = [{**item, "words": change(item["words"])} for item in items]
    if isinstance(given, OneSession):
        return {None: items}
    sessions: dict[Any, list[Item]] = {}
    for item in items:
        session = item.get("session_id")
        if regex is None or re.fullmatch(regex, str(session)):
            sessions.setdefault(session, []).append(item)
    if regex is not None and items and not sessions:
        raise AssertionError(f"regex: expected a pattern that matches a session, found {regex!r}")
    return sessions


def items_of(
    source: Given, level: Sequence[str] = ("session_id", "speaker"), needed: str = "words"
) -> list[Item]:
    """Return segments as dictionaries."""
    if isinstance(source, str | os.PathLike):
        source = [source]
    if hasattr(source, "to_seglst"):
        source = source.to_seglst()
    source = getattr(source, "segments", source)
    if isinstance(source, Mapping):
        return list(_nested(source, level, {}))
    items: list[Any] = list(source or ())
    if all(isinstance(item, Mapping) and needed in item for item in items):
        return items
    if all(isinstance(item, str | os.PathLike) for item in items):
        return _read(items)
    return list(_nested(items, level, {}))


def one_session(source: Given) -> OneSession:
    """Return the segments of a single session; each text, or list of texts, is a speaker."""
    if isinstance(source, str):
        source = [source]
    texts = isinstance(source, list | tuple) and all(isinstance(text, str) for text in source)
    if texts:
        return OneSession(_nested(source, ("speaker",), {}))
    return OneSession(items_of(source, ("speaker",)))


def _nested(node: object, level: Sequence[str], fields: Item) -> Iterator[Item]:
    if isinstance(node, str):
        yield {**dict.fromkeys(level, 0), **fields, "words": node}
    elif isinstance(node, Mapping) and "words" in node:
        yield node
    elif isinstance(node, Mapping) and _SEGMENT & node.keys():
        raise TypeError(f"expected segments with words, found {node!r}")
    elif isinstance(node, Mapping | list | tuple):
        pairs = node.items() if isinstance(node, Mapping) else enumerate(node)
        for name, child in pairs:
            yield from _nested(child, level[1:], {**fields, level[0]: name} if level else fields)
    else:
        raise TypeError(f"expected segments with words, found {node!r}")


def _format_of(path: Any) -> str | None:
    """Return the format that meeteval assumes for a path; None if the format must be detected."""
    name = os.fspath(path)
    is_pipe = name.startswith(("/dev/fd/", "/proc/self/fd/"))
    if is_pipe or os.path.splitext(name)[1] or os.path.isdir(name):
        return "stm" if is_pipe else None
    return "kaldi"


def _read(paths: Sequence[Any]) -> list[Item]:
    from formats import read

    items: list[Item] = []
    for pattern in paths:
        for path in sorted(glob.glob(os.fspath(pattern))) or [pattern]:
            form = _format_of(path)
            stem = os.path.splitext(os.path.basename(path))[0]
            items += items_of_segments(read(path, format=form), stem, form == "kaldi")
    return items


def items_of_segments(
    segments: Iterable[Segment], speaker: str | None = None, is_by_utterance: bool = False
) -> list[Item]:
    """Return segments as dictionaries; segments without a speaker get `speaker`."""
    items: list[Item] = []
    for segment in segments:
        item: dict[str, Any] = {
            "session_id": segment.utterance if is_by_utterance else segment.recording,
            "speaker": segment.speaker or speaker,
            "words": " ".join(segment.words),
        }
        if segment.start_ns is not None and segment.end_ns is not None:
            item["start_time"] = _seconds(segment.start_ns)
            item["end_time"] = _seconds(segment.end_ns)
        items.append(item)
    return items


def _seconds(nanoseconds: int) -> Decimal:
    return Decimal(nanoseconds).scaleb(-9).normalize() + 0


def regions_of(uem: Given) -> Mapping[Any, tuple[Any, Any]] | None:
    """Return the start and end time of each session, from paths, regions or a mapping."""
    if uem is None or isinstance(uem, Mapping):
        return uem
    lines: list[tuple[Any, Any, Any]] = []
    for part in [uem] if isinstance(uem, str | os.PathLike) else uem:
        if isinstance(part, str | os.PathLike):
            from formats import read

            for region in read(part, format="uem").segments:
                times = _seconds(region.start_ns or 0), _seconds(region.end_ns or 0)
                lines.append((region.recording, *times))
        else:
            lines.append((part.filename, part.begin_time, part.end_time))
    regions = {session: (begin, end) for session, begin, end in lines}
    if len(regions) < len(lines):
        raise ValueError("uem: expected one region of each session, found several")
    return regions


def _is_inside(item: Item, uem: Mapping[Any, tuple[Any, Any]]) -> bool:
    """Return True if a segment overlaps a region of its session, or if there are no regions."""
    if item.get("start_time") is None or item.get("end_time") is None:
        raise ValueError("uem: expected start_time and end_time of every segment")
    begin, end = uem.get(item.get("session_id"), (item["start_time"], item["end_time"]))
    return bool(begin <= item["end_time"] and item["start_time"] <= end)


def _normalizer(normalizer: str | Callable[[str], str]) -> Callable[[str], str]:
    if not isinstance(normalizer, str):
        return normalizer
    if normalizer in _REMOVED:
        return lambda text: _REMOVED[normalizer].sub("", text.lower())
    if normalizer not in _OF_CHIME:
        expected = [*_REMOVED, *_OF_CHIME]
        raise ValueError(f"normalizer: expected one of {expected}, found {normalizer!r}")
    try:
        return import_module(_CHIME).get_txt_norm(normalizer)  # type: ignore[no-any-return]
    except ImportError as error:
        expected_package = "expected the package chime_utils"
        raise ValueError(
            f"normalizer: {expected_package} for {normalizer!r}, found none"
        ) from error


def check_sessions(
    reference: Mapping[Any, object],
    hypothesis: Mapping[Any, object],
    partial: bool,
    most_missing: float = MOST_MISSING,
) -> None:
    """Raise RuntimeError if only one side has a session.

    As in meeteval, there is only a warning if the hypothesis lacks at most the share `most_missing`
    of the sessions. The same holds for sessions of only the hypothesis if `partial` is true.
    """
    extra = [session for session in hypothesis if session not in reference]
    if extra:
        message = (
            f"{len(extra)} of {len(hypothesis)} session IDs are present in the hypothesis but "
            f"missing in the reference: {extra[:5]}"
        )
        if not partial:
            message += ". If this is intentional, consider setting `partial=True`."
            raise RuntimeError(message)
        warnings.warn(message, stacklevel=4)
    missing = [session for session in reference if session not in hypothesis]
    share = len(missing) / len(reference)
    message = (
        f"Missing {100 * share:.3f} % = {len(missing)}/{len(reference)} of recordings in "
        f"hypothesis: {missing[:5]}"
    )
    if share > most_missing:
        threshold = f"This exceeds the threshold of {100 * most_missing} %."
        raise RuntimeError(f"{message}. {threshold}")
    if missing:
        warnings.warn(f"{message}; they are scored as silence", stacklevel=4)
