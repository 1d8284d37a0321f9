"""Speaker names before the text of cues, as defined by `formats.reading.speakers`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

from formats.io.source import Source
from formats.reading.speakers import (
    PARTICLE,
    Prefix,
    common_prefix,
    is_label,
    is_name,
    is_sound,
    returning_names,
)
from formats.schema import lazy_pattern
from formats.subtitles.credits import are_makers
from formats.subtitles.cues import Cue, Run
from formats.subtitles.messages import NAMES_LEFT, SPEAKER_NAMES

LOOKED_AT, LOOKED_AT_FOR_SMALL = 200, 4000
"""The first cues that show the notation, and those that show more names in small letters."""
IN_QUOTES = lazy_pattern(r"(?:[0-9]{1,6}[ ])?\"([^\"\n]{1,60})\"(?:[ ]\([0-9]{1,12}\))?\Z")
"""A name in quotes between the number of a cue and that of a person."""
NAMED, FEWEST = 0.8, 4
"""The share of cues with a name on the first line, and the fewest of them."""
NEARLY_ALL = 0.95
"""The share of cues with a name on the first line from which a name may also be there once."""
FULL_NAME = lazy_pattern(
    r"(?=[^a-zß-öø-ÿа-я])"
    rf"(?:(?:[^\W_a-zß-öø-ÿа-я][\w.'’-]{{0,40}},?|{PARTICLE}|\([^()]{{1,40}}\))(?:[ ]|\Z)){{1,7}}\Z"
)
"""Words that begin with capital letters, with ``de`` or ``van`` between them."""


def with_speakers(source: Source, cues: Iterator[Cue]) -> Iterator[Cue]:
    """Yield the cues; repeated names at the beginning of their texts become speakers.

    The first 200 cues decide which names count; more cues may add names in small letters.
    """
    first = list(islice(cues, LOOKED_AT))
    runs = [run for cue in first for run in cue.runs]
    if any(run.speaker is not None or run.chunk is not None for run in runs):
        return chain(first, cues)
    texts = ["".join([run.text for run in cue.runs]) for cue in first]
    quoted = sum(_name_in_id(cue) != "" for cue in first)
    if quoted >= max(FEWEST, NAMED * len(first)):
        return _quoted(source, chain(first, cues))
    if names := _names_above(texts):
        named = sum(_is_named(_first_line(text), names) for text in texts)
        is_sure = named >= NEARLY_ALL * len(texts)
        return _named(source, chain(first, cues), names, is_sure=is_sure)
    prefix = common_prefix(texts)
    if prefix is not None and not are_makers(texts, prefix):
        if prefix.small:
            first += islice(cues, LOOKED_AT_FOR_SMALL)
            prefix = prefix.with_small(["".join([run.text for run in x.runs]) for x in first])
        return _spoken(source, chain(first, cues), prefix, _names_first(texts, prefix))
    if left := returning_names(texts):
        source.log.say(NAMES_LEFT, count=len(left), total=len(texts), text=left[0])
    return chain(first, cues)


def _name_in_id(cue: Cue) -> str:
    """Return the name in quotes in the line above the times, as Webex writes it; empty without."""
    identifier = dict(cue.properties).get("id") or ""
    match = IN_QUOTES.match(identifier) if '"' in identifier else None
    return match[1].strip() if match is not None else ""


def _quoted(source: Source, cues: Iterable[Cue]) -> Iterator[Cue]:
    """Yield the cues with the names in the lines above their times as speakers."""
    count = bare = 0
    for cue in cues:
        name = _name_in_id(cue)
        count += name != ""
        bare += name == ""
        runs = tuple(run._replace(speaker=name) for run in cue.runs) if name else cue.runs
        yield cue._replace(runs=runs)
    source.log.say(SPEAKER_NAMES, count=count, notation='1 "Name" (12)', bare=bare)


def _names_above(texts: Sequence[str]) -> frozenset[str]:
    """Return the repeated names that are the first line, above the text, of nearly all cues."""
    counts = Counter(name for name in map(_first_line, texts) if _may_be_name(name))
    again = {name: count for name, count in counts.items() if count > 1}
    named = sum(again.values())
    is_most = named >= NAMED * len(texts) and len(texts) >= FEWEST
    is_few = 3 * len(again) <= len(texts) or named == len(texts) >= 2 * FEWEST
    return frozenset(again) if is_most and is_few else frozenset()


def _first_line(text: str) -> str:
    """Return the first line of several without the signs around it; empty for one line."""
    line, _, below = text.strip().partition("\n")
    return _bare(line) if below else ""


def _may_be_name(name: str) -> bool:
    return name != "" and (is_name(name) or is_label(name)) and not is_sound(name)


def _is_named(line: str, names: frozenset[str]) -> bool:
    """Return True for one of the names, and for another full name."""
    return line in names or (_may_be_name(line) and FULL_NAME.match(line) is not None)


def _bare(line: str) -> str:
    """Return a name alone on a line without the signs around it.

    >>> _bare("[ANNE]:"), _bare("(Dr. Reed)"), _bare(">> Anne:"), _bare("Anne")
    ('ANNE', 'Dr. Reed', 'Anne', 'Anne')
    """
    name = line.strip().lstrip(">").strip().rstrip(":：").rstrip()
    is_within = name[:1] + name[-1:] in ("[]", "()")
    return (name[1:-1] if is_within else name).strip().rstrip(":：").rstrip()


def _named(
    source: Source, cues: Iterable[Cue], names: frozenset[str], *, is_sure: bool
) -> Iterator[Cue]:
    """Yield the cues; if the first line of a cue is one of `names`, it becomes the speaker.

    If `is_sure`, nearly all cues have such a line: then other full names are speakers, too.
    """
    count = bare = 0
    for cue in cues:
        whole = "".join([run.text for run in cue.runs]).strip()
        name, text = _first_line(whole), whole.partition("\n")[2]
        has_name = _is_named(name, names) if is_sure else name in names
        count += has_name
        bare += not has_name
        yield cue._replace(runs=(Run(text, name),)) if has_name else cue
    source.log.say(SPEAKER_NAMES, count=count, notation="Name\u23cetext", bare=bare)


def _names_first(texts: Sequence[str], prefix: Prefix) -> frozenset[str] | None:
    """Return the names before the texts, if nearly all texts have one; otherwise `None`."""
    names = [prefix.cut(text.partition("\n")[0])[0] for text in texts]
    first = [name for name in names if name is not None]
    return frozenset(first) if len(first) >= NEARLY_ALL * len(names) else None


def _spoken(
    source: Source, cues: Iterable[Cue], prefix: Prefix, names: frozenset[str] | None
) -> Iterator[Cue]:
    """Yield the cues with names as speakers; report how many cues have a name.

    If `names` are before nearly all texts, no other name begins a line inside a text.
    """
    count = bare = 0
    for cue in cues:
        runs = tuple(_runs_of(cue, prefix, names))
        has_name = any(run.speaker for run in runs)
        count += has_name
        bare += not has_name
        yield cue._replace(runs=runs) if has_name else cue
    source.log.say(SPEAKER_NAMES, count=count, notation=prefix.notation, bare=bare)


def _runs_of(cue: Cue, prefix: Prefix, names: frozenset[str] | None) -> Iterator[Run]:
    """Yield one run per speaker of a cue.

    A run is a line that begins with a name, and the lines up to the next name.
    """
    speaker: str | None = None
    lines: list[str] = []
    for line in "".join([run.text for run in cue.runs]).split("\n"):
        name, text = prefix.cut(line)
        if name and names and lines and not (name in names or is_label(name)):
            name, text = None, line
        if name is not None and (lines or speaker):
            yield Run("\n".join(lines), speaker)
            lines = []
        speaker = name or speaker
        lines.append(text)
    yield Run("\n".join(lines), speaker)
