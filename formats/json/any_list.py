"""json: any JSON with a list of segments or of words, by the names of their members.

================================================  ===============================================
in the file                                       in the schema
================================================  ===============================================
the list, at the top or two levels below it       one `Segment` per element
a list of words in an element, or beside them     words; of a list of words alone, a segment per
                                                  turn
``start begin from offset t0`` …                  start; ``end to t1`` … or ``duration`` …: end
``text content body sentence`` …                  words, cut at blanks
``speaker speaker_id name role`` …                `Segment.speaker`
``channel``, ``confidence score`` …, ``language``  as they are called
================================================  ===============================================

What is read is noted, with the names of the members. Case and underscores of names make no
difference. The unit of times follows from the name (``start_ms``) or the values: clock times and
ISO 8601 durations, else seconds or milliseconds, whichever gives 0.3 to 10 words per second.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from formats.errors import quoted
from formats.json.answer import Answer, with_extent
from formats.json.list_names import (
    MOST_TRIED,
    TIME_UNITS,
    Listing,
    Names,
    find_list,
    is_time,
    plain_name,
    seconds_of,
    time_unit_of,
)
from formats.json.spoken_words import (
    Parent,
    SpokenWord,
    WordRun,
    owners_of,
    plain_words,
    words_of_pieces,
)
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, Sniff

if TYPE_CHECKING:
    from formats.beginning import Head

__all__ = ["SPEC"]

MARKS = frozenset(("punctuation", "punct", "pnct"))
TIME_NAME = re.compile(r"(?:start|begin|end|stop|from|to|offset|duration|time|ts|t\d)")


class _Elements:
    """Reads the elements of one list: its names, and the unit of its times."""

    def __init__(
        self, owner: JsonValue, names: Names, rows: Sequence[dict[str, Any]], option: str
    ) -> None:
        self.names = names
        self.per_second = time_unit_of(owner, names, rows, option) if names.start else 1

    def time(self, value: JsonValue, name: str) -> int | None:
        """A time in nanoseconds, `None` where there is none."""
        member = value.get(name) if name else None
        if member is None:
            return None
        if isinstance(member.value, str):
            text = seconds_of(member.value)
            if text is None:
                raise member.error("a time")
            is_number = ":" not in member.value and member.value.strip() == text
            unit = self.per_second if is_number else 1
            return JsonValue(text, member.document, value, name).nanoseconds(per_second=unit)
        return member.nanoseconds(per_second=self.per_second)

    def span(self, value: JsonValue) -> tuple[int | None, int | None]:
        """Start and end in nanoseconds."""
        start, end = self.time(value, self.names.start), self.time(value, self.names.end)
        length = self.time(value, self.names.length) if end is None else None
        if start is not None and length is not None:
            end = start + length
        if start is not None and end is not None and end < start:
            raise value.required(self.names.end or self.names.length).error(
                "an end not before its start"
            )
        return start, end

    def speaker(self, value: JsonValue) -> str | None:
        """The name of the speaker, or else the id."""
        member = value.get(self.names.speaker) if self.names.speaker else None
        if member is not None and isinstance(member.value, dict):
            member = member.get("name", "id")
        return None if member is None else member.name() or None

    def word(self, value: JsonValue) -> SpokenWord:
        """One word."""
        names = self.names
        start, end = self.span(value)
        return SpokenWord(
            value.required(names.text).text(),
            start,
            end,
            value.confidence_of(names.confidence) if names.confidence else None,
            value.text_of(names.display) if names.display else None,
            speaker=self.speaker(value),
            channel=value.name_of(names.channel) if names.channel else None,
        )

    def words(self, values: Iterable[JsonValue], answer: Answer) -> list[SpokenWord]:
        """The words of a list: marks go to the word before, pieces of a word are joined."""
        run = WordRun()
        pieces: list[SpokenWord] = []
        for value in values:
            kind = value.value.get("type") if isinstance(value.value, dict) else None
            if isinstance(kind, str) and kind.lower() in MARKS:
                run.mark(value.required(self.names.text).text())
                continue
            for word in answer.gather([value], lambda value: [self.word(value)]):
                if word.text.strip():
                    run.add(word)
                    pieces.append(word)
        run.close()
        apart = not any(word.text[:1] == " " for word in pieces)
        return words_of_pieces(pieces, apart)


def read(source: Source, *, time_unit: str = "auto") -> Iterator[Segment]:
    """One segment per element of the list, or per turn of a list of words.

    Parameters
    ----------
    time_unit: of numbers: ``s``, ``ms``, ``us``, or ``auto``.

    Raises
    ------
    SyntaxFormatError: no such list; numbers that are offsets of characters; whole numbers whose
        unit is not clear.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "JSON", "JSON")
    found_list = find_list(document.top)
    if found_list is None:
        for value in document.values:
            if value.value != []:
                raise value.error("a list of objects with texts, and times or speakers")
            source.is_silent = True
        return
    listing, words = found_list
    _note(source, listing, words)
    owner, values = _owner(document, listing)
    rows = [value.value for value in values if isinstance(value.value, dict)]
    elements = _Elements(owner, listing.names, rows, time_unit)
    _warn_unused(source, listing, rows)
    if listing.is_words:
        yield from map(with_extent, answer.turns(elements.words(values, answer)))
    elif words is not None:
        word_owner, word_values = _owner(document, words)
        word_rows = [value.value for value in word_values if isinstance(value.value, dict)]
        reader = _Elements(word_owner, words.names, word_rows, time_unit)
        yield from _beside(answer, values, elements, reader.words(word_values, answer))
    else:
        inner_rows = [w for row in rows for w in row.get(listing.names.words) or ()]
        inner = _Elements(owner, listing.inner, inner_rows, time_unit)
        for value in values:
            yield from answer.gather([value], partial(_segment, answer, elements, inner))
    answer.finish(document)


