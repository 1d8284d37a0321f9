"""The chronological display of the records of both sides (`-e`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.tasks.speakers.evaluation import ChannelEvaluation
from scoring.tasks.speakers.md_eval_records import METADATA, NONE, TimedRecord
from scoring.tasks.speakers.metadata.events import POINTS, words_between

# Types in the order of display, with their short names.
SHORT = {
    "NOSCORE": "XS",
    "NO_RT_METADATA": "NM",
    "SEGMENT": "SG",
    "SPEAKER": "SP",
    "SU": "SU",
    "A/P": "AP",
    "NON-SPEECH": "NS",
    "EDIT": "ED",
    "FILLER": "FL",
    "IP": "IP",
    "CB": "CB",
    "NON-LEX": "NL",
    "LEXEME": "LX",
}
ORDER = {kind: place for place, kind in enumerate(SHORT)}
OF_SYSTEM = frozenset({"SPEAKER", "SU", "EDIT", "FILLER", "IP", "LEXEME"})


class _Border(NamedTuple):
    """The start or end of a record, with its sort keys."""

    time: float
    is_begin: bool
    kind_order: int
    is_heard: bool
    record: TimedRecord


class _Line:
    """The borders of records on one line of the display.

    A side has one record, with its start, its end or both.
    """

    def __init__(self) -> None:
        self.records: dict[bool, TimedRecord] = {}
        self.borders: set[tuple[bool, bool]] = set()

    def half(self, is_heard: bool) -> tuple[TimedRecord | None, bool, bool]:
        """Return a side's record, and whether its start and its end are on the line."""
        begin, end = ((is_heard, is_begin) in self.borders for is_begin in (True, False))
        return self.records.get(is_heard), begin, end


def chronology(
    evaluation: ChannelEvaluation,
    spoken: Sequence[TimedRecord],
    heard: Sequence[TimedRecord],
    speakers: Mapping[str, str],
) -> Iterator[str]:
    """Yield the lines of the display; `speakers` maps the system's speakers to partners."""
    where = f"file '{evaluation.file}', channel '{evaluation.channel}'"
    yield f"\nChronological display of sys data aligned with ref data for {where}\n"
    yield (
        "----------------------- reference ----------------------- | mapped | "
        "--------------------- system output ---------------------\n"
        "    --type-- -subtyp- -----word/spkr-----  -tbeg-  -tend- | ref_ID | "
        "    --type-- -subtyp- -----word/spkr-----  -tbeg-  -tend-\n"
    )
    numbers: Counter[str] = Counter()
    for record in spoken:
        numbers[record.kind] += 1
        record.number = numbers[record.kind]
    for line in _lines(spoken, heard):
        yield _text(line, speakers, evaluation.spoken.words)


def _lines(spoken: Sequence[TimedRecord], heard: Sequence[TimedRecord]) -> Iterator[_Line]:
    """Yield the lines in order of time.

    Adjacent borders of a record and its partner share a line.
    """
    borders = []
    for is_heard, records in enumerate((spoken, heard)):
        for record in records:
            if is_heard and record.kind not in OF_SYSTEM:
                continue
            for is_begin in (True, False)[: 1 if record.kind in POINTS else 2]:
                order = ORDER[record.kind] * (1 if is_begin else -1)
                time = _time_of(record, is_begin)
                borders.append(_Border(time, is_begin, order, bool(is_heard), record))
    borders.sort(key=lambda border: border[:4])
    line, last = _Line(), None
    for border in borders:
        record = border.record
        if last is not None and record is not last and record.partner is not last:
            yield line
            line = _Line()
        line.records[border.is_heard] = last = record
        line.borders.add((border.is_heard, border.is_begin))
    if last is not None:
        yield line


def _time_of(record: TimedRecord, is_begin: bool) -> float:
    """Return the time that decides the order of a border, rounded to hundredths of a second."""
    time, moved = (record.begin, record.moved_begin) if is_begin else (record.end, record.moved_end)
    return int(100 * (time if moved is None else moved) + 0.5) / 100


def _text(line: _Line, speakers: Mapping[str, str], words: Sequence[TimedRecord]) -> str:
    """Return the printed form of a line."""
    spoken, begins, ends = line.half(False)
    heard, heard_begins, heard_ends = line.half(True)
    text = ""
    if spoken is not None:
        tag = ""
        if spoken.partner is not None:
            tag = f"{SHORT[spoken.kind]}{spoken.number}"
        elif spoken.kind in METADATA:
            tag = "*Miss*"
        text = f"{_half(spoken, begins, ends, spoken.speaker, 3)} | {tag:<6.6} |"
    elif heard is not None:
        tag = ""
        if heard.partner is not None:
            tag = f"{SHORT[heard.partner.kind]}{heard.partner.number}"
        elif heard.kind in METADATA:
            tag = "**FA**"
        moved = [
            f"{time if moved is None else moved:8.2f}" if is_here else " " * 8
            for is_here, time, moved in (
                (heard_begins, heard.begin, heard.moved_begin),
                (heard_ends, heard.end, heard.moved_end),
            )
        ]
        text = f"{' ' * 41}{''.join(moved)} | {tag:<6.6} |"
    if heard is not None:
        speaker, partner = heard.speaker, speakers.get(heard.speaker, "0")
        # Perl takes a speaker called 0 for none
        speaker += "" if partner == "0" else f"=>{partner}"
        text += _half(heard, heard_begins, heard_ends, speaker, -3)
        if heard.kind in METADATA and heard.partner is not None:
            offset = _offset(heard.partner, heard, heard_ends, words)
            text += f" dw={offset}" if offset else ""
    return f"{text}\n"


def _half(record: TimedRecord, begins: bool, ends: bool, speaker: str, width: int) -> str:
    """Return the columns of one side; a negative `width` aligns the first column to the right."""
    border = "" if record.kind in POINTS or (begins and ends) else "beg" if begins else "end"
    border = f"{border:<{width}}" if width > 0 else f"{border:>{-width}}"
    text = speaker if record.text == NONE else _capitals(record.text)
    begin, end = (
        f"{time:8.2f}" if is_here else " " * 8
        for is_here, time in ((begins, record.begin), (ends, record.end))
    )
    return f"{border} {record.kind:<8.8} {record.subtype:<8.8} {text:<19.19}{begin}{end}"


def _capitals(text: str) -> str:
    """Convert ASCII letters to upper case."""
    return text.encode("latin-1").upper().decode("latin-1")


def _offset(
    spoken: TimedRecord, heard: TimedRecord, is_end: bool, words: Sequence[TimedRecord]
) -> int:
    """Count the words between two borders; words outside both records do not count."""
    if is_end:
        left, right = spoken.last_word, heard.last_word
        if left <= right:
            left = max(left, heard.first_word - 1)
        else:
            right = max(spoken.first_word - 1, right)
        return words_between("END", left, right, words)
    left, right = spoken.first_word, heard.first_word
    if left <= right:
        right = min(1 + spoken.last_word, right)
    else:
        left = min(left, 1 + heard.last_word)
    return words_between("BEG", left, right, words)
