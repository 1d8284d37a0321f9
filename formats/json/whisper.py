"""whisper: JSON of OpenAI's Whisper, of its web service (verbose), and of faster-whisper.

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
``segments[]``                       one `Segment`; ``start``, ``end`` in seconds
``segments[].words[].word``          a word, or a piece of one: see
                                     `formats.json.whisper_words`
``start``, ``end``, ``probability``  times and confidence of the word
``segments[].text``                  the words of a segment that lists none: without times
``words[]`` beside ``segments``      words of the web service: each goes to the segment that it
                                     lies in; the segment's text shows their display forms
``avg_logprob``, ``temperature``,    properties of the segment, as written; ``avg_logprob`` is a
``compression_ratio``,               logarithm, and so not a confidence
``no_speech_prob``
a segment that looks made up         property ``hint``
``language``, ``duration``, ``task`` properties of the file
``id``, ``seek``, ``tokens``         not read: they say nothing that the rest does not
===================================  ===========================================================

A bare list of segments, and ``{"segments": …, "info": …}``, are what people dump of
faster-whisper. Of a word's pieces the mean confidence is kept. Words of whisper-timestamped
(``text``, ``confidence``) are read, too.
"""

from __future__ import annotations

from formats.json.whisper_reader import WhisperReader
from formats.json.whisper_shapes import shape_of
from formats.json.whisper_writer import write_whisper as write
from formats.json.words import WordNames
from formats.spec import FormatSpec, Option, Sniff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.head import Head
    from formats.model import Segment
    from formats.source import Source

__all__ = ["SPEC", "read", "sniff", "write"]

NAMES = WordNames(("word", "text"), confidence=("probability", "confidence"))


def read(source: Source) -> Iterator[Segment]:
    """One segment per segment of the file, in its order; one in all if there are only words.

    Raises
    ------
    SyntaxFormatError
        No JSON, neither segments nor words nor text, a time that is none, an end before its
        start.
    """
    return WhisperReader(source, NAMES).segments()


def sniff(head: Head) -> Sniff:
    """Sure if segments have Whisper's own statistics, or words and text stand side by side."""
    shape, sureness = shape_of(head.json)
    return sureness if shape in ("whisper", "either") else Sniff.NO


SPEC = FormatSpec(
    title="JSON of Whisper, OpenAI's web service and faster-whisper: segments with timed words",
    sign='"segments" with "start", "end" and "text"',
    read=read,
    write=write,
    sniff=sniff,
    holds=(
        "words",
        "segment times",
        "word times",
        "confidences",
        "properties",
        "empty segments",
        "segment boundaries",
    ),
    properties=("avg_logprob", "compression_ratio", "hint", "no_speech_prob", "temperature"),
    needs=("segment times",),
    write_options=(Option("precision", 3, "decimals of times", tuple(range(10))),),
    manual="One object: the text, and segments with times, statistics and timed words.",
)
