"""Usual names of JSON members: lists, texts, times, speakers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from formats.json.numbers import TIME_UNITS
from formats.json.shapes import Names
from formats.json.value import JsonValue
from formats.schema.clock import parse_clock
from formats.schema.errors import quoted
from formats.schema.times import SECOND

MEMBERS = {
    "list": "segments utterances turns monologues paragraphs sentences cues captions subtitles "
    "chunks phrases items entries results transcript transcription transcripts data messages "
    "conversation words tokens",
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
"""Names of members, the likeliest first; case, underscores and units are ignored."""
KNOWN = {role: names.split() for role, names in MEMBERS.items()}
WORD_LISTS = frozenset(("words", "tokens", "wordlist", "timedwords"))
UNITS = dict.fromkeys(("s", "sec", "secs", "seconds"), 1)
UNITS |= dict.fromkeys(("ms", "millis", "milliseconds"), 1000)
ISO = re.compile(r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:\.\d*)?)S\Z", re.IGNORECASE)
LARGEST = 1 << 63
RATES = (0.3, 10.0)
"""Words per second that people speak, pauses included."""
FEWEST_WORDS = 5
MOST_TRIED = 200
"""Elements that names of members are taken from."""
NO_BLANKS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Characters of scripts that leave no blanks between words."""


class Listing(NamedTuple):
    """A list of segments or of words: the members that lead to it, and those of its elements."""

    path: tuple[str, ...]
    names: Names
    inner: Names
    """The members of the words in its elements."""

    @property
    def is_words(self) -> bool:
        """True if its elements are words."""
        return (self.path or ("",))[-1].lower() in WORD_LISTS or plain_name(self.names.text)[0] in (
            "word",
            "punctuatedword",
        )

    @property
    def is_useful(self) -> bool:
        """True if there are texts, and times or speakers with them."""
        names, inner = self.names, self.inner
        return bool((names.text and (names.start or names.speaker)) or (inner.text and inner.start))


def plain_name(name: str) -> tuple[str, int | None]:
    """A name without case, underscores and unit, and its units per second, if any."""
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[-_ ]+", " ", name).lower().split()
    if len(parts) > 1 and parts[-1] in UNITS:
        return "".join(parts[:-1]), UNITS[parts[-1]]
    return "".join(parts), None


def find_list(top: Sequence[Any]) -> tuple[Listing, Listing | None] | None:
    """The list to read, and a parallel list of words; several objects are elements of one list."""
    first = top[0] if top else None
    root = first if len(top) == 1 else list(top)
    listings = [listing for listing in _listings(root, (), 3) if listing.is_useful]
    listings.sort(key=_likelihood)
    if not listings:
        return _owners_of_words(root)
    best = listings[0]
    if best.is_words:
        return _owners_of_words(root) or (best, None)
    beside = [listing for listing in listings if listing.is_words and listing.names.start]
    return best, None if best.names.words or not beside else beside[0]


def _owners_of_words(root: Any) -> tuple[Listing, Listing | None] | None:
    """A list of times and speakers without words, and the list of words beside it."""
    every = list(_listings(root, (), 3))
    words = [e for e in every if e.is_words and e.names.text and e.names.start]
    owners = [e for e in every if not e.names.text and e.names.start and e.names.speaker]
    return (owners[0], words[0]) if words and owners else None


def _likelihood(listing: Listing) -> tuple[bool, int, int]:
    name = plain_name(listing.path[-1])[0] if listing.path else ""
    lists = KNOWN["list"]
    rank = lists.index(name) if name in lists else len(lists)
    return listing.is_words, 0 if not listing.path else rank, len(listing.path)


def _listings(value: Any, path: tuple[str, ...], levels: int) -> Iterator[Listing]:
    """The lists of objects in a value, down to some levels."""
    if isinstance(value, list):
        objects = [element for element in value[:MOST_TRIED] if isinstance(element, dict)]
        if objects and len(objects) == len(value[:MOST_TRIED]):
            names = _names(objects)
            words = [word for row in objects for word in words_of(row, names)]
            yield Listing(path, names, _names(words[:MOST_TRIED]) if words else Names())
    elif isinstance(value, dict) and levels:
        for name, member in value.items():
            yield from _listings(member, (*path, name), levels - 1)


