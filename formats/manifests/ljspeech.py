"""ljspeech: lists of LJSpeech, M-AILABS, VITS and Coqui, with bars between the fields.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
first field                            `Segment.utterance`, without audio suffix;
                                       `Segment.recording`, without folders
last field                             the words as spoken; if empty, the words as written
second of three fields                 property ``display`` (the words as written), if it differs
``by_book/female/NAME`` of the path    `Segment.speaker`, property ``gender``
=====================================  ======================================================

Fields are not quoted. If values of the first field repeat, and the values of the second field are
all different, the fields are speaker, id and text. In rows with an audio file, the texts are the
first column of sentences that differ, and the speakers are the first column of numbers or repeated
names, as in the lists of VITS, GPT-SoVITS and Mellotron. Coqui's header
``audio_file|text|transcription|speaker_name`` names the fields; `columns` gives other names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.io.messages import RULE_ID_KEPT
from formats.io.sink import Sink
from formats.io.source import Source
from formats.manifests.messages import (
    LJSPEECH_FIELDS,
    LJSPEECH_FILES,
    LJSPEECH_HEADER,
    LJSPEECH_SPEAKERS,
    LJSPEECH_WRITTEN,
)
from formats.manifests.records import UTTERANCES, RecordOut, recording_of_audio
from formats.manifests.roles import has_text
from formats.reading.lines import split_words, strip_blanks
from formats.reading.member_names import are_columns
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment

BAR = "|"
COLUMNS = {2: ("id", "text"), 3: ("id", "display", "text")}
BY_SPEAKER = ("speaker", "id", "text")
LONGEST_SPEAKER = 20
"""Characters of the name of a speaker between an id and a text."""
WITH_SPEAKER = ("id", "speaker", "text")
OF_COQUI = {
    "audio_file": "id",
    "text": "display",
    "transcription": "text",
    "speaker_name": "speaker",
}
AUDIO = re.compile(r"\S.*\.(?:wav|flac|mp3|m4a|ogg|opus|npy|pt)\Z", re.IGNORECASE)
PLACE = re.compile(r"(?:\A|/)by_book/(female|male)/([^/]+)/")
ID = re.compile(r"[\w.\-/]+\Z")
HEADERS = frozenset({"id", "file", "file_name", "filename", "path", "wav", "audio", "speaker"})


def read(source: Source, *, columns: str = "") -> Iterator[Segment]:
    """Yield one segment per line."""
    names = tuple(columns.split(",")) if columns else ()
    if names and not {"id", "text"} <= set(names):
        raise OptionError(expected="columns with id and text in them", found=quoted(columns))
    layouts, is_coqui = _layouts(source, names)
    book = PLACE.search(source.name.replace("\\", "/"))
    fixed = [("gender", book[1])] if book else []
    seen: dict[str, int] = {}
    for number, line in source.lines():
        if not strip_blanks(line) or (is_coqui and number == 1):
            continue
        cells = [strip_blanks(cell) for cell in line.split(BAR)]
        layout = layouts.get(len(cells))
        if layout is None:
            numbers = list(layouts)
            error = source.error_of(LJSPEECH_FIELDS, number, numbers=numbers, fields=len(cells))
            source.log.reject("LJSPEECH-FIELDS", error)
            continue
        row = dict(zip(layout, cells, strict=True))
        utterance = _without_ending(row.pop("id"))
        if not utterance or seen.setdefault(utterance, number) != number:
            found = f"{quoted(utterance)} as in line {seen[utterance]}" if utterance else "none"
            error = source.syntax_error(number, "a unique id", found)
            source.log.reject("LJSPEECH-ID", error)
            continue
        if number == 1 and not names and utterance.lower() in HEADERS:
            source.log.say(LJSPEECH_HEADER, number)
        text, display = row.pop("text"), row.pop("display", "")
        speaker = row.pop("speaker", "") or (book[2] if book else None)
        row.pop("", None)
        if display and not text:
            source.log.say(LJSPEECH_WRITTEN, number)
            text = display
        properties = [*fixed, *((name, value) for name, value in row.items() if value)]
        if display and display != text:
            properties.append(("display", display))
        yield Segment(
            recording_of_audio(utterance),
            tuple(split_words(text)),
            utterance=utterance,
            speaker=speaker,
            properties=tuple(sorted(properties)),
            line=number,
        )


def _layouts(source: Source, names: tuple[str, ...]) -> tuple[Mapping[int, tuple[str, ...]], bool]:
    """Return the columns of rows by their number, and True for a list with Coqui's header.

    `names` are the columns that the user named, if any.
    """
    layouts: Mapping[int, tuple[str, ...]] = {len(names): names} if names else COLUMNS
    head = [line.split(BAR) for line in source.head_lines()]
    is_coqui = _is_coqui(head)
    if is_coqui and not names:
        fields = (
            head[0]
            if "transcription" in head[0]
            else ["transcription" if n == "text" else n for n in head[0]]
        )
        layouts = {len(fields): tuple(OF_COQUI.get(name, name) for name in fields)}
    elif not names and _is_by_speaker(head):
        source.log.say(LJSPEECH_SPEAKERS)
        layouts = {3: BY_SPEAKER}
    elif not names and (of_files := _of_files(head)) not in ((), *COLUMNS.values()):
        source.log.say(LJSPEECH_FILES, None, names=[name or "nothing" for name in of_files])
        layouts = {len(of_files): of_files}
    elif not names and not of_files and _has_speakers_second(head):
        source.log.say(LJSPEECH_FILES, None, names=list(WITH_SPEAKER))
        layouts = {3: WITH_SPEAKER}
    return layouts, is_coqui


def _without_ending(name: str) -> str:
    """Return an id without an audio suffix, but with folders."""
    base = name.rpartition("/")[2]
    return name[: len(name) - len(base)] + recording_of_audio(base) if base else name


def _is_by_speaker(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if rows have three fields: the first repeats, and the second is unique."""
    firsts = [row[0] for row in rows if len(row) == 3]
    seconds = {row[1] for row in rows if len(row) == 3}
    return len(set(firsts)) < len(firsts) == len(seconds)


