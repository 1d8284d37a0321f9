"""SAMI: captions in an HTML dialect, each with its start in ``<SYNC Start=500>``.

==============================  =============================================================
in the file                     in the schema
==============================  =============================================================
``<SYNC Start=500>``            `Segment.start_ns`, in milliseconds; the end is the next start of
                                the same class, or the attribute ``End``
``<P Class=ENCC>``              `Segment.tier`, if the file has several classes
``<P Class=ENCC>&nbsp;``        the end of the displayed text, not a segment
``<P ID=Source>``               `Segment.speaker` of the other paragraphs with the same time
``<br>``                        a blank; lines are the property ``lines``
other tags, comments            dropped
``.ENCC {lang: en-US;}``        property ``language`` of the file, if it has only this class
==============================  =============================================================

This package has its own parser, because pycaption 2.3.14 and pysubs2 1.8.1 join two classes with
the same time to one text.
"""

import re
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND
from formats.subtitles.cue_reading import READ_OPTIONS, segments_of
from formats.subtitles.cues import Cue, Run, decode_entities, until_next
from formats.subtitles.messages import CAPTIONS_SORTED, CUE_CLASSES, SAMI_OUTSIDE, SAMI_TEXT
from formats.writing.bounds import LATEST

TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?![A-Za-z0-9])[^<>]*)>")
ATTRIBUTE = re.compile(
    r"(?<![A-Za-z])([A-Za-z]+)[ \t\n]*=[ \t\n]*(?:\"([^\"]*)\"|'([^']*)'|([^ \t\n\"'>]+))"
)
BODY = re.compile(r"<(?:BODY|SYNC)\b", re.IGNORECASE)
CLASS = re.compile(r"\.([A-Za-z0-9_-]{1,60})[ \t\n]*\{([^{}]*)\}")
LANGUAGE = re.compile(r"\blang[ \t]*:[ \t]*([A-Za-z0-9-]{1,35})", re.IGNORECASE)
MILLISECONDS = re.compile(r"([0-9]{1,13})(?:\.[0-9]*)?(?:ms)?\Z", re.IGNORECASE)
FILLER = re.compile(r"&nbsp;?", re.IGNORECASE)
ROOT = re.compile(r"\s*<SAMI\b", re.IGNORECASE)
MILLISECOND = SECOND // 1000


def read(source: Source, **options: Any) -> Iterator[Segment]:
    """Yield one segment per paragraph with text, sorted by time."""
    for segment in segments_of(source, _cues(source), **options):
        tier = segment.get("class")
        if tier is not None:
            kept = tuple(pair for pair in segment.properties if pair[0] != "class")
            segment = segment.replace(tier=tier or None, properties=kept)
        yield segment


def _cues(source: Source) -> Iterator[Cue]:
    text = source.text()
    if not strip_blanks(text.replace("\n", " ")):
        return
    if ROOT.match(_without_comments(text[:4096])) is None:
        raise source.syntax_error(1, "<SAMI>", quoted(text[:40]))
    body = BODY.search(text)
    begin = len(text) if body is None else body.start()
    languages = {
        name.lower(): language[1]
        for name, style in CLASS.findall(text[:begin])
        if (language := LANGUAGE.search(style))
    }
    classes = _Body(source, text[:begin].count("\n") + 1).classes(_without_comments(text[begin:]))
    cues: list[Cue] = []
    for name, marks in classes.items():
        if marks != sorted(marks, key=itemgetter(0)):
            source.log.say(CAPTIONS_SORTED)
            marks.sort(key=itemgetter(0))
        spoken = languages.get(name.lower(), "")
        new_cues = until_next(source, marks)
        if len(classes) > 1:
            properties = (("class", name), *([("language", spoken)] if spoken else []))
            new_cues = [cue._replace(properties=properties) for cue in new_cues]
        elif spoken:
            source.properties["language"] = spoken
        cues += new_cues
    starts = [{start for start, cue in marks if cue is not None} for marks in classes.values()]
    if len(starts) > 1 and 2 * len(starts[0] & starts[1]) > min(map(len, starts[:2])):
        names = ", ".join(languages.get(name.lower(), name) for name in classes)
        source.log.say(CUE_CLASSES, names=names, property="class")
    source.is_silent = bool(classes)
    cues.sort(key=lambda cue: cue.start_ns or 0)
    yield from cues


