"""Member names of turns and words in JSON, declared once per format.

The words of a list are parsed as a batch; if one is irregular, `Names.read` reads or rejects each.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from itertools import chain
from typing import NamedTuple

from formats.json.messages import END_ZERO
from formats.json.numbers import checked_text, confidence, name_text, nanoseconds
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonValue
from formats.schema import compiled
from formats.schema.errors import SyntaxFormatError

ParseTime = Callable[[float | str, int], int]
"""Converts a time in units, so many per second, to nanoseconds."""
LABELS = {str, type(None)}
members_named, plain_words_of = compiled("members_named"), compiled("plain_words_of")


class PlainColumns(NamedTuple):
    """The words of a list as columns.

    There is a column for each label (such as speaker) that occurs.
    """

    texts: list[str]
    starts: tuple[int | None, ...]
    ends: tuple[int | None, ...]
    confidences: tuple[float | None, ...]
    labels: list[tuple[str, list[str | None]]]


class Names:
    """The member names of turns or words, and functions to read them.

    ``a|b`` means the first of these names that is present.

    `words` is the list of words in a turn. `others` lists expected members that are not read,
    separated by blanks. Members with any other name are reported, unless `others` is ``*``.
    """

    def __init__(
        self,
        text: str = "",
        start: str = "",
        end: str = "",
        length: str = "",
        speaker: str = "",
        confidence: str = "",
        channel: str = "",
        language: str = "",
        display: str = "",
        words: str = "",
        others: str = "*",
        *,
        per_second: int = 1,
        parse_time: ParseTime = nanoseconds,
    ) -> None:
        members = text, start, end, length, speaker, confidence, channel, language, display
        roles = [tuple(filter(None, names.split("|"))) for names in members]
        (self.text, self.start, self.end, self.length, self.speaker, self.confidence,
         self.channel, self.language, self.display) = roles  # fmt: skip
        self.words, self.per_second, self.parse_time = words, per_second, parse_time
        self.used = [*chain(*roles), *filter(None, [words])]
        self.expects_any = others == "*"
        expected = (*chain(*roles), words.partition(".")[0], *others.split())
        self.expected = frozenset(filter(None, expected))
        labels = (
            ("display", self.display, checked_text),
            ("speaker", self.speaker, name_text),
            ("channel", self.channel, name_text),
            ("language", self.language, checked_text),
        )
        self.labels = [label for label in labels if label[1]]

    def without_speaker(self, per_second: int, parse_time: ParseTime) -> Names:
        """Return a copy without the speaker's member, which the caller reads."""
        names = copy(self)
        names.per_second, names.parse_time = per_second, parse_time
        names.labels = [label for label in self.labels if label[0] != "speaker"]
        return names

    def without_start(self) -> Names:
        """Return a copy that does not read the member of the start."""
        return self._without("start")

    def without_times(self) -> Names:
        """Return a copy that reads no members of times."""
        return self._without("start", "end", "length")

    def _without(self, *roles: str) -> Names:
        names = copy(self)
        dropped = {name for role in roles for name in getattr(self, role)}
        names.used = [name for name in self.used if name not in dropped]
        for role in roles:
            setattr(names, role, ())
        return names

    def check(self, value: JsonValue) -> None:
        """Count the members of an object that the format does not expect."""
        if not self.expects_any:
            value.expect_members(self.expected)

    def time(self, value: JsonValue, names: Sequence[str]) -> int | None:
        """Return the time in the first present member of `names` in nanoseconds, or `None`."""
        return value.member(names, self.parse_time, self.per_second)

    def span(self, value: JsonValue, is_checked: bool = True) -> tuple[int | None, int | None]:
        """Return start and end in nanoseconds; each is `None` if missing."""
        start, end = self.time(value, self.start), self.time(value, self.end)
        if start and end == 0:
            log = value.document.source.log
            log.say(END_ZERO, value.line, path=value.path)
            end = None
        length = self.time(value, self.length) if end is None else None
        if start is not None and length is not None:
            end = start + length
        elif is_checked and start is not None and end is not None and end < start:
            first, last = value.required(*self.start), value.required(*self.end)
            raise last.error(f"an end not before its start {first.value}")
        return start, end

    def read(self, value: JsonValue) -> SpokenWord:
        """Return one word; an invalid member raises an error with its line and column."""
        self.check(value)
        text = value.member(self.text, checked_text)
        if text is None:
            text = value.required(*self.text).text()
        sure = self.confidence
        start, end = self.span(value)
        word = SpokenWord(text, start, end, value.member(sure, confidence) if sure else None)
        for field, names, convert in self.labels:
            setattr(word, field, value.member(names, convert))
        return word

    def read_all(
        self, words: JsonValue | None, reject: Callable[[SyntaxFormatError], None] | None = None
    ) -> list[SpokenWord]:
        """Return the words of a list.

        With `reject`, drop each invalid word and pass its error to `reject`.
        """
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
        """Return the words of a list; `None` if any word is irregular."""
        plain = self.plain_columns(values)
        if plain is None:
            return None
        read = list(map(SpokenWord, plain.texts, plain.starts, plain.ends, plain.confidences))
        for field, labels in plain.labels:
            for word, label in zip(read, labels, strict=True):
                setattr(word, field, label)
        return read

    def plain_columns(self, values: object) -> PlainColumns | None:
        """Return the words of a list as columns; `None` if a word is irregular."""
        is_plain = self.expects_any and self.parse_time is nanoseconds
        if plain_words_of is None or type(values) is not list or not is_plain:
            return None
        names = self.text, self.start, self.end, self.confidence
        columns = plain_words_of(values, *names, self.per_second) if values else None
        if columns is None or (self.length and None in columns[2]):
            return None
        labels = [(field, members_named(values, names)) for field, names, _ in self.labels]
        if any(not set(map(type, column)) <= LABELS for _, column in labels):
            return None
        written = [(field, column) for field, column in labels if any(column)]
        texts, starts, ends, confidences = columns
        return PlainColumns(texts, starts, ends, confidences, written)
