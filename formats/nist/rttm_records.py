"""One line of an rttm: its types and subtypes, its fields, times and confidence."""

from __future__ import annotations

from functools import partial
from itertools import count, product, repeat
from operator import add
from typing import NamedTuple

from formats.errors import quoted
from formats.fields import field_count_error, field_error, plain_confidences, read_confidence
from formats.lines import column_of_field, read_time, split_fields
from formats.times import LARGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeVar

    from formats.columns import Cutter
    from formats.source import Source

    T = TypeVar("T")

__all__ = ["SUBTYPES", "TYPES", "Record", "read_record", "read_records"]

SUBTYPES: dict[str, frozenset[str]] = {
    "SEGMENT": frozenset({"eval"}),
    "NOSCORE": frozenset(),
    "NO_RT_METADATA": frozenset(),
    "LEXEME": frozenset(
        [
            "lex",
            "fp",
            "frag",
            "un-lex",
            "for-lex",
            "alpha",
            "acronym",
            "interjection",
            "propernoun",
            "other",
        ]
    ),
    "NON-LEX": frozenset(["laugh", "breath", "lipsmack", "cough", "sneeze", "other"]),
    "NON-SPEECH": frozenset(["noise", "music", "other"]),
    "FILLER": frozenset(
        ["filled_pause", "discourse_marker", "explicit_editing_term", "discourse_response", "other"]
    ),
    "EDIT": frozenset(["repetition", "restart", "revision", "simple", "complex", "other"]),
    "SU": frozenset(
        [
            "statement",
            "question",
            "incomplete",
            "backchannel",
            "unannotated",
            "discourse_response",
            "other",
        ]
    ),
    "IP": frozenset(["edit", "filler", "edit&filler", "other"]),
    "CB": frozenset(["coordinating", "clausal", "other"]),
    "A/P": frozenset(),
    "SPEAKER": frozenset(),
    "SPKR-INFO": frozenset(["adult_male", "adult_female", "child", "unknown"]),
}
TYPES = frozenset(SUBTYPES)
POINTS = frozenset({"IP", "CB"})
UNUSUAL = POINTS | {"SPKR-INFO"}
"""Types whose times may be missing."""
ABSENT = frozenset({"<na>", ""})
KINDS = "sssttsssss"
"""Of the fields, as a `Cutter` has them; the last of ten may be left out."""


class Record(NamedTuple):
    """One line; times in nanoseconds, `None` where the line has ``<NA>``."""

    type: str
    recording: str
    channel: str
    start: int
    end: int
    text: str | None
    subtype: str | None
    speaker: str | None
    confidence: float | None
    lookahead: str | None
    line: int


def read_record(source: Source, number: int, line: str) -> Record:
    """The record of a line."""
    fields = split_fields(line)
    kind = fields[0].upper()
    if kind not in TYPES:
        raise field_error(
            source, number, line, 0, f"a type out of {', '.join(sorted(TYPES))}", fields[0]
        )
    _check_count(source, number, line, fields)
    _, recording, channel, begin, duration, text, subtype, speaker = fields[:8]
    start = end = 0
    if kind != "SPKR-INFO":
        start = _time(source, number, line, 3, begin, "begin time")
        end = start + _duration(source, number, line, duration, kind)
        if end > LARGEST:
            raise field_error(source, number, line, 4, "an end within 292 years", duration)
    elif begin.lower() not in ABSENT or duration.lower() not in ABSENT:
        source.log.warn("RTTM-VALUE", "SPKR-INFO has no times: not kept", number)
    said = _or_none(subtype)
    if said is not None and said.lower() not in SUBTYPES[kind]:
        known = ", ".join(sorted(SUBTYPES[kind])) or "<NA>"
        source.log.warn(
            "RTTM-SUBTYPE",
            f"{quoted(said)} is no subtype of {kind}: expected {known}",
            number,
            column_of_field(line, 6),
        )
    sure = fields[8] if len(fields) > 8 else "<NA>"
    confidence = None if sure.lower() in ABSENT else read_confidence(source, number, line, 8, sure)
    if confidence is not None and not 0.0 <= confidence <= 1.0:
        source.log.note(
            "RTTM-CONFIDENCE",
            f"confidence {sure} is not within 0 and 1",
            number,
            column_of_field(line, 8),
        )
    ahead = _or_none(fields[9]) if len(fields) > 9 else None
    if ahead is not None and kind in ("LEXEME", "SPKR-INFO"):
        source.log.note("RTTM-LOOKAHEAD", f"the lookahead time of {kind} is not kept", number)
    return Record(
        kind,
        recording,
        channel,
        start,
        end,
        _or_none(text),
        said,
        _or_none(speaker),
        confidence,
        ahead,
        number,
    )