def _has_speakers_second(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if rows have three fields: the first is unique, the second a speaker."""
    some = [[*map(strip_blanks, row)] for row in rows if len(row) == 3]
    if not some:
        return False
    ids, speakers, texts = zip(*some, strict=True)
    is_unique = len({*ids}) == len(ids)
    return (
        is_unique and len({*speakers}) < len(ids) and _are_speakers(speakers) and _are_texts(texts)
    )


def _of_files(rows: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the columns of rows of audio files and texts; nothing if they are no such rows."""
    rows = [[*map(strip_blanks, row)] for row in rows if any(map(strip_blanks, row))]
    if len({*map(len, rows)}) != 1:
        return ()
    columns = list(zip(*rows, strict=True))
    files = [n for n, column in enumerate(columns) if all(map(AUDIO.match, column))]
    texts = [n for n, column in enumerate(columns) if n not in files and _are_texts(column)]
    if not files or not texts:
        return ()
    if files[0] == 0 and len(columns) == 3 and len(texts) == 2 and _are_alike(*columns[1:]):
        return COLUMNS[3]
    names = [""] * len(columns)
    names[files[0]], names[texts[0]] = "id", "text"
    for n, column in enumerate(columns):
        if not names[n] and "speaker" not in names and _are_speakers(column):
            names[n] = "speaker"
    return tuple(names)


def _are_texts(column: Sequence[str]) -> bool:
    """Return True if most values differ, have letters, and are no files, and one has a blank."""
    texts = sum(any(map(str.isalpha, value)) and not AUDIO.match(value) for value in column)
    is_long = any(" " in value or not value.isascii() for value in column)
    return is_long and texts >= 0.9 * len(column) and 2 * len({*column}) > len(column)


def _are_alike(first: Sequence[str], second: Sequence[str]) -> bool:
    """Return True if half of the words, or of the signs without blanks, of two columns agree."""
    pairs = [
        ({*(a.split() if " " in a else a)}, {*(b.split() if " " in b else b)})
        for a, b in zip(first, second, strict=True)
    ]
    return 2 * sum(len(a & b) for a, b in pairs) >= sum(len(a) for a, _ in pairs)


def _are_speakers(column: Sequence[str]) -> bool:
    """Return True if values have no blanks, and are whole numbers or repeated names."""
    if any(" " in value or AUDIO.match(value) for value in column):
        return False
    are_names = len({*column}) < len(column) and any(map(str.isalpha, "".join(column)))
    return are_names or all(map(str.isdecimal, column))


def _is_coqui(rows: Sequence[Sequence[str]]) -> bool:
    """Return True if the first line is Coqui's header."""
    return bool(rows) and {"audio_file", "text"} <= set(rows[0])


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write a line per segment: the id, the written text and the spoken text."""
    seen: set[str] = set()
    for segment in segments:
        out = RecordOut(segment, sink)
        name = segment.utterance or ""
        is_valid = _without_ending(name) == name == strip_blanks(name)
        expected = "a unique utterance id without an audio suffix"
        out.new_id(seen, expected, is_valid=is_valid)
        is_renamed = segment.recording != recording_of_audio(name)
        out.lost("recordings", int(is_renamed), RULE_ID_KEPT)
        text = out.text()
        display = segment.get("display") or ""
        is_kept = bool(text) and display not in ("", text) and strip_blanks(display) == display
        out.lost("properties", int(segment.get("display") is not None and not is_kept))
        cells = [name, display if is_kept else text, text]
        for cell in cells:
            if any(c in cell for c in "|\n\r"):
                raise out.refuse("text without bars and line ends", quoted(cell))
        sink.write(BAR.join(cells) + "\n")


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if lines have two or three fields: a unique id, and a text of several words."""
    rows = [line.split(BAR) for line in lines if strip_blanks(line)]
    if _is_coqui(rows) or _of_files(rows):
        return Sniff.SURE
    fitting = [row for row in rows if len(row) in COLUMNS and ID.match(row[0])]
    if not fitting or len(fitting) < 0.95 * len(rows) or any("\t" in line for line in lines):
        return Sniff.NO
    ids = [row[0] for row in fitting]
    is_list = len(set(ids)) == len(ids) or _is_by_speaker(fitting)
    # a second field of numbers is no text but a time, and the first a speaker
    texts = sum(any(map(str.isalpha, row[1] or row[-1])) for row in fitting)
    is_text = texts >= 0.9 * len(fitting) and any(
        " " in row[-1] or not row[-1].isascii() for row in fitting
    )
    has_header = ids[0].lower() in HEADERS or has_text(rows[0]) or are_columns(rows[0])
    return Sniff.SURE if is_list and is_text and not has_header else Sniff.NO


SPEC = FormatSpec(
    title="the list of LJSpeech and M-AILABS: ids and texts with bars between them",
    sign="lines of an id, a bar and a text",
    read=read,
    write=write,
    sniff=sniff,
    holds=(*UTTERANCES, "recordings"),
    properties=("display",),
    needs=("utterance ids",),
    read_options=(Option("columns", "", "names of the columns, for tables without a header"),),
)
