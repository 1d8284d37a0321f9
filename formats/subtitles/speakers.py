"""Names of speakers before the texts of cues, by the rule of `formats.reading.speakers`."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice

from formats.io.source import Source
from formats.reading.speakers import Prefix, common_prefix, returning_names
from formats.subtitles.cues import Cue, Run
from formats.subtitles.messages import NAMES_LEFT, SPEAKER_NAMES

LOOKED_AT = 200


def with_speakers(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """Return the cues; names before the texts of the first 200 are speakers where they return."""
    first = list(islice(cues, LOOKED_AT))
    runs = [run for cue in first for run in cue.runs]
    if any(run.speaker is not None or run.chunk is not None for run in runs):
        return chain(first, cues)
    texts = ["".join([run.text for run in cue.runs]) for cue in first]
    prefix = common_prefix(texts)
    if prefix is not None:
        return _spoken(source, chain(first, cues), prefix)
    if left := returning_names(texts):
        source.log.say(NAMES_LEFT, count=len(left), total=len(texts), text=left[0])
    return chain(first, cues)


def _spoken(source: Source, cues: Iterable[Cue], prefix: Prefix) -> Iterator[Cue]:
    """Yield the cues with the names as speakers, and a note of how many have one."""
    count = bare = 0
    for cue in cues:
        runs = tuple(_runs_of(cue, prefix))
        has_name = any(run.speaker for run in runs)
        count += has_name
        bare += not has_name
        yield cue._replace(runs=runs) if has_name else cue
    source.log.say(SPEAKER_NAMES, count=count, notation=prefix.notation, bare=bare)


def _runs_of(cue: Cue, prefix: Prefix) -> Iterator[Run]:
    """Yield a run for each line that begins with a name, with the lines after it."""
    speaker: str | None = None
    lines: list[str] = []
    for line in "".join([run.text for run in cue.runs]).split("\n"):
        name, text = prefix.cut(line)
        if name is not None and (lines or speaker):
            yield Run("\n".join(lines), speaker)
            lines = []
        speaker = name or speaker
        lines.append(text)
    yield Run("\n".join(lines), speaker)
