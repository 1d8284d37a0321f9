"""Reader for the transcript of an AWS Transcribe batch job.

The items of a list are parsed as a batch; if any item is irregular, they are parsed one at a time.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain, count, groupby, repeat
from operator import attrgetter
from typing import Any, NamedTuple

from formats.io.source import PausedCollection
from formats.json.answer import Answer, checked_hypotheses, likeliest, require_success, with_extent
from formats.json.displays import cut_text
from formats.json.messages import (
    AWS_END,
    AWS_ITEMS,
    AWS_NBEST,
    AWS_SPEAKER,
    AWS_SPEAKERS,
    AWS_TWICE,
)
from formats.json.numbers import OptionalTimes, confidence, times
from formats.json.shapes import members_named
from formats.json.spoken_words import RecognizedWords, SpokenWord, WordRun, plain_words
from formats.json.value import JsonValue
from formats.schema.errors import quoted
from formats.schema.model import Segment, are_times_in_order
from formats.schema.times import SECOND

SLIGHT = SECOND // 10
"""The largest distance of an end before its start that counts as a rounding error."""

MARK = "punctuation"
TYPES = ("pronunciation", MARK)
TEXTS = {str, type(None)}


class ItemWord(SpokenWord, kw_only=True):
    """A word, and the index of its turn in the file (`None` if it has no turn)."""

    turn: int | None = None


class Stretch(NamedTuple):
    """An interval of the file: one speaker's turn, or a span with alternative hypotheses."""

    start_ns: int | None
    end_ns: int | None
    speaker: str | None = None
    channel: str | None = None
    nbest: Sequence[RecognizedWords] = ()


class _Places(NamedTuple):
    """Indexes with which the turn of a word is found by the word's time.

    `by_start` maps the start of an item to its turn, `several` holds starts in turns of different
    speakers, and `middles` the midpoint of each item and its turn, sorted.
    """

    by_start: dict[int, int]
    several: set[int]
    middles: list[tuple[int, int]]


def _best(item: JsonValue) -> JsonValue:
    """Return the most likely alternative of an item. Items of older files have no alternatives."""
    return item if item.has("content") else likeliest(item)


def _word(item: JsonValue, answer: Answer) -> ItemWord:
    """Return an item as a word or punctuation mark; an end before the start becomes the start."""
    best = _best(item)
    start_ns, end_ns = (item.time_of(name) for name in ("start_time", "end_time"))
    if start_ns is not None and end_ns is not None and end_ns < start_ns:
        if end_ns < start_ns - SLIGHT:
            item.span_of("start_time", "end_time")
        answer.count(AWS_END)
        end_ns = start_ns
    return ItemWord(
        best.required("content").text(),
        start_ns,
        end_ns,
        best.confidence_of("confidence"),
        speaker=item.name_of("speaker_label"),
        language=item.text_of("language_code"),
    )


class ItemColumns(NamedTuple):
    """The items of a list as columns: words or punctuation marks, their types and their ids."""

    words: list[ItemWord]
    types: list[str]
    ids: list[str]

    @classmethod
    def of(cls, items: Any) -> ItemColumns | None:
        """Return the items of a list as columns; `None` if an item is irregular."""
        if members_named is None or type(items) is not list or not items:
            return None
        names = ("alternatives", "content", "type", "id", "speaker_label", "language_code")
        choices, contents, types, ids, *labels = (members_named(items, (n,)) for n in names)
        spans = _plain_spans(items)
        if spans is None or contents.count(None) + sum(map(types.count, TYPES)) != 2 * len(items):
            return None
        try:
            best = [choice[0] for choice in choices]
        except (TypeError, IndexError, KeyError):
            return None
        texts, sure = members_named(best, ("content",)), members_named(best, ("confidence",))
        kinds = (*map(_kinds, (sure, *labels)), _kinds(ids) - {int})
        if _kinds(texts) != {str} or not TEXTS.issuperset(chain(*kinds)):
            return None
        try:
            numbers = {text: None if text is None else confidence(text) for text in {*sure}}
        except ValueError:
            return None
        confidences = map(numbers.__getitem__, sure)
        fixed = repeat(None), repeat(None), repeat(False)
        words = list(map(ItemWord, texts, *spans, confidences, *fixed, *labels))
        return cls(words, types, [str(i if n is None else n) for i, n in enumerate(ids)])


def _kinds(values: list[Any] | None) -> set[type]:
    """Return the types of a column's values; `{object}` for a missing column."""
    return {object} if values is None else set(map(type, values))


