"""speechmatics: what Speechmatics answers: transcripts, and messages in real time.

==============================  ============================================================
its word                        ours
==============================  ============================================================
result ``word``                 a word
result ``punctuation``          added to display forms, on the side that ``attaches_to`` names
result ``entity``               its ``spoken_form`` as words, its ``written_form`` as their
                                display form; property ``entity`` names the classes
``is_eos``                      the end of a segment; so is a change of speaker
``speaker``                     `Segment.speaker`; ``UU`` (unknown) is none
``channel``                     `Segment.channel`
tag ``disfluency``              `Segment.kinds`: ``fp``
``word_delimiter``              property of the file where it is not a blank
message ``AddTranscript``       final results; ``AddPartialTranscript`` is passed over
an empty list of results        silence
version 1                       see `formats.json.speechmatics_v1`
==============================  ============================================================

Segments begin with their first word and end with their last.
"""

from __future__ import annotations

from bisect import bisect_right

from formats.json.answer import (
    Answer,
    message_of,
    messages,
    refuse_error,
    require_success,
    with_extent,
)
from formats.json.displays import displays_along
from formats.json.document import JsonDocument
from formats.json.record import (
    Name,
    Number,
    Record,
    WrongError,
    confidences_of,
    first_of,
    spans_of,
)
from formats.json.spoken_words import SpokenWord, WordRun
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats.json.document import Columns, JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

SIDES = ("previous", "next", "both", "none")
KINDS = ("word", "punctuation", "entity", "speaker_change", "channel_change")
ENDS = ".?!"


class Choice(Record):
    """What a result may be."""

    content: str | None = None
    confidence: Number = None
    speaker: Name = None
    language: str | None = None
    tags: list[str] | None = None


class Part(Record):
    """A result; the parts of an entity are some, too."""

    type: str | None = None
    start_time: Number = None
    end_time: Number = None
    alternatives: list[Choice] | None = None

    def best(self) -> Choice:
        """The likeliest choice."""
        if not self.alternatives:
            raise WrongError(None, '"alternatives" with an element', "none", self)
        return self.alternatives[0]

    def content(self) -> str:
        """The text of the likeliest choice."""
        return str(self.best().required("content"))

    def word(self) -> SpokenWord:
        """The likeliest choice as a word."""
        return _words_of([self])[0]


def _words_of(parts: Sequence[Part]) -> list[SpokenWord]:
    """The likeliest choices as words.

    Raises
    ------
    WrongError: one has no choice or text, or no times or confidence that are such.
    """
    best = [part.best() for part in parts]
    texts = first_of(best, "content")
    if None in texts:
        best[texts.index(None)].required("content")
    spans = spans_of(parts, "start_time", "end_time")
    words = list(map(SpokenWord, texts, *spans, confidences_of(best, "confidence")))
    for word, choice in zip(words, best, strict=True):
        if choice.tags and "disfluency" in choice.tags:
            word.kind = "fp"
        if choice.speaker is not None and choice.speaker != "UU":
            word.speaker = str(choice.speaker)
        word.language = choice.language
    return words


def _columns_of(results: list[Result]) -> Columns:
    """The words of those that are words, and `None` for others."""
    words = iter(_words_of([result for result in results if result.type == "word"]))
    return ([next(words) if result.type == "word" else None for result in results],)


class Result(Part):
    """A word, a mark, an entity or a change."""

    unread = frozenset({"volume", "score"})

    channel: Name = None
    attaches_to: str | None = None
    is_eos: bool | None = None
    entity_class: str | None = None
    spoken_form: list[Part] | None = None
    written_form: list[Part] | None = None


class Word(Record):
    """A word of version 1, or a mark."""

    unread = frozenset()

    name: str
    time: str | float
    duration: str | float
    confidence: Number = None


class Turn(Record):
    """From when on somebody speaks, in version 1."""

    name: str
    time: str | float


