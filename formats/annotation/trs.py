"""trs: Transcriber's documents, turns of speakers cut by time stamps, in XML.

=====================================  ======================================================
its word                               ours
=====================================  ======================================================
text between two ``Sync``              a segment, from the one to the other or the turn's end
``Who nb="k"``                         the k-th speaker of the turn says what follows, in the
                                       same time as the others
``Speaker`` name (id)                  `Segment.speaker` (``speaker_from="id"``: the id)
``mode``, ``fidelity``, ``channel``    properties of these names (``channel`` is how the sound
of a turn                              came, not one of the recording's channels)
type, dialect, accent, scope of a      properties ``speaker_type``, ``dialect``, ``accent``,
speaker                                ``scope``
topic of a section                     property ``topic``
section of type ``nontrans``           an ``ignored`` segment, after its turns
``Event`` of type noise, ``Vocal``     an ``event`` at the ``Sync`` before it, or from its
                                       begin to its end
``Event`` of other types               property of that name: the text stays as it is
``Background``                         an ``event`` of the tier ``background``, up to the next
``audio_filename``                     `Segment.recording`; without it the file's stem
``version``, ``scribe``, ``xml:lang``  ``version``, ``scribe``, ``language`` of the file
``Comment``                            not kept (a note)
=====================================  ======================================================

Files are usually ISO-8859-1 and say so; many of them are Windows-1252 in truth, which a warning
remarks. The document type is accepted and never loaded. Conventions inside the text (``^^``,
``[…]``) are left alone unless a set of rules is asked for (`formats.annotation.trs_text`).
"""

from __future__ import annotations

import re

from formats.annotation.tier_reading import is_blank
from formats.annotation.tiers import KEEP_EMPTY
from formats.annotation.trs_text import RULE_SETS
from formats.annotation.trs_turn import SpeakerEntry, TurnReader, seconds_of
from formats.annotation.trs_writer import write
from formats.errors import OptionError, quoted
from formats.model import Segment
from formats.spec import FormatSpec, Option, Sniff, decimals
from formats.xml_document import local_name, stream_xml, xml_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element

    from formats.beginning import Head
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff", "write"]

PARTS = ("Speakers", "Topics", "Turn", "Section")
TEXTS = ("Turn", "Speakers", "Topics")
DECLARED = re.compile(r"""<\?xml[^>]*encoding\s*=\s*["'](?:iso-?8859-?1|latin-?1)["']""", re.I)
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
SPEAKER_SOURCES = ("auto", "id", "none")


def read(
    source: Source,
    *,
    speaker_from: str = "auto",
    keep_empty: bool = False,
    trs_clean: str = "none",
) -> Iterator[Segment]:
    """The segments in the order of the file; events where they stand in it.

    Parameters
    ----------
    speaker_from: ``auto`` (the name of a speaker, or the id where there is no name or two
        speakers have it), ``id``, ``none``.
    keep_empty: stretches without text are events without words.
    trs_clean: a set of rules of `formats.annotation.trs_text`.

    Raises
    ------
    SyntaxFormatError
        XML that is not well-formed or not of Transcriber, times that are none or missing, a turn
        that ends before it begins, a speaker that is not declared, a ``Who`` without its speaker.
    """
    if speaker_from not in SPEAKER_SOURCES:
        raise OptionError(
            expected=f"speaker from {', '.join(SPEAKER_SOURCES)}", found=quoted(speaker_from)
        )
    if trs_clean not in RULE_SETS:
        raise OptionError(expected=f"rules {', '.join(RULE_SETS)}", found=quoted(trs_clean))
    turns = TurnReader(source, rules=trs_clean, keep_empty=keep_empty)
    turns.is_latin_1 = DECLARED.match(source.head()[0][:200].lstrip()) is not None
    topics: dict[str, str] = {}
    section, topic = None, None
    for element in stream_xml(source, ["Trans"], PARTS, texts=TEXTS, code="TRS-TEXT"):
        name = local_name(element)
        if name == "Turn":
            if section is None or section is not element.getparent():
                section = element.getparent()
                named = None if section is None else section.get("topic")
                topic = None if not named else topics.get(named) or named
            yield from turns.read_on(element, topic)
        elif name == "Section":
            yield from _region(source, turns.recording, element)
        elif name == "Speakers":
            turns.speakers = _speakers(source, element, speaker_from)
        elif name == "Topics":
            section = None
            topics.update(
                (topic.get("id", ""), topic.get("desc", ""))
                for topic in element
                if local_name(topic) == "Topic"
            )
        else:
            turns.recording = element.get("audio_filename") or source.recording
            _keep_properties(source, element)
    yield from turns.last_background()


