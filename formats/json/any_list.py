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
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.clock import parse_clock
from formats.errors import quoted
from formats.json.answer import Answer, with_extent
from formats.json.providers import joined_words
from formats.json.spoken_words import Parent, SpokenWord, WordRun, owners_of, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Option, Sniff
from formats.times import SECOND

if TYPE_CHECKING:
    from formats.beginning import Head

__all__ = ["SPEC", "infer"]

MEMBERS = {
    "list": "segments utterances turns monologues paragraphs sentences cues captions subtitles chunks "
    "phrases items entries results transcript transcription transcripts data messages conversation "
    "words tokens",
    "text": "word punctuatedword text content body transcript sentence utterance value message "
    "caption transcription line displaytext",
    "start": "start starttime begin begintime from offset ts timestamp t0 startoffset time",
    "end": "end endtime to t1 stop stoptime endoffset",
    "length": "duration dur length",
    "speaker": "speaker speakerid speakername speakerlabel speakertag spk name role",
    "confidence": "confidence conf score probability prob p",
    "channel": "channel channelid channeltag",
    "language": "language lang languagecode",
    "display": "punctuatedword punct display",
}
"""Names of members, the likeliest first; case, underscores and units are left out."""
KNOWN = {role: names.split() for role, names in MEMBERS.items()}
WORD_LISTS = frozenset(("words", "tokens", "wordlist", "timedwords"))
UNITS = {
    "ms": 1000,
    "millis": 1000,
    "milliseconds": 1000,
    "s": 1,
    "sec": 1,
    "secs": 1,
    "seconds": 1,
}
TIME_UNITS = {"s": 1, "ms": 1000, "us": 1_000_000}
MARKS = frozenset(("punctuation", "punct", "pnct"))
ISO = re.compile(r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:\.\d*)?)S\Z", re.IGNORECASE)
TIME_NAME = re.compile(r"(?:start|begin|end|stop|from|to|offset|duration|time|ts|t\d)")
RATES = (0.3, 10.0)
"""Words per second that people speak, pauses included."""
FEWEST_WORDS = 5
MOST_TRIED = 200
"""Elements that names of members are taken from."""
NO_BLANKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Characters of scripts that leave no blanks between words."""


class Names(NamedTuple):
    """What the members of segments or words are called; empty where there is none."""

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

    @property
    def is_timed(self) -> bool:
        """Whether elements say when they begin."""
        return bool(self.start)


class Listing(NamedTuple):
    """A list of segments or of words: the members that lead to it, and those of its elements."""

    path: tuple[str, ...]
    names: Names
    inner: Names
    """Of the words in its elements."""

    @property
    def is_words(self) -> bool:
        """Whether its elements are words."""
        return (self.path or ("",))[-1].lower() in WORD_LISTS or _plain(self.names.text)[0] in (
            "word",
            "punctuatedword",
        )

    @property
    def is_useful(self) -> bool:
        """Whether there are texts, and times or speakers with them."""
        names, inner = self.names, self.inner
        return bool((names.text and (names.start or names.speaker)) or (inner.text and inner.start))


def _plain(name: str) -> tuple[str, int | None]:
    """A name without case, underscores and unit, and how many units make a second, if it says."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_ ]+", " ", name).lower().split()
    if len(parts) > 1 and parts[-1] in UNITS:
        return "".join(parts[:-1]), UNITS[parts[-1]]
    return "".join(parts), None


def infer(top: Sequence[Any]) -> tuple[Listing, Listing | None] | None:
    """The list to read, and one of words beside it; `None` where there is none.

    Parameters
    ----------
    top: the top-level values; several objects are elements of one list.

    Examples
    --------
    >>> listing, _ = infer([{"cues": [{"from": 1.5, "to": 2.0, "body": "hello"}]}])
    >>> listing.path, listing.names.start, listing.names.text
    (('cues',), 'from', 'body')
    """
    first = top[0] if top else None
    root = first if len(top) == 1 else list(top)
    listings = [listing for listing in _listings(root, (), 3) if listing.is_useful]
    listings.sort(key=_likelihood)
    if not listings:
        return _owners_of_words(root)
    best = listings[0]
    if best.is_words:
        return _owners_of_words(root) or (best, None)
    beside = [listing for listing in listings if listing.is_words and listing.names.is_timed]
    return best, None if best.names.words or not beside else beside[0]


