"""Recordings called as their files are, whose names end in the tag of a language."""

from __future__ import annotations

from formats.recordings import split_language, without_media
from scoring.errors import InputError
from scoring.sides.corpus import Corpus


def without_languages(left: Corpus, right: Corpus) -> tuple[Corpus, Corpus]:
    """Both sides, with names of files in place of the same names with other language tags.

    `talk` and `talk.en` are one recording, if the second is the name of a file. Names that are on
    both sides stay as they are, and so do single recordings, which match whatever their names.

    Raises
    ------
    InputError
        If one side has a recording in several languages, and none of them is the other's.
    """
    names, others = _names(left), _names(right)
    if names == others or len(names) == len(others) == 1 or not (names and others):
        return left, right
    if right.named_by_file and right.segments:
        return left, _renamed(right, left)
    return _renamed(left, right), right


def _names(side: Corpus) -> list[str]:
    recordings = list(dict.fromkeys(segment.recording for segment in side.segments))
    return recordings or list(side.identifiers)


def _renamed(side: Corpus, other: Corpus) -> Corpus:
    """The side with the names of the other one."""
    if not (side.named_by_file and side.segments):
        return side
    theirs = _by_stem(other)
    known = set(_names(other))
    renamed: dict[str, str] = {}
    for stem, tags in _by_stem(side).items():
        wanted = theirs.get(stem, {})
        if not wanted or not known.isdisjoint(tags.values()):
            continue
        [tag, name], *more = wanted.items()
        if more or (len(tags) > 1 and tag not in tags):
            several, names = (other, wanted) if more else (side, tags)
            listed = " and ".join(map(repr, list(names.values())[:3]))
            example = f"*.{max(names)}.*"
            raise InputError(
                several.name,
                None,
                None,
                f"expected one language of {stem!r}, found {listed}: a pattern such as "
                f"'{example}' names the files of one",
            )
        chosen = tags[tag] if tag in tags else next(iter(tags.values()))
        if chosen != name:
            renamed[chosen] = name
    if not renamed:
        return side
    listed = ", ".join(f"{name!r} for {wanted!r}" for name, wanted in list(renamed.items())[:3])
    listed += ", …" if len(renamed) > 3 else ""
    remark = f"note: {side.name}: recordings taken for those of {other.name}: {listed}"
    segments = tuple(
        segment.replace(recording=renamed[segment.recording])
        if segment.recording in renamed
        else segment
        for segment in side.segments
    )
    return side._replace(segments=segments, remarks=(*side.remarks, remark))


def _by_stem(side: Corpus) -> dict[str, dict[str, str]]:
    """For each name without tag the names with it, by their tags in small letters."""
    stems: dict[str, dict[str, str]] = {}
    for name in _names(side):
        stem, tag = split_language(name) if side.named_by_file else (without_media(name), "")
        stems.setdefault(stem, {})[tag.lower()] = name
    return stems
