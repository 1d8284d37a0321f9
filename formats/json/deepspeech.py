"""deepspeech: JSON of DeepSpeech and of Coqui STT, candidates with timed words.

============================  ==================================================================
its word                      ours
============================  ==================================================================
``transcripts[0]``            one `Segment`, from its first word to its last
``transcripts[1:]``           `Segment.nbest`
``words[].word``              a word; ``start_time`` and ``duration`` in seconds
``confidence``                confidence of the segment, of others the score: a sum of
                              logarithms (property ``confidence_scale`` of the file: ``log``)
no words                      silence
============================  ==================================================================

Lists of letters or tokens (``items``, ``tokens``) in place of words are refused.
"""

from __future__ import annotations

from formats.json.answer import Answer, checked_hypotheses
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Number, Record, WrongError
from formats.json.spoken_words import SpokenWord
from formats.spec import FormatSpec, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.beginning import Head
    from formats.json.spoken_words import Hypothesis
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff"]


class Word(Record):
    """A word."""

    unread = frozenset()

    word: str
    start_time: Number = None
    duration: Number = None

    def spoken(self) -> SpokenWord:
        """The word with its times."""
        start, length = self.time_of("start_time"), self.time_of("duration")
        return SpokenWord(self.word, start, None if None in (start, length) else start + length)  # type: ignore[operator]


class Candidate(Record):
    """What may have been said."""

    unread = frozenset()
    lists = (("words", Word),)

    words: list[Word]
    confidence: Number = None

    def hypothesis(self) -> Hypothesis:
        """Confidence and words."""
        said = " ".join(word.word for word in self.words)
        return self.sureness(), tuple(cut_text(said))


class Message(Record):
    """A result: candidates, the best one first."""

    lists = (("transcripts", Candidate),)

    transcripts: list[Candidate]


def read(source: Source) -> Iterator[Segment]:
    """One segment per result.

    Raises
    ------
    SyntaxFormatError: no JSON, a candidate without a list of words, a time that is none.
    """
    document = JsonDocument(source, streams=True)
    answer = Answer(source, "DeepSpeech", "DEEPSPEECH")
    source.properties["confidence_scale"] = "log"
    for line, value, made in document.typed_messages(Message):
        message = made or value.record(Message)
        if not message.transcripts:
            continue
        try:
            items = [word.spoken() for word in message.transcripts[0].words]
            best, *others = [candidate.hypothesis() for candidate in message.transcripts]
        except WrongError as wrong:
            raise value.wrong(wrong, message) from None
        if not cut_text(" ".join(item.text for item in items)):
            answer.silent += 1
            answer.spoke = True
            continue
        yield answer.segment(
            items,
            spans_words=True,
            confidence=best[0],
            nbest=checked_hypotheses(value, others),
            line=line,
        )
    answer.finish(document)


def sniff(head: Head) -> Sniff:
    """Sure of transcripts with words, and of transcripts with a confidence."""
    found = head.first_object.get("transcripts")
    first = found[0] if isinstance(found, list) and found else None
    if not isinstance(first, dict) or not isinstance(first.get("words"), list):
        return Sniff.NO
    words = first["words"]
    is_own = not words or (isinstance(words[0], dict) and "start_time" in words[0])
    return Sniff.SURE if is_own else Sniff.NO


SPEC = FormatSpec(
    title="JSON of DeepSpeech and Coqui STT: candidates with timed words",
    sign='"transcripts" with "words" that have a "start_time"',
    read=read,
    sniff=sniff,
    manual="The best candidate with its words, start and duration in seconds; further candidates.",
)
