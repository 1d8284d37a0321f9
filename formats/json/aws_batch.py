"""The transcript of an AWS Transcribe batch job."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from formats.errors import quoted
from formats.json.answer import Answer, checked_hypotheses, require_success, with_extent
from formats.json.displays import cut_text
from formats.json.shapes import WordShape
from formats.json.spoken_words import Hypothesis, SpokenWord, WordRun, plain_words
from formats.json.value import JsonValue
from formats.model import Segment

KNOWN = frozenset(("jobName", "accountId", "status", "results", "isRedacted"))
KNOWN_RESULTS = frozenset(
    ("transcripts", "items", "speaker_labels", "channel_labels", "segments", "audio_segments",
     "language_code", "language_identification", "language_codes", "entities", "redactions")
)  # fmt: skip
KNOWN_ITEM = frozenset(
    ("type", "id", "start_time", "end_time", "alternatives", "speaker_label", "language_code",
     "content", "channel_label", "vocabularyFilterMatch", "vocabulary_filter_match")
)  # fmt: skip
ITEM = WordShape(
    "content", start="start_time", end="end_time", speaker="speaker_label",
    language="language_code", others="*",
)  # fmt: skip

Key = tuple[str | None, str]


class ItemWord(SpokenWord, kw_only=True):
    """A word with the number of its turn in the file, or `None`."""

    turn: int | None = None


class Stretch(NamedTuple):
    """A stretch of the file: a turn of one speaker, or a span with other hypotheses."""

    start_ns: int | None
    end_ns: int | None
    speaker: str | None = None
    channel: str | None = None
    nbest: Sequence[Hypothesis] = ()


def _best(item: JsonValue) -> JsonValue:
    """What is most likely; older lists of hypotheses have it in the item itself."""
    if item.has("content"):
        return item
    best = next(item.elements("alternatives"), None)
    if best is None:
        raise item.error('"alternatives" with an element', "none")
    return best


def _word(item: JsonValue) -> ItemWord:
    """A word, or a mark, of an item."""
    item.expect_members(KNOWN_ITEM)
    best = _best(item)
    return ItemWord(
        best.required("content").text(),
        *item.span_of("start_time", "end_time"),
        best.confidence_of("confidence"),
        speaker=item.name_of("speaker_label"),
        language=item.text_of("language_code"),
    )


def _words_in_columns(items: JsonValue) -> list[ItemWord] | None:
    """The words of regular items; `None` if one is irregular."""
    values: list[Any] = items.value if isinstance(items.value, list) else []
    try:
        if not KNOWN_ITEM.issuperset(set().union(*values)):
            return None
        merged = [{**item, **item["alternatives"][0]} for item in values]
        return ITEM.read_columns(merged, ItemWord)
    except (TypeError, KeyError, IndexError):
        return None


class SpeakerLabels:
    """Who speaks when, apart from the words.

    `turns` are the stretches of one speaker; `items_name_speakers` whether items name their
    speakers themselves: one that names none has none.
    """

    def __init__(self, labels: JsonValue | None, answer: Answer) -> None:
        self.turns: list[Stretch] = []
        self.items_name_speakers = False
        self._by_start: dict[int, int] = {}
        self._several: set[int] = set()
        self._middles: list[tuple[int, int]] = []
        self._near = self._doubtful = 0
        self._log = answer.source.log
        if labels is not None:
            answer.each_value(labels, "segments", self._take)
        self._middles.sort()

    def _take(self, turn: JsonValue) -> None:
        start_ns, end_ns = turn.span_of("start_time", "end_time")
        number = len(self.turns)
        self.turns.append(Stretch(start_ns, end_ns, turn.name_of("speaker_label")))
        places = [item.span_of("start_time", "end_time") for item in turn.elements("items")]
        for start, end in places or [(start_ns, end_ns)]:
            if start is None or end is None:
                continue
            first = self._by_start.setdefault(start, number)
            if self.turns[first].speaker != self.turns[number].speaker:
                self._several.add(start)
            self._middles.append(((start + end) // 2, number))

    def assign(self, word: ItemWord) -> None:
        """Set the turn of the word and, unless items name their speakers, its speaker."""
        if word.start_ns is None or not self._middles:
            return
        turn = self._by_start.get(word.start_ns)
        if self.items_name_speakers:
            is_same = turn is not None and self.turns[turn].speaker == word.speaker
            word.turn = turn if is_same else None
            return
        if turn is None:
            turn = self._nearest((word.start_ns + (word.end_ns or word.start_ns)) // 2)
            self._near += 1
        elif word.start_ns in self._several:
            self._doubtful += 1
        word.turn = turn
        word.speaker = self.turns[turn].speaker

    def _nearest(self, middle: int) -> int:
        place = bisect_left(self._middles, (middle, -1))
        around = self._middles[max(place - 1, 0) : place + 1]
        return min(around, key=lambda turn: abs(turn[0] - middle))[1]

    def report(self) -> None:
        """Report how many words have a doubtful speaker."""
        if self._near:
            self._log.note(
                "AWS-SPEAKER", f"words given the speaker who is nearest in time: {self._near}"
            )
        if self._doubtful:
            self._log.warn(
                "AWS-SPEAKER?",
                f"words that several speakers' segments repeat, given to the first: "
                f"{self._doubtful}",
            )


def read_batch(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segments of one transcript.

    Segments are, by what the file has, its ``audio_segments``, the spans of its ``segments`` (with
    other hypotheses), the turns of its ``speaker_labels``, or all words of a channel.
    """
    value.expect_members(KNOWN)
    require_success(value, ("status",), ("COMPLETED",), ("failureReason", "FailureReason"))
    results = value.required("results")
    results.expect_members(KNOWN_RESULTS)
    answer.set_property("language", results.text_of("language_code"))
    codes = [code.text_of("language_code") for code in results.elements("language_codes")]
    if codes:
        answer.set_property("languages", ",".join(code for code in codes if code))
    batch = _Batch(results, answer)
    batch.read_items()
    yield from batch.segments()


