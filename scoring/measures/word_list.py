"""Lists of words and phrases (entries), and their occurrences in utterances.

A list has one of three forms. A text file has an entry per line, optionally followed by a tab and a
class. A CSV or TSV file has the columns `word` and `class`. A table of biasing lists has four
columns for each utterance: its identifier, its text, the words of this text to find, and
distractors. The last two columns are JSON.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.messages import Message
from scoring.alignment.sequences import edit_distance
from scoring.measures import messages
from scoring.model.counts import UNIT_COSTS
from scoring.model.errors import InputError
from scoring.text.utterances import normalize_words

if TYPE_CHECKING:
    from formats.io.source import Source
    from formats.schema.words import Words
    from scoring.text.pipeline import Pipeline

FORMATS = ("auto", "lines", "csv", "fbai", "nemo")


@dataclass(frozen=True, slots=True)
class WordsOfInterest:
    """Entries as written, each mapped to its class or None.

    Attributes
    ----------
    by_utterance
        For biasing lists, the entries of each utterance; None if all entries apply everywhere.
    distractors
        For biasing lists, the entries that nobody says, for each utterance.
    repeated
        Entries that occur more than once in the file.
    form
        The name of the file's form.
    """

    path: str
    entries: Mapping[str, str | None]
    by_utterance: Mapping[str, Sequence[str]] | None = None
    distractors: Mapping[str, Sequence[str]] = field(default_factory=dict)
    repeated: tuple[str, ...] = ()
    form: str = "auto"

    def __str__(self) -> str:
        content = [list(self.entries.items()), self.by_utterance, self.distractors]
        mark = sha256(json.dumps(content, sort_keys=True).encode("utf-8", "replace")).hexdigest()
        return f"{len(self.entries)} entries#{mark[:8]}"


def read_word_list(given: object, form: str = "auto", encoding: str = "utf-8") -> WordsOfInterest:
    """Create a list from a file, from a mapping of entries to classes, or from entries alone."""
    if isinstance(given, WordsOfInterest):
        return given
    if isinstance(given, Mapping):
        return WordsOfInterest("<words>", dict(given))
    if not isinstance(given, (str, os.PathLike)):
        if not isinstance(given, Iterable):
            raise ValueError(f"expected a file or entries, found {given!r}")
        return WordsOfInterest("<words>", dict.fromkeys(map(str, given)))
    from formats.io.decoding import certain
    from formats.io.source import open_source

    path = os.fspath(given)
    suffix = os.path.splitext(path)[1].lower()
    with open_source(path, encoding=certain(encoding)) as source:
        first = next(filter(str.strip, source.head_lines()), "").split("\t")
        if form == "fbai" or (form == "auto" and len(first) > 2 and first[2].lstrip()[:1] == "["):
            return _biasing_lists(path, source.lines())
        if form == "csv" or (form == "auto" and suffix in (".csv", ".tsv")):
            pairs = _rows(source, is_tabbed=suffix == ".tsv")
        else:
            lines = (line for _, line in source.lines() if not line.lstrip().startswith("#"))
            cells = (line.partition("\t") for line in lines)
            pairs = (
                (word.partition("_")[0] if form == "nemo" else word, name)
                for word, _, name in cells
            )
        entries: dict[str, str | None] = {}
        repeated: dict[str, None] = {}
        for text, name in pairs:
            entry = " ".join(text.split())
            if entry in entries:
                repeated[entry] = None
            elif entry:
                entries[entry] = name.strip() or None
    if not entries:
        raise InputError(path, None, None, "expected a word on each line, found none")
    return WordsOfInterest(path, entries, repeated=tuple(repeated), form=form)


def _rows(source: Source, *, is_tabbed: bool) -> Iterator[tuple[str, str]]:
    """Yield the columns `word` and `class` of a table."""
    from formats.tables.csv_file import csv_rows, delimiter_of

    rows = csv_rows(source, "\t" if is_tabbed else delimiter_of(source.head_lines()))
    names = [name.strip().lower() for name in next(rows, (1, [""]))[1]]
    if "word" not in names:
        expected = f"expected a column word, found {', '.join(names) or 'none'}"
        raise InputError(source.name, 1, None, expected)
    for number, row in rows:
        if len(row) > len(names):
            message = f"expected {len(names)} fields, found {len(row)}"
            raise InputError(source.name, number, None, message)
        cells = dict(zip(names, row, strict=False))
        yield cells.get("word", ""), cells.get("class", "")


def _biasing_lists(path: str, lines: Iterable[tuple[int, str]]) -> WordsOfInterest:
    """Return the biasing lists in a table, one list per utterance.

    The third column has the entries of an utterance, the fourth column its distractors.
    """
    sides: tuple[dict[str, list[str]], dict[str, list[str]]] = ({}, {})
    for number, line in lines:
        cells = line.split("\t")
        if len(cells) < 3 and line.strip():
            message = f"expected an identifier, a text and a list, found {line[:40]!r}"
            raise InputError(path, number, None, message)
        for side, cell in zip(sides, cells[2:4], strict=False):
            try:
                words: Any = json.loads(cell)
            except (ValueError, RecursionError):
                words = None
            if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
                message = f"expected a JSON list of words, found {cell[:40]!r}"
                raise InputError(path, number, None, message)
            side[cells[0]] = [" ".join(word.split()) for word in words]
    entries = dict.fromkeys(word for words in sides[0].values() for word in words if word)
    return WordsOfInterest(path, entries, *sides, form="fbai")


@lru_cache(1 << 16)
def character_edits(left: str, right: str) -> int:
    """Return the edit distance of two words, counted in characters."""
    return edit_distance(tuple(left), tuple(right), costs=UNIT_COSTS).errors


class ListEntry(NamedTuple):
    """The normalised words of an entry, with the entry's text and class."""

    words: Words
    text: str
    name: str | None


