"""wenet: WeNet's raw ``data.list``: JSON lines with utterance id, audio file and text.

===============================  ========================================================
in the file                      in the schema
===============================  ========================================================
key                              `Segment.utterance`
wav (older: feat)                `Segment.recording`, without folders and audio suffix
txt                              the words
start, end                       `Segment.start`, `Segment.end` in seconds, if the utterance is a
                                 part of a file
speaker                          `Segment.speaker`
anything else (``lang`` …)       `Segment.properties`
===============================  ========================================================

A list of shards names tar archives. In an archive, ``KEY.txt`` has the words of ``KEY.wav``; only
these texts are read (see `formats.io.archive` for what is rejected). Commands and URLs in a list
are never used.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from typing import IO

from formats.detection.spec import FormatSpec, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source, is_archive, open_source
from formats.json.rows import others_of
from formats.json.value import JsonValue, records_of
from formats.manifests.records import MANIFEST, RecordOut, dump, recording_of_audio
from formats.reading.lines import split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment

FARTHEST = 4
LARGEST_TEXT = 1 << 16
KNOWN = frozenset({"key", "wav", "feat", "txt", "start", "end", "speaker"})


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per line, or one segment per text in a shard."""
    first = next((line for line in source.head_lines() if strip_blanks(line)), "")
    if first and strip_blanks(first)[0] not in "{[":
        yield from _read_shards(source)
        return

    def read_record(value: JsonValue) -> Iterator[Segment]:
        start, end = value.span_of()
        path = value.text_of("wav") or value.required("wav", "feat").text()
        text = value.required("txt").text()
        yield Segment(
            recording_of_audio(path) or source.recording,
            tuple(split_words(text.replace("\n", " "))),
            utterance=value.required("key").name(),
            speaker=value.name_of("speaker"),
            start_ns=start,
            end_ns=end,
            properties=others_of(value, KNOWN),
            line=value.line,
        )

    yield from source.log.accepted("JSON", read_record, records_of(source))


def _read_shards(source: Source) -> Iterator[Segment]:
    """Yield the texts of all shards, in the order of the list and, in a shard, of the archive."""
    from formats.io.archive import Archive

    for number, line in source.lines():
        name = strip_blanks(line)
        if not name:
            continue
        path = _place(source, name)
        if path is None:
            error = source.syntax_error(number, "objects, or shards that are there", quoted(name))
            source.log.reject("WENET-SHARD", error)
            continue
        with closing(Archive(path)) as archive:
            endings: dict[str, set[str]] = {}
            for member in archive.names:
                key, _, ending = member.rpartition(".")
                endings.setdefault(key, set()).add(ending)
                if ending == "txt":
                    words = _words_in(source, archive.open(member))
                    yield Segment(key.rpartition("/")[2] or key, words, utterance=key, line=number)
        for key in (key for key, names in endings.items() if "txt" not in names):
            found = quoted(f"{key}.{min(endings[key])}")
            error = source.syntax_error(number, f"a text for every sound in {path}", found)
            source.log.reject("WENET-TEXT", error)


def _place(source: Source, name: str) -> str | None:
    """Return the path of a shard: as listed, or relative to a folder above the list.

    `None` means that there is no such file, or that the list is not a file.
    """
    if not (is_archive(name) and os.path.isfile(source.name)):
        return None
    folder = os.path.abspath(source.name)
    places = [name]
    for _ in range(FARTHEST):
        folder = os.path.dirname(folder)
        places.append(os.path.join(folder, name))
    return next(filter(os.path.isfile, places), None)


def _words_in(source: Source, member: IO[bytes]) -> tuple[str, ...]:
    with open_source(
        member,
        encoding=source.encoding,
        tolerance=source.log.tolerance,
        max_bytes=LARGEST_TEXT,
        side=source.log.side,
    ) as text:
        words = tuple(split_words(text.text().replace("\n", " ")))
        if text.log.entries():
            source.log.follow(text.log)
        return words


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one JSON object per line; the audio file has the name of the recording."""
    for segment in segments:
        out = RecordOut(segment, sink, precision)
        if not segment.utterance:
            raise out.refuse("an utterance id", "none")
        head = {"key": segment.utterance, "wav": out.recording(), "txt": out.text()}
        names = out.present(speaker="speaker")
        sink.write(dump({**head, **out.times(), **names, **out.properties(KNOWN)}) + "\n")


SPEC = FormatSpec(
    title="WeNet's data.list: utterances with sound and text as JSON lines, or shards of them",
    sign='objects with "key", "wav" and "txt"',
    read=read,
    write=write,
    holds=MANIFEST,
    needs=("recordings", "utterance ids"),
    write_options=(decimals(),),
)