def _plain_spans(values: Any) -> tuple[OptionalTimes, OptionalTimes] | None:
    """Return starts and ends of elements in nanoseconds; `None` if any element is irregular."""
    if members_named is None or type(values) is not list:
        return None
    columns = (members_named(values, (name,)) for name in ("start_time", "end_time"))
    starts, ends = (None if column is None else times(column) for column in columns)
    if starts is None or ends is None or not are_times_in_order(tuple(starts), tuple(ends)):
        return None
    return starts, ends


class SpeakerLabels:
    """Speaker turns without words, from the member ``speaker_labels``."""

    def __init__(self, labels: JsonValue | None, answer: Answer) -> None:
        self.turns: list[Stretch] = []
        self.items_name_speakers = False
        self._spans: list[tuple[int, OptionalTimes, OptionalTimes]] = []
        self._answer = answer
        if labels is not None:
            answer.each_value(labels, "segments", self._take)

    def _take(self, turn: JsonValue) -> None:
        start_ns, end_ns = turn.span_of("start_time", "end_time")
        number = len(self.turns)
        self.turns.append(Stretch(start_ns, end_ns, turn.name_of("speaker_label")))
        starts, ends = _plain_spans(turn.value.get("items")) or ((), ())
        if not starts:
            items = turn.elements("items")
            spans = [item.span_of("start_time", "end_time") for item in items]
            starts, ends = zip(*spans or [(start_ns, end_ns)], strict=True)
        self._spans.append((number, starts, ends))

    @cached_property
    def _places(self) -> _Places:
        """The indexes of turns by time. They are created at the first word without a speaker."""
        places = _Places({}, set(), [])
        for number, starts, ends in self._spans:
            for start, end in zip(starts, ends, strict=True):
                if start is None or end is None:
                    continue
                first = places.by_start.setdefault(start, number)
                if self.turns[first].speaker != self.turns[number].speaker:
                    places.several.add(start)
                places.middles.append(((start + end) // 2, number))
        places.middles.sort()
        return places

    def assign(self, word: ItemWord) -> None:
        """Set the turn of a word.

        Unless the items of the file name their speakers, set the word's speaker as well.
        """
        by_start, several, middles = self._places
        if word.start_ns is None or not middles:
            return
        turn = by_start.get(word.start_ns)
        if self.items_name_speakers:
            is_same = turn is not None and self.turns[turn].speaker == word.speaker
            word.turn = turn if is_same else None
            return
        if turn is None:
            middle = (word.start_ns + (word.end_ns or word.start_ns)) // 2
            position = bisect_left(middles, (middle, -1))
            around = middles[max(position - 1, 0) : position + 1]
            turn = min(around, key=lambda pair: abs(pair[0] - middle))[1]
            self._answer.count(AWS_SPEAKER)
        elif word.start_ns in several:
            self._answer.count(AWS_SPEAKERS)
        word.turn = turn
        word.speaker = self.turns[turn].speaker


def read_batch(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of a transcript.

    A file with audio segments gives one segment for each. Otherwise, each span with alternatives
    gives one; otherwise, each speaker turn. If the file has none of these, all words form one
    segment.
    """
    require_success(value, ("status",), ("COMPLETED",), ("failureReason", "FailureReason"))
    results = value.required("results")
    answer.set_property("language", results.text_of("language_code"))
    codes = [code.text_of("language_code") for code in results.elements("language_codes")]
    answer.set_property("languages", ",".join(filter(None, codes)))
    batch = _Batch(results, answer)
    with PausedCollection():
        batch.read_items()
    yield from batch.segments()


class _Batch:
    """Creates the segments from the transcript of one job."""

    def __init__(self, results: JsonValue, answer: Answer) -> None:
        self.results = results
        self.answer = answer
        self.runs: dict[str | None, WordRun] = {}
        # Of each channel. Marks have ids, too.
        self.by_id: dict[str | None, dict[str, ItemWord | None]] = {}
        self.are_places_ids = True
        self.speakers = SpeakerLabels(results.get("speaker_labels"), answer)

    def read_items(self) -> None:
        """Read the words of every channel, or of the file if no channel has words."""
        labels = self.results.get("channel_labels")
        channels = list(labels.elements("channels")) if labels is not None else []
        owners = [owner.get("items") for owner in (self.results, *channels)]
        self.speakers.items_name_speakers = any(
            isinstance(item, dict) and item.get("speaker_label")
            for items in owners
            if items is not None and isinstance(items.value, list)
            for item in items.value
        )
        channels = [channel for channel in channels if channel.has("items")]
        for channel in channels:
            self.are_places_ids = False
            self._read_run(channel.required("items"), channel.name_of("channel_label"))
        if not channels and owners[0] is not None:
            self._read_run(owners[0], None)
        elif not channels:
            self.runs[None] = WordRun()

    def _read_run(self, items: JsonValue, channel: str | None) -> None:
        known = self.by_id.setdefault(channel, {})
        run = self.runs.setdefault(channel, WordRun())
        plain = ItemColumns.of(items.value)
        if plain is None or len({*known, *plain.ids}) != len(known) + len(plain.ids):
            self._read_each(items, known, run)
        else:
            if not self.are_places_ids:
                self.are_places_ids = any(item.get("id") is not None for item in items.value)
            self._add_columns(plain, known, run)
            self.answer.source.log.accept(f"{self.answer.code}-RECORD", len(plain.ids))
        run.close()

    def _add_columns(
        self, items: ItemColumns, known: dict[str, ItemWord | None], run: WordRun
    ) -> None:
        """Add items that are columns.

        The words between two punctuation marks are added together.
        """
        words, types, ids = items
        known.update(zip(ids, words, strict=True))
        begin = 0
        for end in (*(n for n, kind in enumerate(types) if kind == MARK), len(types)):
            spoken = words[begin:end]
            self._assign(spoken)
            run.add_all(spoken)
            if end < len(types):
                known[ids[end]] = None
                run.mark(words[end].text)
            begin = end + 1

    def _assign(self, words: Iterable[ItemWord]) -> None:
        """Set the turn and the speaker of each word, unless the items name their speakers."""
        if not self.speakers.items_name_speakers and self.speakers.turns:
            for word in words:
                self.speakers.assign(word)

    def _read_each(self, items: JsonValue, known: dict[str, ItemWord | None], run: WordRun) -> None:
        """Read one item at a time, and skip rejected items."""
        keys = map(str, count())

        def take(item: JsonValue) -> tuple[()]:
            word = _word(item, self.answer)
            number, identifier = next(keys), item.name_of("id")
            key = number if identifier is None else identifier
            if key in known:
                raise item.error("an id that no other item has", quoted(key))
            self.are_places_ids = self.are_places_ids or identifier is not None
            known[key] = None
            kind = item.value.get("type")
            if kind not in TYPES:
                raise item.required("type").error('"pronunciation" or "punctuation"')
            self._add(word, kind, key, known, run)
            return ()

        self.answer.gather(items.elements(), take)

    def _add(
        self,
        word: ItemWord,
        kind: str,
        key: str,
        known: dict[str, ItemWord | None],
        run: WordRun,
    ) -> None:
        """Add an item to the words of its channel, and to the items that are known by their id."""
        if kind == MARK:
            known[key] = None
            run.mark(word.text)
            return
        self._assign([word])
        known[key] = word
        run.add(word)

    def segments(self) -> Iterator[Segment]:
        """Yield the segments, as `read_batch` describes."""
        spans = self.answer.each_value(self.results, "segments", _span)
        if self.results.has("audio_segments") and self.are_places_ids:
            yield from self._audio_segments(spans)
        elif not any(self.by_id.values()):
            for transcript in self.results.elements("transcripts"):
                if words := plain_words(transcript.text_of("transcript")):
                    yield self.answer.segment(words)
        else:
            for channel, run in self.runs.items():
                inside = [
                    s for s in spans if s.channel in (None, channel) and s.start_ns is not None
                ]
                if inside:
                    yield from self._by_time(run, channel, inside)
                elif spans and run:
                    yield from self.answer.turns(run, channel=channel)
                elif not spans:
                    yield from self._by_turn(run, channel)

    def _audio_segments(self, spans: Sequence[Stretch]) -> Iterator[Segment]:
        nbest = {(s.channel, s.start_ns, s.end_ns): s.nbest for s in spans if s.nbest}
        used: set[int] = set()  # the identities of words

        def segments(value: JsonValue) -> list[Segment]:
            start_ns, end_ns = value.span_of("start_time", "end_time")
            channel, speaker = value.name_of("channel_label"), value.name_of("speaker_label")
            words: list[SpokenWord] = []
            for word in self._words_of(value, channel):
                if word is not None and id(word) in used:
                    self.answer.count(AWS_TWICE)
                elif word is not None:
                    words.append(word)
                    used.add(id(word))
            for spoken in words if speaker is not None else ():
                spoken.speaker = speaker
            others = nbest.pop((channel, start_ns, end_ns), ())
            turns = list(
                self.answer.turns(
                    words,
                    channel=channel,
                    span=(start_ns, end_ns),
                    properties=self._language(words),
                    nbest=others or nbest.pop((None, start_ns, end_ns), ()),
                )
            )
            if not words and speaker is not None and turns:
                turns[-1] = turns[-1].replace(speaker=speaker)
            return turns

        yield from self.answer.gather(self.results.elements("audio_segments"), segments)
        self.answer.count(AWS_NBEST, sum(map(len, nbest.values())))
        yield from self._left_over(used)

    def _words_of(self, value: JsonValue, channel: str | None) -> Iterator[ItemWord | None]:
        """Yield the words whose ids an audio segment lists, without punctuation marks."""
        ids = value.value.get("items")
        known = self.by_id.get(channel, {})
        if type(ids) is list and {int, str}.issuperset(map(type, ids)):
            texts = list(map(str, ids))
            if known.keys() >= {*texts}:
                return map(known.__getitem__, texts)
        return (self._word_of(channel, item) for item in value.elements("items"))

    def _word_of(self, channel: str | None, item: JsonValue) -> ItemWord | None:
        """Return the item with an id: that of the channel, or otherwise of any channel."""
        name = item.name()
        for owner in (channel, *self.runs):
            if name in self.by_id.get(owner, {}):
                return self.by_id[owner][name]
        raise item.error("the id of an item")

    def _left_over(self, used: set[int]) -> Iterator[Segment]:
        """Yield the segments of the words that no audio segment lists."""
        words_by_id = (known.values() for known in self.by_id.values())
        kept = {id(word) for word in chain(*words_by_id) if word is not None} - used
        self.answer.count(AWS_ITEMS, len(kept))
        for channel, run in self.runs.items():
            if words := [word for word in run if id(word) in kept]:
                yield from self.answer.turns(words, channel=channel)

    def _by_time(
        self, run: Sequence[SpokenWord], channel: str | None, spans: Sequence[Stretch]
    ) -> Iterator[Segment]:
        """Yield one segment for each span, with the words of a channel that begin in the span."""
        ordered = sorted(spans, key=lambda span: span.start_ns or 0)
        starts = [span.start_ns or 0 for span in ordered]
        groups: list[list[SpokenWord]] = [[] for _ in ordered]
        number = 0
        for word in run:
            if word.start_ns is not None:
                number = max(bisect_right(starts, word.start_ns) - 1, 0)
            groups[number].append(word)
        for span, words in zip(ordered, groups, strict=True):
            yield from self.answer.turns(
                words,
                channel=channel,
                span=(span.start_ns, span.end_ns),
                properties=self._language(words),
                nbest=span.nbest,
            )

    def _by_turn(self, run: Sequence[SpokenWord], channel: str | None) -> Iterator[Segment]:
        """Yield one segment for each turn of the speaker labels, with the channel's words in it."""
        if self.speakers.items_name_speakers:
            for word in run:
                assert isinstance(word, ItemWord)
                self.speakers.assign(word)
        grouped = groupby(run, attrgetter("turn", "speaker"))
        groups = [(turn, speaker, list(words)) for (turn, speaker), words in grouped]
        parts = Counter(turn for turn, _, _ in groups)
        low: int | None = 0
        for turn, speaker, words in groups:
            language = self._language(words)
            with PausedCollection():
                segment = self.answer.segment(
                    words, channel=channel, speaker=speaker, low_ns=low, properties=language
                )
            low = words[-1].end_ns
            if turn is not None and parts[turn] == 1:
                stretch = self.speakers.turns[turn]
                segment = segment.replace(start_ns=stretch.start_ns, end_ns=stretch.end_ns)
            yield with_extent(segment) if turn is not None and parts[turn] > 1 else segment

    def _language(self, words: Iterable[SpokenWord]) -> dict[str, str]:
        """Return the language of words as a property; none if it is the language of the file."""
        spoken = list(filter(None, dict.fromkeys(map(attrgetter("language"), words))))
        if not spoken or spoken == [self.answer.source.properties.get("language")]:
            return {}
        return {"language": ",".join(spoken)}


def _span(value: JsonValue) -> Stretch:
    """Return a span with several hypotheses."""
    heard = list(value.elements("alternatives"))
    nbest = [(None, _hypothesis(other)) for other in heard[1:]]
    times = value.span_of("start_time", "end_time")
    channel = value.name_of("channel_label")
    return Stretch(*times, None, channel, checked_hypotheses(value, nbest))


def _hypothesis(value: JsonValue) -> tuple[str, ...]:
    """Return the words of an alternative hypothesis from its items or text, without punctuation."""
    if not value.has("items"):
        return tuple(cut_text(value.text_of("transcript") or ""))
    items = (item for item in value.elements("items") if item.text_of("type") != MARK)
    texts = (_best(item).required("content").text() for item in items)
    return tuple(part for text in texts for part in cut_text(text))
