"""xml: any XML whose elements have texts with times or speakers; names show what each part means.

=====================================  =======================================================
in the file                            in the schema
=====================================  =======================================================
elements of one name, with a text and  one `Segment` per element; `formats.json.any_list` lists what
a time or speaker                      the names of attributes and inner elements mean
elements with times inside them        words with times
text after an inner element            part of the inner element's text
=====================================  =======================================================

An element is read as a JSON object: attributes and inner elements are its members, inner elements
with the same name are a list, and its text is the member ``text``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any
from xml.etree.ElementTree import ParseError, XMLPullParser

from formats.annotation.messages import XML_FEW, XML_UNREAD
from formats.detection.head import Head
from formats.detection.spec import MEMBER, UNIT_OPTION, FormatSpec, Sniff
from formats.io.source import Source
from formats.json.any_list import find_any, read_document
from formats.json.value import JsonDocument, JsonValue
from formats.reading.member_names import (
    NAMES,
    PERHAPS_SPEAKERS,
    name_parts,
    plain_name,
    time_role,
)
from formats.reading.time_values import word_count
from formats.reading.xml_document import Element, line_of, local_name, parse_xml
from formats.schema import lazy_pattern
from formats.schema.model import Segment

FEWEST_SINGLE = 3
"""The fewest texts of one word that are words of a text, not texts."""
KINDS = frozenset(("name", "type", "role"))
"""Names that mean the kind of an element, not a speaker."""
DOUBTFUL = PERHAPS_SPEAKERS - {"who"}
"""Names that are as often something else than a speaker."""
SPEAKERS = frozenset(NAMES["speaker"].plain) - DOUBTFUL - KINDS
LONGEST_LABEL = 200
"""The most characters of the label before a speech."""
LONGEST_NAME = 12
"""The most words of the name and the titles of a speaker."""
SHORT = frozenset(("t", "at", "from", "to"))
"""Names that mean a time only in elements inside others."""
DEEPEST = 100
"""Levels of elements that become objects; the text in a deeper element is not divided."""
TEXTS = frozenset(NAMES["text"].plain)
PARAGRAPHS = frozenset(("p", "para", "paragraph"))
"""Elements that divide the text of the element around them."""
LEAST_READ, LEAST_OF_SPEECHES = 0.5, 0.95
"""The shares of the words of a document, and of one with speeches, below which a warning counts."""
LEAST_OF_LIST = 1 / 3
"""The share of the words of a document that its speeches have, if nothing else of it is read."""
LEAST_HELD, FEWEST_OF_FILE = 0.1, 200
"""The share of words that are read below which a file is no transcript, and its fewest words."""
SPEECHES = frozenset(("speech", "speaking", "intervention", "rede", "tale"))
"""Elements that hold one speech, as parliaments write them."""
CONTRIBUTION = "membercontribution"
"""What a member of parliament said, in a paragraph that is the speech, as in Hansard's archive."""
NAMED = frozenset(("speaker", "from", "personspeaking", "talker", "redner", "taler", "member"))
"""Elements in a speech that say whose it is."""
NOT_SAID = frozenset(("kommentar", "comment", "note", "heading", "pageno", "timestamp"))
"""Elements in a speech that nobody said."""
NUMBER = lazy_pattern(r"\s*[\[(]?[A-Z]?[0-9]{1,5}[.)\]]{0,2}\s*\Z")
"""The number of a question, before the name of the speaker."""
LAYOUT = frozenset(("class", "style", "id", "lang", "href", "title", "dir"))
"""Attributes of marks inside a text."""


def read(source: Source, *, time_unit: str = "auto", member: str = "") -> Iterator[Segment]:
    """Yield one segment per element with a text, or per turn if the elements are words."""
    root = parse_xml(source, ())
    if root is None:
        return
    total = sum(map(word_count, root.itertext()))
    has_speeches = any(map(_is_speech, root.iter()))
    words = 0.0
    for segment in read_document(XmlDocument(source, root), time_unit, member):
        words += word_count(" ".join(map(str, (segment.speaker or "", *segment.words))))
        name, _, number = segment.recording.rpartition("-")
        is_part = has_speeches and name == source.recording and number.isdecimal()
        yield segment.replace(recording=name) if is_part else segment
    if words < LEAST_HELD * total and total >= FEWEST_OF_FILE:
        raise source.error_of(XML_FEW, 1, words=round(words), total=round(total))
    least = LEAST_OF_SPEECHES if has_speeches else LEAST_READ
    if words < least * total:
        source.log.say(XML_UNREAD, words=round(total - words), total=round(total))