def _owner(document: JsonDocument, listing: Listing) -> tuple[JsonValue, list[JsonValue]]:
    """The list and its elements."""
    value = document.value_at(0)
    for name in listing.path:
        value = value.required(name)
    if listing.path or isinstance(value.value, list):
        return value, list(value.elements())
    return value, document.values


def _note(source: Source, listing: Listing, words: Listing | None) -> None:
    """Note which members are read."""
    names = [name for name in listing.names if name]
    where = ".".join(listing.path) or "the list"
    message = f"read {where} by the members {', '.join(map(quoted, names))}"
    inner = words.names if words is not None else listing.inner
    if words is not None or listing.names.words:
        path = ".".join(words.path) if words is not None else listing.names.words
        message += f"; {path} by {', '.join(quoted(name) for name in inner if name)}"
    source.log.note("JSON-NAMES", message)


def _warn_unused(source: Source, listing: Listing, rows: Sequence[dict[str, Any]]) -> None:
    """Warn of members that look like times and are not read."""
    used = {name for name in listing.names if name}
    plain = {plain_name(name)[0] for name in used}
    for name in dict.fromkeys(name for row in rows[:MOST_TRIED] for name in row):
        if name in used or plain_name(name)[0] in plain or not TIME_NAME.match(plain_name(name)[0]):
            continue
        values = [row[name] for row in rows if row.get(name) is not None]
        is_copy = any(_repeats(row, name, listing.names) for row in rows)
        if values and all(map(is_time, values)) and not is_copy:
            source.log.warn("JSON-TIME", f"{quoted(name)} looks like a time and is not read")


def _repeats(row: dict[str, Any], name: str, names: Names) -> bool:
    """Whether a member says again when an element begins or ends, or how long it is."""
    number = _float(row.get(name))
    start, end = _float(row.get(names.start)), _float(row.get(names.end))
    known = [start, end, None if start is None or end is None else end - start]
    return number is not None and any(
        time is not None and abs(number - time * factor) <= 0.01 * max(number, 1.0)
        for time in known
        for factor in (1, 1000, 0.001)
    )


def _float(value: Any) -> float | None:
    if isinstance(value, str):
        value = seconds_of(value)
    return None if value is None or isinstance(value, (bool, list, dict)) else float(value)


def _segment(
    answer: Answer, elements: _Elements, inner: _Elements, value: JsonValue
) -> Iterator[Segment]:
    names = elements.names
    start_ns, end_ns = elements.span(value)
    words = inner.words(value.elements(names.words), answer) if names.words else []
    segment = answer.segment(
        words or plain_words(value.text_of(names.text) if names.text else None),
        channel=value.name_of(names.channel) if names.channel else None,
        speaker=elements.speaker(value) or next((w.speaker for w in words if w.speaker), None),
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=value.confidence_of(names.confidence) if names.confidence else None,
        properties=answer.other_language(value.text_of(names.language) if names.language else None),
    )
    answer.spoke = True
    yield with_extent(segment) if start_ns is None else segment


def _beside(
    answer: Answer, values: Sequence[JsonValue], elements: _Elements, words: list[SpokenWord]
) -> Iterator[Segment]:
    """Segments of the words that begin within the times of the elements."""
    parents = [Parent(*elements.span(value), None, ()) for value in values]
    speakers = [elements.speaker(value) for value in values]
    for word, owner in zip(words, owners_of(words, parents), strict=True):
        if owner is not None and speakers[owner]:
            word.speaker = speakers[owner]
    yield from answer.within_parents(words, parents)


def sniff(head: Head) -> Sniff:
    """Possible where there is such a list; never sure, so that every other format goes first."""
    if head.shape != "json":
        return Sniff.NO
    return Sniff.NO if find_list(head.json_values()) is None else Sniff.MAYBE


SPEC = FormatSpec(
    title="Any JSON with a list of segments or words, recognised by the names of their members",
    sign='"text" with "start"',
    read=read,
    sniff=sniff,
    read_options=(Option("time_unit", "auto", "unit of times", ("auto", *TIME_UNITS)),),
    manual="Segments or words with texts, times, speakers and confidences.",
)
