"""Texts that are data and not speech: JSON, markup, addresses, file names, identifiers, logs, code.

Readers of tables and JSON find the text by names. If the texts are data, the names misled them.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, islice, pairwise

from formats.detection.data_kinds import SPEECH, DataTexts, data_in
from formats.io.messages import (
    BRACKETS_IN_FIELDS,
    BRACKETS_IN_FIRST,
    BRACKETS_LEFT,
    DATA_LEFT,
    DATA_TEXTS,
    DIRECTIONS_IN_FIELDS,
    MARKS_LEFT,
    TIMES_AGAIN,
    TOKENS_OUT,
)
from formats.io.source import Source
from formats.reading.chat_notices import LONGEST_SHOWN, without_notices_in_rows
from formats.reading.directions import have_directions, without_directions
from formats.reading.marks import brackets_in, colons_alone, dashes_of_changes, is_mark, say_marks
from formats.reading.speakers import MOST_SEGMENTS, beginning_of, say_names
from formats.schema import lazy_pattern, split_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token

MOST_WORDS_OF_DATA = 300
"""The words of a text that are looked at."""
MOST_RUNS = 10_000
"""The most runs of times; later starts belong to the last run."""
TOKEN = lazy_pattern(r"<\|[^|<>\s]{1,40}\|>")


LEAST_FRAMED, FEWEST_FRAMED, SHARE_OF_FRAMES = 3, 4, 0.8
"""The fewest letters and texts of the frame of a page, and the share of texts that have it."""


def tokens_of(words: Iterable[str]) -> list[str]:
    """Return the tokens of a model in words.

    >>> tokens_of(["<|en|>", "so", "it<|0.50|>", "is"])
    ['<|en|>', '<|0.50|>']
    """
    return [token for word in words if "<|" in word for token in TOKEN.findall(word)]


def without_tokens(source: Source, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the segments without the tokens of a model, ``<|en|>``; count these in a note."""
    count, example = 0, ""
    for segment in segments:
        tokens = [] if segment.line in source.lines_of_words else tokens_of(segment.words)
        count, example = count + len(tokens), example or "".join(tokens[:1])
        if tokens:
            items = (without for item in segment.items() for without in _without_token(item))
            segment = segment.with_items(items)
        yield segment
    if count:
        source.log.say(TOKENS_OUT, count=count, text=example)


def without_directions_in_fields(
    source: Source, first: Sequence[Segment], segments: Iterable[Segment]
) -> Iterator[Segment]:
    """Yield the segments without directions, which are no words if several of the first have some.

    Segments whose words have times or other details of their own stay unchanged.
    """
    signs = have_directions(" ".join(s.words) for s in first if not _has_details(s))
    if not signs:
        yield from segments
        return
    count, example = 0, ""
    for segment in segments:
        text = " ".join(segment.words)
        spoken, removed = ("", []) if _has_details(segment) else without_directions(text, signs)
        count, example = count + len(removed), example or "".join(removed[:1])
        yield segment.replace(words=tuple(split_words(spoken))) if removed else segment
    if count:
        source.log.say(DIRECTIONS_IN_FIELDS, count=count, text=example[:LONGEST_SHOWN])


def _has_details(segment: Segment) -> bool:
    """Return True if words have times, confidences, other forms or alternatives."""
    details = (segment.starts_ns, segment.ends_ns, segment.confidences, segment.kinds)
    others = (segment.optional, segment.displays, segment.interpolated)
    return any(part is not None for part in (*details, *others)) or bool(segment.alternations)


def _without_token(item: Token | Alternation) -> Iterator[Token | Alternation]:
    """Yield a word without tokens of a model; nothing if the word has nothing else."""
    from formats.schema.words import Alternation

    if isinstance(item, Alternation):
        yield item
    elif (text := TOKEN.sub("", item.text)) or not item.text:
        yield item if text == item.text else item.replace(text=text)


