"""What words of JSON are called: a format declares it once, reading and errors follow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, islice
from operator import add
from typing import Any

from formats.errors import SyntaxFormatError
from formats.json.numbers import confidences, spans, times
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonValue

NAMES = frozenset({str, type(None)})


class WordShape:
    """Names of the members of a word; of several, with blanks between, the first present counts.

    `others` are expected and not read; any more are counted and noted, unless it is ``*``. A shape
    without a text is one of times alone.
    """

    def __init__(
        self,
        text: str = "word",
        *,
        start: str = "start",
        end: str = "end",
        length: str = "",
        confidence: str = "confidence",
        display: str = "",
        speaker: str = "",
        channel: str = "",
        language: str = "",
        others: str = "",
        per_second: int = 1,
        is_whole: bool = False,
    ) -> None:
        members = (text, start, end, length, confidence, display, speaker, channel, language)
        self.names = [names.split() for names in members]
        self.expects_any = others == "*"
        self.expected = frozenset(chain(others.split(), *self.names))
        self.per_second = per_second
        self.is_whole = is_whole

    def read(self, value: JsonValue) -> SpokenWord:
        """One word; an invalid member is an error with its place."""
        if not self.expects_any:
            value.expect_members(self.expected)
        text, start, end, length, confidence, display, speaker, channel, language = self.names
        word = value.required(*text).text() if text else ""
        start_ns, end_ns = value.span_of(
            start, end, per_second=self.per_second, is_whole=self.is_whole
        )
        duration = value.time_of(*length, per_second=self.per_second)
        if start_ns is not None and duration is not None:
            end_ns = start_ns + duration
        return SpokenWord(
            word,
            start_ns,
            end_ns,
            value.confidence_of(*confidence),
            value.text_of(*display),
            speaker=value.name_of(*speaker),
            channel=value.name_of(*channel),
            language=value.text_of(*language),
        )

    def read_all(
        self, words: JsonValue | None, reject: Callable[[SyntaxFormatError], None] | None = None
    ) -> list[SpokenWord]:
        """The words of a list; `reject` takes the errors of those that are dropped."""
        if words is None:
            return []
        regular = self.read_columns(words.value) if isinstance(words.value, list) else None
        if regular is not None:
            self._count_unexpected(words)
            return regular
        read: list[SpokenWord] = []
        for value in words.elements():
            try:
                read.append(self.read(value))
            except SyntaxFormatError as error:
                if reject is None:
                    raise
                reject(error)
        return read

    def read_columns(
        self, values: list[Any], kind: Callable[..., Any] = SpokenWord
    ) -> list[Any] | None:
        """The words of objects, member by member; `None` if one of them is irregular."""
        if set(map(type, values)) != {dict}:
            return None if values else []
        present = set().union(*values)
        text, start, end, length, confidence, display, speaker, channel, language = (
            _column(values, [name for name in names if name in present]) for names in self.names
        )
        span = spans(start, end, self.per_second)
        lengths = times(length, self.per_second)
        sure = confidences(confidence)
        if (
            span is None
            or lengths is None
            or sure is None
            or (self.names[0] and set(map(type, text)) != {str})
        ):
            return None
        starts, ends = span
        if self.is_whole and any(time and time % 1_000_000 for time in chain(starts, ends)):
            return None
        if self.names[3]:
            if None in starts or None in lengths:
                return None
            ends = list(map(add, starts, lengths))
        for column in (speaker, channel):
            if not NAMES.issuperset(kinds := set(map(type, column))):
                if not kinds <= {int, *NAMES}:
                    return None
                column[:] = [str(name) if type(name) is int else name for name in column]
        if not NAMES.issuperset(map(type, chain(display, language))):
            return None
        words = list(map(kind, text, starts, ends, sure, display))
        for name, column in (("speaker", speaker), ("channel", channel), ("language", language)):
            if column.count(None) < len(words):
                for word, value in zip(words, column, strict=True):
                    setattr(word, name, value)
        return words

    def read_lists(self, owners: Sequence[JsonValue], name: str) -> list[list[SpokenWord] | None]:
        """The words of a list in each of these objects; `None` for those to read one by one."""
        lists = [owner.value[name] if owner.has(name) else [] for owner in owners]
        regular = None
        if set(map(type, lists)) <= {list}:
            regular = self.read_columns(list(chain.from_iterable(lists)))
        if regular is None:
            return [None] * len(lists)
        words = iter(regular)
        return [list(islice(words, len(values))) for values in lists]

    def _count_unexpected(self, words: JsonValue) -> None:
        if self.expects_any or self.expected.issuperset(present := set().union(*words.value)):
            return
        for name in dict.fromkeys(chain.from_iterable(words.value)):
            if name in present - self.expected:
                having = [name in members for members in words.value]
                first = next(words.elements())
                first.step = having.index(True)
                words.document.count_unknown(name, first, sum(having))


def _column(values: Sequence[dict[str, Any]], names: list[str]) -> list[Any]:
    """Of each object the first of these members that is not null, or `None`."""
    if not names:
        return [None] * len(values)
    if len(names) == 1:
        name = names[0]
        return [members.get(name) for members in values]
    return [
        next((value for name in names if (value := members.get(name)) is not None), None)
        for members in values
    ]
