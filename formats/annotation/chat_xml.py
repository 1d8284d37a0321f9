"""chat-xml: CHAT transcripts of CHILDES and TalkBank in XML; read only.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
``u`` and its ``who``                  a segment of the speaker, like a main line
                                       (`formats.annotation.chat`)
``w`` and its ``type``                 a word; fillers and fragments have the types of
                                       `formats.annotation.chat_text`; omitted words are dropped
``shortening``, ``wk``                 a part of the word; ``wk`` becomes ``+`` or ``~``
``g`` with ``k`` or ``r``              retraced or repeated words
``replacement``                        replaces the word, with ``--chat-replacements target``
``t``, ``tagMarker``                   a mark, added to the display form of the preceding word
``e``                                  an event, or the words of another speaker
``media``, ``internal-media``          times of the segment and, in ``wor``, of words
``Media``, ``Lang``                    `Segment.recording`, ``language`` of the file
other elements, such as ``mor``        dropped
=====================================  ======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from formats.annotation.chat import Utterance, segments_of
from formats.annotation.chat_text import (
    MOST_REPEATS,
    TEXT_OPTIONS,
    UNKNOWN,
    ChatText,
    ChatWord,
)
from formats.annotation.messages import CHAT_COMMENT
from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.reading.xml_document import Element, line_of, local_name, stream_xml, xml_span
from formats.schema.model import Segment
from formats.schema.words import Token

TERMINATORS = {"p": ".", "q": "?", "e": "!", "comma": ","}
KINDS = {"filler": "fp", "nonword": "non-lex", "fragment": "frag"}
IN_WORDS = {"cmp": "+", "cli": "~"}
"""Marks between the parts of a compound and before a clitic."""
BLANKS = re.compile(r"[ \t\r\n]+")


def read(
    source: Source, *, chat_replacements: str = "spoken", chat_retraces: str = "keep"
) -> Iterator[Segment]:
    """Yield, for each utterance, its segment and its events.

    Words of other speakers inside the utterance become segments of those speakers.
    """
    recording = source.recording
    takes_target, drops_retraces = chat_replacements == "target", chat_retraces == "drop"
    for element in stream_xml(source, ["CHAT"], ["u", "Participants", "comment"]):
        name = local_name(element)
        if name == "CHAT":
            recording = element.get("Media") or recording
            if language := element.get("Lang"):
                source.properties["language"] = language
        elif name == "comment":
            source.log.say(CHAT_COMMENT, line_of(element))
        elif name == "u":
            take = partial(_utterance, source, recording, takes_target, drops_retraces)
            yield from source.log.accepted("CHAT-SYNTAX", take, [element])


def _utterance(
    source: Source, recording: str, takes_target: bool, drops_retraces: bool, element: Element
) -> Iterator[Segment]:
    """Yield the segments of one utterance; the two flags follow from the options of `read`."""
    reader = _Words(takes_target, drops_retraces)
    start = end = None
    timed: list[Token] = []
    for child in element:
        if local_name(child) == "media":
            begin, end = _times(source, child)
            start = begin if start is None else start
        elif local_name(child) == "wor":
            timed = _timed_words(source, child)
        else:
            reader.take(child)
    text = reader.text
    tokens = [Token(word.text, kind=word.kind, display=word.display) for word in text.words]
    plain = Segment(
        recording, speaker=element.get("who") or None, start_ns=start, end_ns=end,
        line=line_of(element),
    )  # fmt: skip
    yield from segments_of(source, Utterance(plain.with_items(tokens), text, timed))


def _times(source: Source, element: Element) -> tuple[int | None, int | None]:
    """Return start and end of a ``media`` or ``internal-media`` element in nanoseconds."""
    start, end = xml_span(source, element, "start", "end")
    if element.get("unit") != "ms":
        return start, end
    return tuple(None if time is None else time // 1000 for time in (start, end))  # type: ignore[return-value]


def _timed_words(source: Source, element: Element) -> list[Token]:
    """Return the words of the element ``wor``. Times belong to the word before them."""
    timed: list[Token] = []
    for child in element:
        if local_name(child) == "w":
            reader = _Words()
            reader.take(child)
            timed += [Token(word.text) for word in reader.text.words]
        elif local_name(child) == "internal-media" and timed:
            start, end = _times(source, child)
            timed[-1] = timed[-1].replace(start_ns=start, end_ns=end)
    return timed


class _Words:
    """Collects the words of an utterance from its elements."""

    def __init__(self, takes_target: bool = False, drops_retraces: bool = False) -> None:
        self._takes_target, self._drops_retraces = takes_target, drops_retraces
        self.text = ChatText()

    def take(self, element: Element) -> None:
        """Add the words of an XML element inside an utterance or a group."""
        name = local_name(element)
        if name == "w":
            self._word(element)
        elif name in ("g", "pg", "sg"):
            self._group(element)
        elif name in ("t", "tagMarker"):
            mark = TERMINATORS.get(element.get("type", ""), "")
            if mark and self.text.words:
                last = self.text.words[-1]
                last.display = (last.display or last.text) + mark
        elif name == "e":
            self._event(element)

    def _word(self, element: Element) -> None:
        """Add a word, unless it was omitted.

        If the option asks for target forms, add the word's replacement instead.
        """
        kind = element.get("type")
        targets = [child for child in element if local_name(child) == "replacement"]
        if kind == "omission":
            return
        if targets and self._takes_target:
            for word in targets[0]:
                self.take(word)
            return
        text = "".join(BLANKS.split(_spoken_text(element)))
        if not text:
            return
        is_unknown = element.get("untranscribed") is not None or text in UNKNOWN
        type_ = "un-lex" if is_unknown else KINDS.get(kind or "")
        if any(local_name(child) == "langs" for child in element):
            type_ = type_ or "for-lex"
        self.text.words.append(ChatWord(text + "-" if type_ == "frag" else text, type_))

    def _group(self, element: Element) -> None:
        """Add the words of a group, as often as the group was spoken."""
        start = len(self.text.words)
        for child in element:
            name = local_name(child)
            if name == "k" and (child.get("type") or "").startswith("retracing"):
                if self._drops_retraces:
                    del self.text.words[start:]
            elif name == "r":
                times = child.get("times") or ""
                words = self.text.words[start:]
                for _ in range(min(int(times[:4]), MOST_REPEATS) - 1 if times.isdecimal() else 0):
                    self.text.words += [ChatWord(word.text, word.kind) for word in words]
            else:
                self.take(child)

    def _event(self, element: Element) -> None:
        """Add the name of a sound, or the words of another speaker."""
        for child in element:
            name = local_name(child)
            if name == "happening" and (text := " ".join((child.text or "").split())):
                self.text.events.append(text)
            elif name == "otherSpokenEvent":
                who = child.get("who") or ""
                for word in (child.get("said") or "").replace("_", " ").split():
                    self.text.asides.append((who, word))


def _spoken_text(element: Element) -> str:
    """Return the letters of a word, with its shortenings and without its annotations."""
    parts = [element.text or ""]
    for child in element:
        name = local_name(child)
        if name in ("shortening", "underline", "italic"):
            parts.append(child.text or "")
        elif name == "wk":
            parts.append(IN_WORDS.get(child.get("type", ""), ""))
        parts.append(child.tail or "")
    return "".join(parts)


SPEC = FormatSpec(
    title="CHAT transcripts in XML, as TalkBank publishes its corpora (read only)",
    sign="the root element CHAT",
    read=read,
    read_options=TEXT_OPTIONS,
)
