"""must-c: MuST-C's YAML of places, with the file of texts beside it line by line.

===============================  ========================================================
its word                         ours
===============================  ========================================================
``wav``                          `Segment.recording`, without folders and ending
``offset``, ``duration``         `Segment.start`, and `Segment.end` as their sum, in seconds
``speaker_id``                   `Segment.speaker`
line *n* of ``SPLIT.LANGUAGE``   the words of entry *n* of ``SPLIT.yaml``
anything else (``rW``, ``uW``)   `Segment.properties`
===============================  ========================================================

mTEDx and Europarl-ST, prepared by the same programs, are read as well. Only entries of one line are
read, not YAML in general: one list of MuST-C has a quarter of a million entries.
"""

from __future__ import annotations

import os
import re
from functools import partial
from itertools import chain, repeat, zip_longest
from operator import add
from typing import NamedTuple

from formats.columns import read_in_bulk
from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import split_words, strip_blanks
from formats.manifests.records import recording_of_audio
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff
from formats.times import LARGEST, parse_time, plain_times

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

REQUIRED = ("duration", "offset", "wav")
NAME = re.compile(r"[A-Za-z_]\w*\Z")
ODD = ("'", '"', "{", "}", "  ", " ,")
"""What only values have that are quoted, padded or none."""
PAIR = re.compile(r"""([A-Za-z_]\w*):(?: ([^\s,'"{}][^,{}]*|'[^']*'|"[^"\\]*"))?(?:, ?|\Z)""")


def read(source: Source, *, language: str = "en", text: str = "") -> Iterator[Segment]:
    """One segment per entry.

    Parameters
    ----------
    language: whose texts to read: the ending of the file beside this one.
    text: path of the file of texts, whatever it is called.
    """
    entries = read_in_bulk(source, partial(_all_alike, source), _filled)
    first = next(entries, None)
    if first is None:
        return
    if text == "":
        text = f"{os.path.splitext(source.name.removesuffix('.gz'))[0]}.{language}"
        if not os.path.isfile(text):
            expected = "the texts in a file beside this one (--language, or --text)"
            raise OptionError(path=source.name, expected=expected, found=f"no {quoted(text)}")
    count = said = 0
    with source.beside(text) as texts:
        for entry, line in zip_longest(chain([first], entries), texts.lines()):
            count += entry is not None
            said += line is not None
            if entry is None or line is None:
                continue
            try:
                number, recording, start, end, speaker, properties = (
                    entry if isinstance(entry, _Place) else _place(source, *entry)
                )
            except SyntaxFormatError as error:
                source.log.reject("MUST-C-ENTRY", error)
                continue
            yield Segment(
                recording,
                tuple(split_words(line[1])),
                start_ns=start,
                end_ns=end,
                speaker=speaker,
                properties=properties,
                line=number,
            )
    if count != said:
        expected = f"{count} lines of text in {quoted(text)}, as many as entries"
        raise SyntaxFormatError(path=source.name, expected=expected, found=str(said))


class _Place(NamedTuple):
    """What an entry says; times in nanoseconds."""

    number: int
    recording: str
    start: int
    end: int
    speaker: str | None
    properties: tuple[tuple[str, str], ...]


def _filled(first: int, lines: list[str]) -> Iterator[tuple[int, str]]:
    """Numbered lines that are not blank."""
    return (pair for pair in enumerate(lines, first) if strip_blanks(pair[1]))


def _all_alike(source: Source, first: int, text: str) -> Iterator[_Place] | None:
    """What the entries of some lines say that have all the same names, and nothing odd."""
    lines = text.count("\n") + 1
    if not text.startswith("- {") or not text.endswith("}") or text.count("}\n- {") != lines - 1:
        return None
    inner = text[3:-1].replace("}\n- {", ", ")
    fields = inner.split(", ")
    if (
        not (inner.isascii() and inner.isprintable())
        or any(sign in inner for sign in ODD)
        or inner.endswith(" ")
        or inner.count(",") != len(fields) - 1
        or len(fields) % lines
    ):
        return None
    columns: dict[str, list[str]] = {}
    size = len(fields) // lines
    for place in range(size):
        name, mark, _ = fields[place].partition(": ")
        begin = name + mark
        column = fields[place::size]
        if not mark or not NAME.match(name) or not all(one.startswith(begin) for one in column):
            return None
        columns[name] = [one[len(begin) :] for one in column]
    if len(columns) != size or not columns.keys() >= {*REQUIRED}:
        return None
    starts, durations = (plain_times(columns.pop(name)) for name in ("offset", "duration"))
    if starts is None or durations is None or 0 in durations:
        return None
    paths = columns.pop("wav")
    recordings = {path: recording_of_audio(path) or source.recording for path in set(paths)}
    speakers: Iterable[str | None] = columns.pop("speaker_id", []) or repeat(None)
    names = sorted(columns)
    others = zip(*(columns[name] for name in names), strict=True) if names else repeat(())
    return map(
        _Place,
        range(first, first + lines),
        map(recordings.__getitem__, paths),
        starts,
        map(add, starts, durations),
        speakers,
        (tuple(zip(names, values, strict=True)) for values in others),
    )


def _place(source: Source, number: int, line: str) -> _Place:
    """What an entry says."""
    entry = _entry(line)
    missing = [name for name in REQUIRED if not entry.get(name)]
    if missing:
        expected = "an entry - {duration: …, offset: …, wav: …} in one line"
        raise source.syntax_error(number, expected, f"none with {' and '.join(missing)}")
    times = []
    for name in ("offset", "duration"):
        shown = entry.pop(name)
        try:
            times.append(parse_time(shown))
        except ValueError:
            times.append(-1)
        if times[-1] < 0 or sum(times) > LARGEST:
            expected = f"{name} in seconds, the end within 292 years"
            raise source.syntax_error(number, expected, quoted(shown))
    if not times[1]:
        source.log.note("MUST-C-EMPTY", "lasts no time", number)
    return _Place(
        number,
        recording_of_audio(entry.pop("wav")) or source.recording,
        times[0],
        times[0] + times[1],
        entry.pop("speaker_id", None) or None,
        tuple(sorted((name, value) for name, value in entry.items() if value)),
    )


def _entry(line: str) -> dict[str, str]:
    """Names and values of ``- {name: value, …}``, texts all of them; empty if it is none.

    >>> _entry("- {duration: 3.5, wav: 'it, too.wav'}")
    {'duration': '3.5', 'wav': 'it, too.wav'}
    """
    line = strip_blanks(line)
    if not line.startswith("- {") or not line.endswith("}"):
        return {}
    inner = line[3:-1]
    found: dict[str, str] = {}
    position = 0
    while position < len(inner):
        pair = PAIR.match(inner, position)
        if pair is None or pair.end() == position or pair[1] in found:
            return {}
        value = pair[2] or ""
        found[pair[1]] = value[1:-1] if value[:1] in ("'", '"') else strip_blanks(value)
        position = pair.end()
    return found


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if the first line that is not blank is such an entry."""
    first = next((line for line in lines if strip_blanks(line)), "")
    return Sniff.SURE if set(REQUIRED) <= _entry(first).keys() else Sniff.NO


SPEC = FormatSpec(
    title="MuST-C's lists of places in YAML, with the texts in a file beside each",
    sign="lines - {duration: …, offset: …, wav: …}",
    read=read,
    sniff=sniff,
    read_options=(
        Option("language", "en", "code of the language in which words are read"),
        Option("text", "", "file of texts, a line for each entry", is_path=True),
    ),
    manual="One entry per line: duration, offset, speaker, audio file; texts in another file.",
)
