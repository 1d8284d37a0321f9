"""speechmatics: Speechmatics transcripts and real-time messages.

==============================  ============================================================
in the file                     in the schema
==============================  ============================================================
result ``word``                 a word
result ``punctuation``          added to display forms, on the side that ``attaches_to`` names
result ``entity``               its ``spoken_form`` as words, its ``written_form`` as their
                                display form; property ``entity`` names the classes
``is_eos``                      the end of a segment; a change of speaker also ends a segment
``speaker``                     `Segment.speaker`; ``UU`` means unknown: no speaker
``channel``                     `Segment.channel`
tag ``disfluency``              `Segment.kinds`: ``fp``
``word_delimiter``              property of the file, if it is not a blank
message ``AddTranscript``       final results; ``AddPartialTranscript`` is skipped
an empty list of results        silence
version 1                       ``words`` with ``name``, ``time`` and ``duration``, and
                                ``speakers`` with the times at which they begin
==============================  ============================================================

Segments begin with their first word and end with their last word.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import itemgetter

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import (
    Answer,
    likeliest,
    message_of,
    refuse_error,
    require_success,
    with_extent,
)
from formats.json.messages import SPEECHMATICS_OTHERS
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, WordRun, fill_ends, show_along
from formats.json.value import JsonDocument, JsonValue
from formats.schema.model import Segment

SIDES = ("previous", "next", "both", "none")
KINDS = ("word", "punctuation", "entity", "speaker_change", "channel_change")
ENDS = ".?!"
UNKNOWN = "UU"
OLD_WORD = Names("name", "time", length="duration", confidence="confidence", others="")


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments of one transcript, or of the final messages of a session."""
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Speechmatics", "SPEECHMATICS")
    flow = Flow(answer)
    for value in document.messages:
        _refuse_failure(value)
        kind = value.text_of("message")
        _set_properties(value, answer)
        if kind in ("AddPartialTranscript", "AddPartialTranslation"):
            answer.partial += 1
            continue
        if kind is None:
            answer.require_alone(value)
            is_first = str(value.value.get("format")).startswith("1.") or value.has("speakers")
            if is_first and value.has("words") and not value.has("results"):
                yield from _read_version_1(value, answer)
                continue
            value.required("results")
        elif kind != "AddTranscript":
            continue
        flow.channel = value.name_of("channel")
        answer.spoke = answer.spoke or value.value.get("results") == []
        answer.each_value(value, "results", flow.take)
        yield from flow.finished()
    yield from flow.rest()
    answer.finish(document)


def _refuse_failure(value: JsonValue) -> None:
    if value.text_of("message") == "Error":
        reason = message_of(value, "type", "reason")
        raise value.error("a transcript", f"an error of the service: {reason}")
    refuse_error(value, "error")
    job = value.get("job")
    if job is not None and isinstance(job.value, dict):
        require_success(job, ("status",), ("done",), ("errors", "error"))
        if job.has("duration") and not value.has("results", "words"):
            raise job.error("a transcript", "the description of a job")


def _set_properties(value: JsonValue, answer: Answer) -> None:
    job = value.inner("job")
    if job.has("duration"):
        answer.set_duration(job.required("duration").nanoseconds())
    metadata = value.inner("metadata")
    answer.set_property("language", metadata.inner("transcription_config").text_of("language"))
    if value.has("metadata"):
        pack = metadata.get("language_pack_info") or value.inner("language_pack_info")
        delimiter = pack.text_of("word_delimiter")
        if delimiter not in (None, " "):
            answer.source.properties["word_delimiter"] = delimiter or ""


def _content(value: JsonValue) -> str:
    return likeliest(value).required("content").text()


def _word(value: JsonValue) -> SpokenWord:
    """Return the most likely alternative of a result as a word."""
    best = likeliest(value)
    speaker = best.name_of("speaker")
    return SpokenWord(
        best.required("content").text(),
        *value.span_of("start_time", "end_time"),
        best.confidence_of("confidence"),
        kind="fp" if any(tag.text() == "disfluency" for tag in best.elements("tags")) else None,
        speaker=None if speaker == UNKNOWN else speaker,
        language=best.text_of("language"),
    )


@dataclass(slots=True)
class Sentence:
    """The words of a channel since the end of the last sentence."""

    words: WordRun = field(default_factory=WordRun)
    entities: list[str] = field(default_factory=list)
    joins_next: bool = False

    def add(self, word: SpokenWord) -> None:
        """Add a word. If a mark joins it to the preceding word, both are displayed together."""
        if self.joins_next:
            self.words.show(word.text if word.display is None else word.display)
            word.display = ""
            self.joins_next = False
        self.words.add(word)


