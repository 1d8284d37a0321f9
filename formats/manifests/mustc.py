"""must-c: MuST-C's YAML list of audio positions. The texts are in a second file, one per line.

===============================  ========================================================
in the file                      in the schema
===============================  ========================================================
``wav``                          `Segment.recording`, without folders and suffix
``offset``, ``duration``         `Segment.start`, and `Segment.end` as their sum, in seconds
``speaker_id``                   `Segment.speaker`
line *n* of ``SPLIT.LANGUAGE``   the words of entry *n* of ``SPLIT.yaml``
anything else (``rW``, ``uW``)   `Segment.properties`
===============================  ========================================================

mTEDx and Europarl-ST have the same layout and are read as well. Each entry must be on one line: the
reader does not parse YAML in general, because a list of MuST-C has a quarter of a million entries.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.manifests.messages import (
    MUST_C_EMPTY,
    MUSTC_TEXTS,
)
from formats.manifests.records import recording_of_audio
from formats.reading.lines import split_words, strip_blanks
from formats.schema.errors import OptionError, SyntaxFormatError, quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import LARGEST, parse_time

REQUIRED = ("duration", "offset", "wav")
PAIR = re.compile(r"""([A-Za-z_]\w*):(?: ([^\s,'"{}][^,{}]*|'[^']*'|"[^"\\]*"))?(?:, ?|\Z)""")


def read(source: Source, *, language: str = "en", texts: str = "") -> Iterator[Segment]:
    """Yield one segment per entry."""
    entries = ((number, line) for number, line in source.lines() if strip_blanks(line))
    head = next(entries, None)
    if head is None:
        return
    if texts == "":
        texts = f"{os.path.splitext(source.name.removesuffix('.gz'))[0]}.{language}"
        if not os.path.isfile(texts):
            value = Message(MUSTC_TEXTS, {"path": texts}, source.log.side)
            raise OptionError(value=value, path=source.name)
    count = text_count = 0
    with source.beside(texts) as lines:
        for entry, line in zip_longest(chain([head], entries), lines.lines()):
            count += entry is not None
            text_count += line is not None
            if entry is not None and line is not None:
                try:
                    yield _segment(source, entry[0], entry[1], line[1])
                except SyntaxFormatError as error:
                    source.log.reject("MUST-C-ENTRY", error)
    if count != text_count:
        expected = f"{count} lines of text in {quoted(texts)}, as many as entries"
        raise SyntaxFormatError(path=source.name, expected=expected, found=str(text_count))


def _segment(source: Source, number: int, line: str, text: str) -> Segment:
    entry = _entry(line)
    missing = [name for name in REQUIRED if not entry.get(name)]
    if missing:
        expected = "an entry - {duration: …, offset: …, wav: …} in one line"
        raise source.syntax_error(number, expected, f"none with {' and '.join(missing)}")
    times = []
    for name in ("offset", "duration"):
        value = entry.pop(name)
        try:
            times.append(parse_time(value))
        except ValueError:
            times.append(-1)
        if times[-1] < 0 or sum(times) > LARGEST:
            expected = f"{name} in seconds, the end within 292 years"
            raise source.syntax_error(number, expected, quoted(value))
    if not times[1]:
        source.log.say(MUST_C_EMPTY, number)
    return Segment(
        recording_of_audio(entry.pop("wav")) or source.recording,
        tuple(split_words(text)),
        start_ns=times[0],
        end_ns=sum(times),
        speaker=entry.pop("speaker_id", None) or None,
        properties=tuple(sorted((name, value) for name, value in entry.items() if value)),
        line=number,
    )


def _entry(line: str) -> dict[str, str]:
    """Return the members of ``- {name: value, …}`` as texts; empty for any other line."""
    line = strip_blanks(line)
    if not line.startswith("- {") or not line.endswith("}"):
        return {}
    inner = line[3:-1]
    values: dict[str, str] = {}
    position = 0
    while position < len(inner):
        pair = PAIR.match(inner, position)
        if pair is None or pair.end() == position or pair[1] in values:
            return {}
        value = pair[2] or ""
        values[pair[1]] = value[1:-1] if value[:1] in ("'", '"') else strip_blanks(value)
        position = pair.end()
    return values


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first non-blank line is an entry of a MuST-C list."""
    first = next((line for line in lines if strip_blanks(line)), "")
    return Sniff.SURE if set(REQUIRED) <= _entry(first).keys() else Sniff.NO


SPEC = FormatSpec(
    title="MuST-C's lists of places in YAML, with the texts in a file beside each",
    sign="lines - {duration: …, offset: …, wav: …}",
    read=read,
    sniff=sniff,
    read_options=(
        Option("language", "en", "code of the language to read (flextext, must-c)"),
        Option(
            "texts", "", "file with the texts of a must-c list, one line per entry", is_path=True
        ),
    ),
)
