"""Recordings named after their files, whose names end in the tag of a language."""

from __future__ import annotations

from collections.abc import Mapping

from formats.recordings import split_language, without_media
from scoring.errors import InputError
from scoring.sides.corpus import Corpus


def without_languages(left: Corpus, right: Corpus) -> tuple[Corpus, Corpus]:
    """Both sides, with names of files in place of the same names with other language tags.

    `talk` and `talk.en` are one recording, if the second is the name of a file. Names that are on
    both sides stay as they are, and so do single recordings, which match whatever their names.
    """
    names, targets = _names(left), _names(right)
    if names == targets or len(names) == len(targets) == 1 or not (names and targets):
        return left, right
    if right.named_by_file and right.is_unnamed:
        return left, _renamed(right, left)
    return _renamed(left, right), right


def _names(side: Corpus) -> list[str]:
    if side.is_unnamed:
        return list(dict.fromkeys(segment.recording for segment in side.segments))
    return list(side.identifiers)


def _renamed(side: Corpus, target: Corpus) -> Corpus:
    """The side with the names of the other one."""
    if not (side.named_by_file and side.is_unnamed):
        return side
    languages = _by_stem(target)
    names = set(_names(target))
    renamed: dict[str, str] = {}
    for stem, tags in _by_stem(side).items():
        targets = languages.get(stem, {})
        if not targets or not names.isdisjoint(tags.values()):
            continue
        [tag, name], *more = targets.items()
        if more or (len(tags) > 1 and tag not in tags):
            several, choices = (target, targets) if more else (side, tags)
            listed = " and ".join(map(repr, list(choices.values())[:3]))
            problem = (
                f"expected one language of {stem!r}, found {listed}: a pattern such as "
                f"'*.{max(choices)}.*' names the files of one"
            )
            raise InputError(several.name, None, None, problem)
        chosen = tags[tag] if tag in tags else next(iter(tags.values()))
        if chosen != name:
            renamed[chosen] = name
    if not renamed:
        return side
    note = (
        f"note: {side.name}: recordings taken for those of {target.name}: {list_renamed(renamed)}"
    )
    return side.renamed(renamed, note)


def list_renamed(names: Mapping[str, str]) -> str:
    """The first names and what they are taken for, for messages."""
    listed = ", ".join(f"{name!r} for {target!r}" for name, target in list(names.items())[:3])
    return listed + (", …" if len(names) > 3 else "")


def _by_stem(side: Corpus) -> dict[str, dict[str, str]]:
    """For each name without tag the names with it, by their tags in small letters."""
    stems: dict[str, dict[str, str]] = {}
    for name in _names(side):
        stem, tag = split_language(name) if side.named_by_file else (without_media(name), "")
        stems.setdefault(stem, {})[tag.lower()] = name
    return stems
