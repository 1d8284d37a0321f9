"""The transcript of an AWS Transcribe batch job."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from itertools import compress, islice
from typing import NamedTuple

from formats.errors import quoted
from formats.json.answer import Answer, checked_hypotheses, require_success, with_extent
from formats.json.displays import cut_text
from formats.json.record import Name, Number, Record, WrongError, confidences_of, spans_of
from formats.json.spoken_words import SpokenWord, WordRun, plain_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from formats.json.document import Columns, JsonValue
    from formats.json.record import Times
    from formats.json.spoken_words import Hypothesis
    from formats.model import Segment

    Key: TypeAlias = "tuple[str | None, str]"

__all__ = ["read_batch"]

KNOWN = frozenset({"jobName", "accountId", "status", "results", "isRedacted"})
KNOWN_RESULTS = frozenset(
    {
        "transcripts", "items", "speaker_labels", "channel_labels", "segments", "audio_segments",
        "language_code", "language_identification", "language_codes", "entities", "redactions",
    }
)  # fmt: skip


WORD = "pronunciation"


class Content(Record):
    """What an item may be."""

    content: str | None = None
    confidence: Number = None


class Item(Record):
    """A word or a mark."""

    unread = frozenset({"channel_label", "vocabularyFilterMatch", "vocabulary_filter_match"})

    type: str | None = None
    id: Name = None
    start_time: Number = None
    end_time: Number = None
    alternatives: list[Content] | None = None
    speaker_label: Name = None
    language_code: str | None = None
    content: str | None = None

    def best(self) -> Content:
        """What is most likely; older lists of hypotheses have it in the item itself."""
        if self.content is not None:
            return Content(self.content)
        if not self.alternatives:
            raise WrongError(None, '"alternatives" with an element', "none", self)
        return self.alternatives[0]


class Other(Record):
    """Another hypothesis of a span: its items, or else its text."""

    items: list[Item] | None = None
    transcript: str | None = None

    def words(self) -> tuple[str, ...]:
        """The words, without the marks."""
        if self.items is None:
            return tuple(cut_text(self.transcript or ""))
        said = [
            item.best().required("content") for item in self.items if item.type != "punctuation"
        ]
        return tuple(part for text in said for part in cut_text(text))


class Turn(Record):
    """A stretch of one speaker, or a span with other hypotheses."""

    start_time: Number = None
    end_time: Number = None
    speaker_label: Name = None
    channel_label: Name = None
    items: list[Item] | None = None
    alternatives: list[Other] | None = None

    def others(self) -> list[Hypothesis]:
        """All hypotheses but the first."""
        return [(None, other.words()) for other in (self.alternatives or [])[1:]]


class AudioSegment(Record):
    """A segment by the numbers of its items."""

    start_time: Number = None
    end_time: Number = None
    speaker_label: Name = None
    channel_label: Name = None
    items: list[str | int] | None = None


class ItemWord(SpokenWord, kw_only=True):
    """A word with its place among the turns of the file.

    Attributes
    ----------
    turn: number of the stretch of the file it belongs to, or `None`.
    """

    turn: int | None = None


class Stretch(NamedTuple):
    """A stretch of the file: a turn of one speaker, or a span with other hypotheses."""

    start_ns: int | None
    end_ns: int | None
    speaker: str | None = None
    channel: str | None = None
    nbest: Sequence[Hypothesis] = ()


def _spans(items: list[Item]) -> tuple[Times, Times]:
    return spans_of(items, "start_time", "end_time")


def _columns(items: list[Item]) -> Columns:
    """Starts, ends, what each item is, and how sure that is of words."""
    best = [item.best() for item in items]
    are_words = [item.type == WORD for item in items]
    sure = iter(confidences_of(list(compress(best, are_words)), "confidence"))
    return (*_spans(items), best, [next(sure) if is_word else None for is_word in are_words])


class SpeakerLabels:
    """Who speaks when, told apart from the words.

    Attributes
    ----------
    turns: the stretches of one speaker.
    are_said_by_items: whether items name their speakers themselves: one that names none has none.
    """

    def __init__(self, labels: JsonValue | None, answer: Answer) -> None:
        self.turns: list[Stretch] = []
        self.are_said_by_items = False
        self._by_start: dict[int, int] = {}
        self._several: set[int] = set()
        self._middles: list[tuple[int, int]] = []
        self._near = self._doubtful = 0
        self._log = answer.source.log
        if labels is not None:
            answer.each(labels, "segments", Turn, self._take)
        self._middles.sort()

    def _take(self, turn: Turn) -> None:
        start_ns, end_ns = turn.span("start_time", "end_time")
        number = len(self.turns)
        self.turns.append(Stretch(start_ns, end_ns, turn.name_of("speaker_label")))
        places: Iterable[tuple[int | None, int | None]] = [(start_ns, end_ns)]
        if turn.items:
            places = zip(*_spans(turn.items), strict=True)
        for start_ns, end_ns in places:
            self._place(number, start_ns, end_ns)

    def _place(self, number: int, start_ns: int | None, end_ns: int | None) -> None:
        if start_ns is None or end_ns is None:
            return
        known = self._by_start.setdefault(start_ns, number)
        if self.turns[known].speaker != self.turns[number].speaker:
            self._several.add(start_ns)
        self._middles.append(((start_ns + end_ns) // 2, number))

    def give(self, word: ItemWord) -> None:
        """Give the word its turn and, unless items name their own, its speaker."""
        if word.start_ns is None or not self._middles:
            return
        turn = self._by_start.get(word.start_ns)
        if self.are_said_by_items:
            is_own = turn is not None and self.turns[turn].speaker == word.speaker
            word.turn = turn if is_own else None
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
        return min(around, key=lambda known: abs(known[0] - middle))[1]

    def tell(self) -> None:
        """Say how many words found their speaker by doubtful means."""
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
    other hypotheses), the turns of its ``speaker_labels``, or else all words of a channel.

    Raises
    ------
    SyntaxFormatError: the job failed; members missing or of a wrong type.
    """
    value.expect_members(KNOWN)
    require_success(value, ("status",), ("COMPLETED",), ("failureReason", "FailureReason"))
    results = value.required("results")
    results.expect_members(KNOWN_RESULTS)
    _set_language(results, answer)
    batch = _Batch(results, answer)
    batch.read_items()
    yield from batch.segments()


