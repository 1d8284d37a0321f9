"""The lines that show how words (`-d`) and metadata (`-D`) were aligned and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from scoring.tasks.speakers.md_eval_records import TimedRecord
from scoring.tasks.speakers.metadata.words import is_error, word_count

NONE, NO_TIME = "---", "--- "
STRAY = f"{'UNEXPECTED MAPPED SYS WORD:':>71}"
LOST = f"{'SYS WRD NOT FOUND FOR REF WRD:':>71}"
WITH_WORDS = frozenset({"LEXEME", "NON-LEX", "NON-SPEECH"})


class AlignedPair(NamedTuple):
    """Two aligned records, or one record without a partner or with a partner out of order."""

    spoken: TimedRecord | None
    heard: TimedRecord | None
    is_stray: bool = False  # whether the one record has a partner that comes out of order
    is_after_all: bool = False  # whether the reference has no more records


def aligned_pairs(
    spoken: Sequence[TimedRecord], heard: Sequence[TimedRecord]
) -> Iterator[AlignedPair]:
    """Pair records of both sides in order; unpaired system records come before the next pair."""
    rest = 0
    for record in spoken:
        if record.partner is None:
            yield AlignedPair(record, None)
            continue
        while rest < len(heard) and heard[rest] is not record.partner:
            yield AlignedPair(None, heard[rest], heard[rest].partner is not None)
            rest += 1
        if rest < len(heard):
            yield AlignedPair(record, heard[rest])
            rest += 1
        else:
            yield AlignedPair(record, None, True)
    for other in islice(heard, rest, None):
        yield AlignedPair(None, other, other.partner is not None, True)


def word_details(
    spoken: Sequence[TimedRecord], heard: Sequence[TimedRecord], gap: float, *, by_alignment: bool
) -> Iterator[str]:
    """Yield the lines of the words of both sides."""
    for pair in aligned_pairs(spoken, heard):
        if pair.is_stray:
            yield _stray_detail(pair)
        if pair.heard is None and pair.is_stray:
            continue
        count = 0 if pair.spoken is None else word_count(pair.spoken)
        wrong = int(is_error(pair.spoken, pair.heard, gap))
        yield detail(pair, count, wrong, by_alignment=by_alignment)


def heading(*, by_alignment: bool) -> str:
    """Return the line with the headings of the columns."""
    reference = (
        f" ref del ins sub {'REF:  token':>16} {'type':<7}{'tbeg':>8}{'tend':>8} {'speaker':<12}"
    )
    system = f" {'SYS:  token':>16} {'type':<7}"
    if by_alignment:
        times = f"{'Rtbeg':>7}{'Rtend':>8} {'tbeg':>8}{'tend':>8} {'sys-speaker':<12}"
        return f"{reference}{system}  {times}\n"
    return f"{reference}{system}{'tbeg':>8}{'tend':>8} {'speaker':<12}\n"


def detail(pair: AlignedPair, spoken: int, wrong: int, *, by_alignment: bool) -> str:
    """Return the line of a pair, including the numbers of its reference words and of its errors."""
    counts = ["-"] * 4
    counts[0] = str(spoken)
    column = 1 if pair.heard is None else 2 if pair.spoken is None else 3
    counts[column] = str(wrong)
    text = "".join(f"{count:>4}" for count in counts) + _half(pair.spoken)
    record = pair.heard
    if not by_alignment:
        return f"{text}{_half(record)}\n"
    if record is None:
        times = f"({NO_TIME:>7}{NO_TIME:>8}){NO_TIME:>8}{NO_TIME:>8}"
        return f"{text} {NONE:>16} {NONE:<7} {times} {NONE:<12}\n"
    word, kind = _name_of(record)
    moved = f"({record.moved_begin or 0:7.2f}{record.moved_end or 0:8.2f})"
    times = f"{moved}{record.begin:8.2f}{record.end:8.2f}"
    return f"{text} {word:>16.16} {kind:<7} {times} {record.speaker:<12.12}\n"


def _half(record: TimedRecord | None) -> str:
    """Return the columns of one side."""
    if record is None:
        return f" {NONE:>16} {NONE:<7}{NO_TIME:>8}{NO_TIME:>8} {NONE:<12}"
    word, kind = _name_of(record)
    times = f"{record.begin:8.2f}{record.end:8.2f}"
    return f" {word:>16.16} {kind:<7}{times} {record.speaker:<12.12}"


def _name_of(record: TimedRecord) -> tuple[str, str]:
    """Return the word and its type, or the subtype and type of metadata."""
    if record.kind in WITH_WORDS:
        return record.text, record.word_type
    return record.subtype, record.kind


def _stray_detail(pair: AlignedPair) -> str:
    """Return the line of a word whose partner is out of order; only option `-o` causes this."""
    title, record = (LOST, pair.spoken) if pair.heard is None else (STRAY, pair.heard)
    assert record is not None
    blanks = "" if pair.is_after_all else " " * 18
    times = f"{record.begin:8.2f}{record.duration:8.2f}"
    return f"{title}{record.text:>16} {record.word_type:<7}{blanks}{times} {record.speaker:<16}\n"
