"""rttm: rich transcription time marks, with one turn, word or event per line.

``type recording channel begin duration orthography subtype speaker confidence [lookahead]``

Times are decimal seconds, ``<NA>`` means a missing value, and comments begin with ``;`` or ``#``. A
table with commas is read in the same way if its first line has the names of the fields
(``Type,File ID,Channel ID,…``).

=====================================  ============================================================
in the file                            in the schema
=====================================  ============================================================
``SPEAKER``                            a `Segment` with speaker and times
``LEXEME``                             a word of the same speaker's turn that contains it; words
                                       outside turns form segments without times
subtype of a word, ``lex`` by default  `Token.kind`; ``lex`` is `None`
``NON-LEX``, ``NON-SPEECH``            kind ``event``; the type becomes the `tier`, the subtype the
                                       word
``FILLER EDIT SU IP CB A/P``           kind ``event``; the type becomes the `tier`
``NOSCORE``, ``NO_RT_METADATA``        kind ``ignored``; ``NO_RT_METADATA`` is also the `tier`
``SEGMENT``                            kind ``scored``; its subtype in ``properties["subtype"]``
``LANGUAGE``                           not of NIST: read like ``SPEAKER``, with a note
``SPKR-INFO``                          ``properties["gender"]`` of the speaker's segments
lookahead time                         ``properties["lookahead"]``; that of words is dropped
=====================================  ============================================================

The whole file is held in memory, because a turn may come after its words in the file. Segments are
sorted by begin within a recording and channel.

If turns of one speaker overlap, md-eval warns and counts the speaker once; this reader also warns,
and with ``rttm_merge`` it merges the turns. Old versions of pyannote write 8 fields; this reader
accepts them with a warning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, repeat
from operator import itemgetter, le
from typing import Any, TypeAlias

from formats.detection.spec import FormatSpec, Option, Sniff, WriteFunction, decimals, loaded_later
from formats.io.source import Source
from formats.nist.messages import RTTM_DUPLICATE, RTTM_MERGED, RTTM_OVERLAP, RTTM_SPEAKER
from formats.nist.rttm_records import (
    LANGUAGE,
    TYPES,
    Record,
    RecordColumns,
    read_record,
    read_records,
)
from formats.nist.rttm_turns import SLACK, dealt
from formats.reading.lines import Line, cutter, read_in_bulk, records_of, split_fields, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import is_time
from formats.schema.words import Alternation, Item, Token

TABLE_NAMES = ("type", "file", "channel", "", "", "ortho", "", "speaker", "conf")
"""How the names of the fields begin, in the first line of a table."""
SpokenPiece: TypeAlias = "tuple[int, int, int, Segment]"


class _Channel:
    """The records of one channel of a recording; its turns and words are grouped by speaker."""

    def __init__(self, recording: str, channel: str) -> None:
        self.recording = recording
        self.channel = channel
        self.turns: dict[str | None, list[Record]] = {}
        self.words: dict[str | None, list[Record]] = {}
        self.others: list[Record] = []
        self.speakers: dict[str, Record] = {}

    def extend(self, records: list[Record]) -> None:
        """Add records that all have the same type and speaker."""
        first = records[0]
        if first.type == "LEXEME":
            self.words[first.speaker] = [word for word in records if word.text is not None]
            self.others += [word for word in records if word.text is None]
        elif first.type == "SPEAKER":
            self.turns[first.speaker] = records
        else:
            self.others += records

    def add_speaker(self, source: Source, record: Record) -> None:
        """Store the data of a speaker; report a speaker whose data are repeated."""
        name = record.speaker or "<NA>"
        first = self.speakers.setdefault(name, record)
        if first is record:
            return
        if first.subtype != record.subtype:
            raise source.syntax_error(
                record.line,
                "one SPKR-INFO for a speaker",
                f"another one for {quoted(name)}, whom line {first.line} calls {first.subtype}",
            )
        source.log.say(RTTM_DUPLICATE, record.line, first=first.line)


def read(source: Source, *, rttm_sctk: bool = False, rttm_merge: bool = False) -> Iterator[Segment]:
    """Yield segments, events and regions by recording and channel, in order of appearance."""
    channels: dict[tuple[str, str], _Channel] = {}
    described: dict[tuple[str, str], _Channel] = {}  # SPKR-INFO stands before all, and is no place

    def read_line(line: Line) -> Iterator[Record]:
        record = read_record(line)
        if record.type != "SPKR-INFO":
            yield record
            return
        key = record.recording, record.channel
        described.setdefault(key, _Channel(*key)).add_speaker(source, record)

    def read_columns(first: int, text: str) -> list[RecordColumns] | None:
        columns = read_records(cut, first, text)
        return None if columns is None else [columns]

    def read_lines(first: int, lines: list[str]) -> list[RecordColumns]:
        records = records_of(source, first, lines, (";", "#"))
        return [RecordColumns.of(source.log.accepted("RTTM-SYNTAX", read_line, records))]

    cut = cutter(";#")
    columns = RecordColumns.of(())
    if _has_names(source.head_lines()):
        lines = _lines_of_table(source)
        columns = RecordColumns.of(source.log.accepted("RTTM-SYNTAX", read_line, lines))
    else:
        for batch in read_in_bulk(source, read_columns, read_lines):
            columns.extend(batch)
    silent = None if described else _silent_turns(source, columns, rttm_merge)
    if silent is not None:
        yield from silent
        return
    groups: defaultdict[tuple[str | None, ...], list[Record]] = defaultdict(list)
    for record in columns.records():
        groups[record[:3] + record[7:8]].append(record)
    for records in groups.values():
        key = records[0].recording, records[0].channel
        if key not in channels:
            channels[key] = described.get(key) or _Channel(*key)
        channels[key].extend(records)
    for channel in {**channels, **described}.values():
        yield from _channel_segments(source, channel, rttm_sctk, rttm_merge)


def _has_names(lines: Sequence[str]) -> bool:
    """Return True if the first line consists of the names of the fields, separated by commas."""
    names = lines[0].lower().replace("_", " ").split(",") if lines else []
    return len(names) in (9, 10) and all(map(str.startswith, names, TABLE_NAMES))


def _lines_of_table(source: Source) -> Iterator[Line]:
    """Yield the rows of a comma-separated table as lines; an empty cell becomes ``<NA>``."""
    import csv

    numbered = ((number, text) for number, text in source.lines() if strip_blanks(text))
    for number, text in islice(numbered, 1, None):
        try:
            cells = [cell or "<NA>" for cell in next(csv.reader([text], strict=True))]
        except csv.Error as error:
            found = f"{quoted(text[:60])} ({error})"
            raise source.syntax_error(number, "cells with commas between", found) from None
        yield Line(source, number, " ".join(cell.replace(" ", "_") for cell in cells), cells)


def _silent_turns(source: Source, columns: RecordColumns, merge: bool) -> Iterator[Segment] | None:
    """Return the segments of a file in which all records are turns without words and properties.

    Return `None` for any other file, and for turns that must be merged.
    """
    size = len(columns.types)
    bare = (columns.texts, columns.subtypes, columns.lookaheads)
    is_bare = all(column.count(None) == size for column in bare)
    if not is_bare or columns.types.count("SPEAKER") != size:
        return None
    ordered = _in_order(columns)
    overlaps = _overlaps(columns, ordered)
    if overlaps and merge:
        return None
    source.log.say_each(
        RTTM_OVERLAP, [line for line, _ in overlaps], before=[before for _, before in overlaps]
    )
    _, recordings, channels, starts, ends, _, _, speakers, sure, _, lines = ordered
    rows = zip(recordings, channels, speakers, starts, ends, sure, lines, strict=True)
    return (
        Segment(
            recording, (), channel=channel, speaker=speaker, start_ns=start, end_ns=end,
            confidence=confidence, line=line,
        )
        for recording, channel, speaker, start, end, confidence, line in rows
    )  # fmt: skip


def _overlaps(columns: RecordColumns, ordered: RecordColumns) -> list[tuple[int, int]]:
    """Return the lines of turns that overlap the speaker's turn before them, and of these.

    They are by recording and channel, then by speaker, in the order in which these appear.
    """
    befores: dict[tuple[str | None, ...], tuple[int, int]] = {}
    found: dict[tuple[str | None, ...], list[tuple[int, int]]] = {}
    speakers = zip(*ordered[1:3], ordered.speakers, strict=True)
    rows = zip(speakers, ordered.starts, ordered.ends, ordered.lines, strict=True)
    for speaker, start, end, line in rows:
        before = befores.get(speaker)
        if before is not None and start < before[0]:
            found.setdefault(speaker, []).append((line, before[1]))
        befores[speaker] = end - SLACK, line
    every = dict.fromkeys(zip(*columns[1:3], columns.speakers, strict=True)) if found else {}
    channels = dict.fromkeys(place[:2] for place in every)
    ranks = {channel: rank for rank, channel in enumerate(channels)}
    in_turn = sorted(every, key=lambda place: ranks[place[:2]])
    return [pair for place in in_turn for pair in found.get(place, ())]


def _in_order(columns: RecordColumns) -> RecordColumns:
    """Sort the records: by recording and channel (first appearance), then by begin."""
    places = list(dict.fromkeys(zip(columns.recordings, columns.channels, strict=True)))
    if len(places) < 2 and columns.starts == sorted(columns.starts):
        return columns
    keys: Sequence[Any] = columns.starts
    if len(places) > 1:
        ranks = {place: rank for rank, place in enumerate(places)}
        ranked = map(ranks.__getitem__, zip(columns.recordings, columns.channels, strict=True))
        keys = list(zip(ranked, columns.starts, strict=True))
    order = sorted(range(len(keys)), key=keys.__getitem__)
    every: Sequence[list[Any]] = columns
    # a column of one value is in any order
    return RecordColumns._make(
        column if column.count(column[0]) == len(column) else list(map(column.__getitem__, order))
        for column in every
    )


def _channel_segments(
    source: Source, channel: _Channel, rttm_sctk: bool, rttm_merge: bool
) -> Iterator[Segment]:
    pieces: list[SpokenPiece] = []
    for speaker in {**channel.turns, **channel.words}:
        turns = _turns(source, channel.turns.get(speaker, []), rttm_merge)
        pieces.extend(_spoken(source, channel, speaker, turns, rttm_sctk))
    pieces.extend((r.start, 1, r.line, _other(channel, r)) for r in channel.others)
    pieces.sort()
    named = {piece[3].speaker for piece in pieces} if channel.speakers else ()
    for name, record in channel.speakers.items():
        if name not in named:
            source.log.say(RTTM_SPEAKER, record.line, name=name)
    yield from map(itemgetter(3), pieces)


def _turns(source: Source, turns: list[Record], merge: bool) -> list[Record]:
    """Sort turns by start; merge overlapping turns or warn about them."""
    turns.sort(key=itemgetter(3))
    if all(map(le, [turn[4] - SLACK for turn in turns], [turn[3] for turn in turns[1:]])):
        return turns
    separate: list[Record] = []
    for turn in turns:
        before = separate[-1] if separate else None
        if before is None or turn.start >= before.end - SLACK:
            separate.append(turn)
            continue
        source.log.say(RTTM_MERGED if merge else RTTM_OVERLAP, turn.line, before=before.line)
        if merge:
            separate[-1] = before._replace(end=max(before.end, turn.end))
        else:
            separate.append(turn)
    return separate


def _spoken(
    source: Source, channel: _Channel, speaker: str | None, turns: list[Record], rttm_sctk: bool
) -> Iterator[SpokenPiece]:
    """Yield the turns of one speaker with their words, then the speaker's words outside turns."""
    words = channel.words.get(speaker, [])
    words.sort(key=itemgetter(3))
    inside, outside = dealt(turns, words) if words else (repeat([], len(turns)), [])
    for turn, run in zip(turns, inside, strict=True):
        yield turn.start, 0, turn.line, _segment(source, channel, run, rttm_sctk, turn)
    for run in outside:
        first = run[0]
        yield first.start, 0, first.line, _segment(source, channel, run, rttm_sctk, None)