def _owners_of_words(root: Any) -> tuple[Listing, Listing | None] | None:
    """A list of times and speakers without words, and the list of words beside it."""
    every = list(_listings(root, (), 3))
    words = [e for e in every if e.is_words and e.names.text and e.names.is_timed]
    owners = [e for e in every if not e.names.text and e.names.is_timed and e.names.speaker]
    return (owners[0], words[0]) if words and owners else None


def _likelihood(listing: Listing) -> tuple[bool, int, int]:
    name = _plain(listing.path[-1])[0] if listing.path else ""
    lists = KNOWN["list"]
    rank = lists.index(name) if name in lists else len(lists)
    return listing.is_words, 0 if not listing.path else rank, len(listing.path)


def _listings(value: Any, path: tuple[str, ...], levels: int) -> Iterator[Listing]:
    """The lists of objects in a value, down to some levels."""
    if isinstance(value, list):
        objects = [element for element in value[:MOST_TRIED] if isinstance(element, dict)]
        if objects and len(objects) == len(value[:MOST_TRIED]):
            names = _names(objects)
            words = [w for o in objects for w in o.get(names.words) or () if isinstance(w, dict)]
            yield Listing(path, names, _names(words[:MOST_TRIED]) if words else Names())
    elif isinstance(value, dict) and levels:
        for name, member in value.items():
            yield from _listings(member, (*path, name), levels - 1)


