"""simuleval: instance logs of SimulEval and OmniSTEval: texts, and when each word was output.

======================================  ==========================================================
in the file                             in the schema
======================================  ==========================================================
a line                                  one `Segment`: ``index`` is its utterance
``source``, an audio file or a list     its recording: the stem of the first file; for OmniSTEval's
                                        segments, ``docid-segid``
``prediction``                          its words; ``</s>`` is dropped and counted
``delays``, in milliseconds             the start and end of each word are the time of its emission;
                                        in OmniSTEval, ``emission_cu``
``elapsed``, ``emission_ca``            times that include computation: read instead of ``delays``
                                        with ``times=elapsed``; otherwise they become the property
                                        ``elapsed_ns``, a number per word
``source_length``, in milliseconds      the segment lasts at least from 0 to this time; property
                                        ``source_ns`` if words were emitted later
``reference``                           the words with ``field=reference``, without times
======================================  ==========================================================

OmniSTEval has negative delays for words that were output before their segment. Such words get the
time of the next word, with a warning. Delays per character give a word the time of its last
character. Delays of text inputs count words and are therefore no times. Logs of speech outputs are
rejected.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate

from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source
from formats.json.messages import DELAYS, DELAYS_OF_TEXT, EARLY, TAG
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonValue, records_of
from formats.json.words_to_segments import Reading
from formats.manifests.records import recording_of_audio
from formats.schema import split_words
from formats.schema.model import Segment

MARKS = frozenset(("</s>", "<s>"))
TIMES = {"delays": ("delays", "emission_cu"), "elapsed": ("elapsed", "emission_ca")}
PER_SECOND = 1000


def read(source: Source, *, field: str = "prediction", times: str = "delays") -> Iterator[Segment]:
    """Yield one segment per instance. Only the words of the field ``prediction`` have times."""
    reading = Reading(source)
    read_instance = partial(_instance_segments, reading, field, times)
    yield from source.log.accepted("INSTANCE", read_instance, records_of(source))
    reading.report()


def _instance_segments(
    reading: Reading, field: str, times: str, value: JsonValue
) -> Iterator[Segment]:
    """Yield the segment of one instance."""
    if value.has("durations", "intervals"):
        raise value.error("an instance with text", "one whose output is speech")
    text = value.required(field).text().replace("\n", " ")
    words = split_words(text)
    source, length = value.get("source"), value.time_of("source_length", per_second=PER_SECOND)
    if source is not None and isinstance(source.value, list):
        source = source.element(0)
    is_text = source is not None and value.value.get("source_length") == len(
        split_words(source.text())
    )
    emitted: Sequence[int | None] = [None] * len(words)
    if is_text:
        length = None
        reading.count(DELAYS_OF_TEXT)
    elif field == "prediction":
        emitted = _emitted(reading, value.get(*TIMES[times]), words)
    pairs = [pair for pair in zip(words, emitted, strict=True) if pair[0] not in MARKS]
    properties = {}
    if times == "delays" and emitted.count(None) < len(emitted):
        elapsed = _emitted(reading, value.get(*TIMES["elapsed"]), words)
        spent = [time for word, time in zip(words, elapsed, strict=True) if word not in MARKS]
        if spent and None not in spent:
            properties["elapsed_ns"] = " ".join(map(str, spent))
    reading.count(TAG, len(words) - len(pairs))
    latest = max((time for time in emitted if time is not None), default=length)
    if length is not None and latest is not None and latest > length:
        properties["source_ns"] = str(length)
    segment = reading.segment(
        [SpokenWord(word, time, time) for word, time in pairs],
        span=(None, None) if latest is None else (0, max(latest, length or 0)),
        properties=properties,
        utterance=value.name_of("index"),
        line=value.line,
    )
    name = _recording(value, None if is_text else source)
    yield segment.replace(recording=name) if name else segment


def _recording(value: JsonValue, source: JsonValue | None) -> str:
    """Return the recording of an instance; empty if the instance names no recording."""
    if value.has("docid") and value.has("segid"):  # times begin at each segment
        return f"{value.required('docid').name()}-{value.required('segid').name()}"
    return "" if source is None else recording_of_audio(source.text())


def _emitted(
    reading: Reading, delays: JsonValue | None, words: Sequence[str]
) -> Sequence[int | None]:
    """Return when each word was emitted, in nanoseconds; `None` for unknown times."""
    if delays is None:
        return [None] * len(words)
    moments = [
        # one before the segment that it was given to is none
        None if isinstance(delay.value, (int, float)) and delay.value < 0
        else delay.nanoseconds(per_second=PER_SECOND)
        for delay in delays.elements()
    ]  # fmt: skip
    reading.count(EARLY, moments.count(None))
    if len(moments) == len(words):
        return moments
    for extra in (0, 1):  # delays of characters, with blanks or without
        ends = list(accumulate(len(word) + extra for word in words))
        if ends and len(moments) == ends[-1] - extra:
            return [moments[end - extra - 1] for end in ends]
    reading.source.log.say(
        DELAYS, delays.line, path=delays.path, delays=len(moments), words=len(words)
    )
    return [None] * len(words)


SPEC = FormatSpec(
    title="instance logs of SimulEval and OmniSTEval: texts with the times of their words",
    sign='"prediction" and "delays"',
    read=read,
    read_options=(
        Option("field", "prediction", "name of the member or column that holds the words"),
        Option(
            "times",
            "delays",
            "emission times of words in simuleval files: without computing time "
            "(delays), or with it (elapsed)",
            tuple(TIMES),
        ),
    ),
)
