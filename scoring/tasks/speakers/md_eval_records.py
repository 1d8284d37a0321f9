"""Readers of md-eval's input: rttm and uem, with md-eval's rules and messages.

Names and types are byte text. Times are seconds in the same doubles as in md-eval, because equality
of times and rounding depend on them. A text that is not a number is rejected; Perl would read its
numeric prefix, or 0.
"""

from __future__ import annotations

import errno
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from formats.nist.rttm_records import SUBTYPES
from formats.schema.errors import reason_of
from scoring.model.errors import InputError, OriginalError
from scoring.nist.transcripts.characters import to_bytes
from scoring.tasks.speakers.der.exclusion import TURN, WORD

NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?", re.ASCII)
NONE = "<na>"
LEAST_FIELDS = 9
LATEST = 2**33
"""The upper limit of times, in seconds."""
DIED, DIED_READING = 255, errno.ENOTTY
"""Perl's exit statuses: 255, or the error that an open file leaves behind."""
METADATA = frozenset({"FILLER", "EDIT", "IP", "SU"})
WORD_TYPES = frozenset({"fp", "frag", "un-lex", "for-lex"})
IN_EXTENT = METADATA | {"SEGMENT", "SPEAKER", "CB", "A/P", "LEXEME", "NON-LEX"}
WHOLE_WORDS = frozenset({"mm-hmm", "uh-huh", "um-hmm"})
# The validators know one subtype that md-eval does not, and md-eval takes <NA> for some.
KNOWN = {kind: subtypes or {NONE} for kind, subtypes in SUBTYPES.items()} | {
    "SEGMENT": {"eval", NONE},
    "SU": SUBTYPES["SU"] - {"discourse_response"},
}


Stretch = tuple[float, float]


