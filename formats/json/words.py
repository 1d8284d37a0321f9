"""What the recognisers' JSON formats share: word objects, their checks, texts beside them."""

from __future__ import annotations

from formats.errors import SyntaxFormatError, quoted
from formats.json.document import plain_confidence, plain_nanoseconds
from formats.json.word_items import WordItem, cut_text, fill_times, segment_of, single_words
from formats.model import Segment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis, ReadingCounts
    from formats.source import Source

__all__ = [
    "SegmentOrder",
    "WordNames",
    "interval",
    "interval_of",
    "read_word",
    "read_words",
    "refuse_partial",
    "segment_of_text",
    "segment_of_words",
    "tell_of_text",
]


class WordNames:
    """What the members of a word object are called, the first that is there counting.

    Parameters
    ----------
    text, start, end, confidence: names.
    per_second: units of the times in a second.
    """

    __slots__ = ("confidence", "end", "per_second", "start", "text")

    def __init__(
        self,
        text: Sequence[str],
        *,
        start: Sequence[str] = ("start",),
        end: Sequence[str] = ("end",),
        confidence: Sequence[str] = (),
        per_second: int = 1,
    ) -> None:
        self.text = text
        self.start = start
        self.end = end
        self.confidence = confidence
        self.per_second = per_second


def read_word(value: JsonValue, names: WordNames) -> WordItem:
    """A word object, its text as written, blanks and all; times and confidence may be missing.

    Raises
    ------
    SyntaxFormatError: no text, a time that is none, an end before its start.
    """
    plain = _plain_word(value.value, names)
    if plain is not None:
        return plain
    item = WordItem(value.required(*names.text).text())
    start, end = value.get(*names.start), value.get(*names.end)
    if start is not None:
        item.start_ns = start.nanoseconds(per_second=names.per_second)
    if end is not None:
        item.end_ns = end.nanoseconds(per_second=names.per_second)
        if item.start_ns is not None and item.end_ns < item.start_ns:
            raise end.error(f"an end time not before the start, {start.value if start else ''}")
    if names.confidence:
        sure = value.get(*names.confidence)
        if sure is not None:
            item.confidence = sure.confidence()
    return item


def read_words(owner: JsonValue, names: WordNames, member: str) -> list[WordItem]:
    """The word objects of a list that is a member of `owner`, as `read_word` reads each.

    Raises
    ------
    SyntaxFormatError: as `read_word`, or the member is no list.
    """
    raw = owner.value.get(member) if type(owner.value) is dict else None
    if type(raw) is list:
        plain = [_plain_word(members, names) for members in raw]
        if None not in plain:
            return plain  # type: ignore[return-value]
    return [read_word(element, names) for element in owner.elements(member)]


def _plain_word(members: object, names: WordNames) -> WordItem | None:
    """A word that is as it should be, without further questions; `None` for any other."""
    if type(members) is not dict:
        return None
    text = members.get(names.text[0])
    start_ns = plain_nanoseconds(members.get(names.start[0]), names.per_second)
    end_ns = plain_nanoseconds(members.get(names.end[0]), names.per_second)
    if type(text) is not str or start_ns is None or end_ns is None or end_ns < start_ns:
        return None
    if not names.confidence:
        return WordItem(text, start_ns, end_ns)
    sure = members.get(names.confidence[0])
    if sure is None:
        is_plain = not any(name in members for name in names.confidence)
        return WordItem(text, start_ns, end_ns) if is_plain else None
    confidence = plain_confidence(sure)
    return None if confidence is None else WordItem(text, start_ns, end_ns, confidence)


def interval(
    start: JsonValue | None, end: JsonValue | None, *, per_second: int = 1
) -> tuple[int | None, int | None]:
    """Start and end of something longer than a word; either may be missing.

    Raises
    ------
    SyntaxFormatError: a time that is none, an end before its start.
    """
    start_ns = None if start is None else start.nanoseconds(per_second=per_second)
    end_ns = None if end is None else end.nanoseconds(per_second=per_second)
    if end is not None and start_ns is not None and end_ns is not None and end_ns < start_ns:
        raise end.error(f"an end time not before the start, {start.value if start else ''}")
    return start_ns, end_ns


