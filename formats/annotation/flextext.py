"""flextext: interlinear texts of FieldWorks (FLEx) and ELAN in XML: phrases with glosses.

=====================================  =========================================================
in the file                            in the schema
=====================================  =========================================================
``phrase``                             one `Segment`; ``begin-time-offset`` and ``end-time-offset``
                                       are milliseconds
``word`` with an ``item`` ``txt``      a word in the first vernacular language of the file, or in
                                       `language`; a ``word`` without items is read as text
``word`` with an ``item`` ``punct``    added to the display form of the previous word
``item`` ``txt`` of a phrase           the words, if the phrase has no ``words``
``speaker``                            `Segment.speaker`
``gls``, ``lit``, ``note`` of a        properties ``gloss``, ``literal``, ``note``
phrase
``gls``, ``pos`` of words              properties ``glosses``, ``parts_of_speech``: in order,
                                       separated by blanks, ``-`` for a missing value
``media-file``                         `Segment.recording`: the stem of that file; if missing, the
                                       stem of the only media file
``title`` of a text                    `Segment.recording` if there are several texts without media
                                       files
morphemes                              not read
=====================================  =========================================================
"""

from collections.abc import Iterator

from formats.annotation.messages import FLEXTEXT_EMPTY
from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source, recording_of
from formats.reading.lines import split_words
from formats.reading.xml_document import Element, line_of, milliseconds, parse_xml, xml_error
from formats.schema.errors import SyntaxFormatError
from formats.schema.model import Segment

TEXTS = ("txt", "text")
NAMED = (("gls", "gloss"), ("lit", "literal"), ("note", "note"))
OF_WORDS = (("gls", "glosses"), ("pos", "parts_of_speech"))
OPENING = "([{«“‘¿¡"
MILLISECOND = 10**6


def read(source: Source, *, language: str = "") -> Iterator[Segment]:
    """Yield one segment per phrase that has words, in the order of the file."""
    root = parse_xml(source, ["document", "interlinear-text"])
    if root is None:
        return
    texts = list(root.iter("interlinear-text"))
    if not texts:
        raise xml_error(source, root, "an interlinear-text", "none")
    empty = 0
    for text in texts:
        vernaculars = (
            element.get("lang") or ""
            for element in text.iter("language")
            if element.get("vernacular") == "true"
        )
        spoken = language or next(vernaculars, "")
        files = {
            media.get("guid"): recording_of((media.get("location") or "").replace("\\", "/"))
            for media in text.iter("media")
        }
        title = _item(_items(text), ("title",), "") if len(texts) > 1 else None
        alone = next(iter(files.values())) if len(files) == 1 else title
        for phrase in text.iter("phrase"):
            recording = files.get(phrase.get("media-file")) or alone or source.recording
            try:
                segment = _segment(source, phrase, spoken, recording)
            except SyntaxFormatError as error:
                source.log.reject("FLEXTEXT-PHRASE", error)
                continue
            empty += segment is None
            if segment is not None:
                yield segment
    if empty:
        source.log.say(FLEXTEXT_EMPTY, empty=empty)


def _items(element: Element) -> list[tuple[str | None, Element]]:
    """Return the items of an element, each with its type."""
    return [(item.get("type"), item) for item in element if item.tag == "item"]


def _item(
    items: list[tuple[str | None, Element]], kinds: tuple[str, ...], language: str
) -> str | None:
    """Return the text of the first item of a type in `kinds`, if possible one in `language`."""
    candidates = [item for kind, item in items if kind in kinds]
    if not candidates:
        return None
    best = next((item for item in candidates if item.get("lang") == language), candidates[0])
    text = "".join(best.itertext()) if len(best) else best.text or ""
    return " ".join(text.split(" ")).strip(" \t\n")


def _segment(source: Source, phrase: Element, language: str, recording: str) -> Segment | None:
    words: list[str] = []
    displays: dict[int, str] = {}
    about: dict[str, list[str]] = {}
    pending = ""
    groups = phrase.iterchildren("words")
    for word in (word for group in groups for word in group.iterchildren("word")):
        items = _items(word)
        mark = _item(items, ("punct",), language)
        text = _item(items, TEXTS, language) if len(word) else (word.text or "").strip()
        parts = split_words(text.replace("\n", " ")) if text else []
        if parts:
            if pending:
                displays[len(words)] = pending + parts[0]
            words += parts
            pending = ""
            for kind, name in OF_WORDS:
                gloss = "_".join((_item(items, (kind,), "") or "-").split())
                about.setdefault(name, []).extend([gloss, *["-"] * (len(parts) - 1)])
        elif mark and words and mark[-1] not in OPENING:
            last = len(words) - 1
            displays[last] = displays.get(last, words[last]) + mark
        elif mark:
            pending += mark
    items = _items(phrase)
    whole = _item(items, TEXTS, language)
    if not words and whole:
        words = split_words(whole.replace("\n", " "))
    start, end = (milliseconds(source, phrase, f"{x}-time-offset") for x in ("begin", "end"))
    if start is not None and end is not None and end < start:
        expected = f"an end not before {start // MILLISECOND}"
        raise xml_error(source, phrase, expected, f"{end // MILLISECOND}")
    if not words:
        return None
    properties = {n: " ".join(glosses) for n, glosses in about.items() if set(glosses) > {"-"}}
    if len(items) > (whole is not None):
        properties |= {name: text for kind, name in NAMED if (text := _item(items, (kind,), ""))}
    return Segment(
        recording, tuple(words), speaker=phrase.get("speaker") or None, start_ns=start,
        end_ns=end, displays=tuple(map(displays.get, range(len(words)))) if displays else None,
        properties=tuple(sorted(properties.items())), line=line_of(phrase),
    )  # fmt: skip


SPEC = FormatSpec(
    title="interlinear texts of FieldWorks (FLEx): phrases of words with glosses, in XML",
    sign="the root element interlinear-text",
    read=read,
    read_options=(Option("language", "", "code of the language to read (flextext, must-c)"),),
)
