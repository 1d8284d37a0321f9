"""Texts of rows that are documents of their own: a dialogue, subtitles or a list of turns.

A table of calls may hold a whole call in each cell. `documents_in` finds that the texts of a column
or member are documents of one format. `DocumentsWithin` reads each text by this format, so that the
names and times in it are no words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from formats.detection import LAYOUTS, by_name
from formats.detection.content import sure_of
from formats.io.source import Source
from formats.manifests.messages import (
    DOCUMENTS_PLAIN,
    DOCUMENTS_WITHIN,
    NAMES_WITHIN,
    TURNS_DOUBTFUL,
    TURNS_IN_TEXT,
)
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.member_names import name_parts
from formats.reading.member_values import PARTIES, ROLE_ALONE, is_role, roles_alone
from formats.reading.names_inside import (
    BOLD_INSIDE,
    NamesInside,
    are_talks,
    names_inside,
    names_of_talks,
)
from formats.reading.speakers import (
    BRACKETED,
    FEWEST_NAMED,
    FEWEST_STAMPS,
    LONGEST_TEXT,
    MOST_TEXTS,
    STAMP_WITHIN,
    Prefix,
    common_prefix,
    is_sound,
    turn_within,
)
from formats.schema import lazy_pattern, split_words
from formats.schema.diagnostics import Diagnostic, DiagnosticLog
from formats.schema.errors import FormatError
from formats.schema.messages import NOTE
from formats.schema.model import Segment

TURNS = "speaker-text"
"""The format of dialogues."""
KNOWN = frozenset(
    (TURNS, "json", "markdown", "srt", "vtt", "sbv", "ass", "rttm", "ctm", "stm", "lrc")
)
"""Formats of texts that a cell may hold."""
SIGN = lazy_pattern(
    r"\s*(?:\[\s*\{|\{\s*['\"]|"
    r"WEBVTT|SPEAKER \S|;;|\[Script Info\]|[0-9]+\s*\n[0-9:.,]+ --> |[0-9:.,]+ --> |"
    r"[0-9:.]+,[0-9:.]+\n)"
)
"""The beginning of subtitles, of a list of turns, or of JSON."""
BEFORE_STAMP = lazy_pattern(rf"(?<=\s)(?={BRACKETED})")
LEFT = "-LEFT", "-HEAD", "-MINUTES", "-FOOTER"
"""The ends of the codes of notes about what is read as words, or is not read."""
ABOVE = "SPEAKER-TEXT-HEAD"
"""The code of the note about lines above the first turn."""
DOUBT = "SPEAKER-TEXT-DOUBT", "evidence"
"""The code and variant of the warning that texts may be lists or notes instead of turns."""
LINE_END = lazy_pattern(r"(?:\\r)?\\n|[ ]?<br ?/?>[ ]?(?=.)")
"""A line end as some programs write it in a cell."""
FEWEST_LINE_ENDS = 2
FEWEST_LINES = 3
"""The fewest line ends of a text that may be a dialogue though no line shows it."""
FEWEST_FORMS, MOST_PARTIES = 3, 2
"""The fewest texts that show a form, and the most names in one order that may be two parties."""
LONGEST_SHOWN = 60
SHARE_OF_CAPTIONS = 0.5
"""The share of captions that begin with names."""
SHARE = 0.8
"""The share of texts that a format must read, and of segments that must have a speaker or time."""


class NamesWithin(NamedTuple):
    """Reader of texts that begin with the names of their speakers."""

    prefix: Prefix

    def segments(self, rows: Sequence[Segment], texts: Sequence[Any]) -> list[Segment]:
        """Return the rows with their speakers, and without the names among the words."""
        parts = [self.prefix.cut(text) if isinstance(text, str) else (None, "") for text in texts]
        return [
            row
            if name is None or row.starts_ns
            else row.replace(speaker=name, words=tuple(split_words(rest)))
            for row, (name, rest) in zip(rows, parts, strict=True)
        ]


def _names_in(
    source: Source, texts: Sequence[str], line: int | None, *, are_captions: bool
) -> NamesWithin | None:
    """Return the reader of names before texts if nearly all texts begin with one of a few names.

    Captions begin with a name where the speaker changes, as in files of captions.
    """
    prefix = common_prefix(texts) if len(texts) > FEWEST_NAMED else None
    names = [name for text in texts if prefix and (name := prefix.cut(text)[0])]
    most = len(names) - 1 if are_captions else len(names) / 2
    least = SHARE_OF_CAPTIONS if are_captions else SHARE
    is_sure = len(names) >= least * len(texts) and 1 < len({*names}) <= most
    if prefix is None or not is_sure or any(map(is_sound, names)):
        return None
    source.log.say(NAMES_WITHIN, line, text=_beginning(texts[0]))
    return NamesWithin(prefix)


class DocumentsWithin:
    """Reader of texts that are documents of the format `name`."""

    def __init__(self, source: Source, name: str, inside: NamesInside | None) -> None:
        self._source, self._name = source, name
        self.doubt: Mapping[str, Any] = {}
        """What the warning says if all texts together may be lists or notes instead of turns."""
        self.are_turns = False
        """True if each text is a single turn, so that its row keeps its id and times."""
        self._read = by_name(name).read
        self._layouts: tuple[str, ...] = ()
        self._inside = inside
        self.has_marks = inside is not None and inside.pattern is BOLD_INSIDE
        """True if the names in texts are known by their marks, which texts must keep."""
        self._number = 0
        self._is_alone: bool | None = None
        self._id = ""
        self._repeated: set[str] = set()

    def of_texts(self, texts: Sequence[str]) -> list[list[Segment]]:
        """Return the segments of texts; none after too many that are not of the format."""
        read, others = list[list[Segment]](), 0
        for text in texts:
            if (turns := self.turns(text)) is not None:
                read.append(turns)
            elif (others := others + 1) > (1 - SHARE) * len(texts):
                break
        return read

    def segments(self, rows: Sequence[Segment], texts: Sequence[Any]) -> list[Segment]:
        """Return the segments of the documents in rows; a row with a plain text stays one segment.

        The name of the row, if it has one, names the recording of its document.
        """
        if self._is_alone is None:
            self._is_alone, self._id = len(rows) == 1, _name_of_ids(rows)
        segments: list[Segment] = []
        for row, text in zip(rows, texts, strict=True):
            self._number += 1
            if not isinstance(text, str) or not text.strip():
                segments.append(row)
                continue
            turns = self.turns(text, row.line, is_read=True)
            if turns is None:
                self._source.log.say(DOCUMENTS_PLAIN, row.line, format=self._name)
                segments.append(row)
            elif self.are_turns and len(turns) == 1:
                segments.append(_with_speaker(row, turns[0]))
            else:
                segments += self._of_row(row, turns)
        return segments

    def _of_row(self, row: Segment, turns: Sequence[Segment]) -> list[Segment]:
        """Return the turns with the properties of their row."""
        if row.speaker is not None:
            row = row.replace(properties=(*row.properties, ("speaker", row.speaker)))
        properties = dict(row.properties)
        recording = row.utterance or row.recording
        if recording == self._source.recording and not self._is_alone:
            recording = properties.get(self._id) or f"{recording}-{self._number}"
        return [
            turn.replace(
                recording=recording,
                channel=turn.channel or row.channel,
                properties=(
                    *row.properties,
                    *(p for p in turn.properties if p[0] not in properties),
                ),
                line=row.line,
            )
            for turn in turns
        ]

    def decide_layouts(self, texts: Sequence[str]) -> None:
        """Find the layouts of turns in all texts together, which none of them may show alone.

        After that, a text is not asked for any other layout. Without layouts, each text is.
        """
        parts = (with_lines(text[:LONGEST_TEXT], self._inside).strip("\n") for text in texts)
        source = self._source_of("\n\n".join(parts))
        try:
            for _ in self._read(source):
                pass
        except FormatError:
            return
        self._layouts = source.layouts
        self.doubt = next(filter(None, map(_doubt_of, source.log.entries())), {})

    def _source_of(self, text: str) -> Source:
        """Return a text as an input with a log of its own."""
        log = DiagnosticLog(self._source.name, "default", self._source.log.side)
        source = Source(self._source.name, self._source.recording, iter([text]), log)
        source.layouts = self._layouts
        return source

    def turns(
        self, text: str, line: int | None = None, *, is_read: bool = False
    ) -> list[Segment] | None:
        """Return the segments of a text; `None` if it is none of the format.

        With `is_read`, say what readers of this format warn of or leave out.
        """
        text = text if self._name == "json" else with_lines(text, self._inside)
        source = self._source_of(text)
        try:
            turns = list(self._read(source))
        except FormatError:
            return None
        remarks = list(source.log.entries())
        if is_read and turns and (above := _sentence_above(text, remarks)):
            turns.insert(0, turns[0].replace(speaker=None, words=tuple(split_words(above))))
            remarks = [remark for remark in remarks if remark.code != ABOVE]
        for remark in remarks:
            is_told = remark.severity != NOTE or remark.code.endswith(LEFT)
            if is_read and is_told and remark.code not in self._repeated:
                self._repeated.add(remark.code)
                if doubt := _doubt_of(remark):
                    _say_doubt(self._source, line, doubt)
                else:
                    self._source.log.repeat(Diagnostic(remark.value, remark.path, line))
        return turns or None


def _sentence_above(text: str, remarks: Sequence[Diagnostic]) -> str:
    """Return the only line above the first turn of a text without times if it is a sentence."""
    lines = [remark.value.fields.get("lines") for remark in remarks if remark.code == ABOVE]
    above = text.strip().partition("\n")[0].rstrip()
    return above if lines == [1] and above.endswith(SENTENCE_ENDS) else ""


def _doubt_of(remark: Diagnostic) -> Mapping[str, Any]:
    """Return the fields of the warning that texts may have no turns; empty for other remarks."""
    entry, fields = remark.value.entry, remark.value.fields
    return fields if (entry.code, entry.variant) == DOUBT else {}


def _say_doubt(source: Source, line: int | None, doubt: Mapping[str, Any]) -> None:
    """Warn that texts may be lists or notes; `doubt` has the fields of the warning of a text."""
    heads, paragraphs, pattern = (doubt[name] for name in ("heads", "paragraphs", "pattern"))
    source.log.say(TURNS_DOUBTFUL, line, heads=heads, paragraphs=paragraphs, pattern=pattern)


def _with_speaker(row: Segment, turn: Segment) -> Segment:
    """Return a row with the words and the speaker of its turn, and with its times if it has any."""
    has_times = turn.start_ns is not None
    return row.replace(
        words=turn.words,
        speaker=turn.speaker,
        start_ns=turn.start_ns if has_times else row.start_ns,
        end_ns=turn.end_ns if has_times else row.end_ns,
    )


def _name_of_ids(rows: Sequence[Segment]) -> str:
    """Return the first property with a different identifier in each row, or an empty text."""
    for name, _ in rows[0].properties if len(rows) > 1 else ():
        values = {dict(row.properties).get(name) for row in rows}
        if name_parts(name)[-1:] == ["id"] and len(values) == len(rows):
            return name
    return ""


def documents_in(
    source: Source, texts: Sequence[Any], by_role: Mapping[str, str], line: int | None
) -> DocumentsWithin | NamesWithin | None:  # fmt: skip
    """Return the reader of these texts, if they are documents of one format; otherwise `None`.

    Nearly all texts must be documents, and most of their segments must have speakers or times, or
    begin with a name. If the rows have speakers, each text must be a talk of several speakers. A
    warning tells of turns that remain words.
    """
    filled = [text for text in texts if isinstance(text, str) and text.strip()][:MOST_TEXTS]
    flat = [text[:LONGEST_TEXT] for text in filled if "\n" not in text.strip()]
    inside = names_inside(flat) or names_of_talks(flat, PARTIES)
    lines = [with_lines(text[:LONGEST_TEXT], inside) for text in filled]
    signed = (text for text in filled if SIGN.match(text))
    example = (
        next(signed, None)
        or turn_within(lines)
        or next(filter(None, map(_role_in, lines)), "")
        or (lines[0] if are_talks(lines) else "")
        or _talk_among(source, filled)
    )
    if not example:
        are_captions = "start" in by_role and not {"end", "duration"}.isdisjoint(by_role)
        if "speaker" in by_role:
            return None
        return _names_in(source, filled, line, are_captions=are_captions)
    for name in _formats(source, filled, inside):
        documents = DocumentsWithin(source, name, inside)
        if name in LAYOUTS:
            documents.decide_layouts(filled)
        read = documents.of_texts(filled)
        turns = [turn for part in read for turn in part]
        named = sum(turn.speaker is not None or turn.start_ns is not None for turn in turns)
        talks = sum(len({turn.speaker for turn in part} - {None}) > 1 for part in read)
        is_whole = "speaker" not in by_role or talks >= SHARE * len(filled)
        are_known = bool(turns) and named >= SHARE * len(turns) and is_whole
        parts = _parts_of_forms(read)
        if len(parts) == 1 or len(parts) > MOST_PARTIES:
            break  # a field before each text, or the fields of a form
        if len(read) >= SHARE * len(filled) and are_known:
            documents.are_turns = len(read) == len(turns)
            source.log.say(DOCUMENTS_WITHIN, line, format=name, text=_beginning(example))
            doubt = documents.doubt
            if not doubt and parts:
                doubt = {
                    "heads": len(turns),
                    "paragraphs": len(turns),
                    "pattern": f"{parts[0]}: text",
                }
            if doubt:
                _say_doubt(source, line, doubt)
            return documents
    if example.lstrip()[:1] not in "[{":
        source.log.say(TURNS_IN_TEXT, line, text=_beginning(example))
    return None


def _parts_of_forms(read: Sequence[Sequence[Segment]]) -> list[str]:
    """Return the names that begin the parts of several texts if they are those of a form.

    Each text has the same names in the same order, each once, and none is a role or has times.
    """
    names = [[turn.speaker or "" for turn in part] for part in read]
    are_forms = len(read) >= FEWEST_FORMS and all(part == names[0] for part in names)
    if not are_forms or len({*names[0]}) < len(names[0]) or any(map(_is_party, names[0])):
        return []
    are_timed = any(turn.start_ns is not None for part in read for turn in part)
    return [] if are_timed or "" in names[0] else names[0]


def _is_party(name: str) -> bool:
    """Return True for a role, the label of a speaker, and the sides of questions."""
    return is_role(name) or name.casefold() in ("question", "answer", "q", "a")


def _talk_among(source: Source, texts: Sequence[str]) -> str:
    """Return the first text of many lines if it is clearly a dialogue; otherwise an empty text."""
    text = next((text for text in texts if text.count("\n") >= FEWEST_LINES), "")
    return text if text and _format_of(source, text) == TURNS else ""


def _format_of(source: Source, text: str) -> str:
    """Return the format that a text clearly has; empty if there is none."""
    log = DiagnosticLog(source.name, "default", source.log.side)
    return sure_of(Source(source.recording, source.recording, iter([text]), log)) or ""


def _with_colon(line: re.Match[str]) -> str:
    """Return a role with a colon in place of the line end behind it; any other line unchanged."""
    return f"{line[1]}: " if is_role(line[1]) else line[0]


def _role_in(text: str) -> str:
    r"""Return the first line of a text that is a role alone, if two of its lines are; else empty.

    >>> _role_in("USER\nso it is\nASSISTANT\nwell then"), _role_in("agent\nand so")
    ('USER', '')
    """
    roles = roles_alone(text)
    return roles[0] if len(roles) > 1 else ""


def _beginning(text: str) -> str:
    """Return the beginning of the first line of a text."""
    return text.strip().split("\n")[0][:LONGEST_SHOWN]


def _formats(source: Source, texts: Sequence[str], inside: NamesInside | None) -> list[str]:
    """Return the formats that the texts may have: that of the first text, and that of dialogues."""
    detected = []
    if texts[0].lstrip()[:1] in ("[", "{") and SIGN.match(texts[0]):
        return ["json"]
    if SIGN.match(texts[0]):
        detected = [_format_of(source, with_lines(texts[0], inside))]
    return [name for name in (*detected, TURNS) if name in KNOWN]


def with_lines(text: str, inside: NamesInside | None = None) -> str:
    r"""Return a text with a line end before each turn, if the text is a single line.

    >>> text = "Agent: hello. Caller: hi. Agent: so. Caller: well. Agent: no."
    >>> with_lines(text, names_inside([text])).splitlines()[:2]
    ['Agent: hello.', 'Caller: hi.']
    >>> with_lines("[0:01] A: hello [0:03] B: hi [0:05] A: so")
    '[0:01] A: hello \n[0:03] B: hi \n[0:05] A: so'
    >>> with_lines(r"A: hello\nB: hi\nA: so")
    'A: hello\nB: hi\nA: so'

    Roles alone above what they say are put before it.

    >>> with_lines("USER\nso it is\nBOT\nwell then\n")
    'USER: so it is\nBOT: well then\n'
    """
    if "\n" in text.strip():
        return ROLE_ALONE.sub(_with_colon, text) if _role_in(text) else text
    if len(LINE_END.findall(text)) >= FEWEST_LINE_ENDS:
        return LINE_END.sub("\n", text)
    if len(STAMP_WITHIN.findall(text)) >= FEWEST_STAMPS:
        return BEFORE_STAMP.sub("\n", text)
    return text if inside is None else inside.divided(text.strip())
