"""flextext: interlinear texts of FieldWorks (FLEx) and of ELAN, phrases with glosses in XML.

=====================================  =========================================================
its word                               ours
=====================================  =========================================================
``phrase``                             one `Segment`; ``begin-time-offset`` and ``end-time-offset``
                                       are milliseconds
``word`` with an ``item`` ``txt``      a word: in the first vernacular language of the file, or in
                                       `language`; without items its text
``word`` with an ``item`` ``punct``    added to the display form of the word before it
``item`` ``txt`` of a phrase           the words, where it has no ``words``
``speaker``                            `Segment.speaker`
``gls``, ``lit``, ``note`` of a        properties ``gloss``, ``literal``, ``note``
phrase
``gls``, ``pos`` of words              properties ``glosses``, ``parts_of_speech``: in order, parted
                                       by blanks, ``-`` where there is none
``media-file``                         `Segment.recording`: the stem of that file; else the only
                                       one's
``title`` of a text                    `Segment.recording` where there is no media file and there
                                       are several texts
morphemes                              not read
=====================================  =========================================================
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.lines import split_words
from formats.model import Segment
from formats.source import recording_of
from formats.spec import FormatSpec, Option, Sniff
from formats.words import Token
from formats.xml_document import line_of, parse_xml, xml_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from formats.head import Head
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

TEXTS = ("txt", "text")
NAMED = (("gls", "gloss"), ("lit", "literal"), ("note", "note"))
OF_WORDS = (("gls", "glosses"), ("pos", "parts_of_speech"))
MILLISECOND = 10**6
MOST_DIGITS = 13


def read(source: Source, *, language: str = "") -> Iterator[Segment]:
    """One segment per phrase with words, in the order of the file.

    Parameters
    ----------
    language: the code of the language or script in which words are read.

    Raises
    ------
    SyntaxFormatError: XML that is not well-formed or not of FieldWorks, offsets that are no whole
        milliseconds, an end before its begin.
    """
    root = parse_xml(source, ["document", "interlinear-text"])
    if root is None:
        return
    texts = list(root.iter("interlinear-text"))
    if not texts:
        raise xml_error(source, root, "an interlinear-text", "none")
    empty = 0
    for text in texts:
        spoken = language or next(
            (
                one.get("lang") or ""
                for one in text.iter("language")
                if one.get("vernacular") == "true"
            ),
            "",
        )
        files = {
            one.get("guid"): recording_of((one.get("location") or "").replace("\\", "/"))
            for one in text.iter("media")
        }
        title = _item(text, ("title",), "") if len(texts) > 1 else None
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
        source.log.note("FLEXTEXT-EMPTY", f"phrases without words, left out: {empty}")


def _item(element: _Element, kinds: tuple[str, ...], language: str) -> str | None:
    """The text of an item of the element, in the language if there are several."""
    found = [one for one in element.iterchildren("item") if one.get("type") in kinds]
    best = next((one for one in found if one.get("lang") == language), found[0] if found else None)
    return None if best is None else " ".join("".join(best.itertext()).split(" ")).strip(" \t\n")


def _segment(source: Source, phrase: _Element, language: str, recording: str) -> Segment | None:
    tokens: list[Token] = []
    about: dict[str, list[str]] = {name: [] for _, name in OF_WORDS}
    pending = ""
    for word in phrase.iterfind("words/word"):
        mark = _item(word, ("punct",), language)
        text = _item(word, TEXTS, language) if len(word) else (word.text or "").strip()
        if text:
            words = split_words(text.replace("\n", " "))
            tokens.extend(map(Token, words))
            if pending:
                tokens[-len(words)] = tokens[-len(words)].replace(display=pending + words[0])
            pending = ""
            for kind, name in OF_WORDS:
                said = "_".join((_item(word, (kind,), "") or "-").split())
                about[name].extend([said, *["-"] * (len(words) - 1)])
        elif mark and tokens and not _opens(mark):
            last = tokens[-1]
            shown = last.text if last.display is None else last.display
            tokens[-1] = last.replace(display=shown + mark)
        elif mark:
            pending += mark
    whole = _item(phrase, TEXTS, language)
    if not tokens and whole:
        tokens = list(map(Token, split_words(whole.replace("\n", " "))))
    start, end = (_offset(source, phrase, name) for name in ("begin", "end"))
    if start is not None and end is not None and end < start:
        expected = f"an end not before {start // MILLISECOND}"
        raise xml_error(source, phrase, expected, f"{end // MILLISECOND}")
    if not tokens:
        return None
    properties = {name: " ".join(said) for name, said in about.items() if set(said) > {"-"}}
    properties |= {name: text for kind, name in NAMED if (text := _item(phrase, (kind,), ""))}
    return Segment.from_items(
        recording,
        tokens,
        speaker=phrase.get("speaker") or None,
        start_ns=start,
        end_ns=end,
        properties=tuple(sorted(properties.items())),
        line=line_of(phrase),
    )


def _opens(mark: str) -> bool:
    return mark[-1] in "([{«“‘¿¡"


def _offset(source: Source, phrase: _Element, name: str) -> int | None:
    text = (phrase.get(f"{name}-time-offset") or "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS):
        expected = f"a {name}-time-offset in whole milliseconds"
        raise xml_error(source, phrase, expected, quoted(text))
    return int(text) * MILLISECOND


def sniff(head: Head) -> Sniff:
    """Sure if the root element is FieldWorks', or a document of interlinear texts."""
    is_document = head.root == "document" and any("<interlinear-text" in line for line in head)
    return Sniff.SURE if is_document or head.root == "interlinear-text" else Sniff.NO


SPEC = FormatSpec(
    title="interlinear texts of FieldWorks (FLEx): phrases of words with glosses, in XML",
    sign="the root element interlinear-text",
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    read_options=(Option("language", "", "code of the language in which words are read"),),
    manual="Phrases with offsets and speakers; words, punctuation and glosses as items.",
)