def _without_comments(text: str) -> str:
    """Remove comments from a text, except the line ends in them.

    A comment that is not closed is kept.
    """
    pieces: list[str] = []
    done = 0
    while (begin := text.find("<!--", done)) >= 0 and (end := text.find("-->", begin + 4)) >= 0:
        pieces += text[done:begin], "\n" * text.count("\n", begin, end)
        done = end + 3
    return "".join([*pieces, text[done:]])


class _Body:
    """Reads the tags of the body, and collects the text of each class with its start."""

    def __init__(self, source: Source, line: int) -> None:
        self.source = source
        self.line = line
        self.start: int | None = None
        self.attributes: dict[str, str] = {}
        self.speaker: str | None = None
        self.first_line = line
        self.has_paragraph = False
        self.text: list[str] = []
        self.marks: dict[str, list[tuple[int, Cue | None]]] = {}

    def classes(self, body: str) -> dict[str, list[tuple[int, Cue | None]]]:
        """Return the starts (in nanoseconds) and cues of each class.

        `None` instead of a cue means that the screen is cleared at this time.
        """
        done = 0
        for tag in TAG.finditer(body):
            begin, end = tag.span()
            if begin > done:
                self.text.append(body[done:begin].replace("\n", " "))
            self.line += body.count("\n", done, end)
            done = end
            closing, name, attributes = tag.groups()
            name = name.lower()
            if name in ("sync", "p", "body", "sami"):
                self._finish()
                self.has_paragraph = name == "p" and not closing
                if name == "sync" and not closing:
                    self._sync(attributes)
                elif self.has_paragraph:
                    self.attributes = _attributes(attributes)
                self.first_line = self.line
            elif name == "br":
                self.text.append("\n")
        self.text.append(body[done:].replace("\n", " "))
        self._finish()
        return self.marks

    def _sync(self, attributes: str) -> None:
        self.speaker = None
        text = _attributes(attributes).get("start", "")
        time = MILLISECONDS.match(text)
        if time is None or int(time[1]) > 2 * LATEST // MILLISECOND:
            expected = "<SYNC Start=milliseconds>"
            error = self.source.syntax_error(self.line, expected, quoted(text))
            self.start = None
            self.source.log.reject("SAMI-TIME", error)
        else:
            self.start = int(time[1]) * MILLISECOND

    def _finish(self) -> None:
        """Store the text that was collected."""
        if not (self.text or self.has_paragraph):
            return
        text, self.text = "".join(self.text), []
        plain = FILLER.sub(" ", text)
        is_empty = not plain.strip(" \t\n\xa0")
        if self.start is None or (is_empty and not self.has_paragraph):
            if not is_empty:
                self.source.log.say(SAMI_TEXT, self.first_line, text=text)
            return
        if not self.has_paragraph:
            self.source.log.say(SAMI_OUTSIDE, self.first_line, text=text)
        words = decode_entities(plain)
        if self.attributes.pop("id", "").lower() == "source":
            self.speaker = " ".join(words.split()) or None
            return
        cue = None
        if not is_empty:
            cue = Cue(self.start, None, (Run(words, self.speaker),), self.first_line)
        self.marks.setdefault(self.attributes.get("class", ""), []).append((self.start, cue))


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): strip_blanks("".join(value)) for name, *value in ATTRIBUTE.findall(text)}


def sniff(head: Head) -> Sniff:
    """Return `SURE` if the first tag is ``<SAMI>``."""
    return Sniff.SURE if ROOT.match(_without_comments("\n".join(head[:200])[:4096])) else Sniff.NO


SPEC = FormatSpec(
    title="SAMI captions: paragraphs with their begins, in a kind of HTML",
    sign="the root element SAMI",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    properties=("lines",),
    read_options=READ_OPTIONS,
)
