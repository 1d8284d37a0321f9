"""Names of speakers before the texts of cues, as Zoom and WhisperX write them."""

import re
from collections.abc import Iterator
from itertools import chain, islice

from formats.lines import strip_blanks
from formats.meetings.speakers import is_name
from formats.source import Source
from formats.subtitles.cues import Cue, Run

PREFIX = re.compile(r"\s*([^\n:：]{1,60})(?::(?=[ \n]|\Z)|：)[ ]?")
BRACKETS = re.compile(r"\s*\[([^\[\]\n]{1,60})\]:[ \n]")
LOOKED_AT = 200


def of_zoom(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """The cues; where they are Zoom's, with the names before their texts as speakers.

    They are if the first 200 are numbered from 1, at least 60 % of them have a name before the
    text, none has a voice, and there are no more than a third as many names, and three.
    """
    first = list(islice(cues, LOOKED_AT))
    ids = [dict(cue.properties).get("id") for cue in first]
    found = [_prefix(cue) for cue in first]
    names = {name for name in found if name}
    with_name = sum(name is not None for name in found)
    is_zoom = (
        ids == [str(number) for number in range(1, len(first) + 1)]
        and len(first) > 2
        and with_name >= 0.6 * len(first)
        and len(names) <= len(first) / 3 + 3
        and not any(run.speaker for cue in first for run in cue.runs)
    )
    if not is_zoom:
        yield from chain(first, cues)
        return
    count = bare = 0
    for cue in chain(first, cues):
        name = _prefix(cue)
        count += name is not None
        bare += name is None
        yield cue if name is None else _spoken(cue, name)
    source.log.note(
        "ZOOM-SPEAKERS",
        f"names before the text of {count} cues are speakers, {bare} have none "
        "(--no-zoom-speakers leaves them in the text)",
    )


def of_whisperx(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """The cues; where they are WhisperX's, with the names in brackets before texts as speakers.

    They are if of the first 200, and three at least, 60 % have ``[SPEAKER_00]: `` before the text,
    none has a voice, and there are no more than a third as many names, and three.
    """
    first = list(islice(cues, LOOKED_AT))
    found = [_prefix(cue, BRACKETS) for cue in first]
    names = {name for name in found if name}
    is_whisperx = (
        len(first) > 2
        and sum(map(bool, found)) >= 0.6 * len(first)
        and len(names) <= len(first) / 3 + 3
        and not any(run.speaker or run.chunk is not None for cue in first for run in cue.runs)
    )
    if not is_whisperx:
        yield from chain(first, cues)
        return
    count = 0
    for cue in chain(first, cues):
        name = _prefix(cue, BRACKETS)
        count += name is not None
        yield cue if name is None else _spoken(cue, name, BRACKETS)
    message = f"names in brackets before the text of {count} cues are speakers"
    source.log.note("BRACKET-SPEAKERS", message)


def _prefix(cue: Cue, pattern: re.Pattern[str] = PREFIX) -> str | None:
    found = pattern.match("".join([run.text for run in cue.runs]))
    name = strip_blanks(found[1]) if found is not None else ""
    return name if name and is_name(name) else None


def _spoken(cue: Cue, name: str, pattern: re.Pattern[str] = PREFIX) -> Cue:
    text = "".join([run.text for run in cue.runs])
    found = pattern.match(text)
    assert found is not None
    return cue._replace(runs=(Run(text[found.end() :], name),))
