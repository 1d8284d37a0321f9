"""Subsets of keywords or audio; each subset is scored separately from the same alignment.

Patterns are regular expressions that must match the whole text, ignoring case. Patterns of
attribute values may match any part, and are case-sensitive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from scoring.tasks.kws.alignment import SearchAlignment
from scoring.tasks.kws.audio import compiled
from scoring.tasks.kws.parameters import KeywordSearchError


class KeywordGroup(NamedTuple):
    """A set of keywords, and the audio excerpts for scoring them (`None`: all excerpts)."""

    name: str
    keywords: tuple[int, ...]
    excerpts: npt.NDArray[np.bool_] | None = None
    source_types: tuple[str, ...] | None = None


# From an alignment and the numbers of keywords to their groups, in any order.
KeywordCondition: TypeAlias = Callable[[SearchAlignment, Sequence[int]], "Iterable[KeywordGroup]"]


def by_source_type(arguments: Sequence[str]) -> KeywordCondition:
    """Return a group of excerpts for each argument ``[name:]type[,type…]``."""
    named = _named(arguments)

    def groups(alignment: SearchAlignment, keywords: Sequence[int]) -> Iterator[KeywordGroup]:
        anywhere = _with_trials(alignment)
        for name, patterns in named.items():
            excerpts = excerpts_of_type(alignment, patterns)
            here = _with_trials(alignment, excerpts)
            members = tuple(n for n in keywords if here[n] or not anywhere[n])
            yield KeywordGroup(name, members, excerpts, patterns)

    return groups


def by_keywords(arguments: Sequence[str]) -> KeywordCondition:
    """Return a group of keywords for each argument ``[name:]id[,id…]``."""
    named = _named(arguments)

    def groups(alignment: SearchAlignment, keywords: Sequence[int]) -> Iterator[KeywordGroup]:
        anywhere = _with_trials(alignment)
        for name, patterns in named.items():
            fitting = [compiled(pattern) for pattern in patterns]
            members = (
                n
                for n in keywords
                if not anywhere[n]
                or any(p.fullmatch(alignment.keywords[n].identifier) for p in fitting)
            )
            yield KeywordGroup(name, tuple(members))

    return groups


def by_attributes(queries: Sequence[str]) -> KeywordCondition:
    """Return a condition that groups keywords with equal values of attributes.

    A query has the form ``name[:regex=…][ && name…]``.
    """
    parsed = []
    for query in queries:
        parts = [part.strip().partition(":regex=") for part in query.split("&&")]
        if not all(name for name, _, _ in parts):
            raise KeywordSearchError(f"expected attributes, found {query!r}")
        parsed.append([(name, pattern) for name, _, pattern in parts])

    def groups(alignment: SearchAlignment, keywords: Sequence[int]) -> Iterator[KeywordGroup]:
        members: dict[str, dict[int, None]] = {}
        for parts in parsed:
            attributes = [(name, compiled(pattern, 0)) for name, pattern in parts]
            for number in keywords:
                values = [
                    [f"{name}-{value}" for value in _values(alignment, number, name, pattern)]
                    for name, pattern in attributes
                ]
                for combination in product(*values):
                    members.setdefault(" X ".join(combination), {})[number] = None
        return (KeywordGroup(name, tuple(numbers)) for name, numbers in members.items())

    return groups


def by_vocabulary(alignment: SearchAlignment, keywords: Sequence[int]) -> Iterator[KeywordGroup]:
    """Group keywords by whether any word is outside the system's vocabulary (``OOV``, ``IV``)."""
    anywhere = _with_trials(alignment)
    searched = alignment.detections.searched
    oov = {number for number, search in searched.items() if (search.oov_count or 0) > 0}
    return _in_two([n for n in keywords if anywhere[n]], oov, "OOV", "IV")


def by_targets(alignment: SearchAlignment, keywords: Sequence[int]) -> Iterator[KeywordGroup]:
    """Group keywords by whether they have references."""
    return _in_two(keywords, set(alignment.keyword_of.tolist()), "HasTargets", "NoTargets")


def _named(arguments: Sequence[str]) -> dict[str, tuple[str, ...]]:
    groups: dict[str, tuple[str, ...]] = {}
    for argument in arguments:
        name, colon, members = argument.partition(":")
        if name in groups:
            raise KeywordSearchError(f"expected groups of different names, found {name!r} twice")
        groups[name] = tuple((members if colon else argument).split(","))
    return groups


def excerpts_of_type(alignment: SearchAlignment, patterns: Sequence[str]) -> npt.NDArray[np.bool_]:
    """Return a flag for each excerpt: True if its type matches a pattern."""
    audio = alignment.audio
    fitting = [compiled(pattern) for pattern in patterns]
    types = [stretch.source_type for stretch in audio.stretches]
    if alignment.segments is not None and audio.rules.first_excerpt_types_segments:
        types = [types[audio.by_place[stretch.place][0]] for stretch in audio.stretches]
    return np.array([any(p.fullmatch(t) for p in fitting) for t in types], dtype=bool)


def _with_trials(
    alignment: SearchAlignment, excerpts: npt.NDArray[np.bool_] | None = None
) -> npt.NDArray[np.bool_]:
    """Return a flag for each keyword: True if it has a trial.

    If `excerpts` are given, only trials in these excerpts count.
    """
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


def _values(
    alignment: SearchAlignment, keyword: int, name: str, pattern: re.Pattern[str]
) -> list[str]:
    """Return the matching values of an attribute of a keyword.

    If the attribute is repeated, its last value counts.
    """
    value = dict(alignment.keywords[keyword].attributes).get(name)
    if value is None:
        return []
    if name == "Syllables" and alignment.audio.rules.two_digit_syllables and value.isdecimal():
        value = f"{int(value):02d}"
    return [value] if pattern.search(value) else []


def _in_two(
    keywords: Sequence[int], chosen: set[int], inside: str, outside: str
) -> Iterator[KeywordGroup]:
    """Yield a group of the keywords in a set, and a group of the other keywords.

    An empty group is dropped.
    """
    for name, is_inside in ((inside, True), (outside, False)):
        members = tuple(number for number in keywords if (number in chosen) == is_inside)
        if members:
            yield KeywordGroup(name, members)
