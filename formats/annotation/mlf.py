r"""mlf: HTK's master label file, which holds the labels of many utterances.

The first line is ``#!MLF!#``; it may return where files were joined. Each utterance then has a
pattern in quotes, often ``"*/name.lab"``, label lines as in `formats.annotation.htk`, and a line
with a single point. The stem of the pattern becomes `Segment.recording` and `Segment.utterance`;
folders of Windows (``"*\name.lab"``) are separated, too. Redirections to folders (``->``, ``=>``)
are not followed.
"""

import re
from collections.abc import Iterator, Sequence

from formats.annotation.htk import write_entry
from formats.annotation.htk_labels import HTK_OPTIONS, OCTAL_OPTION, LabelReader, MlfEntry
from formats.annotation.messages import MLF_END, MLF_FOLDER, MLF_PATTERN, RULE_SORTED_BY_UTTERANCE
from formats.detection.spec import FormatSpec, SegmentSource, Sniff
from formats.io.messages import RULE_ID_KEPT
from formats.io.sink import Sink
from formats.io.source import Source, recording_of
from formats.reading.lines import TEXT_BLANKS, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.writing.out import Out

HEADER = "#!MLF!#"
OF_WINDOWS = re.compile(r"(?<!\\)\\(?=[^\W\d]|[*?])")
"""A separator of folders: HTK escapes only quotes, backslashes and bytes, the last as digits."""


def read(source: Source, *, htk_unit: str = "auto", htk_level: str = "auto") -> Iterator[Segment]:
    """Yield, for each utterance, one segment with all words, then its pauses as events."""
    reader = LabelReader(source, htk_unit, htk_level)
    entry: MlfEntry | None = None
    has_header = is_skipping = False
    lines: dict[str, int] = {}
    for number, line in source.lines():
        text = line.strip(TEXT_BLANKS)
        if not text:
            continue
        try:
            if not has_header:
                if text != HEADER:
                    raise source.syntax_error(number, HEADER, quoted(text), column=1)
                has_header = True
            elif is_skipping:
                is_skipping = text != "."
            elif entry is None and text == HEADER:
                continue  # of a second file behind the first
            elif entry is None:
                entry = _entry(source, reader, number, line, lines)
            elif text == ".":
                yield from entry.segments()
                entry = None
            else:
                entry.add((number, line))
        except SyntaxFormatError as error:
            is_skipping = has_header and entry is None
            has_header = True
            source.log.reject("MLF-SYNTAX", error)
    if entry is not None:
        source.log.say(MLF_END, entry.line)
        yield from entry.segments()


def _entry(
    source: Source, reader: LabelReader, number: int, line: str, lines: dict[str, int]
) -> MlfEntry | None:
    """Return the utterance that begins with this line; `None` if the line is a redirection."""
    pattern = _pattern(source, reader, number, line)
    if pattern is None:
        return None
    name = recording_of(pattern)
    if "*" in name or "?" in name or "%" in name:
        source.log.say(MLF_PATTERN, number, pattern=pattern)
    if (first := lines.setdefault(name, number)) != number:
        shown = f"{quoted(name)}, which line {first} has"
        raise reader.error(number, 1, "a unique utterance", shown)
    return MlfEntry(reader, name, number)


def _pattern(source: Source, reader: LabelReader, number: int, line: str) -> str | None:
    """Return the pattern with which an utterance begins; `None` if the line is a redirection."""
    fields = reader.fields(number, OF_WINDOWS.sub("/", line))
    if not fields or not fields[0][1]:
        raise reader.error(number, 1, "a pattern in quotes", quoted(strip_blanks(line)))
    if len(fields) == 1:
        return fields[0][0]
    if fields[1][0] not in ("->", "=>"):
        raise reader.error(number, fields[1][2], "the end of the line", quoted(fields[1][0]))
    pattern = quoted(fields[0][0])
    source.log.say(MLF_FOLDER, number, pattern=pattern)
    return None


def write(segments: SegmentSource, sink: Sink, *, htk_octal: bool = False) -> None:
    """Write the utterances in the given order. Segments with the same utterance id are joined."""
    groups: dict[str, list[Segment]] = {}
    names: list[str] = []
    for segment in segments:
        out = Out(segment, sink)
        name = segment.utterance if segment.utterance is not None else segment.recording
        group = groups.setdefault(name, [])
        if not name or any(c in name for c in "/\r\n\0") or recording_of(f"*/{name}.lab") != name:
            raise out.refuse("a name that a file can have", quoted(name))
        if group and group[0].recording != segment.recording:
            both = f"{quoted(group[0].recording)} and {quoted(segment.recording)}"
            raise out.refuse(f"one recording for the utterance {quoted(name)}", both)
        out.lost("recordings", int(segment.recording != name), RULE_ID_KEPT)
        if segment.kind != "event" and any(earlier.kind != "event" for earlier in group):
            out.lost("segment boundaries")
        group.append(segment)
        names.append(name)
    ranks = {name: rank for rank, name in enumerate(groups)}
    sink.losses.in_order(names, ranks.__getitem__, RULE_SORTED_BY_UTTERANCE, sink.source)
    sink.write(HEADER + "\n")
    for name, group in groups.items():
        escaped = name.replace("\\", "\\\\").replace('"', '\\"')
        sink.write(f'"*/{escaped}.lab"\n')
        write_entry(group, sink, htk_octal)
        sink.write(".\n")


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first non-blank line is ``#!MLF!#``."""
    first = next(filter(None, map(strip_blanks, lines)), "")
    return Sniff.SURE if first == HEADER else Sniff.NO


SPEC = FormatSpec(
    title="HTK master label file: the labels of many utterances",
    sign='the first line "#!MLF!#"',
    read=read,
    write=write,
    sniff=sniff,
    holds="words, recordings, utterance ids, segment times, word times, confidences, "
    "segment confidences, other hypotheses, empty segments, events, segment boundaries",
    read_options=HTK_OPTIONS,
    write_options=(OCTAL_OPTION,),
)
