"""nlp: tables of tokens of Rev's fstalign, with bars between the columns.

=================================  =============================================================
its word                           ours
=================================  =============================================================
``token``                          a word; all of one speaker after one another make a segment
``<laugh>``, ``<foreign>``         an ``event``, no word
``speaker``                        `Segment.speaker`; without one that of the row before
``ts``, ``endTs``                  times in seconds, each may be empty
``case``                           of a token in small letters its display form: ``UC`` begins
                                   with a capital, ``CA`` is all capitals
``punctuation``,                   added to the display form; so is a token that is only a mark
``prepunctuation``                 and has the times of the row before
``tags``                           property ``entity``: the classes, ``TIME,DATE``
``confidence``                     confidence of the word
other columns                      not read
=================================  =============================================================

Columns are found by their names. Nothing is quoted: a quotation mark is one.
"""

from __future__ import annotations

import re

from formats.errors import SyntaxFormatError, quoted
from formats.lines import strip_blanks
from formats.loss import refused
from formats.model import Segment
from formats.spec import FormatSpec, Sniff
from formats.times import format_time, is_time, parse_time
from formats.words import Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = ["SPEC", "read", "sniff", "write"]

COLUMNS = ("token", "speaker", "ts", "endTs", "punctuation", "case", "tags", "wer_tags")
KNOWN = frozenset({*COLUMNS, "prepunctuation", "confidence"})
TAG = re.compile(r"""['"][^'":]{0,40}:([^'"]{1,80})['"]""")
EVENT = re.compile(r"<[^<>]*>\Z")
SHOWN: dict[str, Callable[[str], str]] = {
    "UC": lambda text: text[:1].upper() + text[1:],
    "CA": str.upper,
}


def read(source: Source) -> Iterator[Segment]:
    """A segment for each stretch of one speaker, events behind it.

    Raises
    ------
    SyntaxFormatError: no header, a row of other columns, a time that is none or ends before it
        begins.
    """
    names: list[str] = []
    run = _Run(source)
    unread: set[str] = set()
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        cells = [strip_blanks(cell) for cell in line.split("|")]
        if not names:
            if cells[:2] != ["token", "speaker"]:
                raise source.syntax_error(number, "a header token|speaker|…", quoted(line), 1)
            names = cells
            unread = set(names) - KNOWN
            continue
        try:
            if len(cells) != len(names):
                expected, found = f"{len(names)} columns", str(len(cells))
                raise source.syntax_error(number, expected, found)
            row = dict(zip(names, cells, strict=True))
            if run.ends_with(row.get("speaker") or run.speaker):
                yield from run.segments()
            run.take(number, row)
        except SyntaxFormatError as error:
            source.log.reject("NLP-SYNTAX", error)
    yield from run.segments()
    if unread:
        source.log.note("NLP-COLUMNS", f"columns that are not read: {', '.join(sorted(unread))}")