def _properties_of_turn(channel: _Channel, turn: Record) -> tuple[tuple[str, str], ...]:
    """Return the properties of a turn, sorted by name."""
    properties = _properties(channel, turn)
    if turn.subtype is not None:
        properties["subtype"] = turn.subtype
    if turn.text is not None:
        properties["orthography"] = turn.text
    return tuple(sorted(properties.items()))


def _properties(channel: _Channel, record: Record) -> dict[str, str]:
    properties: dict[str, str] = {}
    speaker = channel.speakers.get(record.speaker or "<NA>")
    if speaker is not None and speaker.subtype is not None and speaker.subtype.lower() != "unknown":
        properties["gender"] = speaker.subtype
    if record.lookahead is not None and record.type != "LEXEME":
        properties["lookahead"] = record.lookahead
    return properties


def _segment(
    source: Source, channel: _Channel, words: list[Record], rttm_sctk: bool, turn: Record | None
) -> Segment:
    """Return a segment for a turn with its words, or for words outside of turns."""
    head = words[0] if turn is None else turn
    if turn is None:
        properties = tuple(sorted(_properties(channel, head).items()))
    else:
        properties = _properties_of_turn(channel, turn)
    segment = Segment(
        channel.recording,
        (),
        channel=channel.channel,
        speaker=head.speaker,
        start_ns=None if turn is None else turn.start,
        end_ns=None if turn is None else turn.end,
        confidence=None if turn is None else turn.confidence,
        properties=properties,
        line=head.line,
    )
    if not words:
        return segment
    _, _, _, starts, ends, texts, subtypes, _, sure, _, _ = zip(*words, strict=True)
    kinds = {subtype: _kind(subtype) for subtype in set(subtypes)}
    segment = segment.replace(
        words=texts,
        starts_ns=starts,
        ends_ns=ends,
        confidences=None if set(sure) == {None} else sure,
        kinds=tuple(map(kinds.__getitem__, subtypes)) if set(kinds.values()) != {None} else None,
    )
    if rttm_sctk and any("_" in word or "{" in word for word in texts):
        return segment.with_items(_sctk_items(source, words, segment))
    return segment


