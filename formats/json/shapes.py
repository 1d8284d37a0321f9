"""Names of turns and words in JSON: declared once per format, for reading and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple

from formats.json.numbers import checked_text, confidence, name_text, nanoseconds
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonValue
from formats.schema import compiled
from formats.schema.errors import SyntaxFormatError

LABELS = {str, type(None)}
members_named, plain_words_of = compiled("members_named"), compiled("plain_words_of")


class Names(NamedTuple):
    """The member names of turns or words; empty if there is none."""

    text: str = ""
    start: str = ""
    end: str = ""
    length: str = ""
    speaker: str = ""
    confidence: str = ""
    channel: str = ""
    language: str = ""
    display: str = ""
    words: str = ""
    others: str = "*"
    """Further members that are expected and not read; any others are noted, unless it is ``*``."""

    @property
    def expected(self) -> frozenset[str]:
        """The members that an element may have."""
        return frozenset((*self[:-2], self.words.partition(".")[0], *self.others.split()))

    @property
    def used(self) -> list[str]:
        """The members that are read."""
        return [name for name in self[:-1] if name]


class PlainColumns(NamedTuple):
    """Words of a list by column; of the labels, with their fields, those that a word has."""

    texts: list[str]
    starts: tuple[int | None, ...]
    ends: tuple[int | None, ...]
    confidences: tuple[float | None, ...]
    labels: list[tuple[str, list[str | None]]]


class WordShape:
    """Reads words by what `Names` has; of several names of a member the first present counts."""

    def __init__(
        self,
        text: str = "word",
        *,
        start: str = "start",
        end: str = "end",
        confidence: str = "confidence",
        others: str = "",
        per_second: int = 1,
        **members: str,
    ) -> None:
        names = Names(text, start, end, confidence=confidence, others=others, **members)
        self._use(names, map(str.split, names[:-2]), per_second)

    def _use(self, names: Names, members: Iterable[Sequence[str]], per_second: int) -> None:
        roles = list(map(tuple, members))
        (self.text, self.start, self.end, self.length, self.speakers, self.confidences,
         self.channels, self.languages, self.displays) = roles  # fmt: skip
        self.per_second = per_second
        self.names = names
        self.expects_any = names.others == "*"
        others = (names.words.partition(".")[0], *names.others.split())
        self.expected = frozenset(filter(None, chain(others, *roles)))
        labels = (
            ("display", self.displays, checked_text),
            ("speaker", self.speakers, name_text),
            ("channel", self.channels, name_text),
            ("language", self.languages, checked_text),
        )
        self.labels = [label for label in labels if label[1]]

    def check(self, value: JsonValue) -> None:
        """Count the members that are not expected."""
        if not self.expects_any:
            value.expect_members(self.expected)

    def time(self, value: JsonValue, names: Sequence[str]) -> int | None:
        """The time in nanoseconds in one of these members, `None` if missing."""
        return value.member(names, nanoseconds, self.per_second)

    def span(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds, `None` where missing."""
        start, end = self.time(value, self.start), self.time(value, self.end)
        length = self.time(value, self.length) if end is None else None
        if start is not None and length is not None:
            end = start + length
        elif start is not None and end is not None and end < start:
            first, last = value.required(*self.start), value.required(*self.end)
            raise last.error(f"an end not before its start {first.value}")
        return start, end

    def read(self, value: JsonValue) -> SpokenWord:
        """One word; an invalid member is an error with its place."""
        self.check(value)
        text = value.member(self.text, checked_text)
        if text is None:
            text = value.required(*self.text).text()
        sure = self.confidences
        start, end = self.span(value)
        word = SpokenWord(text, start, end, value.member(sure, confidence) if sure else None)
        for field, names, convert in self.labels:
            setattr(word, field, value.member(names, convert))
        return word

    def read_all(
        self, words: JsonValue | None, reject: Callable[[SyntaxFormatError], None] | None = None
    ) -> list[SpokenWord]:
        """The words of a list; `reject` takes the errors of those that are dropped."""
        plain = None if words is None else self._plain_words(words.value)
        if plain is not None:
            return plain
        read: list[SpokenWord] = []
        for value in () if words is None else words.elements():
            try:
                read.append(self.read(value))
            except SyntaxFormatError as error:
                if reject is None:
                    raise
                reject(error)
        return read

    def _plain_words(self, values: object) -> list[SpokenWord] | None:
        """The words of a list; `None` if one has anything that needs a closer look."""
        plain = self.plain_columns(values)
        if plain is None:
            return None
        read = list(map(SpokenWord, plain.texts, plain.starts, plain.ends, plain.confidences))
        for field, labels in plain.labels:
            for word, label in zip(read, labels, strict=True):
                setattr(word, field, label)
        return read

    def plain_columns(self, values: object) -> PlainColumns | None:
        """The words of a list in columns; `None` if one has anything that needs a closer look."""
        is_own = type(self).read is WordShape.read
        if plain_words_of is None or type(values) is not list or not is_own or not self.expects_any:
            return None
        names = self.text, self.start, self.end, self.confidences
        columns = plain_words_of(values, *names, self.per_second) if values else None
        if columns is None or (self.length and None in columns[2]):
            return None
        labels = [(field, members_named(values, names)) for field, names, _ in self.labels]
        if any(not set(map(type, column)) <= LABELS for _, column in labels):
            return None
        written = [(field, column) for field, column in labels if any(column)]
        texts, starts, ends, confidences = columns
        return PlainColumns(texts, starts, ends, confidences, written)