class XmlDocument(JsonDocument):
    """The elements of an XML document as JSON values."""

    has_moved = True

    def __init__(self, source: Source, root: Element) -> None:
        self._elements: dict[int, Element] = {}
        self._set(source, "", 1, [_document_of(root, self._elements)])

    def lines_in(self, owner: JsonValue | None) -> Sequence[int]:
        """Return the lines at which the elements of a list begin."""
        values = self.top if owner is None else owner.value
        elements = (self._elements.get(id(value)) for value in values)
        return [1 if element is None else line_of(element) or 1 for element in elements]

    def place(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Return the line of the element that contains a value, and `None` as the column."""
        return self.line_of(value), None


def _document_of(root: Element, elements: dict[int, Element]) -> Any:
    """Return the value of a document: the list of its speeches if they have enough of its words."""
    speeches = [_value_of(element, elements) for element in _speeches_in(root)]
    words = sum(word_count(speech["text"]) for speech in speeches)
    total = sum(map(word_count, root.itertext()))
    is_list = len(speeches) > 1 and words > LEAST_OF_LIST * total
    return speeches if is_list else _value_of(root, elements)


def _speeches_in(root: Element) -> Iterator[Element]:
    """Yield the elements that are a speech, at any depth."""
    levels = [iter(root)]
    while levels:
        element = next(levels[-1], None)
        if element is None:
            levels.pop()
        elif local_name(element) and _speech(element):
            yield element
        else:
            levels.append(iter(element))


def _value_of(element: Element, elements: dict[int, Element], levels: int = DEEPEST) -> Any:
    """Return an element as an object; as a text if it has no attributes and no inner elements."""
    value: dict[str, Any] = {
        name.rpartition("}")[2]: text for name, text in element.attrib.items() if text.strip()
    }
    children = [child for child in element if local_name(child)]
    if speech := _speech(element):
        value.update(speech)
        elements[id(value)] = element
        return value
    if levels and _begins_with_speaker(element, children):
        value[local_name(children[0])] = (children[0].text or "").strip()
        rest = (("".join(child.itertext()), child.tail or "") for child in children[1:])
        text = "".join([children[0].tail or "", *chain(*rest)])
    elif not levels or _is_marked_text(element, children):
        text = "".join(element.itertext())
    elif _is_turn_of_parts(element, children):
        text = " ".join("".join(child.itertext()) for child in children)
    else:
        text = element.text or ""
        parts: dict[str, list[Any]] = {}
        for child in children:
            parts.setdefault(local_name(child), []).append(_with_tail(child, elements, levels - 1))
        for name, inner in parts.items():
            is_text = len(inner) == 1 and isinstance(inner[0], str)
            value[name] = inner[0] if is_text else _as_objects(inner)
    _join_paragraphs(value)
    if text.strip():
        if not value:
            return text
        value["text" if "text" not in value else "content"] = text
    elements[id(value)] = element
    return value


def _speech(element: Element) -> dict[str, str]:
    """Return the speaker and the text of an element that is a speech; empty for any other element.

    The first inner element with text has the name; a label behind it, ``Ann Able (North):``, is no
    speech.
    """
    if not _is_speech(element):
        return {}
    parts = [part for part in element.iter() if _plain_name(part) in NAMED]
    name = _name_in(parts[0]) if parts else ""
    texts = [*filter(str.strip, _texts_said(element))] if name else []
    pieces = [*filter(str.strip, element.itertext())] if name else []
    has_number = bool(texts) and texts[0] == pieces[0] and NUMBER.match(texts[0]) is not None
    texts = texts[has_number:]
    before = next(islice(pieces, has_number, None), "")
    if not texts or before not in "".join(parts[0].itertext()):
        return {}
    if (parts[0].tail or "").strip().endswith(":"):
        texts = texts[1:]
    text = " ".join("\n".join(texts).split()).removeprefix(":").lstrip()
    return {"speaker": name, "text": _without_label(text, name)}


def _is_speech(element: Element) -> bool:
    """Return True for an element that holds one speech."""
    return _plain_name(element) in SPEECHES or any(
        _plain_name(child) == CONTRIBUTION for child in element
    )


def _without_label(text: str, name: str) -> str:
    """Return a speech without the label of its speaker, which has a part of the name and a colon.

    >>> _without_label("Ms ABLE (North) (09:01): So it is", "Able, Ann")
    'So it is'
    >>> _without_label("So it is: well", "Able, Ann")
    'So it is: well'
    """
    label, colon, speech = text.partition(": ")
    words = [word for word in name_parts(name) if len(word) > 2]
    has_name = any(word in name_parts(label) for word in words)
    return speech if colon and len(label) <= LONGEST_LABEL and has_name else text


def _plain_name(element: Element) -> str:
    return plain_name(local_name(element))[0]


def _name_in(element: Element) -> str:
    """Return the name of a speaker: the inner elements called names, or else the whole text."""
    leaves = [part for part in element.iter() if "name" in _plain_name(part) and not len(part)]
    named = [part for part in leaves if name_parts(local_name(part))[-1] != "id"]
    texts = ["".join(_texts_of_name(part)).strip() for part in named or [element]]
    name = " ".join(" ".join(texts).split())
    return name if 0 < word_count(name) <= LONGEST_NAME else ""


def _texts_of_name(element: Element) -> Iterator[str]:
    """Yield the texts of a name, without the constituency of a member of parliament."""
    yield element.text or ""
    for child in element:
        if not _plain_name(child).endswith("constituency"):
            yield from _texts_of_name(child)
        yield child.tail or ""


def _texts_said(element: Element) -> Iterator[str]:
    """Yield the texts in an element, without names of speakers, times and notes."""
    yield element.text or ""
    for child in element:
        is_time = time_role(local_name(child)) and not len(child)
        if _plain_name(child) not in NAMED | NOT_SAID and not is_time:
            yield from _texts_said(child)
        yield child.tail or ""


def _join_paragraphs(value: dict[str, Any]) -> None:
    """Replace the paragraphs of an element without a text by its text."""
    name = next((name for name in value if name.lower() in PARAGRAPHS), "")
    if not name or any(plain_name(key)[0] in TEXTS for key in value if key != name):
        return
    parts = value[name] if isinstance(value[name], list) else [value[name]]
    texts = [part.get("text", "") if isinstance(part, dict) else part for part in parts]
    are_plain = all(LAYOUT | {"text"} >= part.keys() for part in parts if isinstance(part, dict))
    if are_plain and all(isinstance(text, str) for text in texts):
        del value[name]
        value["text"] = "\n".join(map(str, texts))


def _is_marked_text(element: Element, children: Sequence[Element]) -> bool:
    """Return True if an element has text with marks inside, such as ``so <i>it</i> is``."""
    texts = [element.text, *(child.tail for child in children)]
    has_text = any(text and text.strip() for text in texts)
    inner = [part for child in children for part in child.iter()]
    return has_text and all(LAYOUT.issuperset(part.attrib) for part in inner)


def _begins_with_speaker(element: Element, children: Sequence[Element]) -> bool:
    """Return True for a text after a speaker, such as ``<speaker>Ann</speaker> so it is``."""
    after = children[0].tail or "" if children else ""
    if (element.text or "").strip() or not any(map(str.isalpha, after)):
        return False
    name = plain_name(local_name(children[0]))[0]
    words = word_count(children[0].text or "")
    return name in SPEAKERS and 0 < words <= LONGEST_NAME and len(children[0]) == 0


def _is_turn_of_parts(element: Element, children: Sequence[Element]) -> bool:
    """Return True if an element is a turn whose text is in its inner elements.

    Only the turn itself has a time or speaker, and only the inner elements have text.
    """
    if (element.text and element.text.strip()) or not _role_names(element) - SHORT:
        return False
    parts = [part for child in children for part in child.iter() if local_name(part)]
    has_text = any(part.text and part.text.strip() for part in parts)
    return has_text and not any(map(_role_names, parts))


def _role_names(element: Element) -> set[str]:
    """Return those names of the element and its attributes that mean a time or a speaker."""
    names = [local_name(element), *(name.rpartition("}")[2] for name in element.attrib)]
    roles = {*NAMES["start"].plain, *NAMES["speaker"].plain} - KINDS
    plain = {name: plain_name(name)[0] for name in names}
    return {plain[name] for name in names if plain[name] in roles or time_role(name) == "start"}


def _with_tail(child: Element, elements: dict[int, Element], levels: int) -> Any:
    """Return the value of an inner element. Text that follows the element is added to its text."""
    value = _value_of(child, elements, levels)
    tail = child.tail or ""
    if not tail.strip():
        return value
    if isinstance(value, str):
        return value + tail
    value["text"] = value.get("text", "") + tail
    return value


def _as_objects(values: Sequence[Any]) -> list[Any]:
    """Return the values of elements with the same name. If any is an object, all become objects.

    A text becomes the member ``text``. It becomes ``word`` if nearly all texts are single words and
    the elements have times.
    """
    if all(isinstance(value, str) for value in values):
        return list(values)
    rows = [value if isinstance(value, dict) else {"text": value} for value in values]
    texts = [row["text"] for row in rows if isinstance(row.get("text"), str)]
    are_words = len(texts) >= FEWEST_SINGLE and 10 * sum(map(word_count, texts)) <= 11 * len(texts)
    if are_words and any(time_role(name) == "start" for row in rows for name in row):
        for row in rows:
            if "text" in row and "word" not in row:
                row["word"] = row.pop("text")
    return rows


def sniff(head: Head) -> Sniff:
    """Return `MAYBE` if elements have texts with times or speakers.

    The result is never `SURE`, so that every other format has priority.
    """
    root = _beginning_of(head.text) if head.shape == "xml" else None
    if root is None:
        return Sniff.NO
    value = _document_of(root, {})
    listings = None if isinstance(value, str) else find_any([value])
    if listings is None:
        return Sniff.NO
    listing, words = listings
    speakers = [name for name in listing.turn.speaker if name.lower() not in DOUBTFUL]
    has_times = bool(listing.turn.start or listing.word.start or words)
    return Sniff.MAYBE if has_times or speakers else Sniff.NO


def _beginning_of(text: str) -> Element | None:
    """Parse the beginning of a document; return its root element, or `None` if it is invalid."""
    if "<!ENTITY" in text:
        return None
    parser: Any = XMLPullParser(("start",))
    try:
        parser.feed(text)
        return next((element for _, element in parser.read_events()), None)
    except ParseError:
        return None


SPEC = FormatSpec(
    title="Any XML with elements of texts and times or speakers, recognised by their names",
    sign='elements with "start" and a text',
    read=read,
    sniff=sniff,
    read_options=(UNIT_OPTION, MEMBER),
)
