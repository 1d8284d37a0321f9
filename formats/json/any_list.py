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
``channel``, ``confidence score`` …, ``language``  as named
================================================  ===============================================

What is read is noted, with the names of the members. Case and underscores of names make no
difference. The unit of times follows from the name (``start_ms``) or the values: clock times and
ISO 8601 durations, else seconds or milliseconds, whichever gives 0.3 to 10 words per second.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.rules import Head
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.json.answer import Answer
from formats.json.list_names import Listing, find_list, time_unit_of, words_of
from formats.json.numbers import TIME_UNITS
from formats.json.provider import Provider
from formats.json.value import JsonDocument
from formats.schema.errors import quoted
from formats.schema.model import Segment


def read(source: Source, *, time_unit: str = "auto") -> Iterator[Segment]:
    """One segment per element of the list, or per turn of a list of words."""
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
    root = document.value_at(0)
    is_stream = len(document.top) > 1 or not (listing.path or isinstance(root.value, list))
    owner = root.at(".".join(listing.path))
    turns = document.values if is_stream else list(owner.elements())
    rows = [turn.value for turn in turns if isinstance(turn.value, dict)]
    inner, inner_rows = listing.inner, [w for r in rows for w in words_of(r, listing.names)]
    if words is not None:
        inner, inner_rows = words.names, root.at(".".join(words.path)).value
    provider = Provider(
        "JSON",
        ".".join(listing.path),
        listing.names,
        inner,
        words_beside="" if words is None else ".".join(words.path),
        are_words=listing.is_words,
        in_pieces=True,
        may_lack_words=True,
        per_second=time_unit_of(owner, listing.names, rows, time_unit),
        word_per_second=time_unit_of(owner, inner, inner_rows, time_unit),
    )
    yield from provider.segments(root, answer, turns)
    answer.finish(document)


def _note(source: Source, listing: Listing, words: Listing | None) -> None:
    """Note which members are read."""
    names = listing.names.used
    where = ".".join(listing.path) or "the list"
    message = f"read {where} by the members {', '.join(map(quoted, names))}"
    inner = words.names if words is not None else listing.inner
    if words is not None or listing.names.words:
        path = ".".join(words.path) if words is not None else listing.names.words
        message += f"; {path} by {', '.join(quoted(name) for name in inner.used)}"
    source.log.note("JSON-NAMES", message)


def sniff(head: Head) -> Sniff:
    """Possible if there is such a list; never sure, so that every other format has priority."""
    if head.shape != "json":
        return Sniff.NO
    return Sniff.NO if find_list(head.json_values()) is None else Sniff.MAYBE


SPEC = FormatSpec(
    title="Any JSON with a list of segments or words, recognised by the names of their members",
    sign='"text" with "start"',
    read_options=(Option("time_unit", "auto", "unit of times", ("auto", *TIME_UNITS)),),
)