class Turns(NamedTuple):
    """The SPEAKER records of a speaker as columns: start, end, middle, and the start as a text."""

    begins: NDArray[np.float64]
    ends: NDArray[np.float64]
    middles: NDArray[np.float64]
    texts: list[str]
    # Where a system's turns were moved: what is written of their ends, and which last
    end_texts: list[str] | None = None
    lasting: NDArray[np.bool_] | None = None

    def followed_by(self, others: Turns) -> Turns:
        """Concatenate the turns of two files."""
        begins, ends, middles = (
            np.concatenate(both) for both in zip(self[:3], others[:3], strict=True)
        )
        return Turns(begins, ends, middles, self.texts + others.texts)

    def of_some_length(self) -> NDArray[np.bool_]:
        """Return a flag for each turn: True if it has a duration.

        A later change of the times does not change the flags.
        """
        return self.begins < self.ends if self.lasting is None else self.lasting

    def text_of(self, border: int) -> str:
        """Return the time of a border in Perl's number format.

        The borders are the starts of the turns with a duration, then the ends of these.
        """
        places = np.flatnonzero(self.of_some_length()).tolist()
        is_end, turn = divmod(border, len(places))
        index: int = places[turn]
        if not is_end:
            return self.texts[index]
        return self.end_texts[index] if self.end_texts else f"{self.ends[index]:.15g}"

    def borders(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return begins, ends and middles of turns with a duration.

        md-eval sorts them by middles.
        """
        lasting = self.of_some_length()
        return self.begins[lasting], self.ends[lasting], self.middles[lasting]


@dataclass(slots=True, eq=False)
class TimedRecord:
    """A record of an rttm with its times and position; a word with a hyphen is two records."""

    kind: str
    begin: float
    end: float
    middle: float
    text: str
    duration: float = 0.0  # as written; `end - begin` may be rounded
    subtype: str = NONE
    speaker: str = NONE
    begin_text: str = ""
    # The record of the other side that it is aligned with
    partner: TimedRecord | None = None
    # Times by the words of the reference, of records of the system
    moved_begin: float | None = None
    moved_end: float | None = None
    # Places of the first and last word of the reference within it
    first_word: int = 0
    last_word: int = -1
    # Subtypes of the metadata that a word is in, by type
    attributes: dict[str, str] | None = None
    is_scoreable: bool = True
    number: int = 0  # among the records of its type, in the chronological display

    @property
    def word_type(self) -> str:
        """The type by which words are aligned; unknown subtypes count as lexical."""
        return self.subtype if self.subtype in WORD_TYPES else "lex"

    @property
    def moved_middle(self) -> float | None:
        """The middle of the record at the reference's times; None without a mapped time."""
        if self.moved_begin is None or self.moved_end is None:
            return None
        return self.moved_begin + (self.moved_end - self.moved_begin) / 2


@dataclass(slots=True)
class EvaluatedChannel:
    """The records of a side's rttm for a channel of a file."""

    # By speaker: turns in the order of the file, and what SPKR-INFO calls the speaker
    turns: dict[str, Turns] = field(default_factory=dict)
    # The records of the turns, by speaker in the order of the file; none if there are only turns
    records: dict[str, list[TimedRecord]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    # All records in the order of their middles; none if there are only turns
    marks: list[TimedRecord] = field(default_factory=list)
    words: list[TimedRecord] = field(default_factory=list)  # the words among them
    # Earliest begin and latest end of records that make the region where no uem does
    extent: Stretch | None = None
    # The records of metadata by type, in the order of their middles
    metadata: dict[str, list[TimedRecord]] = field(default_factory=dict)

    def type_of(self, speaker: str) -> str:
        """Return the type of a speaker from SPKR-INFO, or `unknown`."""
        return self.types.get(speaker, "unknown")

    def gender_of(self, speaker: str) -> str:
        """Return the gender in a speaker's SPKR-INFO; empty if only metadata name the speaker."""
        return self.types.get(speaker, "unknown" if speaker == "unknown" else "")


Channels = dict[tuple[str, str], EvaluatedChannel]


def fatal(text: str, status: int = DIED) -> NoReturn:
    """Raise the error with which md-eval ends if the data are invalid."""
    raise died(f"\n\nFATAL ERROR{text}\n\n", status)


def died(text: str, status: int = DIED) -> OriginalError:
    """Return the error with which md-eval ends.

    `text` is printed, and `status` is the exit status.
    """
    error = OriginalError(text)
    error.status = status
    return error


def content_of(name: str, noun: str, usage: str) -> bytes:
    """Return the bytes of a file; `-` is standard input."""
    try:
        if name == "-":
            content = sys.stdin.buffer.read()
        else:
            with open(to_bytes(name), "rb") as file:
                content = file.read()
    except (OSError, ValueError) as problem:
        reason = reason_of(problem) if isinstance(problem, OSError) else str(problem)
        raise died(
            f"\nCOMMAND LINE ERROR:  unable to open {noun} '{name}'{usage}\n({reason})\n",
            getattr(problem, "errno", None) or errno.ENOENT,
        ) from None
    return content


def said_in(content: bytes) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither blank nor comments, each after its number."""
    for number, line in enumerate(content.decode("latin-1").split("\n"), 1):
        text = line.lstrip(" \t\n\r\f\v")
        if text and text[0] not in "#;":
            yield number, line


def fields_of(line: str) -> list[str]:
    """Split a line at ASCII white space."""
    return [part.decode("latin-1") for part in line.encode("latin-1").split()]


def lowered(text: str) -> str:
    """Convert ASCII letters to lower case."""
    return text.encode("latin-1").lower().decode("latin-1")


def read_glm(name: str, usage: str) -> dict[str, list[str]]:
    """Return the word map of option `-g`: each word, and the words into which it is expanded."""
    parts: dict[str, list[str]] = {}
    for line in content_of(name, "glm file", usage).decode("latin-1").split("\n"):
        if not re.match(r"\s*[\[*%;]", line, re.ASCII):
            fields = re.split(r"(?<!\s)\s+=>\s+", lowered(line), flags=re.ASCII)
            word, words, *_ = [*fields[not fields[0] :], "", ""]
            expansion = fields_of(re.sub(r"[^-a-z'_ .].*", "", words))
            if word.strip() and expansion:
                parts[word.lstrip()] = expansion
    return parts


def read_rttm(
    names: Iterable[str],
    usage: str,
    parts: Mapping[str, Sequence[str]],
    *,
    needs_records: bool = False,
) -> Channels:
    """Return the channels of all files, including channels that appear only in SPKR-INFO.

    Files with only turns are read as columns. Their records are created only if they are needed.
    """
    channels: Channels = {}
    read: list[tuple[str, bytes]] = []
    in_columns = not needs_records
    for name in names:
        read.append((name, content_of(name, "RTTM file", usage)))
        if in_columns and _take_turns(channels, read[-1][1]):
            continue
        if in_columns:
            channels.clear()
        for path, content in read if in_columns else read[-1:]:
            for number, line in said_in(content):
                _take(channels, path, number, line, parts)
            for channel in channels.values():
                for speaker in channel.records:
                    channel.types.setdefault(speaker, "unknown")
        in_columns = False
    for channel in channels.values():
        for speaker, records in channel.records.items():
            channel.turns[speaker] = Turns(
                np.array([record.begin for record in records]),
                np.array([record.end for record in records]),
                np.array([record.middle for record in records]),
                [record.begin_text for record in records],
            )
            for record in records:
                record.subtype = channel.type_of(speaker)
        channel.marks.sort(key=lambda mark: mark.middle)
        channel.words = [mark for mark in channel.marks if mark.kind == WORD]
        for mark in channel.marks:
            if mark.kind in METADATA:
                channel.metadata.setdefault(mark.kind, []).append(mark)
    return channels


def _take_turns(channels: Channels, content: bytes) -> bool:
    """Add all turns of a file and return True.

    If a turn is malformed, add none and return False.
    """
    lines = content.count(b"\n") + (not content.endswith(b"\n"))
    fields = content.split()
    width = len(fields) // lines
    # so every line begins with the type, which stands nowhere else: all have as many fields
    kinds = content.startswith(b"SPEAKER ") + content.count(b"\nSPEAKER ")
    if width < LEAST_FIELDS or len(fields) != lines * width or kinds != lines:
        return False
    if {*fields[::width]} != {b"SPEAKER"} or {*fields[6::width]} != {b"<NA>"}:
        return False
    begins, lengths = (b" ".join(fields[at::width]).lower() for at in (3, 4))
    if b"_" in begins + lengths:
        return False
    written = begins.decode("latin-1").split(" ")
    try:
        starts = np.array(list(map(float, begins.split(b" "))))
        seconds = np.array(list(map(float, lengths.split(b" "))))
    except ValueError:
        return False
    if not (np.abs(starts) < LATEST).all() or not ((seconds >= 0) & (seconds < LATEST)).all():
        return False
    if (np.signbit(starts) & (starts == 0)).any():
        return False
    ends, middles = starts + seconds, starts + seconds / 2
    numbers: dict[tuple[bytes, bytes, bytes], int] = {}
    keys = zip(fields[1::width], fields[2::width], fields[7::width], strict=True)
    owners = np.array([numbers.setdefault(key, len(numbers)) for key in keys])
    order = np.argsort(owners, kind="stable")
    parts = np.split(order, 1 + np.flatnonzero(np.diff(owners[order])))
    for (file, name, speaker), part in zip(numbers, parts, strict=True):
        channel_key = file.decode("latin-1"), lowered(name.decode("latin-1"))
        channel = channels.setdefault(channel_key, EvaluatedChannel())
        texts = [written[at] for at in part.tolist()]
        turns = Turns(starts[part], ends[part], middles[part], texts)
        who = speaker.decode("latin-1")
        earlier = channel.turns.get(who)
        channel.turns[who] = turns if earlier is None else earlier.followed_by(turns)
        first, last = channel.extent or (LATEST, 0)
        channel.extent = min(first, turns.begins.min().item()), max(last, turns.ends.max().item())
    return True


def _take(
    channels: Channels, path: str, number: int, line: str, parts: Mapping[str, Sequence[str]]
) -> None:
    source = f"    input RTTM record is: '{line}\n'"
    fields = fields_of(line)
    if len(fields) < LEAST_FIELDS:
        fatal(f":  insufficient number of fields in RTTM file '{path}'\n{source}", DIED_READING)
    kind, file, name = lowered(fields[0]).upper(), fields[1], lowered(fields[2])
    length, word, subtype = (lowered(text) for text in fields[4:7])
    length = length.replace("*", "", 1)
    seconds = 0.0 if length == NONE else _number(path, number, length, "a duration")
    if seconds < 0:
        fatal(f" -- negative metadata duration in file {file},'\n{source}", DIED_READING)
    if subtype not in KNOWN.get(kind, ()):
        pair = f"('{kind}'/'{subtype}')"
        fatal(f":  unknown RTTM data type/subtype {pair} in file {path}\n{source}", DIED_READING)
    channel = channels.setdefault((file, name), EvaluatedChannel())
    speaker = fields[7]
    if kind == "SPKR-INFO":
        if speaker in channel.types:
            problem = f":  multiple {kind} records for speaker {speaker} in file {file}"
            fatal(f"{problem}\n{source}", DIED_READING)
        channel.types[speaker] = subtype
        return
    begin_text = lowered(fields[3]).replace("*", "", 1)
    start = _number(path, number, begin_text, "a begin")
    end, middle = start + seconds, start + seconds / 2
    mark = TimedRecord(kind, start, end, middle, word, seconds, subtype, speaker, begin_text)
    if kind == TURN:
        channel.records.setdefault(speaker, []).append(mark)
    marks = [mark]
    words = _parts_of(word, parts) if kind == WORD else ()
    if words:
        # several words, each as long
        share, marks = seconds / len(words), []
        for text in words:
            end, middle = start + share, start + share / 2
            record = TimedRecord(kind, start, end, middle, text, share, subtype, speaker)
            record.begin_text = "" if marks else begin_text
            marks.append(record)
            start += share
    channel.marks += marks
    if kind in IN_EXTENT:
        for mark in marks:
            first, last = channel.extent or (mark.begin, 0)
            channel.extent = min(first, mark.begin), max(last, mark.end)


def _parts_of(word: str, parts: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """Return the parts that replace a word; empty if the word stays whole."""
    if word in parts:
        return parts[word]
    if word in WHOLE_WORDS or "-" not in word[1:-1]:
        return ()
    hyphen = word.rindex("-", 1, len(word) - 1)
    return word[:hyphen], word[hyphen + 1 :]


def _number(path: str, line: int, text: str, noun: str) -> float:
    if NUMBER.fullmatch(text) is None or not abs(float(text)) < LATEST:
        raise InputError(path, line, None, f"expected {noun} in seconds, found {text!r}")
    number = float(text)
    # for Perl -0 is an integer, which has no sign
    return number if number or "." in text else abs(number)


class Region(NamedTuple):
    """A line of a uem file, with the texts of its times."""

    begin: float
    end: float
    texts: tuple[str, str]


def read_uem(name: str, keep_folders: bool, usage: str) -> dict[tuple[str, str], list[Region]]:
    """Return the regions by file and channel, in order of time."""
    by_channel: dict[tuple[str, str], list[Region]] = {}
    for number, line in said_in(content_of(name, "uem file", usage)):
        fields = fields_of(line)
        if len(fields) < 4:
            record = f"    record is: '{line}\n'"
            fatal(f":  insufficient number of fields in UEM record\n{record}", DIED_READING)
        file = fields[0] if keep_folders else fields[0].rpartition("/")[2]
        file = re.sub(r"\.[^.]*", "", file, count=1)
        begin, end = (re.sub(r"[^0-9.]", "", text) for text in fields[2:4])
        by_channel.setdefault((file, lowered(fields[1])), []).append(
            Region(
                _number(name, number, begin, "a begin"),
                _number(name, number, end, "an end"),
                (begin, end),
            )
        )
    for (file, channel), regions in by_channel.items():
        regions.sort(key=lambda region: region.begin)
        before: Region | None = None
        for region in regions:
            if region.end <= region.begin:
                fatal(
                    ":  non-positive evaluation segment length in UEM data for file "
                    f"{file}, channel {channel}"
                )
            if before is not None and region.begin < before.end:
                fatal(
                    ":  UEM file has overlapping evaluation segments\n"
                    f"    file {file}, channel {channel}:  ({','.join(before.texts)}), "
                    f"({','.join(region.texts)})"
                )
            before = region
    return by_channel
