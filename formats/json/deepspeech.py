"""deepspeech: JSON of DeepSpeech and Coqui STT: candidate transcripts with timed words.

============================  ==================================================================
in the file                   in the schema
============================  ==================================================================
``transcripts[0]``            one `Segment`, from its first word to its last
``transcripts[1:]``           `Segment.nbest`
``words[].word``              a word; ``start_time`` and ``duration`` in seconds
``confidence``                confidence of the segment, and scores of other hypotheses. Each is a
                              sum of logarithms (property ``confidence_scale`` of the file: ``log``)
no words                      silence
============================  ==================================================================

Lists of letters or tokens (``items``, ``tokens``) instead of words are rejected.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.json.answer import Answer, checked_hypotheses, reader
from formats.json.displays import cut_text
from formats.json.shapes import Names
from formats.json.value import JsonValue
from formats.schema.model import Segment

WORD = Names("word", "start_time", length="duration", others="")


def read(value: JsonValue, answer: Answer) -> Iterator[Segment]:
    """Yield one segment per result."""
    answer.source.properties["confidence_scale"] = "log"
    candidates = []
    for candidate in value.required("transcripts").elements():
        words = [WORD.read(word) for word in candidate.required("words").elements()]
        candidates.append((words, candidate.confidence_of("confidence")))
    texts = [tuple(cut_text(" ".join(word.text for word in ws))) for ws, _ in candidates]
    if candidates and not texts[0]:
        answer.silent += 1
        answer.spoke = True
    elif candidates:
        words, confidence = candidates[0]
        others = [(sure, text) for (_, sure), text in zip(candidates, texts, strict=True)][1:]
        nbest = checked_hypotheses(value, others)
        yield answer.segment(
            words, spans_words=True, confidence=confidence, nbest=nbest, line=value.line
        )


SPEC = FormatSpec(
    title="JSON of DeepSpeech and Coqui STT: candidates with timed words",
    sign='"transcripts" with "words" that have a "start_time"',
    read=reader("DeepSpeech", "DEEPSPEECH", read),
)