def _names(objects: Sequence[dict[str, Any]]) -> Names:
    """The names of members as most of the objects have them."""
    present: dict[str, list[Any]] = {}
    for members in objects:
        for name, value in members.items():
            if value is not None:
                present.setdefault(name, []).append(value)
    plain = {name: _plain(name)[0] for name in present}

    def choose(role: str, fits: Callable[[Any], bool], share: float = 0.0) -> str:
        for entry in KNOWN[role]:
            for name, values in present.items():
                is_common = len(values) >= share * len(objects)
                if plain[name] == entry and is_common and all(map(fits, values)):
                    return name
        return ""

    words = [n for n, v in present.items() if any(map(_has_words, v)) and all(map(_is_list, v))]
    words.sort(key=lambda name: plain[name] not in WORD_LISTS)
    start = choose("start", _is_time, 0.5)
    return Names(
        choose("text", lambda v: isinstance(v, str), 0.5),
        start,
        choose("end", _is_time) if start else "",
        choose("length", _is_time) if start else "",
        choose("speaker", _is_name),
        choose("confidence", lambda v: isinstance(v, (int, float))),
        choose("channel", _is_name),
        choose("language", lambda v: isinstance(v, str)),
        choose("display", lambda v: isinstance(v, str)),
        words[0] if words else "",
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _has_words(value: Any) -> bool:
    """Whether a value is a list of words with times."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    names = {_plain(name)[0] for name in value[0]}
    return not names.isdisjoint(KNOWN["text"]) and not names.isdisjoint(KNOWN["start"])


def _is_time(value: Any) -> bool:
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_name(value: Any) -> bool:
    if isinstance(value, dict):
        return isinstance(value.get("name", value.get("id")), (str, int))
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def seconds_of(text: str) -> str | None:
    """A clock time or duration as a number of seconds; `None` for another text.

    >>> seconds_of("00:01:02,5"), seconds_of("PT1M2.5S"), seconds_of("62.5s"), seconds_of("soon")
    ('62.500000000', '62.500000000', '62.500000000', None)
    """
    text = text.strip()
    try:
        if ":" in text:
            time = parse_clock(text)
        elif parts := ISO.match(text):
            hours, minutes, rest = parts.groups()
            whole, _, fraction = rest.partition(".")
            time = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(whole)
            time = time * SECOND + int(fraction.ljust(9, "0")[:9])
        else:
            return text if re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]*)?", text) else None
    except ValueError:
        return None
    return f"{time // SECOND}.{time % SECOND:09d}"


class Unit(NamedTuple):
    """How many units make a second, and what that follows from."""

    per_second: int
    reason: str


def unit_of(value: JsonValue, names: Names, rows: Sequence[dict[str, Any]], option: str) -> Unit:
    """The unit of the times of a list.

    Raises an error where whole numbers may be seconds or milliseconds, or are no times.
    """
    if option != "auto":
        return Unit(TIME_UNITS[option], "--time-unit")
    named = _plain(names.start)[1]
    if named is not None:
        return Unit(named, "their names")
    spans = [span for row in rows if (span := _numbers(row, names))]
    if not spans:
        return Unit(1, "clock times")
    lengths = [(end - start, text) for start, end, text in spans if end is not None]
    is_offset = sum(length == len(text) > 1 for length, text in lengths)
    if len(lengths) > 1 and is_offset * 2 > len(lengths):
        raise value.error(
            f"times in {quoted(names.start)} and {quoted(names.end)}",
            "offsets of characters: most ends less starts are the length of the text",
        )
    seconds = sum(length for length, _ in lengths)
    texts = [text for _, text in lengths]
    if not lengths:
        seconds = spans[-1][0] - spans[0][0]
        texts = [text for _, _, text in spans[:-1]]
    words = sum(map(_word_count, texts))
    per_second = [
        unit for unit in (1, 1000) if seconds and RATES[0] <= words * unit / seconds <= RATES[1]
    ]
    if words >= FEWEST_WORDS and per_second:
        return Unit(per_second[0], "the words per second")
    if any(isinstance(number, float) for start, end, _ in spans for number in (start, end)):
        return Unit(1, "their fractions")
    raise value.error(
        "times whose unit is clear",
        f"whole numbers, in {quoted(names.start)}, of {words} words: name their unit "
        "(--time-unit s or --time-unit ms)",
    )


def _numbers(row: dict[str, Any], names: Names) -> tuple[float, float | None, str] | None:
    """Start, end and text of an element whose times are numbers."""
    start, end, length = row.get(names.start), row.get(names.end), row.get(names.length)
    if isinstance(start, bool) or not isinstance(start, (int, float)):
        return None
    if end is None and isinstance(length, (int, float)):
        end = start + length
    text = row.get(names.text)
    if not isinstance(text, str):
        words = row.get(names.words) or ()
        text = " ".join("x" for _ in words)
    return start, end if isinstance(end, (int, float)) else None, text


def _word_count(text: str) -> float:
    """Words of a text; characters of scripts without blanks count half."""
    without_blanks = len(NO_BLANKS.findall(text))
    return without_blanks / 2 if without_blanks else len(text.split())


class _Elements:
    """Reads the elements of one list: its names, and the unit of its times."""

    def __init__(
        self, owner: JsonValue, names: Names, rows: Sequence[dict[str, Any]], option: str
    ) -> None:
        self.names = names
        self.unit = unit_of(owner, names, rows, option) if names.start else Unit(1, "")

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
            unit = self.unit.per_second if is_number else 1
            return JsonValue(text, member.document, value, name).nanoseconds(per_second=unit)
        return member.nanoseconds(per_second=self.unit.per_second)

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
        return joined_words(pieces, apart)


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
    inferred = infer(document.top)
    if inferred is None:
        for value in document.values:
            if value.value != []:
                raise value.error("a list of objects with texts, and times or speakers")
            source.is_silent = True
        return
    listing, words = inferred
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
    plain = {_plain(name)[0] for name in used}
    for name in dict.fromkeys(name for row in rows[:MOST_TRIED] for name in row):
        if name in used or _plain(name)[0] in plain or not TIME_NAME.match(_plain(name)[0]):
            continue
        values = [row[name] for row in rows if row.get(name) is not None]
        is_copy = any(_repeats(row, name, listing.names) for row in rows)
        if values and all(map(_is_time, values)) and not is_copy:
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
    yield from answer.within_parents(words, parents, None)


def sniff(head: Head) -> Sniff:
    """Possible where there is such a list; never sure, so that every other format goes first."""
    if head.shape != "json":
        return Sniff.NO
    return Sniff.NO if infer(head.json_values()) is None else Sniff.MAYBE


SPEC = FormatSpec(
    title="Any JSON with a list of segments or words, recognised by the names of their members",
    sign='"text" with "start"',
    read=read,
    sniff=sniff,
    read_options=(Option("time_unit", "auto", "unit of times", ("auto", *TIME_UNITS)),),
    manual="Segments or words with texts, times, speakers and confidences.",
)