def _set_language(results: JsonValue, answer: Answer) -> None:
    """The language of the file, or all of them where there are several."""
    answer.set_property("language", results.text_of("language_code"))
    codes = [code.text_of("language_code") for code in results.elements("language_codes")]
    if codes:
        answer.set_property("languages", ",".join(code for code in codes if code))


class _Batch:
    """The results of one job on their way to segments."""

    def __init__(self, results: JsonValue, answer: Answer) -> None:
        self.results = results
        self.answer = answer
        self.runs: dict[str | None, WordRun] = {}
        # Marks have ids, too.
        self.by_id: dict[Key, ItemWord | None] = {}
        self.are_places_ids = True
        self.speakers = SpeakerLabels(results.get("speaker_labels"), answer)

    def read_items(self) -> None:
        """Take the words of every channel, or those of the file where no channel has words."""
        labels = self.results.get("channel_labels")
        self.speakers.are_said_by_items = self._names_speakers()
        channels = [c for c in labels.elements("channels") if c.has("items")] if labels else []
        for channel in channels:
            self.are_places_ids = False
            self._read_run(channel, channel.name_of("channel_label"))
        if not channels:
            self._read_run(self.results, None)

    def _names_speakers(self) -> bool:
        """Whether any item, be it of a channel, names its speaker."""
        labels = self.results.get("channel_labels")
        owners = [self.results, *(labels.elements("channels") if labels is not None else ())]
        for owner in owners:
            items = owner.get("items")
            values = items.value if items is not None and isinstance(items.value, list) else ()
            if any(isinstance(item, dict) and item.get("speaker_label") for item in values):
                return True
        return False

    def _read_run(self, owner: JsonValue, channel: str | None) -> None:
        run = self.runs.setdefault(channel, WordRun())
        place = -1

        def take(
            item: Item, start_ns: int | None, end_ns: int | None, best: Content, sure: float | None
        ) -> None:
            nonlocal place
            place += 1
            key = channel, str(place if item.id is None else item.id)
            if key in self.by_id:
                raise WrongError(None, "an id that no other item has", quoted(key[1]))
            self.are_places_ids = self.are_places_ids or item.id is not None
            self.by_id[key] = None
            kind = item.type or item.required("type")
            content = best.content if best.content is not None else best.required("content")
            if kind == "punctuation":
                run.mark(content)
                return
            if kind != WORD:
                raise WrongError("type", '"pronunciation" or "punctuation"')
            word = ItemWord(
                content,
                start_ns,
                end_ns,
                sure,
                speaker=None if item.speaker_label is None else str(item.speaker_label),
                language=item.language_code,
            )
            self.speakers.give(word)
            self.by_id[key] = word
            run.add(word)

        self.answer.each(owner, "items", Item, take, _columns)
        run.close()

    def segments(self) -> Iterator[Segment]:
        """The segments, as `read_batch` says."""
        spans = self._spans()
        if self.results.has("audio_segments") and self.are_places_ids:
            yield from self._audio_segments(spans)
        elif not self.by_id:
            yield from self._bare_text()
        elif spans:
            for channel, run in self.runs.items():
                yield from self._by_time(run, channel, spans)
        else:
            for channel, run in self.runs.items():
                yield from self._by_turn(run, channel)
        self.speakers.tell()

    def _bare_text(self) -> Iterator[Segment]:
        for transcript in self.results.elements("transcripts"):
            words = plain_words(transcript.text_of("transcript"))
            if words:
                yield self.answer.segment(words)

    def _spans(self) -> list[Stretch]:
        """The stretches for which there are several hypotheses."""
        spans: list[Stretch] = []

        def take(value: JsonValue) -> Sequence[Segment]:
            turn = value.record(Turn)
            times = value.checked(turn, lambda turn: turn.span("start_time", "end_time"))
            others = value.checked(turn, Turn.others)
            channel, nbest = turn.name_of("channel_label"), checked_hypotheses(value, others)
            spans.append(Stretch(*times, None, channel, nbest))
            return ()

        self.answer.gather(self.results.elements("segments"), take)
        return spans

    def _audio_segments(self, spans: Sequence[Stretch]) -> Iterator[Segment]:
        nbest = {(s.channel, s.start_ns, s.end_ns): s.nbest for s in spans if s.nbest}
        used: set[Key] = set()
        twice = 0

        def segments(value: JsonValue) -> list[Segment]:
            nonlocal twice
            one = value.record(AudioSegment)
            start_ns, end_ns = value.checked(one, lambda one: one.span("start_time", "end_time"))
            channel, speaker = one.name_of("channel_label"), one.name_of("speaker_label")
            words: list[SpokenWord] = []
            for index, item in enumerate(one.items or ()):
                key: Key | None = (channel, str(item))
                if key not in self.by_id:
                    key = self._key(channel, str(item))
                if key is None:
                    raise next(islice(value.elements("items"), index, None)).error(
                        "the id of an item"
                    )
                word = self.by_id.get(key)
                if word is not None and key in used:
                    twice += 1
                elif word is not None:
                    words.append(word)
                    used.add(key)
            if speaker is not None:
                for spoken in words:
                    spoken.speaker = speaker
            others = nbest.pop((channel, start_ns, end_ns), ()) or nbest.pop(
                (None, start_ns, end_ns), ()
            )
            made = list(
                self.answer.turns(
                    words,
                    channel=channel,
                    start_ns=start_ns,
                    end_ns=end_ns,
                    properties=self._language(words),
                    nbest=others,
                )
            )
            if not words and speaker is not None and made:
                made[-1] = made[-1].replace(speaker=speaker)
            return made

        yield from self.answer.gather(self.results.elements("audio_segments"), segments)
        log = self.answer.source.log
        if twice:
            log.warn("AWS-TWICE", f"items in several audio segments, taken in the first: {twice}")
        if nbest:
            lost = sum(map(len, nbest.values()))
            log.warn("AWS-NBEST", f"other hypotheses of no audio segment, not kept: {lost}")
        yield from self._left_over(used)

    def _key(self, channel: str | None, name: str) -> Key | None:
        """Which item is meant by an id, which channels may have each for themselves."""
        for own in (channel, *self.runs):
            if (own, name) in self.by_id:
                return own, name
        return None

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
        own = [s for s in spans if s.channel in (None, channel) and s.start_ns is not None]
        own.sort(key=lambda span: span.start_ns or 0)
        starts = [span.start_ns or 0 for span in own]
        groups: list[list[SpokenWord]] = [[] for _ in own]
        place = 0
        for word in run:
            if word.start_ns is not None:
                place = max(bisect_right(starts, word.start_ns) - 1, 0)
            if not own:
                break
            groups[place].append(word)
        if not own and run:
            yield from self.answer.turns(run, channel=channel)
        for span, words in zip(own, groups, strict=True):
            yield from self.answer.turns(
                words,
                channel=channel,
                start_ns=span.start_ns,
                end_ns=span.end_ns,
                properties=self._language(words),
                nbest=span.nbest,
            )

    def _by_turn(self, run: Sequence[SpokenWord], channel: str | None) -> Iterator[Segment]:
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
            made = self.answer.segment(
                words,
                channel=channel,
                speaker=words[0].speaker,
                low_ns=groups[number - 1][-1].end_ns if number else 0,
                properties=self._language(words),
            )
            if turn is None:
                yield made
            elif times[turn] > 1:
                yield with_extent(made)
            else:
                stretch = self.speakers.turns[turn]
                yield made.replace(start_ns=stretch.start_ns, end_ns=stretch.end_ns)

    def _language(self, words: Iterable[SpokenWord]) -> dict[str, str]:
        """Languages that the words name, where they are not that of the file."""
        spoken = dict.fromkeys(word.language for word in words if word.language)
        if not spoken or list(spoken) == [self.answer.source.properties.get("language")]:
            return {}
        return {"language": ",".join(spoken)}
