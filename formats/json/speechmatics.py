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

from formats.json.answer import Answer, SpokenWord, WordRun, messages, with_extent
from formats.json.document import JsonDocument
from formats.json.members import (
    confidence_of,
    message_of,
    name_of,
    refuse_error,
    require_success,
    required_text,
    span_of,
    text_of,
)
from formats.json.speechmatics_v1 import is_version_1, read_version_1
from formats.json.word_items import displays_along, last_shown
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.json.document import JsonValue
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]

START, END = ("start_time",), ("end_time",)
KNOWN_RESULT = frozenset(
    {
        "type", "start_time", "end_time", "alternatives", "channel", "attaches_to", "is_eos",
        "entity_class", "spoken_form", "written_form", "volume", "score",
    }
)  # fmt: skip
SIDES = ("previous", "next", "both", "none")
KINDS = ("word", "punctuation", "entity", "speaker_change", "channel_change")


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
        kind = text_of(value, "message")
        _set_properties(value, answer)
        if kind in ("AddPartialTranscript", "AddPartialTranslation"):
            answer.counts.partial += 1
            continue
        if kind is None:
            answer.require_alone(value)
            if is_version_1(value):
                yield from read_version_1(value, answer)
                continue
            value.required("results")
        elif kind != "AddTranscript":
            continue
        flow.channel = name_of(value, "channel")
        answer.spoke = answer.spoke or value.value.get("results") == []
        answer.each(value.elements("results"), flow.take)
        yield from flow.finished()
    yield from flow.rest()
    flow.tell()
    answer.finish(document)


def _refuse_failure(value: JsonValue) -> None:
    if text_of(value, "message") == "Error":
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
        answer.set_property("language", text_of(settings, "language"))
    pack = metadata.get("language_pack_info") or value.get("language_pack_info")
    delimiter = None if pack is None else text_of(pack, "word_delimiter")
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

    def take(self, value: JsonValue) -> None:
        """Take one result.

        Raises
        ------
        SyntaxFormatError
        """
        value.expect_members(KNOWN_RESULT)
        kind = required_text(value, "type")
        if kind not in KINDS:
            raise value.required("type").error(" or ".join(KINDS))
        channel = name_of(value, "channel") or self.channel
        if kind.endswith("_change"):
            self._end(channel)
            return
        sentence = self._sentences.setdefault(channel, Sentence())
        if kind == "punctuation":
            self._mark(value, sentence)
        else:
            words = self._entity(value) if kind == "entity" else [self._word(value)]
            if words and sentence.words and words[0].speaker != sentence.words[-1].speaker:
                self._end(channel)
                sentence = self._sentences.setdefault(channel, Sentence())
            entity = text_of(value, "entity_class")
            sentence.entities.extend([entity] if entity else [])
            for word in words:
                _add(word, sentence)
        ends = value.get("is_eos")
        if ends is not None and ends.flag():
            self._end(channel)

    def _best(self, value: JsonValue) -> JsonValue:
        alternatives = list(value.elements("alternatives"))
        if not alternatives:
            raise value.error('"alternatives" with an element', "none")
        self._others += len(alternatives) - 1
        return alternatives[0]

    def _word(self, value: JsonValue) -> SpokenWord:
        best = self._best(value)
        speaker = name_of(best, "speaker")
        tags = [tag.text() for tag in best.elements("tags")]
        return SpokenWord(
            required_text(best, "content"),
            *span_of(value, START, END),
            confidence_of(best, "confidence"),
            kind="fp" if "disfluency" in tags else None,
            speaker=None if speaker == "UU" else speaker,
            language=text_of(best, "language"),
        )

    def _entity(self, value: JsonValue) -> list[SpokenWord]:
        """The words of an entity as spoken, shown as it is written."""
        whole = self._word(value) if value.has("alternatives") else None
        spoken = [self._word(v) for v in value.elements("spoken_form") if not _is_mark(v)]
        written = "".join(
            mark if _is_mark(v) else f" {mark}"
            for v in value.elements("written_form")
            for mark in [self._best(v).required("content").text()]
        ).strip()
        if not written and whole is not None:
            written = whole.text
        if not spoken:
            if whole is None:
                raise value.error('a "spoken_form" or "alternatives"', "none")
            return [whole]
        start_ns, end_ns = span_of(value, START, END)
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

    def _mark(self, value: JsonValue, sentence: Sentence) -> None:
        mark = self._best(value).required("content").text()
        side = value.get("attaches_to")
        where = "previous" if side is None else side.text()
        if side is not None and where not in SIDES:
            raise side.error(" or ".join(SIDES))
        if where == "next":
            sentence.words.mark(mark, to_next=True)
        elif where == "none" and sentence.words:
            _show_after(sentence, f" {mark}")
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


def _is_mark(value: JsonValue) -> bool:
    return text_of(value, "type") == "punctuation"


def _show_after(sentence: Sentence, text: str) -> None:
    """Add to what the last word shows."""
    last = last_shown(sentence.words)
    if last is not None:
        last.display = (last.text if last.display is None else last.display) + text


def _add(word: SpokenWord, sentence: Sentence) -> None:
    """Add a word; after a mark that joins both its neighbours it is shown with the one before."""
    if sentence.joins_next:
        _show_after(sentence, word.text if word.display is None else word.display)
        word.display = ""
        sentence.joins_next = False
    sentence.words.add(word)


def sniff(head: Head) -> Sniff:
    """Sure of format 2 with results that have a type, of real-time messages, and of version 1."""
    top = head.json
    if isinstance(top, list):
        top = next((v for v in top if isinstance(v, dict)), None)
    if not isinstance(top, dict):
        return Sniff.NO
    own = ("RecognitionStarted", "AddTranscript", "AddPartialTranscript", "EndOfTranscript",
           "AudioAdded", "StartRecognition")  # fmt: skip
    if top.get("message") in own:
        return Sniff.SURE
    words = top.get("words")
    first = words[0] if isinstance(words, list) and words else None
    if isinstance(first, dict) and {"name", "time", "duration"} <= first.keys():
        return Sniff.SURE
    version = top.get("format")
    results = top.get("results")
    if not isinstance(version, str) or not version.startswith("2."):
        version = None
    if not isinstance(results, list):
        is_begun = version is not None and isinstance(top.get("metadata"), dict)
        return Sniff.SURE if is_begun and "job" in top else Sniff.NO
    first = results[0] if results else None
    typed = isinstance(first, dict) and "type" in first and "alternatives" in first
    if version is not None and (typed or not results):
        return Sniff.SURE
    return Sniff.MAYBE if typed else Sniff.NO


SPEC = FormatSpec(
    title="Speechmatics JSON: transcripts of versions 1 and 2, real-time messages",
    sign='"results" with a "type", and a "format"',
    read=read,
    write=None,
    sniff=sniff,
    holds=(),
    manual="Words, punctuation and entities with spoken and written forms, cut at sentences.",
)