def checked_segments(
    source: Source,
    segments: Iterator[Segment],
    *,
    is_rejected: bool,
    has_tokens: bool,
    is_table: bool = False,
    has_fields: bool = False,
) -> Iterator[Segment]:
    """Yield the segments; at the end, warn about signs of a layout that was not understood.

    The signs are words that are marks, and texts that begin with names. Only the first segments
    are checked. If `is_rejected`, an error is raised if most texts are data. If `has_tokens`,
    tokens of a model are no words. The rows of a table may be of recordings that nothing names. If
    texts are fields of a table or of JSON (`has_fields`), parts in brackets are counted.
    """
    from formats.reading.audit import Audit

    audit = Audit()
    words, marks, texts = 0, list[str](), list[str]()
    first = list(islice(segments, MOST_SEGMENTS))
    segments = chain(first, segments)
    if has_tokens and any("<|" in word for segment in first for word in segment.words):
        segments = without_tokens(source, segments)
    if has_fields and not source.names_recordings:  # what we wrote is read as it is
        segments = without_directions_in_fields(source, first, segments)
        segments = without_notices_in_rows(source, first, segments)
    segments = audit.watched(segments)
    first = list(islice(segments, MOST_SEGMENTS))
    check_texts(source, first, is_rejected=is_rejected)
    restarts = Restarts() if is_table else None
    for segment in first:
        words += len(segment.words)
        marks += filter(is_mark, segment.words)
        marks += dashes_of_changes(segment.words)
        marks += colons_alone(segment.words)
        texts += beginning_of(segment)
    yield from first if restarts is None else restarts.watched(first)
    yield from segments if restarts is None else restarts.watched(segments)
    say_names(source, texts)
    say_marks(source, marks, words)
    if has_fields and (frame := frame_of([segment.words for segment in first])):
        source.log.say(MARKS_LEFT, count=len(frame), words=words, text=frame[0])
    if has_fields:
        _say_brackets(source, first)
    if restarts is not None and (again := restarts.count):
        source.log.say(TIMES_AGAIN, again=again)
    audit.say(source, are_rows=has_fields)


def frame_of(texts: Sequence[Sequence[str]]) -> list[str]:
    """Return what a page wrote around texts: most begin or end with it, perhaps behind a number.

    >>> songs = [["12", "SingersA", "so", "it", word + "End"] for word in ("is", "was", "be", "do")]
    >>> frame_of(songs)
    ['isEnd', 'wasEnd', 'beEnd', 'doEnd', 'SingersA', 'SingersA', 'SingersA', 'SingersA']
    >>> frame_of([[word, "it", "is", "then"] for word in ("So", "Well", "Here", "Now")])
    []
    """
    texts = [words for words in texts if len(words) > LEAST_FRAMED]
    if len({*map(tuple, texts)}) < max(FEWEST_FRAMED, SHARE_OF_FRAMES * len(texts)):
        return []
    frame: list[str] = []
    for number, size in ((-1, slice(-LEAST_FRAMED, None)), (1, slice(None, 2 * LEAST_FRAMED))):
        edges = [words[number][size] for words in texts if number < 0 or words[0].isdecimal()]
        edge, count = next(iter(Counter(edges).most_common(1)), ("", 0))
        if count >= SHARE_OF_FRAMES * len(texts) and edge[-1:].isalpha():
            alike = [words[number] for words in texts if words[number][size] == edge]
            frame += alike if number > 0 or _is_glued_end(alike) else []
    return frame


def _is_glued_end(words: Sequence[str]) -> bool:
    """Return True if words that end alike are words of a text with a title behind them.

    >>> [_is_glued_end(words) for words in (["isEnd", "so12End"], ["So", "So"], ["going", "sing"])]
    [True, False, False]
    """
    end = words[0]
    while not all(word.endswith(end) for word in words):
        end = end[1:]
    before = [word[: -len(end)] for word in words if word != end]
    is_behind = sum(not part[-1].isupper() for part in before) > len(words) / 2
    return is_behind and not end[0].islower()


