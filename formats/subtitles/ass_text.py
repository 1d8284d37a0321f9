"""The text of SubStation events: override blocks, drawings, karaoke.

A run is a piece of text with the same markup.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from formats.reading.speakers import is_label
from formats.schema.words import Properties
from formats.subtitles.cues import Run

TAG = re.compile(r"\\(?:(?:k[fo]?|K)([0-9]{1,9})|p([0-9]{1,9}))")
ESCAPES = re.compile(r"\\([Nnh])")
CENTISECOND = 10_000_000
NO_NAME = "NTP"
KEPT = {"style": ("Default", "*Default", ""), "layer": ("0", ""), "effect": ("",)}


class CutDialogue(NamedTuple):
    """The text of an event, divided into runs (pieces with the same markup).

    `has_drawing` is True if the event also had a drawing.
    """

    runs: tuple[Run, ...]
    has_drawing: bool


def kept_properties(values: Mapping[str, str]) -> Properties:
    """Return style, layer and effect of an event as properties; default values are omitted."""
    return tuple(
        (name, value) for name in KEPT if (value := values.get(name, "")) not in KEPT[name]
    )


def speaker_of(values: Mapping[str, str]) -> str | None:
    """Return the speaker of an event.

    It is the event's name, or the style if that is a speaker such as ``Speaker00``, or `None`.
    ``NTP`` is what editors write where there is no name.
    """
    style, name = values.get("style", ""), values.get("name")
    return (name if name != NO_NAME else None) or (style if is_label(style) else None)


def cut_text(text: str, start: int | None, speaker: str | None = None) -> CutDialogue:
    """Divide the text of an event into runs, without override blocks.

    Karaoke tags give the runs times.
    """
    if "{" not in text:
        return CutDialogue((Run(_plain(text), speaker),), False)
    runs: list[Run] = []
    has_drawing = is_drawing = False
    chunk: int | None = None
    now = until = start or 0
    for block, after in _blocks(text):
        for karaoke, drawing in TAG.findall(block) if "\\" in block else ():
            if drawing:
                is_drawing = int(drawing) > 0
            elif start is not None:
                chunk = 0 if chunk is None else chunk + 1
                now = until
                until += int(karaoke) * CENTISECOND
        if is_drawing:
            has_drawing |= bool(after)
        elif after and chunk is None:
            runs.append(Run(_plain(after), speaker))
        elif after:
            runs.append(Run(_plain(after), speaker, chunk, now, until))
    return CutDialogue(tuple(runs), has_drawing)


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Yield each override block (without braces) and the text after it.

    The first block is empty if there is text before all blocks.
    """
    done = text.find("{")
    close = text.find("}", done)
    if close < 0:
        yield "", text
        return
    if done:
        yield "", text[:done]
    while True:
        begin = close + 1
        following = text.find("{", begin)
        following_close = text.find("}", following) if following >= 0 else -1
        if following_close < 0:
            yield text[done + 1 : close], text[begin:]
            return
        yield text[done + 1 : close], text[begin:following]
        done, close = following, following_close


def _plain(text: str) -> str:
    if "\\" not in text:
        return text
    return ESCAPES.sub(lambda found: " " if found[1] == "h" else "\n", text)
