"""Texts that are data and not speech: JSON, markup, addresses, file names, identifiers, logs, code.

Readers of tables and JSON find the text by names. If the texts are data, the names misled them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice, pairwise
from operator import attrgetter

from formats.detection.data_kinds import SPEECH, DataTexts, data_in
from formats.io.messages import DATA_LEFT, DATA_TEXTS, NAMES_LEFT, TIMES_AGAIN, TOKENS_OUT
from formats.io.source import Source
from formats.reading.remains import is_mark, say_marks
from formats.reading.speakers import MOST_WORDS, is_label, returning_names, split_name
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token

MOST_SEGMENTS, MOST_WORDS_OF_DATA = 300, 300
"""The segments, and the words of a text, that are looked at."""
SHARE_OF_NAMES = 0.05
TOKEN = lazy_pattern(r"<\|[^|<>\s]{1,40}\|>")


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
) -> Iterator[Segment]:
    """Yield the segments; at the end, warn about signs of a layout that was not understood.

    The signs are words that are marks, and texts that begin with names. Only the first segments
    are checked. If `is_rejected`, an error is raised if most texts are data. If `has_tokens`,
    tokens of a model are no words. The rows of a table may be of recordings that nothing names.
    """
    words, marks, texts = 0, list[str](), list[str]()
    first = list(islice(segments, MOST_SEGMENTS))
    if has_tokens and any("<|" in word for segment in first for word in segment.words):
        segments = without_tokens(source, chain(first, segments))
        first = list(islice(segments, MOST_SEGMENTS))
    check_texts(source, first, is_rejected=is_rejected)
    if is_table:
        say_times_again(source, first)
    for segment in first:
        words += len(segment.words)
        marks += filter(is_mark, segment.words)
        texts += beginning_of(segment)
        yield segment
    yield from segments
    say_names(source, texts)
    say_marks(source, marks, words)


def times_again(labels: Sequence[Sequence[str | None]], starts: Sequence[float]) -> int:
    """Return how often the starts of segments begin again, as in several recordings or chunks.

    Runs that each have a label of their own, such as the speaker, are no recordings.

    >>> times_again([["A"], ["B"]] * 3, [0.5, 4.0, 8.0, 0.2, 3.0, 9.0])
    1
    >>> times_again([["A"]] * 3 + [["B"]] * 3, [0.5, 4.0, 8.0, 0.2, 3.0, 9.0])
    0
    """
    borders = [n for n in range(1, len(starts)) if starts[n] < starts[n - 1] / 2]
    runs = [range(*span) for span in pairwise([0, *borders, len(starts)])]
    first = min(starts, default=0)
    again = [
        run for before, run in pairwise(runs)
        if starts[run[0]] <= first + (starts[before[-1]] - first) / 10
    ]  # fmt: skip
    for place in range(len(labels[0]) if again else 0):
        named = [{labels[n][place] for n in run} for run in runs]
        if all(map(_is_one_name, named)) and len(set[str | None]().union(*named)) == len(runs):
            return 0
    return len(again)


def _is_one_name(labels: set[str | None]) -> bool:
    return len(labels) == 1 and None not in labels


def say_times_again(source: Source, segments: Sequence[Segment]) -> None:
    """Warn if the times of segments of the same recording begin again."""
    again = 0
    for _, part in groupby(segments, attrgetter("recording")):
        timed = [segment for segment in part if segment.start_ns is not None]
        labels = [(segment.speaker, segment.channel) for segment in timed]
        again += times_again(labels, [segment.start_ns or 0 for segment in timed])
    if again:
        source.log.say(TIMES_AGAIN, again=again)


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


def beginning_of(segment: Segment) -> list[str]:
    """Return the first words of a segment as a list with one text.

    The list is empty if the speaker is known and the text does not begin with a generic name.
    """
    text = " ".join(segment.words[:MOST_WORDS])
    is_open = segment.speaker is None or is_label(split_name("Name: text", text)[0] or "")
    return [text] if is_open else []


def say_names(source: Source, texts: Sequence[str]) -> None:
    """Warn if many of these texts begin with repeated names."""
    named = [text for text in returning_names(texts) if text[:1] not in "([（"]
    if len(named) >= SHARE_OF_NAMES * len(texts) > 0:
        source.log.say(NAMES_LEFT, count=len(named), total=len(texts), text=named[0])