def _say_brackets(source: Source, segments: Sequence[Segment]) -> None:
    """Report the parts in brackets inside fields, unless the reader has reported them."""
    if any(entry.code == BRACKETS_LEFT.code for entry in source.log.entries()):
        return
    parts = brackets_in(" ".join(segment.words) for segment in segments)
    if parts:
        example = parts.most_common(1)[0][0]
        if len(segments) < MOST_SEGMENTS:
            source.log.say(BRACKETS_IN_FIELDS, count=parts.total(), text=example)
        else:
            total = len(segments)
            source.log.say(BRACKETS_IN_FIRST, count=parts.total(), total=total, text=example)


def times_again(labels: Sequence[Sequence[str | None]], starts: Sequence[float]) -> int:
    """Return how often the starts of segments begin again, as in several recordings or chunks.

    Runs that each have a label of their own, such as the speaker, are no recordings.

    >>> times_again([["A"], ["B"]] * 3, [0.5, 4.0, 8.0, 0.2, 3.0, 9.0])
    1
    >>> times_again([["A"]] * 3 + [["B"]] * 3, [0.5, 4.0, 8.0, 0.2, 3.0, 9.0])
    0
    """
    runs: list[_Run] = []
    for label, start in zip(labels, starts, strict=True):
        _add_start(runs, start, label)
    return _count_again(runs)


class _Run:
    """A run of starts in order: the first, the last, and the labels at each place."""

    __slots__ = ("first", "labels", "last")

    def __init__(self, start: float, labels: Sequence[str | None]) -> None:
        self.first = self.last = start
        self.labels: list[set[str | None]] = [{label} for label in labels]


def _add_start(runs: list[_Run], start: float, labels: Sequence[str | None]) -> None:
    """Add a start to the last run; a start far before the previous one begins a run."""
    if not runs or (start < runs[-1].last / 2 and len(runs) < MOST_RUNS):
        runs.append(_Run(start, labels))
        return
    runs[-1].last = start
    for known, label in zip(runs[-1].labels, labels, strict=True):
        known.add(label)


def _count_again(runs: Sequence[_Run]) -> int:
    """Return how many runs begin near the first start; 0 if each run has a label of its own."""
    first = min((run.first for run in runs), default=0)
    again = sum(
        run.first <= first + (before.last - first) / 10 for before, run in pairwise(runs)
    )  # fmt: skip
    for place in range(len(runs[0].labels) if again else 0):
        named = [run.labels[place] for run in runs]
        if all(map(_is_one_name, named)) and len(set[str | None]().union(*named)) == len(runs):
            return 0
    return again


class Restarts:
    """Counts how often times begin again among the segments of one recording."""

    def __init__(self) -> None:
        self._again = 0
        self._runs: list[_Run] = []
        self._recording = ""

    def watched(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Yield the segments and note their starts."""
        for segment in segments:
            start = segment.start_ns
            if start is not None:
                if segment.recording != self._recording:
                    self._again, self._runs = self.count, []
                    self._recording = segment.recording
                _add_start(self._runs, start, (segment.speaker, segment.channel))
            yield segment

    @property
    def count(self) -> int:
        """How often the times began again so far."""
        return self._again + _count_again(self._runs)


def _is_one_name(labels: set[str | None]) -> bool:
    return len(labels) == 1 and None not in labels


def check_texts(source: Source, segments: Sequence[Segment], *, is_rejected: bool) -> None:
    """Warn about texts that are data; raise an error if they are most texts and `is_rejected`.

    There is no error if the segments have times, or if the file may be of our own writers.
    """
    texts = [" ".join(segment.words[:MOST_WORDS_OF_DATA]) for segment in segments if segment.words]
    data = data_in(texts)
    are_timed = all(segment.end_ns is not None for segment in segments)
    is_rejected = is_rejected and not are_timed and not source.names_recordings
    is_error = is_rejected and data is not None and data.are_most
    if data is None or not is_error or data.kind in SPEECH:
        say_data(source, data)
        return
    raise source.error_of(
        DATA_TEXTS, segments[0].line, count=data.data, total=data.total, kind=data.kind,
        text=data.text,
    )  # fmt: skip


def say_data(source: Source, data: DataTexts | None) -> None:
    """Warn about texts that are data."""
    if data is not None:
        source.log.say(DATA_LEFT, count=data.data, total=data.total, kind=data.kind, text=data.text)