def _keep_properties(source: Source, root: _Element) -> None:
    names = (("version", "version"), ("scribe", "scribe"), (LANGUAGE, "language"))
    for attribute, name in names:
        if text := root.get(attribute):
            source.properties[name] = text


def _region(source: Source, recording: str, section: _Element) -> Iterator[Segment]:
    """A section that is not transcribed."""
    if section.get("type") != "nontrans":
        return
    begin = seconds_of(source, section, "startTime")
    end = seconds_of(source, section, "endTime")
    if end < begin:
        expected = f"an endTime after {section.get('startTime')}"
        raise xml_error(source, section, expected, quoted(section.get("endTime", "")))
    yield Segment(
        recording, (), start_ns=begin, end_ns=end, kind="ignored", line=section.sourceline
    )


def _speakers(source: Source, speakers: _Element, speaker_from: str) -> dict[str, SpeakerEntry]:
    elements = [element for element in speakers if local_name(element) == "Speaker"]
    names = [element.get("name", "") for element in elements]
    uses: dict[str, int] = {}
    for name in names:
        uses[name] = uses.get(name, 0) + 1
    made: dict[str, SpeakerEntry] = {}
    for element, name in zip(elements, names, strict=True):
        id_ = element.get("id")
        if not id_:
            raise xml_error(source, element, "a speaker with an id", "none")
        if id_ in made:
            raise xml_error(source, element, "a speaker with an id of its own", quoted(id_))
        if speaker_from == "auto" and not is_blank(name) and uses[name] > 1:
            message = f"two speakers are called {quoted(name)}: their ids are taken"
            source.log.note("TRS-NAMES", message, element.sourceline)
        is_named = speaker_from == "auto" and not is_blank(name) and uses[name] == 1
        who = None if speaker_from == "none" else name if is_named else id_
        made[id_] = SpeakerEntry(who, _speaker_properties(element))
    return made


def _speaker_properties(element: _Element) -> dict[str, str]:
    names = {"type": "speaker_type", "dialect": "dialect", "accent": "accent", "scope": "scope"}
    return {name: text for attribute, name in names.items() if (text := element.get(attribute, ""))}


def sniff(head: Head) -> Sniff:
    """Sure if the root element is Transcriber's."""
    return Sniff.SURE if head.root == "Trans" else Sniff.NO


SPEC = FormatSpec(
    title="Transcriber documents: turns of speakers with time stamps, in XML",
    sign="the root element Trans",
    read=read,
    write=write,
    has_one_recording=True,
    sniff=sniff,
    holds=(
        "words",
        "recordings",
        "speakers",
        "segment times",
        "properties",
        "events",
        "segment boundaries",
    ),
    properties=(
        "accent",
        "channel",
        "dialect",
        "fidelity",
        "mode",
        "scope",
        "speaker_type",
    ),
    needs=("segment times",),
    read_options=(
        Option("speaker_from", "auto", "speakers of turns: auto (their names), id, none"),
        KEEP_EMPTY,
        Option("trs_clean", "none", "rules for conventions inside the text", tuple(RULE_SETS)),
    ),
    write_options=(decimals(),),
    manual="Turns of one or more speakers, cut by time stamps; one recording per file.",
)
