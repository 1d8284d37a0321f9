"""Names of speakers before the texts of cues, as Zoom and WhisperX write them."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from formats.io.source import Source
from formats.reading.lines import strip_blanks
from formats.reading.speakers import is_name
from formats.subtitles.cues import Cue, Run

PREFIX = re.compile(r"\s*([^\n:：]{1,60})(?::(?=[ \n]|\Z)|：)[ ]?")
BRACKETS = re.compile(r"\s*\[([^\[\]\n]{1,60})\]:[ \n]")
LOOKED_AT = 200


def of_zoom(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """The cues; names before the texts are speakers if the first 200 are numbered from 1."""
    first = list(islice(cues, LOOKED_AT))
    ids = [dict(cue.properties).get("id") for cue in first]
    if not _has_names(first, PREFIX) or ids != [str(n) for n in range(1, len(first) + 1)]:
        return chain(first, cues)
    message = (
        "names before the text of {} cues are speakers, {} have none "
        "(--no-zoom-speakers leaves them in the text)"
    )
    return _spoken(source, chain(first, cues), PREFIX, "ZOOM-SPEAKERS", message)


def of_whisperx(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """The cues; names in brackets before the texts, ``[SPEAKER_00]: ``, are speakers."""
    first = list(islice(cues, LOOKED_AT))
    is_timed = any(run.chunk is not None for cue in first for run in cue.runs)
    if is_timed or not _has_names(first, BRACKETS):
        return chain(first, cues)
    message = "names in brackets before the text of {} cues are speakers"
    return _spoken(source, chain(first, cues), BRACKETS, "BRACKET-SPEAKERS", message)


def _has_names(cues: Sequence[Cue], pattern: re.Pattern[str]) -> bool:
    """True if 60 % of three cues or more have names, without voices, and few different ones."""
    names = [name for cue in cues if (name := _cut(cue, pattern)[0]) is not None]
    are_few = len(set(names)) <= len(cues) / 3 + 3
    has_voices = any(run.speaker for cue in cues for run in cue.runs)
    return len(cues) > 2 and len(names) >= 0.6 * len(cues) and are_few and not has_voices


def _cut(cue: Cue, pattern: re.Pattern[str]) -> tuple[str | None, str]:
    """The name before the text of a cue, if there is one, and the rest."""
    text = "".join([run.text for run in cue.runs])
    match = pattern.match(text)
    name = strip_blanks(match[1]) if match is not None else ""
    return (name, text[match.end() :]) if match and name and is_name(name) else (None, text)


def _spoken(
    source: Source, cues: Iterable[Cue], pattern: re.Pattern[str], code: str, message: str
) -> Iterator[Cue]:
    """The cues with the names as speakers, and a note of how many have one."""
    count = bare = 0
    for cue in cues:
        name, text = _cut(cue, pattern)
        count += name is not None
        bare += name is None
        yield cue if name is None else cue._replace(runs=(Run(text, name),))
    source.log.note(code, message.format(count, bare))