class Occurrence(NamedTuple):
    """An occurrence of an entry in an utterance, with its position."""

    start: int
    entry: ListEntry


def changed_entries(words: WordsOfInterest, pipeline: Pipeline | None) -> list[Message]:
    """Return a message for each entry that normalisation changes or empties, with the new text."""
    changed = []
    for entry in words.entries if pipeline is not None else ():
        prepared = " ".join(prepared_words(entry, pipeline))
        if prepared != entry:
            if prepared:
                changed.append(Message(messages.CHANGED, {"entry": entry, "prepared": prepared}))
            else:
                changed.append(Message(messages.EMPTIED, {"entry": entry}))
    return changed


def prepared_words(entry: str, pipeline: Pipeline | None) -> Words:
    """Return the words of an entry after the normalisation steps for references."""
    words = tuple(entry.split())
    return words if pipeline is None else normalize_words(words, pipeline.steps("reference"))[0]


class Finder:
    """Finds list entries in words.

    If entries overlap in the text, only the longest is found; among equally long ones, the
    leftmost.
    """

    def __init__(self, entries: Iterable[ListEntry], is_nested: bool = False) -> None:
        self.is_nested = is_nested
        self.by_first: dict[str, list[ListEntry]] = {}
        self.entries: dict[Words, ListEntry] = {}
        for entry in entries:
            if entry.words and entry.words not in self.entries:
                self.entries[entry.words] = entry
                self.by_first.setdefault(entry.words[0], []).append(entry)

    def occurrences(self, words: Sequence[str]) -> list[Occurrence]:
        """Return the occurrences in an utterance, from left to right.

        >>> finder = Finder(ListEntry(tuple(e.split()), e, None) for e in ("york", "new york"))
        >>> [(o.start, o.entry.text) for o in finder.occurrences("york is new york".split())]
        [(0, 'york'), (2, 'new york')]
        """
        if self.by_first.keys().isdisjoint(words):
            return []
        found = [
            Occurrence(start, entry)
            for start, word in enumerate(words)
            for entry in self.by_first.get(word, ())
            if tuple(words[start : start + len(entry.words)]) == entry.words
        ]
        found.sort(key=lambda item: (-len(item.entry.words), item.start))
        taken: set[tuple[Words, int]] = set()
        kept = []
        for occurrence in found:
            start, (words, *_) = occurrence
            # a nested entry does not overlap itself
            owner = words if self.is_nested else ()
            places = {(owner, place) for place in range(start, start + len(words))}
            if taken.isdisjoint(places):
                taken |= places
                kept.append(occurrence)
        return sorted(kept, key=lambda item: (item.start, -len(item.entry.words)))
