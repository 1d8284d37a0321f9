"""The step `synonyms`: other wordings of the reference, as in fstalign."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from formats.schema.words import Alternation, Item, Token
from scoring.model.errors import InputError
from scoring.text.readings import ReadingsStep
from scoring.text.step import put

GlmWords: TypeAlias = tuple[str, ...]
SynonymTable: TypeAlias = Mapping[GlmWords, Sequence[GlmWords]]
MOST_PATHS = 1000
"""Largest number of wordings where rules overlap; beyond it, overlapping rules do not apply."""


class _Arc(NamedTuple):
    """Another wording for the words from `begin` to `end`."""

    begin: int
    end: int
    wording: GlmWords


def read_synonyms(path: str | os.PathLike[str], encoding: str = "utf-8") -> SynonymTable:
    """Read fstalign's synonyms from lines `left | right ; right`; repeated rules are ignored.

    Raises
    ------
    InputError
        If a line is not a rule of this form.
    """
    wordings: dict[GlmWords, Sequence[GlmWords]] = {}
    with open(path, encoding=encoding) as stream:
        for number, line in enumerate(stream.read().removeprefix("\ufeff").splitlines(), 1):
            content = line.partition("#")[0].strip()
            if not content:
                continue
            left, bar, right = content.partition("|")
            texts = [tuple(text.split()) for text in (left, *right.split(";"))]
            if not bar or not all(texts) or set(content) & set("{}/@"):
                problem = f"expected WORDS | WORDS ; WORDS, found {content!r}"
                raise InputError(os.fspath(path), number, None, problem)
            wordings.setdefault(_lower(texts[0]), texts[1:])
    return wordings


@dataclass(frozen=True, slots=True, repr=False)
class Synonyms(ReadingsStep):
    """Accept other wordings of the reference, as in fstalign; rules apply in one direction.

    Every rule applies wherever its words occur, and rules may overlap. With `implicit`, hyphens
    allow other wordings of a word without a rule: without a hyphen at its end, or as the separate
    words between its hyphens. If a reference has both spellings, each may replace the other.

    >>> Synonyms("", {("kind", "of"): [("kinda",)]})("kind of long-term pl-")
    '{ kind of / kinda } { long-term / long term } { pl- / pl }'
    """

    name = "synonyms"
    version = 2
    origin_of_readings = "synonym"
    side = "reference"
    file: str = field(compare=False)
    wordings: SynonymTable = field(hash=False)
    implicit: bool = True
    _longest: int = field(init=False, compare=False)

    def __post_init__(self) -> None:
        put(self, _longest=max(map(len, self.wordings), default=1))

    def arguments(self) -> dict[str, object]:
        """Return the rules as arguments of the signature."""
        lines = [
            " | ".join((" ".join(left), " ; ".join(map(" ".join, others))))
            for left, others in self.wordings.items()
        ]
        return {"rules": tuple(lines), "implicit": self.implicit}

    def __str__(self) -> str:
        return f"synonyms({os.path.basename(self.file)})"

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives for words that have other wordings."""
        items: list[Item] = []
        place = 0
        for begin, end, arcs in _together(self._arcs(words)):
            items += map(Token, words[place:begin])
            paths = _paths(words, begin, end, arcs)
            items.append(Alternation([list(map(Token, path)) for path in paths]))
            place = end
        return [*items, *map(Token, words[place:])]

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if a rule applies, or if the hyphens of a word allow other wordings."""
        return next(self._arcs(words), None) is not None

    def _arcs(self, words: Sequence[str]) -> Iterator[_Arc]:
        """Yield the other wordings of words, in the order of their positions."""
        plain = _lower(words)
        wordings, longest = self.wordings, self._longest
        if self.implicit and any("-" in word for word in plain):
            own = _hyphenated(plain)
            longest = max([longest, *map(len, own)])
            wordings = {**own, **wordings}
        for begin in range(len(plain)):
            for end in range(begin + 1, min(begin + longest, len(plain)) + 1):
                for other in wordings.get(plain[begin:end], ()):
                    yield _Arc(begin, end, other)


def _lower(words: Iterable[str]) -> GlmWords:
    return tuple(map(str.lower, words))


def _hyphenated(words: Iterable[str]) -> dict[GlmWords, Sequence[GlmWords]]:
    """Return the wordings that hyphens allow, by the words of the reference."""
    wordings: dict[GlmWords, Sequence[GlmWords]] = {}
    for word in words:
        parts = tuple(filter(None, word.split("-")))
        if "-" not in word or not parts:
            continue
        wordings.setdefault((word,), [parts])
        if word.index("-") < len(word) - 1:
            wordings.setdefault(parts, [(word,)])
    return wordings


def _together(arcs: Iterable[_Arc]) -> Iterator[tuple[int, int, list[_Arc]]]:
    """Yield groups of overlapping arcs, with the start and the end of each group."""
    group: list[_Arc] = []
    end = 0
    for arc in arcs:
        if group and arc.begin >= end:
            yield group[0].begin, end, group
            group = []
        end = max(end, arc.end) if group else arc.end
        group.append(arc)
    if group:
        yield group[0].begin, end, group


def _paths(words: Sequence[str], begin: int, end: int, arcs: Sequence[_Arc]) -> list[GlmWords]:
    """Return the wordings of words `begin` to `end`; the original words are first."""
    own = tuple(words[begin:end])
    paths: dict[int, dict[GlmWords, None]] = {begin: {(): None}}
    for place in range(begin, end):
        steps: list[tuple[int, GlmWords]] = [(place + 1, (words[place],))]
        steps += [(arc.end, arc.wording) for arc in arcs if arc.begin == place]
        for target, wording in steps:
            into = paths.setdefault(target, {})
            into.update((path + wording, None) for path in paths.get(place, ()))
        if sum(map(len, paths.values())) > MOST_PATHS:
            alone = [arc for arc in arcs if all(_apart(arc, other) for other in arcs)]
            return _paths(words, begin, end, alone) if len(alone) < len(arcs) else [own]
    return list({own: None} | paths[end])


def _apart(arc: _Arc, other: _Arc) -> bool:
    return arc[:2] == other[:2] or arc.end <= other.begin or other.end <= arc.begin
