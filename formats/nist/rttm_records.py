"""The fields of an rttm line: type, subtype, times and confidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from operator import add
from typing import NamedTuple, TypeVar

from formats.nist.messages import (
    RTTM_CONFIDENCE,
    RTTM_ESTIMATED,
    RTTM_ESTIMATED_DURATION,
    RTTM_FIELDS,
    RTTM_LANGUAGE,
    RTTM_LOOKAHEAD,
    RTTM_POINT,
    RTTM_SUBTYPE,
    RTTM_VALUE,
)
from formats.reading.lines import FieldColumns, Line, plain_confidences
from formats.schema.times import LARGEST

BEGIN = 3
T = TypeVar("T")

SUBTYPES: dict[str, frozenset[str]] = {
    kind: frozenset(subtypes.split())
    for kind, subtypes in {
        "SEGMENT": "eval",
        "NOSCORE": "",
        "NO_RT_METADATA": "",
        "LEXEME": "lex fp frag un-lex for-lex alpha acronym interjection propernoun other",
        "NON-LEX": "laugh breath lipsmack cough sneeze other",
        "NON-SPEECH": "noise music other",
        "FILLER": "filled_pause discourse_marker explicit_editing_term discourse_response other",
        "EDIT": "repetition restart revision simple complex other",
        "SU": "statement question incomplete backchannel unannotated discourse_response other",
        "IP": "edit filler edit&filler other",
        "CB": "coordinating clausal other",
        "A/P": "",
        "SPEAKER": "",
        "SPKR-INFO": "adult_male adult_female child unknown",
    }.items()
}
TYPES = frozenset(SUBTYPES)
LANGUAGE = "LANGUAGE"
"""A type of language diarisation, not of NIST: its labels stand where those of `SPEAKER` do."""
POINTS = frozenset({"IP", "CB"})
UNUSUAL = POINTS | {"SPKR-INFO"}
"""Types whose times may be missing."""
ABSENT = frozenset({"<na>", ""})
KINDS = "sssttsssss"
"""The kinds of the fields for a `Cutter`; the last of ten may be omitted."""


class Record(NamedTuple):
    """One line; times are in nanoseconds, or `None` for ``<NA>``."""

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


class RecordColumns(NamedTuple):
    """Many records as columns; the fields are those of `Record`."""

    types: list[str]
    recordings: list[str]
    channels: list[str]
    starts: list[int]
    ends: list[int]
    texts: list[str | None]
    subtypes: list[str | None]
    speakers: list[str | None]
    confidences: list[float | None]
    lookaheads: list[str | None]
    lines: list[int]

    @classmethod
    def of(cls, records: Iterable[Record]) -> RecordColumns:
        """Return the columns of records; there may be no records."""
        columns = list(zip(*records, strict=True)) or [()] * len(cls._fields)
        return cls(*map(list, columns))

    def extend(self, others: RecordColumns) -> None:
        """Append the records of other columns."""
        for column, other in zip(self, others, strict=True):
            column += other  # type: ignore[operator]

    def records(self) -> Iterator[Record]:
        """Yield the records."""
        # a row has as many members as a record: `_make` would count them once more
        return map(partial(tuple.__new__, Record), zip(*self, strict=True))


def read_record(line: Line) -> Record:
    """Parse a line and return its record."""
    fields = line.columns
    kind = fields[0].upper()
    if kind == LANGUAGE:
        line.say(RTTM_LANGUAGE)
        kind = "SPEAKER"
    if kind not in TYPES:
        raise line.error(0, f"a type out of {', '.join(sorted(TYPES))}")
    hint = " (names cannot hold blanks)" if len(fields) > 10 else ""
    line.fields(8, f"9 or 10 fields{hint}", 10)
    if len(fields) == 8:
        line.say(RTTM_FIELDS)
    _, recording, channel, begin, duration, text, subtype, speaker = fields[:8]
    start = end = 0
    if kind != "SPKR-INFO":
        start = _time(line, BEGIN, "begin time")
        end = start + _duration(line, kind)
        if end > LARGEST:
            raise line.error(4, "an end within 292 years")
    elif begin.lower() not in ABSENT or duration.lower() not in ABSENT:
        line.say(RTTM_VALUE)
    if subtype.lower() not in SUBTYPES[kind] | ABSENT:
        expected = ", ".join(sorted(SUBTYPES[kind])) or "<NA>"
        line.say(RTTM_SUBTYPE, 6, subtype=subtype, type=kind, expected=expected)
    confidence = None
    if len(fields) > 8 and fields[8].lower() not in ABSENT:
        confidence = line.number_at(8, "a confidence or <NA>")
        if not 0.0 <= confidence <= 1.0:
            line.say(RTTM_CONFIDENCE, 8, text=fields[8])
    lookahead = _or_none(fields[9]) if len(fields) > 9 else None
    if lookahead is not None and kind in ("LEXEME", "SPKR-INFO"):
        line.say(RTTM_LOOKAHEAD, type=kind)
    return Record(
        kind,
        recording,
        channel,
        start,
        end,
        _or_none(text),
        _or_none(subtype),
        _or_none(speaker),
        confidence,
        lookahead,
        line.number,
    )


def _time(line: Line, index: int, noun: str) -> int:
    text = line.columns[index]
    if text.endswith("*") and len(text) > 1:
        line.say(RTTM_ESTIMATED if index == BEGIN else RTTM_ESTIMATED_DURATION, index)
        line.columns[index] = text.rstrip("*")
    return line.time(index, noun)


def _duration(line: Line, kind: str) -> int:
    if kind in POINTS:
        text = line.columns[4]
        if text.lower() in ABSENT:
            return 0
        line.say(RTTM_POINT, 4, type=kind, text=text)
    return _time(line, 4, "duration")


def read_records(
    cut: Callable[[str, str], FieldColumns | None], first: int, text: str
) -> RecordColumns | None:
    """Parse lines, of which the first has the number `first`.

    Return `None` if `read_record` must read one of the lines.
    """
    columns = cut(text, KINDS) or cut(text, KINDS[:-1])
    if columns is None:
        return None
    types, recordings, channels, starts, lengths, texts, subtypes, speakers, sure = columns[:9]
    kinds = {name: name.upper() for name in _different(types)}
    if not TYPES.issuperset(kinds.values()) or not UNUSUAL.isdisjoint(kinds.values()):
        return None
    subtypes_of = {kinds[name]: SUBTYPES[kinds[name]] | ABSENT for name in kinds}
    pairs = zip(types, subtypes, strict=True)
    used = set(pairs) if len(kinds) > 1 else product(kinds, _different(subtypes))
    if any(subtype.lower() not in subtypes_of[kinds[name]] for name, subtype in used):
        return None
    if any(_or_none(text) is not None for column in columns[9:] for text in _different(column)):
        return None
    confidences = _confidences(sure)
    if confidences is None:
        return None
    return RecordColumns(
        _each(types, str.upper),
        recordings,
        channels,
        starts,
        list(map(add, starts, lengths)),
        _each(texts, _or_none),
        _each(subtypes, _or_none),
        _each(speakers, _or_none),
        confidences,
        [None] * len(types),
        list(range(first, first + len(types))),
    )


def _different(texts: list[str]) -> set[str]:
    """Return the set of texts in a column; fast if all texts are equal."""
    return {texts[0]} if texts.count(texts[0]) == len(texts) else set(texts)


def _each(texts: list[str], change: Callable[[str], T]) -> list[T]:
    """Apply `change` to each text, but only once to equal texts; return the results."""
    changed = {text: change(text) for text in _different(texts)}
    if len(changed) == 1:
        return [changed[texts[0]]] * len(texts)
    return list(map(changed.__getitem__, texts))


def _confidences(texts: list[str]) -> list[float | None] | None:
    absent = {text for text in _different(texts) if text.lower() in ABSENT}
    if absent.issuperset(texts):
        return [None] * len(texts)
    numbers = plain_confidences([text for text in texts if text not in absent])
    if numbers is None:
        return None
    values = iter(numbers)
    return [None if text in absent else next(values) for text in texts]


def _or_none(text: str) -> str | None:
    return None if text.lower() in ABSENT else text