class Flow:
    """Divides results into segments. A sentence may continue in the next message."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.channel: str | None = None
        """The channel of results that name none."""
        self._sentences: dict[str | None, Sentence] = {}
        self._segments: list[Segment] = []

    def take(self, value: JsonValue) -> None:
        """Process one result."""
        kind = value.required("type").text()
        if kind not in KINDS:
            raise value.required("type").error(" or ".join(KINDS))
        channel = value.name_of("channel") or self.channel
        if kind.endswith("_change"):
            self._end(channel)
            return
        words = [_word(value)] if kind == "word" else _entity(value) if kind == "entity" else []
        others = max(len(list(value.elements("alternatives"))) - 1, 0)
        self.answer.count(SPEECHMATICS_OTHERS, others)
        sentence = self._sentences.setdefault(channel, Sentence())
        if words and sentence.words and words[0].speaker != sentence.words[-1].speaker:
            self._end(channel)
            sentence = self._sentences.setdefault(channel, Sentence())
        if kind == "punctuation":
            _mark(value, sentence)
        elif entity := value.text_of("entity_class"):
            sentence.entities.append(entity)
        for word in words:
            sentence.add(word)
        if value.flag_of("is_eos"):
            self._end(channel)

    def _end(self, channel: str | None) -> None:
        """Create a segment from the current sentence of a channel."""
        sentence = self._sentences.pop(channel, None)
        if sentence is None or not sentence.words:
            return
        words, properties = sentence.words, dict[str, str]()
        words.close()
        for language in dict.fromkeys(word.language for word in words if word.language):
            properties.update(self.answer.other_language(language))
        if sentence.entities:
            properties["entity"] = ",".join(sentence.entities)
        segment = self.answer.segment(
            words, channel=channel, speaker=words[0].speaker, properties=properties
        )
        self._segments.append(with_extent(segment))

    def finished(self) -> list[Segment]:
        """Return the segments that were completed since the last call of this method."""
        segments, self._segments = self._segments, []
        return segments

    def rest(self) -> list[Segment]:
        """Return the remaining segments at the end of the file."""
        for channel in list(self._sentences):
            self._end(channel)
        return self.finished()


def _entity(value: JsonValue) -> list[SpokenWord]:
    """Return the spoken words of an entity; the first one displays the written form."""
    whole = _word(value) if value.has("alternatives") else None
    spoken = [
        _word(part)
        for part in value.elements("spoken_form")
        if part.text_of("type") != "punctuation"
    ]
    written = "".join(
        _content(part) if part.text_of("type") == "punctuation" else f" {_content(part)}"
        for part in value.elements("written_form")
    ).strip()
    if not spoken:
        if whole is None:
            raise value.error('a "spoken_form" or "alternatives"', "none")
        return [whole]
    start_ns, end_ns = value.span_of("start_time", "end_time")
    fill_ends(spoken, start_ns, end_ns)
    written = written or (whole.text if whole is not None else "")
    if not show_along(spoken, written) and written:
        for word in spoken:
            word.display = ""
        spoken[0].display = written
    for word in spoken:
        word.speaker = word.speaker or (None if whole is None else whole.speaker)
    return spoken


def _mark(value: JsonValue, sentence: Sentence) -> None:
    mark, side = _content(value), value.text_of("attaches_to") or "previous"
    if side not in SIDES:
        raise value.required("attaches_to").error(" or ".join(SIDES))
    if side == "next":
        sentence.words.mark(mark, to_next=True)
    elif side == "none" and sentence.words:
        sentence.words.show(f" {mark}")
    else:
        sentence.words.mark(mark)
        sentence.joins_next = side == "both" and bool(sentence.words)


def _read_version_1(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield the segments of a transcript; ends of sentences and changes of speaker divide it."""
    job = value.get("job")
    if job is not None:
        answer.set_property("language", job.text_of("lang"))
    turns = answer.each_value(
        value,
        "speakers",
        lambda turn: (turn.required("time").nanoseconds(), turn.required("name").text()),
    )
    turns.sort(key=itemgetter(0))
    starts = [start for start, _ in turns]
    runs = [WordRun()]
    for word in answer.each_value(value, "words", _old_word):
        if word.text and not any(map(str.isalnum, word.text)):
            runs[-1].mark(word.text)
            if word.text in ENDS and runs[-1]:
                runs.append(WordRun())
            continue
        number = bisect_right(starts, word.start_ns or 0) - 1
        name = turns[max(number, 0)][1] if turns else None
        word.speaker = None if name == UNKNOWN else name
        if runs[-1] and runs[-1][-1].speaker != word.speaker:
            runs.append(WordRun())
        runs[-1].add(word)
    for run in runs:
        run.close()
        if run:
            yield with_extent(answer.segment(run, speaker=run[0].speaker))
    answer.spoke = answer.spoke or value.value["words"] == []


def _old_word(value: JsonValue) -> SpokenWord:
    value.required("time")
    value.required("duration")
    return OLD_WORD.read(value)


SPEC = FormatSpec(
    title="Speechmatics JSON: transcripts of versions 1 and 2, real-time messages",
    sign='"results" with a "type", and a "format"',
    read=read,
)