def words_of(row: dict[str, Any], names: Names) -> list[dict[str, Any]]:
    """The objects of the list of words in an element."""
    values = row.get(names.words)
    return [v for v in values if isinstance(v, dict)] if isinstance(values, list) else []


def _names(objects: Sequence[dict[str, Any]]) -> Names:
    """The names of members as most of the objects have them."""
    present: dict[str, list[Any]] = {}
    for members in objects:
        for name, value in members.items():
            if value is not None:
                present.setdefault(name, []).append(value)
    plain = {name: plain_name(name)[0] for name in present}

    def choose(role: str, fits: Callable[[Any], bool], share: float = 0.0) -> str:
        for entry in KNOWN[role]:
            for name, values in present.items():
                is_common = len(values) >= share * len(objects)
                if plain[name] == entry and is_common and all(map(fits, values)):
                    return name
        return ""

    words = [n for n, v in present.items() if {*map(type, v)} == {list} and any(map(_has_words, v))]
    words.sort(key=lambda name: plain[name] not in WORD_LISTS)
    start = choose("start", is_time, 0.5)
    return Names(
        choose("text", lambda v: isinstance(v, str), 0.5),
        start,
        choose("end", is_time) if start else "",
        choose("length", is_time) if start else "",
        choose("speaker", _is_name),
        choose("confidence", lambda v: isinstance(v, (int, float))),
        choose("channel", _is_name),
        choose("language", lambda v: isinstance(v, str)),
        choose("display", lambda v: isinstance(v, str)),
        words[0] if words else "",
    )


def _has_words(value: Any) -> bool:
    """True if a value is a list of words with times."""
    if not isinstance(value, list) or not value or not isinstance(value[0], dict):
        return False
    names = {plain_name(name)[0] for name in value[0]}
    return not names.isdisjoint(KNOWN["text"]) and not names.isdisjoint(KNOWN["start"])


def is_time(value: Any) -> bool:
    """True if a value is a number or a text that `seconds_of` reads."""
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_name(value: Any) -> bool:
    if isinstance(value, dict):
        return isinstance(value.get("name", value.get("id")), (str, int))
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def seconds_of(text: str) -> str | None:
    """A clock time or duration as a number of seconds; `None` for another text."""
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


def time_unit_of(
    value: JsonValue, names: Names, rows: Sequence[dict[str, Any]], option: str
) -> int:
    """The number of units of the times of a list in a second; an error where this is not clear."""
    if not names.start:
        return 1
    if option != "auto":
        return TIME_UNITS[option]
    named = plain_name(names.start)[1]
    if named is not None:
        return named
    spans = [span for row in rows if (span := _numbers(row, names))]
    if not spans:
        return 1  # clock times
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
        return per_second[0]
    if any(isinstance(number, float) for start, end, _ in spans for number in (start, end)):
        return 1
    raise value.error(
        "times whose unit is clear",
        f"whole numbers, in {quoted(names.start)}, of {words} words: name their unit "
        "(--time-unit s or --time-unit ms)",
    )


def _numbers(row: dict[str, Any], names: Names) -> tuple[float, float | None, str] | None:
    """Start, end and text of an element whose times are numbers."""
    start, end, length = (
        number_of(row.get(name)) for name in (names.start, names.end, names.length)
    )
    if start is None:
        return None
    if end is None and length is not None:
        end = start + length
    text = row.get(names.text)
    if not isinstance(text, str):
        words = row.get(names.words) or ()
        text = " ".join("x" for _ in words)
    return start, end, text


def number_of(value: object) -> float | None:
    """A number that a time may be, also one written as a text; whole ones stay whole."""
    if isinstance(value, str) and value.isascii() and value.replace(".", "", 1).isdigit():
        return float(value) if "." in value else int(value[:18])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None  # type: ignore[return-value, arg-type]


def _word_count(text: str) -> float:
    """Words of a text; characters of scripts without blanks count half."""
    without_blanks = len(NO_BLANKS.findall(text))
    return without_blanks / 2 if without_blanks else len(text.split())