def _kind(subtype: str | None) -> str | None:
    return None if subtype is None or subtype.lower() == "lex" else subtype


def _sctk_items(source: Source, words: list[Record], segment: Segment) -> Iterator[Item]:
    """Yield the words of records.

    If a record has several words, each gets the record's time; braces are alternations.
    """
    from formats.nist.markup import parse_columns
    from formats.schema.interpolation import interpolate_times

    for index, record in enumerate(words):
        text = segment.words[index].replace("_", " ").strip(" ")
        if " " not in text and "{" not in text and text not in ("@", ""):
            yield segment.token(index).replace(text=text)
            continue
        parts, optional, choices = parse_columns(source, record.line, text, 0, len(text))
        piece = Segment(
            segment.recording,
            parts,
            start_ns=record.start,
            end_ns=record.end,
            optional=optional,
            alternations=choices,
        )
        for item in interpolate_times(piece)[0].items():
            yield _marked(item, record)


def _marked(item: Item, record: Record) -> Item:
    """Return the item; all its words get the confidence and the type of a record."""
    if isinstance(item, Token):
        return item.replace(confidence=record.confidence, kind=_kind(record.subtype))
    return Alternation([[_marked(inner, record) for inner in branch] for branch in item.branches])


def _other(channel: _Channel, record: Record) -> Segment:
    kind = {"NOSCORE": "ignored", "NO_RT_METADATA": "ignored", "SEGMENT": "scored"}.get(
        record.type, "event"
    )
    properties = _properties(channel, record)
    words: tuple[str, ...] = ()
    if record.subtype is not None and kind == "event":
        words = (record.subtype,)
    elif record.subtype is not None:
        properties["subtype"] = record.subtype
    if record.text is not None:
        properties["orthography"] = record.text
    return Segment(
        channel.recording,
        words,
        channel=channel.channel,
        speaker=record.speaker,
        start_ns=record.start,
        end_ns=record.end,
        confidence=record.confidence,
        tier=None if record.type in ("NOSCORE", "SEGMENT") else record.type,
        properties=tuple(sorted(properties.items())),
        kind=kind,
        line=record.line,
    )


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` for a header, or if 95 % of the records have a known type and 8 fields."""
    if _has_names(lines):
        return Sniff.SURE
    types = {*TYPES, LANGUAGE}
    records = [split_fields(x) for x in lines if strip_blanks(x) and x[0] not in ";#"]
    fitting = sum(
        r[0].upper() in types and len(r) >= 8 and (is_time(r[3]) or r[3].startswith("<"))
        for r in records
    )
    if not fitting:
        return Sniff.NO
    return Sniff.SURE if fitting >= 0.95 * len(records) else Sniff.NO


def _writer() -> WriteFunction:
    from formats.nist.rttm_writer import write

    return write


SPEC = FormatSpec(
    title="NIST rich transcription time marks: turns, words, events and regions",
    sign="lines that begin with a type such as SPEAKER",
    read=read,
    sniff=sniff,
    write=loaded_later(_writer),
    holds="words, recordings, channels, speakers, segment times, word times, confidences, "
    "word types, segment confidences, tiers, properties, empty segments, "
    "ignored regions, scored regions, events, segment boundaries",
    properties=("gender", "lookahead", "orthography", "subtype"),
    needs=("recordings", "channels", "segment times"),
    read_options=(
        Option(
            "rttm_sctk",
            False,
            "read alternations {_a_/_b_} and words joined by _, as SCTK writes them",
        ),
        Option("rttm_merge", False, "merge overlapping turns of one speaker (rttm)"),
    ),
    write_options=(
        decimals(),
        Option(
            "rttm_words",
            False,
            "write words that have times as LEXEME; by default only turns are written",
        ),
        Option("speaker_info", False, "write a line SPKR-INFO for each speaker"),
        Option("speech_only", False, "write only turns, all with the speaker name speech"),
    ),
    has_plain_names=True,
)
