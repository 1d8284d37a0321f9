"""The transcript of an AWS Transcribe batch job."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter

from formats.errors import quoted
from formats.json.answer import Answer, SpokenWord, WordRun, with_extent
from formats.json.aws_speakers import END, START, ItemWord, SpeakerLabels, Stretch
from formats.json.members import (
    checked_hypotheses,
    confidence_of,
    hypothesis,
    name_of,
    require_success,
    required_text,
    span_of,
    text_of,
)
from formats.json.word_items import cut_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import TypeAlias

    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis
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
KNOWN_ITEM = frozenset(
    {
        "id", "type", "start_time", "end_time", "alternatives", "speaker_label", "language_code",
        "channel_label", "vocabularyFilterMatch", "vocabulary_filter_match",
    }
)  # fmt: skip


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
    answer.set_property("language", text_of(results, "language_code"))
    codes = [text_of(code, "language_code") for code in results.elements("language_codes")]
    if codes:
        answer.set_property("languages", ",".join(code for code in codes if code))


class _Batch:
    """The results of one job on their way to segments."""

    def __init__(self, results: JsonValue, answer: Answer) -> None:
        self.results = results
        self.answer = answer
        self.runs: dict[str | None, WordRun] = {}
        self.by_id: dict[Key, ItemWord] = {}
        self.ids: set[Key] = set()
        self.are_places_ids = True
        self.speakers = SpeakerLabels(results.get("speaker_labels"), answer)

    def read_items(self) -> None:
        """Take the words of every channel, or those of the file where no channel has words."""
        labels = self.results.get("channel_labels")
        self.speakers.are_said_by_items = self._names_speakers()
        channels = [c for c in labels.elements("channels") if c.has("items")] if labels else []
        for channel in channels:
            self.are_places_ids = False
            self._read_run(channel, name_of(channel, "channel_label"))
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

        def take(item: JsonValue) -> None:
            nonlocal place
            place += 1
            item.expect_members(KNOWN_ITEM)
            name = name_of(item, "id")
            key = channel, str(place) if name is None else name
            if key in self.ids:
                raise item.error("an id that no other item has", quoted(key[1]))
            self.are_places_ids = self.are_places_ids or name is not None
            self.ids.add(key)
            word = read_item(item, run, self.answer)
            if word is not None:
                word.turn = None
                self.speakers.give(word)
                self.by_id[key] = word
                run.add(word)

        self.answer.each(owner.elements("items"), take)
        run.close()

    def segments(self) -> Iterator[Segment]:
        """The segments, as `read_batch` says."""
        spans = self._spans()
        if self.results.has("audio_segments") and self.are_places_ids:
            yield from self._audio_segments(spans)
        elif not self.by_id and not self.ids:
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
            words = cut_text(text_of(transcript, "transcript") or "")
            if words:
                yield self.answer.segment([SpokenWord(word) for word in words])

    def _spans(self) -> list[Stretch]:
        """The stretches for which there are several hypotheses."""
        spans: list[Stretch] = []

        def take(span: JsonValue) -> None:
            start_ns, end_ns = span_of(span, START, END)
            others = [_hypothesis(a) for a in list(span.elements("alternatives"))[1:]]
            nbest = checked_hypotheses(span, others)
            channel = name_of(span, "channel_label")
            spans.append(Stretch(start_ns, end_ns, None, channel, nbest))

        self.answer.each(self.results.elements("segments"), take)
        return spans

    def _audio_segments(self, spans: Sequence[Stretch]) -> Iterator[Segment]:
        nbest = {(s.channel, s.start_ns, s.end_ns): s.nbest for s in spans if s.nbest}
        used: set[Key] = set()
        made: list[Segment] = []
        twice = 0

        def take(value: JsonValue) -> None:
            nonlocal twice
            start_ns, end_ns = span_of(value, START, END)
            channel = name_of(value, "channel_label")
            speaker = name_of(value, "speaker_label")
            words: list[SpokenWord] = []
            for item in value.elements("items"):
                key = self._key(channel, item)
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
            made.extend(
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

        self.answer.each(self.results.elements("audio_segments"), take)
        yield from made
        log = self.answer.source.log
        if twice:
            log.warn("AWS-TWICE", f"items in several audio segments, taken in the first: {twice}")
        if nbest:
            lost = sum(map(len, nbest.values()))
            log.warn("AWS-NBEST", f"other hypotheses of no audio segment, not kept: {lost}")
        yield from self._left_over(used)

    def _key(self, channel: str | None, item: JsonValue) -> Key:
        """Which item is meant by an id, which channels may have each for themselves."""
        name = item.name()
        for own in (channel, *self.runs):
            if (own, name) in self.ids:
                return own, name
        raise item.error("the id of an item")

    def _left_over(self, used: set[Key]) -> Iterator[Segment]:
        """Words that no audio segment names."""
        kept = {id(word) for key, word in self.by_id.items() if key not in used}
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


def _hypothesis(alternative: JsonValue) -> Hypothesis:
    """Another hypothesis: the words of its items, or else of its text."""
    words: list[str] = []
    has_items = False
    for item in alternative.elements("items"):
        has_items = True
        if text_of(item, "type") != "punctuation":
            words.append(_best(item).required("content").text())
    if has_items:
        return None, tuple(part for word in words for part in cut_text(word))
    return hypothesis(None, text_of(alternative, "transcript") or "")


def _best(item: JsonValue) -> JsonValue:
    """What is most likely of an item; older lists of hypotheses have it in the item itself."""
    if item.has("content"):
        return item
    for alternative in item.elements("alternatives"):
        return alternative
    raise item.error('"alternatives" with an element', "none")


def read_item(item: JsonValue, run: WordRun, answer: Answer) -> ItemWord | None:
    """The word of an item; a punctuation mark is added to the run and is none."""
    kind = required_text(item, "type")
    best = _best(item)
    content = required_text(best, "content")
    if kind == "punctuation":
        run.mark(content)
        return None
    if kind != "pronunciation":
        raise item.required("type").error('"pronunciation" or "punctuation"')
    start_ns, end_ns = span_of(item, START, END)
    return ItemWord(
        content,
        start_ns,
        end_ns,
        confidence_of(best, "confidence"),
        speaker=name_of(item, "speaker_label"),
        language=text_of(item, "language_code"),
    )
