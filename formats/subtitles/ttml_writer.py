"""Writer of TTML in the style of EBU-TT-D."""

import re
from typing import Any

from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.reading.lines import split_words
from formats.schema.times import format_clock
from formats.subtitles.cue_text import CueOut, cues_out, timed_lines
from formats.subtitles.messages import RULE_MADE_SINGLE, RULE_WITHOUT_A_NAME

NO_XML = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff\ud800-\udfff]")
ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})
ATTRIBUTE_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\t": "&#9;"}
)
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*\Z")
LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,100}\Z")
COLOR = re.compile(r"[#\w]+(?:\([\w, .%-]*\))?\Z")
TOKENS = re.compile(r"[^\s]+(?: [^\s]+)*\Z")

ATTRIBUTES = (
    ("language", "xml:lang", LANGUAGE),
    ("color", "tts:color", COLOR),
    ("role", "ttm:role", TOKENS),
)


def write(
    segments: SegmentSource, sink: Sink, *, precision: int = 3, word_times: bool = False,
    **limits: Any,
) -> None:  # fmt: skip
    """Write one ``p`` element per segment in the given order, and one agent per speaker."""
    agents: dict[str, str] = {}
    ids: set[str] = set()
    paragraphs = [
        _paragraph(cue, word_times, agents, ids)
        for cue in cues_out(segments, sink, precision, limits)
    ]
    language = dict(segments.properties).get("language", "")
    sink.write(_head(language if LANGUAGE.match(language) else "", agents))
    for paragraph in paragraphs:
        sink.write(paragraph)
    sink.write("    </div>\n  </body>\n</tt>\n")


def _head(language: str, agents: dict[str, str]) -> str:
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<tt xmlns="http://www.w3.org/ns/ttml" xmlns:ttp="http://www.w3.org/ns/ttml#parameter" '
        'xmlns:ttm="http://www.w3.org/ns/ttml#metadata" '
        'xmlns:tts="http://www.w3.org/ns/ttml#styling" '
        f'ttp:timeBase="media" xml:lang="{language}">',
    ]
    if agents:
        lines += ["  <head>", "    <metadata>"]
        for name, agent in agents.items():
            lines.append(
                f'      <ttm:agent xml:id="{agent}" type="person">'
                f'<ttm:name type="full">{name.translate(ESCAPES)}</ttm:name></ttm:agent>'
            )
        lines += ["    </metadata>", "  </head>"]
    lines += ["  <body>", "    <div>"]
    return "\n".join(lines) + "\n"


def _paragraph(cue: CueOut, word_times: bool, agents: dict[str, str], ids: set[str]) -> str:
    segment, precision = cue.segment, cue.precision
    begin, until = (format_clock(time, decimals=precision) for time in (cue.start, cue.end))
    parts = [f'<p begin="{begin}" end="{until}"']
    name = segment.get("id")
    if name is not None and NAME.match(name) and name not in ids and not name.startswith("agent"):
        ids.add(name)
        parts.append(f'xml:id="{name}"')
    elif name is not None:
        cue.property_lost("id", "XML")
    if segment.speaker == "":
        cue.lost("speakers", 1, RULE_WITHOUT_A_NAME)
    elif segment.speaker is not None:
        parts.append(f'ttm:agent="{_agent(cue, segment.speaker, agents)}"')
    for property_name, attribute, grammar in ATTRIBUTES:
        value = segment.get(property_name)
        if value is not None and grammar.match(value) and not NO_XML.search(value):
            parts.append(f'{attribute}="{value.translate(ATTRIBUTE_ESCAPES)}"')
        elif value is not None:
            cue.property_lost(property_name, "TTML")
    # readers of XML make one blank of several
    lines = [" ".join(split_words(line)) for line in cue.lines()]
    if lines != cue.lines():
        cue.property_lost("lines", "TTML")
    _check_characters(cue, " ".join(lines))
    written = [line.translate(ESCAPES) for line in lines]
    if times := cue.word_times(word_times):
        written = [
            " ".join(_span(cue, *word) for word in words) for words in timed_lines(lines, times)
        ]
    return f"      {' '.join(parts)}>{'<br/>'.join(written)}</p>\n"


def _agent(cue: CueOut, speaker: str, agents: dict[str, str]) -> str:
    """Return the id of a speaker's agent.

    In the name, each run of blanks becomes a single blank.
    """
    _check_characters(cue, speaker)
    name = " ".join(split_words(speaker.replace("\n", " ")))
    if name != speaker:
        cue.lost("blanks of speakers' names", 1, RULE_MADE_SINGLE)
    return agents.setdefault(name, f"agent{len(agents) + 1}")


def _check_characters(cue: CueOut, text: str) -> None:
    odd = NO_XML.search(text)
    if odd is not None:
        raise cue.refuse("characters of XML", f"U+{ord(odd[0]):04X}")


def _span(cue: CueOut, word: str, *times: int) -> str:
    """Return a word as a ``span`` whose times count from the start of the paragraph."""
    first, last = (format_clock(time - cue.start, decimals=cue.precision) for time in times)
    return f'<span begin="{first}" end="{last}">{word.translate(ESCAPES)}</span>'