def read(source: Source) -> Iterator[Segment]:
    """The segments of one transcript, or of the final messages of a session.

    Raises
    ------
    SyntaxFormatError: a rejected job or an error message, with the service's message; no final
        result; members missing or of a wrong type.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "Speechmatics", "SPEECHMATICS")
    flow = Flow(answer)
    for value in messages(document):
        _refuse_failure(value)
        kind = value.text_of("message")
        _set_properties(value, answer)
        if kind in ("AddPartialTranscript", "AddPartialTranslation"):
            answer.partial += 1
            continue
        if kind is None:
            answer.require_alone(value)
            if is_version_1(value):
                yield from read_version_1(value, answer)
                continue
            value.required("results")
        elif kind != "AddTranscript":
            continue
        flow.channel = value.name_of("channel")
        answer.spoke = answer.spoke or value.value.get("results") == []
        answer.each(value, "results", Result, flow.take, _columns_of)
        yield from flow.finished()
    yield from flow.rest()
    flow.tell()
    answer.finish(document)


def _refuse_failure(value: JsonValue) -> None:
    if value.text_of("message") == "Error":
        reason = message_of(value, "type", "reason")
        raise value.error("a transcript", f"an error of the service: {reason}")
    refuse_error(value, "error")
    job = value.get("job")
    if job is not None and isinstance(job.value, dict):
        require_success(job, ("status",), ("done",), ("errors", "error"))
        length = job.get("duration")
        if length is not None and not value.has("results", "words"):
            raise job.error("a transcript", "the description of a job")


def _set_properties(value: JsonValue, answer: Answer) -> None:
    job = value.get("job")
    if job is not None and job.has("duration"):
        answer.set_duration(job.required("duration").nanoseconds())
    metadata = value.get("metadata")
    if metadata is None:
        return
    settings = metadata.get("transcription_config")
    if settings is not None:
        answer.set_property("language", settings.text_of("language"))
    pack = metadata.get("language_pack_info") or value.get("language_pack_info")
    delimiter = None if pack is None else pack.text_of("word_delimiter")
    if delimiter not in (None, " "):
        answer.source.properties["word_delimiter"] = delimiter or ""


class Sentence:
    """What one channel has said since the last end of a sentence."""

    def __init__(self) -> None:
        self.words = WordRun()
        self.entities: list[str] = []
        self.joins_next = False


class Flow:
    """Results in order, cut into segments; a sentence may go on in the next message.

    Attributes
    ----------
    channel: of results that name none.
    """

    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.channel: str | None = None
        self._sentences: dict[str | None, Sentence] = {}
        self._made: list[Segment] = []
        self._others = 0

    def take(self, value: Result, spoken: SpokenWord | None) -> None:
        """Take one result, and the word that it is, if it is one.

        Raises
        ------
        WrongError
        """
        if spoken is None and value.required("type") not in KINDS:
            raise WrongError("type", " or ".join(KINDS))
        channel = value.name_of("channel") or self.channel
        if value.type in ("speaker_change", "channel_change"):
            self._end(channel)
            return
        self._others += max(len(value.alternatives or ()) - 1, 0)
        sentence = self._sentence(channel)
        if value.type == "punctuation":
            self._mark(value, sentence)
        else:
            words = self._entity(value) if spoken is None else [spoken]
            if words and sentence.words and words[0].speaker != sentence.words[-1].speaker:
                self._end(channel)
                sentence = self._sentence(channel)
            sentence.entities.extend([value.entity_class] if value.entity_class else [])
            for word in words:
                _add(word, sentence)
        if value.is_eos:
            self._end(channel)

    def _sentence(self, channel: str | None) -> Sentence:
        """What the channel says."""
        found = self._sentences.get(channel)
        if found is None:
            found = self._sentences[channel] = Sentence()
        return found

    def _entity(self, value: Result) -> list[SpokenWord]:
        """The words of an entity as spoken, shown as it is written."""
        whole = value.word() if value.alternatives is not None else None
        spoken = [part.word() for part in value.spoken_form or () if part.type != "punctuation"]
        written = "".join(
            part.content() if part.type == "punctuation" else f" {part.content()}"
            for part in value.written_form or ()
        ).strip()
        if not written and whole is not None:
            written = whole.text
        if not spoken:
            if whole is None:
                raise WrongError(None, 'a "spoken_form" or "alternatives"', "none")
            return [whole]
        start_ns, end_ns = value.span("start_time", "end_time")
        if spoken[0].start_ns is None:
            spoken[0].start_ns = start_ns
        if spoken[-1].end_ns is None:
            spoken[-1].end_ns = end_ns
        forms = displays_along([word.text for word in spoken], written)
        if forms is None and written:
            forms = [written, *[""] * (len(spoken) - 1)]
        for word, form in zip(spoken, forms or [], strict=False):
            word.display = form
        for word in spoken if whole is not None else ():
            word.speaker = word.speaker or (whole.speaker if whole is not None else None)
        return spoken

    def _mark(self, value: Result, sentence: Sentence) -> None:
        mark, where = value.content(), value.attaches_to or "previous"
        if where not in SIDES:
            raise WrongError("attaches_to", " or ".join(SIDES))
        if where == "next":
            sentence.words.mark(mark, to_next=True)
        elif where == "none" and sentence.words:
            sentence.words.show(f" {mark}")
        else:
            sentence.words.mark(mark)
            sentence.joins_next = where == "both" and bool(sentence.words)

    def _end(self, channel: str | None) -> None:
        """Make a segment of what the channel has said."""
        sentence = self._sentences.pop(channel, None)
        if sentence is None or not sentence.words:
            return
        sentence.words.close()
        words = sentence.words
        languages = dict.fromkeys(word.language for word in words if word.language)
        properties: dict[str, str] = {}
        for language in languages:
            properties.update(self.answer.other_language(language))
        if sentence.entities:
            properties["entity"] = ",".join(sentence.entities)
        self._made.append(
            with_extent(
                self.answer.segment(
                    words, channel=channel, speaker=words[0].speaker, properties=properties
                )
            )
        )

    def finished(self) -> Iterator[Segment]:
        """The segments that have ended since this was last asked."""
        made, self._made = self._made, []
        yield from made

    def rest(self) -> Iterator[Segment]:
        """The segments that the end of the file ends."""
        for channel in list(self._sentences):
            self._end(channel)
        yield from self.finished()

    def tell(self) -> None:
        """Say what was left out."""
        if self._others:
            self.answer.source.log.note(
                "SPEECHMATICS-OTHERS", f"other hypotheses of words, not kept: {self._others}"
            )


def _add(word: SpokenWord, sentence: Sentence) -> None:
    """Add a word; after a mark that joins both its neighbours it is shown with the one before."""
    if sentence.joins_next:
        sentence.words.show(word.text if word.display is None else word.display)
        word.display = ""
        sentence.joins_next = False
    sentence.words.add(word)


def is_version_1(value: JsonValue) -> bool:
    """Whether an answer is of the first version."""
    version = value.get("format")
    is_first = version is not None and str(version.value).startswith("1.")
    return value.has("words") and (is_first or value.has("speakers")) and not value.has("results")


def read_version_1(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """The segments of a transcript: cut where sentences end and where the speaker changes.

    Raises
    ------
    SyntaxFormatError: members missing or of a wrong type.
    """
    job = value.get("job")
    if job is not None:
        answer.set_property("language", job.text_of("lang"))
    turns: list[tuple[int, str | None]] = []

    def take_turn(turn: Turn) -> None:
        name = None if turn.name == "UU" else turn.name
        turns.append((turn.time_of("time") or 0, name))

    answer.each(value, "speakers", Turn, take_turn)
    turns.sort(key=lambda turn: turn[0])
    starts = [start for start, _ in turns]
    run = WordRun()
    made: list[Segment] = []

    def end() -> None:
        nonlocal run
        if run:
            run.close()
            made.append(with_extent(answer.segment(run, speaker=run[0].speaker)))
            run = WordRun()

    def take(word: Word) -> None:
        if word.name and not any(map(str.isalnum, word.name)):
            run.mark(word.name)
            if word.name in ENDS:
                end()
            return
        start_ns = word.time_of("time") or 0
        end_ns = start_ns + (word.time_of("duration") or 0)
        place = bisect_right(starts, start_ns) - 1
        speaker = turns[max(place, 0)][1] if turns else None
        if run and run[-1].speaker != speaker:
            end()
        run.add(SpokenWord(word.name, start_ns, end_ns, word.sureness(), speaker=speaker))

    answer.each(value, "words", Word, take)
    end()
    answer.spoke = answer.spoke or value.value["words"] == []
    yield from made


SPEC = FormatSpec(
    title="Speechmatics JSON: transcripts of versions 1 and 2, real-time messages",
    sign='"results" with a "type", and a "format"',
    read=read,
    manual="Words, punctuation and entities with spoken and written forms, cut at sentences.",
)