class _Batch:
    """The results of one job."""

    def __init__(self, results: JsonValue, answer: Answer) -> None:
        self.results = results
        self.answer = answer
        self.runs: dict[str | None, WordRun] = {}
        # Marks have ids, too.
        self.by_id: dict[Key, ItemWord | None] = {}
        self.are_places_ids = True
        self.speakers = SpeakerLabels(results.get("speaker_labels"), answer)

    def read_items(self) -> None:
        """Read the words of every channel, or those of the file where no channel has words."""
        labels = self.results.get("channel_labels")
        channels = list(labels.elements("channels")) if labels is not None else []
        items = [owner.get("items") for owner in (self.results, *channels)]
        self.speakers.items_name_speakers = any(
            isinstance(item, dict) and item.get("speaker_label")
            for owner in items
            if owner is not None and isinstance(owner.value, list)
            for item in owner.value
        )
        channels = [channel for channel in channels if channel.has("items")]
        for channel in channels:
            self.are_places_ids = False
            self._read_run(channel.required("items"), channel.name_of("channel_label"))
        if not channels and items[0] is not None:
            self._read_run(items[0], None)
        elif not channels:
            self.runs[None] = WordRun()

    def _read_run(self, items: JsonValue, channel: str | None) -> None:
        run = self.runs.setdefault(channel, WordRun())
        regular = _words_in_columns(items)
        following = iter(regular or ())
        place = -1

        def take(item: JsonValue) -> tuple[()]:
            nonlocal place
            word = next(following) if regular is not None else _word(item)
            place += 1
            identifier = item.name_of("id")
            key = channel, str(place) if identifier is None else identifier
            if key in self.by_id:
                raise item.error("an id that no other item has", quoted(key[1]))
            self.are_places_ids = self.are_places_ids or identifier is not None
            self.by_id[key] = None
            kind = item.value.get("type")
            if kind == "punctuation":
                run.mark(word.text)
            elif kind == "pronunciation":
                self.speakers.assign(word)
                self.by_id[key] = word
                run.add(word)
            else:
                raise item.required("type").error('"pronunciation" or "punctuation"')
            return ()

        self.answer.gather(items.elements(), take)
        run.close()

    def segments(self) -> Iterator[Segment]:
        """The segments, as `read_batch` describes."""
        spans = self.answer.each_value(self.results, "segments", _span)
        if self.results.has("audio_segments") and self.are_places_ids:
            yield from self._audio_segments(spans)
        elif not self.by_id:
            for transcript in self.results.elements("transcripts"):
                if words := plain_words(transcript.text_of("transcript")):
                    yield self.answer.segment(words)
        else:
            for channel, run in self.runs.items():
                parts = self._by_time if spans else self._by_turn
                yield from parts(run, channel, spans)
        self.speakers.report()

    def _audio_segments(self, spans: Sequence[Stretch]) -> Iterator[Segment]:
        nbest = {(s.channel, s.start_ns, s.end_ns): s.nbest for s in spans if s.nbest}
        used: set[Key] = set()
        twice = 0

        def segments(value: JsonValue) -> list[Segment]:
            nonlocal twice
            start_ns, end_ns = value.span_of("start_time", "end_time")
            channel, speaker = value.name_of("channel_label"), value.name_of("speaker_label")
            words: list[SpokenWord] = []
            for item in value.elements("items"):
                key = self._key(channel, item)
                word = self.by_id[key]
                twice += word is not None and key in used
                if word is not None and key not in used:
                    words.append(word)
                    used.add(key)
            for spoken in words if speaker is not None else ():
                spoken.speaker = speaker
            others = nbest.pop((channel, start_ns, end_ns), ())
            turns = list(
                self.answer.turns(
                    words,
                    channel=channel,
                    start_ns=start_ns,
                    end_ns=end_ns,
                    properties=self._language(words),
                    nbest=others or nbest.pop((None, start_ns, end_ns), ()),
                )
            )
            if not words and speaker is not None and turns:
                turns[-1] = turns[-1].replace(speaker=speaker)
            return turns

        yield from self.answer.gather(self.results.elements("audio_segments"), segments)
        log = self.answer.source.log
        if twice:
            log.warn("AWS-TWICE", f"items in several audio segments, taken in the first: {twice}")
        if nbest:
            lost = sum(map(len, nbest.values()))
            log.warn("AWS-NBEST", f"other hypotheses of no audio segment, not kept: {lost}")
        yield from self._left_over(used)

    def _key(self, channel: str | None, item: JsonValue) -> Key:
        """The item that an id names; channels may have the same ids."""
        name = item.name()
        for owner in (channel, *self.runs):
            if (owner, name) in self.by_id:
                return owner, name
        raise item.error("the id of an item")

    def _left_over(self, used: set[Key]) -> Iterator[Segment]:
        """Words that no audio segment names."""
        kept = {id(word) for key, word in self.by_id.items() if word and key not in used}
        if not kept:
            return
        self.answer.source.log.warn(
            "AWS-ITEMS", f"items in no audio segment, kept in segments of their own: {len(kept)}"
        )
        for channel, run in self.runs.items():
            words = [word for word in run if id(word) in kept]
            if words:
                yield from self.answer.turns(words, channel=channel)

    def _by_time(
        self, run: Sequence[SpokenWord], channel: str | None, spans: Sequence[Stretch]
    ) -> Iterator[Segment]:
        """The words of a channel in the spans they lie in."""
        inside = [s for s in spans if s.channel in (None, channel) and s.start_ns is not None]
        inside.sort(key=lambda span: span.start_ns or 0)
        if not inside and run:
            yield from self.answer.turns(run, channel=channel)
        starts = [span.start_ns or 0 for span in inside]
        groups: list[list[SpokenWord]] = [[] for _ in inside]
        place = 0
        for word in run if inside else ():
            if word.start_ns is not None:
                place = max(bisect_right(starts, word.start_ns) - 1, 0)
            groups[place].append(word)
        for span, words in zip(inside, groups, strict=True):
            yield from self.answer.turns(
                words,
                channel=channel,
                start_ns=span.start_ns,
                end_ns=span.end_ns,
                properties=self._language(words),
                nbest=span.nbest,
            )

    def _by_turn(
        self, run: Sequence[SpokenWord], channel: str | None, _: Sequence[Stretch]
    ) -> Iterator[Segment]:
        """The words of a channel by turns of the speaker labels, or all of them."""
        groups: list[list[ItemWord]] = []
        for word in run:
            assert isinstance(word, ItemWord)
            last = groups[-1][-1] if groups else None
            if last is not None and (last.turn, last.speaker) == (word.turn, word.speaker):
                groups[-1].append(word)
            else:
                groups.append([word])
        times = Counter(group[0].turn for group in groups)
        for number, words in enumerate(groups):
            turn = words[0].turn
            segment = self.answer.segment(
                words,
                channel=channel,
                speaker=words[0].speaker,
                low_ns=groups[number - 1][-1].end_ns if number else 0,
                properties=self._language(words),
            )
            if turn is None:
                yield segment
            elif times[turn] > 1:
                yield with_extent(segment)
            else:
                stretch = self.speakers.turns[turn]
                yield segment.replace(start_ns=stretch.start_ns, end_ns=stretch.end_ns)

    def _language(self, words: Iterable[SpokenWord]) -> dict[str, str]:
        """Languages that the words name, where they are not that of the file."""
        spoken = dict.fromkeys(word.language for word in words if word.language)
        if not spoken or list(spoken) == [self.answer.source.properties.get("language")]:
            return {}
        return {"language": ",".join(spoken)}


def _span(value: JsonValue) -> Stretch:
    """A stretch for which there are several hypotheses."""
    heard = list(value.elements("alternatives"))
    nbest = [(None, _hypothesis(other)) for other in heard[1:]]
    times = value.span_of("start_time", "end_time")
    channel = value.name_of("channel_label")
    return Stretch(*times, None, channel, checked_hypotheses(value, nbest))


def _hypothesis(value: JsonValue) -> tuple[str, ...]:
    """The words of another hypothesis, without the marks: of its items, or else of its text."""
    if not value.has("items"):
        return tuple(cut_text(value.text_of("transcript") or ""))
    items = (item for item in value.elements("items") if item.text_of("type") != "punctuation")
    texts = (_best(item).required("content").text() for item in items)
    return tuple(part for text in texts for part in cut_text(text))