def read_records(cut: Cutter, first: int, text: str) -> list[Record] | None:
    """The records of many lines, the first of this number; `None` where one wants a closer look."""
    columns = cut.cut(text, KINDS) or cut.cut(text, KINDS[:-1])
    if columns is None:
        return None
    types, recordings, channels, starts, lengths, texts, subtypes, speakers, sure = columns[:9]
    kinds = {name: name.upper() for name in set(types)}
    if not TYPES.issuperset(kinds.values()) or not UNUSUAL.isdisjoint(kinds.values()):
        return None
    subtypes_of = {kinds[name]: SUBTYPES[kinds[name]] | ABSENT for name in kinds}
    pairs = zip(types, subtypes, strict=True)
    said = set(pairs) if len(kinds) > 1 else product(kinds, set(subtypes))
    if any(subtype.lower() not in subtypes_of[kinds[name]] for name, subtype in said):
        return None
    if any(_or_none(text) is not None for column in columns[9:] for text in set(column)):
        return None
    confidences = _confidences(sure)
    if confidences is None:
        return None
    rows = zip(
        _each(types, str.upper),
        recordings,
        channels,
        starts,
        map(add, starts, lengths),
        *(_each(column, _or_none) for column in (texts, subtypes, speakers)),
        confidences,
        repeat(None),
        count(first),
    )
    # a row has as many members as a record: `_make` would count them once more
    return list(map(partial(tuple.__new__, Record), rows))


def _each(texts: list[str], change: Callable[[str], T]) -> Iterator[T]:
    """Every text changed; what is the same throughout is said once."""
    changed = {text: change(text) for text in set(texts)}
    if len(changed) == 1:
        return repeat(changed[texts[0]])
    return map(changed.__getitem__, texts)


def _confidences(texts: list[str]) -> Sequence[float | None] | None:
    absent = {text for text in set(texts) if text.lower() in ABSENT}
    if not absent:
        return plain_confidences(texts)
    known = [text for text in texts if text not in absent]
    if not known:
        return [None] * len(texts)
    numbers = plain_confidences(known)
    if numbers is None:
        return None
    values = iter(numbers)
    return [None if text in absent else next(values) for text in texts]


def _or_none(text: str) -> str | None:
    return None if text.lower() in ABSENT else text


def _check_count(source: Source, number: int, line: str, fields: Sequence[str]) -> None:
    count = len(fields)
    if count < 8 or count > 10:
        hint = " (names cannot hold blanks)" if count > 10 else ""
        raise field_count_error(source, number, line, count, 10, f"9 or 10 fields{hint}")
    if count == 8:
        source.log.warn("RTTM-FIELDS", "expected 9 or 10 fields, found 8: no confidence", number)


def _time(source: Source, number: int, line: str, index: int, text: str, what: str) -> int:
    if text.endswith("*") and len(text) > 1:
        source.log.note(
            "RTTM-ESTIMATED",
            f'the mark "*" of an estimated {what} is not kept',
            number,
            column_of_field(line, index),
        )
        text = text.rstrip("*")
    return read_time(source, number, line, index, text, what)


def _duration(source: Source, number: int, line: str, text: str, kind: str) -> int:
    if kind in POINTS:
        if text.lower() in ABSENT:
            return 0
        source.log.warn(
            "RTTM-VALUE",
            f"{kind} is a point in time: expected <NA>, found {quoted(text)}",
            number,
            column_of_field(line, 4),
        )
    return _time(source, number, line, 4, text, "duration")
