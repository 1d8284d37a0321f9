"""Subsets of keywords or audio, each scored by itself from the same alignment.

All patterns are regular expressions that have to fit the whole text in any case, those of
attribute values excepted, which may fit any part, in the case given.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from formats.keywords.model import Keyword
from scoring.kws.alignment import SearchAlignment
from scoring.kws.audio import compiled
from scoring.kws.parameters import KeywordSearchError


class Condition(NamedTuple):
    """What sets are made by."""

    kind: str  # ``source type``, ``keywords``, ``attributes``, ``vocabulary`` or ``targets``
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()


class KeywordGroup(NamedTuple):
    """A set of keywords, and which stretches of audio it is about (`None`: all of them)."""

    name: str
    keywords: tuple[int, ...]
    excerpts: npt.NDArray[np.bool_] | None = None
    source_types: tuple[str, ...] | None = None


def by_source_type(arguments: Sequence[str]) -> Condition:
    """A group per argument ``[name:]type[,type…]``, of the excerpts of these types.

    >>> by_source_type(["NEWS:bnews,confmtg", "cts"]).groups
    (('NEWS', ('bnews', 'confmtg')), ('cts', ('cts',)))
    """
    return Condition("source type", _named(arguments))


def by_keywords(arguments: Sequence[str]) -> Condition:
    """A group per argument ``[name:]id[,id…]``, of the keywords with these identifiers."""
    return Condition("keywords", _named(arguments))


def by_attributes(queries: Sequence[str]) -> Condition:
    """Groups of keywords that share the values of attributes.

    >>> by_attributes(["Class && Syllables:regex=^0[12]$"]).groups[0][1]
    ('Class', '', 'Syllables', '^0[12]$')
    """
    groups = []
    for query in queries:
        parts: list[str] = []
        for part in query.split("&&"):
            name, _, pattern = part.strip().partition(":regex=")
            if not name:
                raise KeywordSearchError(f"expected attributes, found {query!r}")
            parts += [name, pattern]
        groups.append((query, tuple(parts)))
    return Condition("attributes", tuple(groups))


def by_vocabulary() -> Condition:
    """Keywords with words the system's vocabulary lacks (``OOV``), and others (``IV``)."""
    return Condition("vocabulary")


def by_targets() -> Condition:
    """Keywords with references, and without."""
    return Condition("targets")


def _named(arguments: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: dict[str, tuple[str, ...]] = {}
    for argument in arguments:
        name, colon, members = argument.partition(":")
        if not colon:
            members = argument
        if name in groups:
            raise KeywordSearchError(f"expected groups of different names, found {name!r} twice")
        groups[name] = tuple(members.split(","))
    return tuple(groups.items())


def groups_of(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> tuple[KeywordGroup, ...]:
    """The groups of a condition, sorted by name, without those that nothing belongs to."""
    make = {
        "source type": _source_types,
        "keywords": _keywords,
        "attributes": _attributes,
        "vocabulary": _vocabulary,
        "targets": _targets,
    }[condition.kind]
    return tuple(sorted(make(condition, alignment, keywords), key=lambda group: group.name))


def excerpts_of_type(alignment: SearchAlignment, patterns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Which stretches are of a type that fits."""
    audio = alignment.audio
    fitting = [compiled(pattern) for pattern in patterns]
    types = [stretch.source_type for stretch in audio.stretches]
    if alignment.segmentation is not None and audio.rules.first_excerpt_types_segments:
        types = [types[audio.by_place[stretch.place][0]] for stretch in audio.stretches]
    return np.array([any(p.fullmatch(t) for p in fitting) for t in types], dtype=bool)


def _with_trials(
    alignment: SearchAlignment, excerpts: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.bool_]:
    """Which keywords have a trial, in some stretches or anywhere."""
    with_trial = np.zeros(len(alignment.keywords), dtype=bool)
    columns = alignment.detections.columns()
    in_references = np.array([r.excerpt for r in alignment.references], dtype=np.int64)
    of_rows = columns.keywords[alignment.rows]
    if excerpts is None:
        with_trial[of_rows] = True
        with_trial[alignment.keyword_of] = True
        return with_trial
    where = alignment.excerpts.copy()
    mapped = alignment.partners >= 0
    where[mapped] = in_references[alignment.partners[mapped]]
    with_trial[of_rows[excerpts[where]]] = True
    with_trial[alignment.keyword_of[excerpts[in_references]]] = True
    return with_trial


def _source_types(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> list[KeywordGroup]:
    anywhere = _with_trials(alignment)
    groups = []
    for name, patterns in condition.groups:
        excerpts = excerpts_of_type(alignment, patterns)
        here = _with_trials(alignment, excerpts)
        members = tuple(n for n in keywords if here[n] or not anywhere[n])
        groups.append(KeywordGroup(name, members, excerpts, patterns))
    return groups


def _keywords(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> list[KeywordGroup]:
    anywhere = _with_trials(alignment)
    groups = []
    for name, patterns in condition.groups:
        fitting = [compiled(pattern) for pattern in patterns]
        members = tuple(
            n
            for n in keywords
            if not anywhere[n]
            or any(p.fullmatch(alignment.keywords[n].identifier) for p in fitting)
        )
        groups.append(KeywordGroup(name, members))
    return groups


def _attributes(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> list[KeywordGroup]:
    members: dict[str, list[int]] = {}
    for _, parts in condition.groups:
        names = parts[::2]
        patterns = [compiled(pattern, 0) for pattern in parts[1::2]]
        for number in keywords:
            values = [
                _values(alignment.keywords[number], name, pattern, alignment)
                for name, pattern in zip(names, patterns, strict=True)
            ]
            for combination in product(*values):
                label = " X ".join(
                    f"{name}-{value}" for name, value in zip(names, combination, strict=True)
                )
                group = members.setdefault(label, [])
                if number not in group:
                    group.append(number)
    return [KeywordGroup(name, tuple(numbers)) for name, numbers in members.items()]


def _values(
    keyword: Keyword, name: str, pattern: re.Pattern[str], alignment: SearchAlignment
) -> list[str]:
    """The fitting values a keyword has of an attribute; of a repeated one, the last."""
    value = dict(keyword.attributes).get(name)
    if value is None:
        return []
    if name == "Syllables" and alignment.audio.rules.two_digit_syllables and value.isdecimal():
        value = f"{int(value):02d}"
    return [value] if pattern.search(value) else []


def _vocabulary(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> list[KeywordGroup]:
    anywhere = _with_trials(alignment)
    searched = alignment.detections.searched
    oov = {number for number, search in searched.items() if (search.oov_count or 0) > 0}
    return _in_two([n for n in keywords if anywhere[n]], oov, "OOV", "IV")


def _targets(
    condition: Condition, alignment: SearchAlignment, keywords: Sequence[int]
) -> list[KeywordGroup]:
    return _in_two(keywords, set(alignment.keyword_of.tolist()), "HasTargets", "NoTargets")


def _in_two(
    keywords: Sequence[int], chosen: set[int], inside: str, outside: str
) -> list[KeywordGroup]:
    """Groups of the keywords that are among some, and of the others; none without keywords."""
    members = {
        inside: tuple(number for number in keywords if number in chosen),
        outside: tuple(number for number in keywords if number not in chosen),
    }
    return [KeywordGroup(name, numbers) for name, numbers in members.items() if numbers]