class _Run:
    """Rows of one speaker."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.speaker: str | None = None
        self._tokens: list[Token] = []
        self._events: list[Segment] = []
        self._entities: list[str] = []
        self._tag = "[]"
        self._line: int | None = None

    def ends_with(self, speaker: str | None) -> bool:
        """Whether a row of a speaker begins another run."""
        return speaker != self.speaker

    def take(self, number: int, row: dict[str, str]) -> None:
        """Take a row.

        Raises
        ------
        SyntaxFormatError
        """
        text = row["token"]
        if not text:
            raise self.source.syntax_error(number, "a token", "none", 1)
        times = [self._time(number, row.get(name)) for name in ("ts", "endTs")]
        if None not in times and times[1] < times[0]:  # type: ignore[operator]
            expected = f"an end not before {row['ts']}"
            raise self.source.syntax_error(number, expected, quoted(row["endTs"]))
        sure = row.get("confidence") or None
        if sure is not None and not is_time(sure):
            raise self.source.syntax_error(number, "a confidence", quoted(sure))
        self.speaker = row.get("speaker") or self.speaker
        self._line = self._line or number
        before, after = row.get("prepunctuation", ""), row.get("punctuation", "")
        tags = row.get("tags", "[]")
        if tags != self._tag:
            self._entities.extend(TAG.findall(tags))
            self._tag = tags
        last = self._tokens[-1] if self._tokens else None
        shown = SHOWN.get(row.get("case", ""), str)(text) if text == text.lower() else text
        display = f"{before}{shown}{after}"
        token = Token(text, times[0], times[1], None if sure is None else float(sure),
                      display=None if display == text else display)  # fmt: skip
        if EVENT.match(text):
            event = Segment.from_items(
                self.source.recording, [token], speaker=self.speaker, start_ns=times[0],
                end_ns=times[1], kind="event", line=number,
            )  # fmt: skip
            self._events.append(event.replace(starts_ns=None, ends_ns=None, confidences=None))
        elif (
            last is not None
            and not any(map(str.isalnum, text))
            and not row.get("case")
            and [last.start_ns, last.end_ns] == times != [None, None]
        ):
            shown = last.text if last.display is None else last.display
            self._tokens[-1] = last.replace(display=shown + text)
        else:
            self._tokens.append(token)

    def _time(self, number: int, text: str | None) -> int | None:
        if not text:
            return None
        try:
            made = parse_time(text)
        except ValueError:
            made = -1
        if made < 0:
            raise self.source.syntax_error(number, "a time in seconds", quoted(text))
        return made

    def segments(self) -> Iterator[Segment]:
        """What has been taken since this was last asked."""
        entities = ",".join(self._entities)
        if self._tokens:
            yield Segment.from_items(
                self.source.recording, self._tokens, speaker=self.speaker, line=self._line,
                properties=(("entity", entities),) if entities else (),
            )  # fmt: skip
        yield from self._events
        self._tokens, self._events, self._entities = [], [], []
        self._tag, self._line = "[]", None


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write a row for each word, times with four decimals.

    Raises
    ------
    LossError: a word or a speaker with a bar in it, a word that would be read as an event.
    """
    sink.write("|".join(COLUMNS) + "\n")
    path = segments.source
    before = ""
    for segment in segments:
        speaker = segment.speaker or ""
        if before and segment.words and not speaker:
            rule = "that of the row before"
            sink.losses.add("speakers invented", 1, rule, path, segment.line)
        before = speaker or before
        for token in segment.all_tokens():
            row = _written(token, segment, sink, path)
            for cell in (speaker, *row):
                if "|" in cell or "\n" in cell or "\r" in cell or cell != strip_blanks(cell):
                    expected = "text without bars, line ends and blanks at its ends"
                    raise refused(path, segment.line, expected, quoted(cell))
            text, punctuation, case = row
            if EVENT.match(text) or not text:
                found = f"{quoted(text)}, which would be read as an event" if text else "none"
                raise refused(path, segment.line, "a word that the format can hold", found)
            times = [
                ""
                if time is None
                else format_time(sink.losses.rounded(4, path, segment.line, time)[0], 4)
                for time in (token.start_ns, token.end_ns)
            ]
            sink.write("|".join([text, speaker, *times, punctuation, case, "[]", "[]"]) + "\n")


def _written(token: Token, segment: Segment, sink: Sink, path: str | None) -> tuple[str, str, str]:
    """Text, punctuation and case of a word."""
    text = token.text
    shown = text if token.display is None else token.display
    forms: list[tuple[str, Callable[[str], str]]] = [("LC", str), *SHOWN.items()]
    for name, show in forms if text == text.lower() else [(_case(text), str)]:
        core = show(text)
        if shown.startswith(core) and not any(map(str.isalnum, shown[len(core) :])):
            return text, shown[len(core) :], name
    sink.losses.add("display forms", 1, "of other letters", path, segment.line)
    return text, "", _case(text)


def _case(text: str) -> str:
    if text == text.lower():
        return "LC"
    if text == text.upper():
        return "CA"
    return "UC" if text[1:] == text[1:].lower() else "MC"


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure of the header."""
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
    streams=True,
    manual="A header, and one token per row: speaker, times, punctuation, case, tags.",
)
