"""nlp: token tables of Rev's fstalign, with bars between the columns.

=================================  =============================================================
in the file                        in the schema
=================================  =============================================================
``token``                          a word; consecutive words of one speaker form a segment
``<laugh>``, ``<foreign>``         an ``event``; with ``events=word``, a word
``speaker``                        `Segment.speaker`; if empty, the speaker of the preceding row
``ts``, ``endTs``                  times in seconds, each may be empty
``case``                           the display form of a token in small letters: ``UC`` begins with
                                   a capital, ``CA`` is all capitals
``punctuation``,                   added to the display form; the same for a token that is only a
``prepunctuation``                 mark and has the times of the preceding row
``punctuation=word``               with this option, the mark after a token is a word, as with
                                   fstalign's ``--use-punctuation``
``tags``                           property ``entity``: the classes, such as ``TIME,DATE``
``confidence``                     confidence of the word
other columns                      not read
``level=word``                     with this option, a segment per token, with properties ``tags``
                                   (``5:TIME,6:DATE``) and ``wer_tags`` (``0,6``)
``wordings=FILE``                  with this option, the wordings of an entity in fstalign's
                                   normalisation file become alternatives to its tokens; the number
                                   in the first tag names the entity, which is then in one segment
=================================  =============================================================

Columns are found by their names. Fields are not quoted: a quotation mark is an ordinary character.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import msgspec

from formats.detection.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.manifests.messages import NLP_COLUMNS, RULE_OF_OTHER_LETTERS, RULE_ROW_BEFORE
from formats.reading.lines import TEXT_BLANKS, strip_blanks
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import is_time, parse_time, plain_span
from formats.schema.words import Alternation, Properties, Token, unless_empty
from formats.writing.out import Out

COLUMNS = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags", "wer_tags")
READ = (*COLUMNS[:-1], "prepunctuation", "confidence")
LEVELS = ("segment", "word")
EVENTS = ("event", "word")
MARKS = ("display", "word")
ITEM = re.compile(r"""['"]([^'"]{1,100})['"]""")
SPEAKER = READ.index("speaker")
KNOWN = frozenset({*COLUMNS, *READ})
NO_TAGS = "[]"
TAG = re.compile(r"""['"][^'":]{0,40}:([^'"]{1,80})['"]""")
EVENT = re.compile(r"<[^<>]*>\Z")
SHOWN: dict[str, Callable[[str], str]] = {
    "UC": lambda text: text[:1].upper() + text[1:],
    "CA": str.upper,
}


# The further wordings of entities by the number in their tags.
EntityWordings: TypeAlias = Mapping[str, Sequence[Sequence[str]]]


class Verbalization(msgspec.Struct):
    """An alternative wording in fstalign's normalisation file."""

    verbalization: list[str] | None = None


class WordedEntity(msgspec.Struct):
    """An entity in fstalign's normalisation file."""

    candidates: list[Verbalization] = []


class Word(NamedTuple):
    """A word with its times in nanoseconds; `after` is the punctuation after it."""

    text: str
    start_ns: int | None
    end_ns: int | None
    confidence: float | None
    display: str | None
    after: str = ""  # the mark after it
    entity: str = ""  # the number of an entity with further wordings

    def is_mark_after(self, word: Word) -> bool:
        """Return True if this word is only punctuation and has the times of `word` before it."""
        is_mark = not any(map(str.isalnum, self.text))
        return is_mark and word[1:3] == self[1:3] != (None, None)


def read(
    source: Source,
    *,
    level: str = "segment",
    events: str = "event",
    wordings: str = "",
    punctuation: str = "display",
) -> Iterator[Segment]:
    """Yield a segment for consecutive rows of one speaker, or one per token.

    The events of a segment follow the segment.
    """
    rows = ((number, line) for number, line in source.lines() if line.strip(TEXT_BLANKS))
    first, head = next(rows, (1, ""))
    if not head:
        return
    names = _cells(head)
    if names[:2] != ["token", "speaker"]:
        raise source.syntax_error(first, "a header token|speaker|…", quoted(head), 1)
    positions = {name: number for number, name in enumerate(names)}
    cells_read = itemgetter(*(positions.get(name, -1) for name in READ))
    run = _Run(source, _wordings(source, wordings) if wordings else {})
    run.has_events, run.has_mark_words = events == "event", punctuation == "word"
    tagged: Properties = ()
    for number, line in rows:
        cells = _cells(line)
        try:
            if len(cells) != len(names):
                raise source.syntax_error(number, f"{len(names)} columns", str(len(cells)))
            cells.append("")  # for columns that are not there
            row = cells_read(cells)
            is_token = level == "word" and any(map(str.isalnum, cells[0]))
            is_new = row[SPEAKER] and row[SPEAKER] != run.speaker
            if is_new or (is_token and not run.is_same_entity(row)):
                yield from run.segments(tagged)
            run.take(number, row)
            if is_token:
                tagged = _tags(dict(zip(names, cells, strict=False)))
            source.log.accept("NLP-SYNTAX")
        except SyntaxFormatError as error:
            source.log.reject("NLP-SYNTAX", error)
    yield from run.segments(tagged)
    unread = set(names) - KNOWN
    if unread:
        source.log.say(NLP_COLUMNS, names=sorted(unread))


def _wordings(source: Source, path: str) -> EntityWordings:
    """Return the alternative wordings of each entity from fstalign's file, as lists of words."""
    with source.beside(path) as file:
        try:
            entities = msgspec.json.decode(file.text(), type=dict[str, WordedEntity])
        except (msgspec.DecodeError, RecursionError) as problem:
            expected = "fstalign's JSON of entities with candidates"
            raise SyntaxFormatError(path=file.name, expected=expected, found=str(problem)) from None
    return {
        name: [
            " ".join(item.verbalization).split()
            for item in entity.candidates
            if item.verbalization is not None
        ]
        for name, entity in entities.items()
    }


def _branch(wording: Sequence[str], after: str) -> list[Token]:
    """Return the tokens of a wording. The punctuation mark `after` is added to the last token."""
    tokens = [*map(Token, wording)]
    if tokens and after:
        tokens[-1] = Token(wording[-1], display=wording[-1] + after)
    return tokens


def _tags(row: Mapping[str, str]) -> Properties:
    """Return the tags of a token as properties."""
    listed = ((name, ",".join(ITEM.findall(row.get(name, "")))) for name in ("tags", "wer_tags"))
    return tuple((name, text) for name, text in listed if text)


def _cells(line: str) -> list[str]:
    cells = line.split("|")
    if " " in line or not line.isprintable():
        return [cell.strip(TEXT_BLANKS) for cell in cells]
    return cells


class _Run:
    """Collects consecutive rows of one speaker, as columns."""

    def __init__(self, source: Source, wordings: EntityWordings) -> None:
        self.source = source
        self.wordings = wordings
        self.speaker: str | None = None
        self.has_events = True  # whether tokens in angle brackets are no words
        self.has_mark_words = False  # whether the marks after tokens are words
        self._words: list[Word] = []
        self._events: list[Segment] = []
        self._entities: list[str] = []
        self._tag = NO_TAGS
        self._line: int | None = None

    def take(self, number: int, row: Sequence[str]) -> None:
        """Process a row, whose cells are those of the columns `READ`; missing columns are empty."""
        text, speaker, begin, end, mark, case, tags, before, confidence = row
        if not text:
            raise self.source.syntax_error(number, "a token", "none", 1)
        start_ns, end_ns = plain_span(begin, end) or self._span(number, begin, end)
        if confidence and not is_time(confidence):
            raise self.source.syntax_error(number, "a confidence", quoted(confidence))
        self.speaker = speaker or self.speaker
        self._line = self._line or number
        if (tags or NO_TAGS) != self._tag:
            self._entities.extend(TAG.findall(tags))
            self._tag = tags
        after, mark = ("", mark) if self.has_mark_words else (mark, "")
        shown = SHOWN[case](text) if case in SHOWN and text == text.lower() else text
        display = f"{before}{shown}{after}"
        word = Word(
            text,
            start_ns,
            end_ns,
            float(confidence) if confidence else None,
            None if display == text else display,
            after,
            self._entity(tags) if self.wordings else "",
        )
        if text[0] == "<" and self.has_events and EVENT.match(text):
            event = Segment(
                self.source.recording, (text,), speaker=self.speaker, start_ns=start_ns,
                end_ns=end_ns, displays=unless_empty((word.display,)), kind="event", line=number,
            )  # fmt: skip
            self._events.append(event)
        elif self._is_mark(word, case):
            last = self._words[-1]
            before = last.text if last.display is None else last.display
            self._words[-1] = last._replace(display=before + text, after=last.after + text)
        else:
            self._words.append(word)
        if mark:
            self._words.append(Word(mark, None, None, None, None))

    def _is_mark(self, word: Word, case: str) -> bool:
        """Return True if a row is only a punctuation mark that belongs to the preceding word."""
        if self.has_mark_words or case or not self._words:
            return False
        return word.is_mark_after(self._words[-1])

    def _entity(self, tags: str) -> str:
        """Return the number in a row's first tag, if this entity has alternative wordings.

        The number is empty for all other rows.
        """
        first = ITEM.search(tags)
        name = first[1].partition(":")[0] if first else ""
        return name if self.wordings.get(name) else ""

    def is_same_entity(self, row: Sequence[str]) -> bool:
        """Return True if the row continues the entity of the previous row."""
        tags = row[READ.index("tags")]
        return bool(self._words and self._words[-1].entity and tags == self._tag)

    def _with_wordings(self, segment: Segment) -> Segment:
        """Return the segment; the wordings of its entities become alternatives."""
        items: list[Token | Alternation] = []
        pairs = zip(self._words, segment.all_tokens(), strict=True)
        for entity, group in groupby(pairs, lambda pair: pair[0].entity):
            words, tokens = zip(*group, strict=True)
            after = words[-1].after  # the entity, and so each of its wordings
            branches = [_branch(wording, after) for wording in self.wordings.get(entity, ())]
            items += [Alternation([tokens, *branches])] if branches else tokens
        return segment.with_items(items)

    def _span(self, number: int, begin: str, end: str) -> tuple[int | None, int | None]:
        start_ns = self._time(number, begin) if begin else None
        end_ns = self._time(number, end) if end else None
        if start_ns is not None and end_ns is not None and end_ns < start_ns:
            expected = f"an end not before {begin}"
            raise self.source.syntax_error(number, expected, quoted(end))
        return start_ns, end_ns

    def _time(self, number: int, text: str) -> int:
        time = parse_time(text) if is_time(text) else -1
        if time < 0:
            raise self.source.syntax_error(number, "a time in seconds", quoted(text))
        return time

    def segments(self, tagged: Properties = ()) -> Iterator[Segment]:
        """Yield the segment and the events of the rows since the last call.

        `tagged` replaces the property ``entity``.
        """
        entities = ",".join(self._entities)
        if self._words:
            texts, starts, ends, sure, displays, _, names = zip(*self._words, strict=True)
            segment = Segment(
                self.source.recording,
                texts,
                speaker=self.speaker,
                starts_ns=unless_empty(starts),
                ends_ns=unless_empty(ends),
                confidences=unless_empty(sure),
                displays=unless_empty(displays),
                properties=tagged or ((("entity", entities),) if entities else ()),
                line=self._line,
            )
            yield self._with_wordings(segment) if any(names) else segment
        yield from self._events
        self._words, self._events, self._entities = [], [], []
        self._tag, self._line = NO_TAGS, None


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write one row per word, with four decimals for times."""
    sink.write("|".join(COLUMNS) + "\n")
    before = ""
    for segment in segments:
        out = Out(segment, sink)
        speaker = segment.speaker or ""
        if before and segment.words and not speaker:
            out.lost("speakers invented", rule=RULE_ROW_BEFORE)
        before = speaker or before
        for token in segment.all_tokens():
            text, punctuation, case = row = _written(out, token)
            for cell in (speaker, *row):
                if any(c in "|\n\r" for c in cell) or cell != strip_blanks(cell):
                    expected = "text without bars, line ends and blanks at its ends"
                    raise out.refuse(expected, quoted(cell))
            if EVENT.match(text) or not text:
                found = f"{quoted(text)}, which would be read as an event" if text else "none"
                raise out.refuse("a word that the format can hold", found)
            start, end = (
                "" if time is None else out.time(time, 4) for time in (token.start_ns, token.end_ns)
            )
            sink.write("|".join([text, speaker, start, end, punctuation, case, "[]", "[]"]) + "\n")


def _written(out: Out, token: Token) -> tuple[str, str, str]:
    """Return the text, the punctuation and the case of a word, as fstalign's columns write them."""
    text = token.text
    shown = text if token.display is None else token.display
    forms: list[tuple[str, Callable[[str], str]]] = [("LC", str), *SHOWN.items()]
    for name, show in forms if text == text.lower() else [(_case(text), str)]:
        core = show(text)
        if shown.startswith(core) and not any(map(str.isalnum, shown[len(core) :])):
            return text, shown[len(core) :], name
    out.lost("display forms", rule=RULE_OF_OTHER_LETTERS)
    return text, "", _case(text)


def _case(text: str) -> str:
    if text == text.lower():
        return "LC"
    if text == text.upper():
        return "CA"
    return "UC" if text[1:] == text[1:].lower() else "MC"


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first line is the header of fstalign."""
    first = next((line for line in lines if strip_blanks(line)), "")
    names = [strip_blanks(name) for name in first.split("|")]
    return Sniff.SURE if names[:2] == ["token", "speaker"] else Sniff.NO


SPEC = FormatSpec(
    title="nlp of Rev's fstalign: a table of tokens with speakers, times, case and punctuation",
    sign="a header token|speaker|…",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "word times", "display forms"),
    read_options=(
        Option("level", "segment", "what a label or token is: a segment, or a single word", LEVELS),
        Option(
            "events",
            "event",
            "read a token in angle brackets as an event or as a word (nlp)",
            EVENTS,
        ),
        Option(
            "punctuation",
            "display",
            "add a mark after a token to its display form, or read the mark as a word (nlp)",
            MARKS,
        ),
        Option(
            "wordings",
            "",
            "fstalign's normalisation file, with alternatives for entities (nlp)",
            is_path=True,
        ),
    ),
)
