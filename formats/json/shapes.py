"""Names of turns and words in JSON: declared once per format, for reading and errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from math import isfinite
from typing import NamedTuple

from formats.json.numbers import checked_text, confidence, name_text, nanoseconds, times
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonValue
from formats.schema import compiled
from formats.schema.errors import SyntaxFormatError
from formats.schema.model import are_times_in_order

CERTAINTIES = {float, type(None)}
LABELS = {str, type(None)}
members_named = compiled("members_named")


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
        self._roles = {self.text, self.start, self.end, self.confidences}
        self._roles.update(names for _, names, _ in self.labels)

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
        """The words of a list in columns; `None` if one has anything that needs a closer look."""
        is_own = type(self).read is WordShape.read
        if members_named is None or type(values) is not list or not is_own or not self.expects_any:
            return None
        columns = {names: members_named(values, names) for names in self._roles}
        if None in columns.values() or not values:
            return None
        texts, sure = columns[self.text], columns[self.confidences]
        starts = times(columns[self.start], self.per_second)
        ends = times(columns[self.end], self.per_second)
        if starts is None or ends is None or (self.length and None in ends):
            return None
        if set(map(type, texts)) != {str} or not are_times_in_order(tuple(starts), tuple(ends)):
            return None
        if not set(map(type, sure)) <= CERTAINTIES or not all(map(isfinite, filter(None, sure))):
            return None
        read = list(map(SpokenWord, texts, starts, ends, sure))
        for field, names, _ in self.labels:
            labels = columns[names]
            if not set(map(type, labels)) <= LABELS:
                return None
            for word, label in zip(read, labels, strict=True) if any(labels) else ():
                setattr(word, field, label)
        return read