def interval_of(value: JsonValue) -> tuple[int | None, int | None]:
    """The `interval` of the members ``start`` and ``end``, in seconds; raises as that does."""
    members = value.value
    if type(members) is dict:
        start_ns = plain_nanoseconds(members.get("start"))
        end_ns = plain_nanoseconds(members.get("end"))
        if start_ns is not None and end_ns is not None and start_ns <= end_ns:
            return start_ns, end_ns
    return interval(value.get("start"), value.get("end"))


def segment_of_words(
    source: Source,
    items: Sequence[WordItem],
    counts: ReadingCounts,
    *,
    start_ns: int | None = None,
    end_ns: int | None = None,
    spans_words: bool = False,
    places_all: bool = False,
    speaker: str | None = None,
    confidence: float | None = None,
    properties: Mapping[str, str] | None = None,
    nbest: Sequence[Hypothesis] = (),
    line: int | None = None,
) -> Segment:
    """A segment of items as read: cut at blanks, missing times filled in and counted.

    Where some words have times and others lack them, these are placed between their neighbours
    and the ends of the segment. Where none has, none gets one, unless `places_all`.

    Parameters
    ----------
    places_all: whether the words share the time of the segment if none of them has one.
    spans_words: whether the segment, having no times of its own, is as long as its words.
    """
    words = single_words(items)
    lacking = [item for item in words if item.start_ns is None or item.end_ns is None]
    if lacking and (
        places_all
        or len(lacking) < len(words)
        or any(item.start_ns is not None or item.end_ns is not None for item in lacking)
    ):
        counts.interpolated += fill_times(words, start_ns, end_ns)
        counts.untimed += sum(1 for w in words if w.start_ns is None or w.end_ns is None)
    if spans_words:
        starts = [item.start_ns for item in words if item.start_ns is not None]
        ends = [item.end_ns for item in words if item.end_ns is not None]
        if starts and ends and len(starts) == len(words) == len(ends):
            start_ns, end_ns = min(starts), max(ends)
    counts.see_words([item.text for item in words])
    return segment_of(
        source.recording,
        words,
        speaker=speaker,
        start_ns=start_ns,
        end_ns=end_ns,
        confidence=confidence,
        properties=properties,
        nbest=nbest,
        line=line,
    )


def segment_of_text(
    source: Source,
    text: str,
    counts: ReadingCounts,
    *,
    start_ns: int | None = None,
    end_ns: int | None = None,
    speaker: str | None = None,
    confidence: float | None = None,
    properties: Mapping[str, str] | None = None,
    nbest: Sequence[Hypothesis] = (),
    line: int | None = None,
) -> Segment:
    """A segment of a text, cut at blanks, whose words have no times."""
    words = tuple(cut_text(text))
    counts.see_words(words)
    return Segment.from_columns(
        source.recording,
        words,
        start_ns=start_ns,
        end_ns=end_ns,
        speaker=speaker,
        confidence=confidence,
        properties=tuple(sorted(properties.items())) if properties else (),
        nbest=tuple(nbest),
        line=line,
    )


def tell_of_text(
    source: Source, code: str, text: str, words: Sequence[str], line: int | None = None
) -> None:
    """Warn if a text beside the list of words has other words than the list, which is read."""
    said = cut_text(text)
    if said == list(words):
        return
    for number, (one, other) in enumerate(zip(said, words, strict=False), 1):
        if one != other:
            differs = f"word {number} is {quoted(one)} in the text and {quoted(other)} in the list"
            break
    else:
        differs = f"the text has {len(said)} words, the list {len(words)}"
    source.log.warn(code, f"text and words differ: {differs}; the list is read", line)


def refuse_partial(source: Source, counts: ReadingCounts) -> None:
    """Refuse a file of nothing but results that are not final; in lenient reading remember it.

    Raises
    ------
    SyntaxFormatError
    """
    found = f"only results that are not final: {counts.partial}"
    error = SyntaxFormatError(path=source.name, expected="final results", found=found)
    source.log.reject("PARTIAL-ONLY", error)


class SegmentOrder:
    """Notes segments that begin before the one above them, or that take no time."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._last_ns = 0

    def see(self, segment: Segment) -> None:
        """Look at the next segment."""
        start = segment.start_ns
        if start is None:
            return
        if start < self._last_ns:
            self._source.log.note(
                "ORDER", "begins before the segment above it: the order is kept", segment.line
            )
        if segment.end_ns == start:
            self._source.log.note("NO-LENGTH", "a segment that takes no time", segment.line)
        self._last_ns = start
