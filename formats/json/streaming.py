"""stream-events, openbench: partial results of a streaming recogniser with their times.

======================================  ==========================================================
in the file                             in the schema
======================================  ==========================================================
a line of stream-events                 a result; results of one ``utterance`` are one `Segment`
``time``, seconds of audio sent         when its words were shown
``final``, or ``type``: partial, final  a final result stays; a partial result replaces the text
                                        after the last final result
``text``, ``words``                     its words; ``words`` also gives their times
``elapsed``, seconds                    property ``elapsed_ns``: when its words were shown,
                                        including the time of computation
``audio``, seconds                      property ``source_ns``: the length of the audio
a file of OpenBench                     one `Segment`; ``interim_results`` are partial and
                                        ``confirmed_interim_results`` final results of the whole
                                        text so far; ``audio_cursor`` has their times
======================================  ==========================================================

The emission time of a word is the time from which it was shown without a change. The property
``emission_ns`` holds one number per word, ``final_ns`` the times of the final results. A result
that changes a word retracts this word and all words after it. ``words_shown`` counts the shown
words, ``words_retracted`` the retracted words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue, records_of
from formats.json.words_to_segments import Reading
from formats.schema.errors import SyntaxFormatError
from formats.schema.model import Segment

WORD = Names("word|text", "start|start_time", "end|end_time", confidence="confidence")
TYPES = {"partial": False, "interim": False, "final": True}
CURSORS = (
    ("audio_cursor", "interim_results", False),
    ("confirmed_audio_cursor", "confirmed_interim_results", True),
)


class _Display:
    """The displayed text of an utterance, and the emission time of each word."""

    def __init__(self, line: int | None) -> None:
        self.line = line
        self.words: list[SpokenWord] = []
        self.emitted: list[tuple[int, int | None]] = []
        self.finals: list[int] = []
        self.shown = self.retracted = 0
        self.length: int | None = None

    def show(self, words: Sequence[SpokenWord], moment: tuple[int, int | None]) -> None:
        """Display a text instead of the current one.

        From the first different word on, the words of the current text are retracted. `moment` is
        the length of the audio sent so far, and the elapsed time, in nanoseconds.
        """
        pairs = zip(self.words, words, strict=False)
        kept = sum(1 for _ in takewhile(lambda pair: pair[0].text == pair[1].text, pairs))
        self.retracted += len(self.words) - kept
        self.shown += len(words) - kept
        self.emitted[kept:] = [moment] * (len(words) - kept)
        self.words = list(words)

    def add(
        self, words: Sequence[SpokenWord], moment: tuple[int, int | None], is_final: bool
    ) -> None:
        """Display a result after the final text.

        A final result becomes part of the final text.
        """
        self.show([*self.words[: len(self.finals)], *words], moment)
        if is_final:
            self.finals += [moment[0]] * len(words)

    def confirm(self, words: Sequence[SpokenWord], moment: tuple[int, int | None]) -> None:
        """Make the given words final. Words that are displayed after them remain."""
        texts = [word.text for word in words]
        if [word.text for word in self.words[: len(words)]] != texts:
            self.show(words, moment)
        self.finals = self.finals[: len(words)]
        self.finals += [moment[0]] * (len(words) - len(self.finals))

    def segment(self, reading: Reading, utterance: str | None) -> Segment:
        """Return the final words as a segment. Words displayed after them count as retracted."""
        if self.finals:
            self.show(self.words[: len(self.finals)], (0, None))
        elapsed = [moment[1] for moment in self.emitted]
        properties = {
            "emission_ns": " ".join(str(moment[0]) for moment in self.emitted),
            "words_shown": str(self.shown),
            "words_retracted": str(self.retracted),
        }
        if self.finals:
            properties["final_ns"] = " ".join(map(str, self.finals))
        if elapsed and None not in elapsed:
            properties["elapsed_ns"] = " ".join(map(str, elapsed))
        if self.length is not None:
            properties["source_ns"] = str(self.length)
        return reading.segment(
            self.words,
            properties={name: text for name, text in properties.items() if text},
            utterance=utterance,
            line=self.line,
        )


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per utterance, in the order of the first results."""
    reading = Reading(source)
    displays: dict[str | None, _Display] = {}
    for value in records_of(source):
        try:
            _add(displays, value)
        except SyntaxFormatError as error:
            source.log.reject("STREAM-EVENT", error)
    for utterance, display in displays.items():
        yield display.segment(reading, utterance)
    reading.report()


def _add(displays: dict[str | None, _Display], value: JsonValue) -> None:
    time = value.required("time").nanoseconds()
    if value.has("words"):
        words = [
            SpokenWord(part.text, word.start_ns, word.end_ns)
            for word in WORD.read_all(value.get("words"))
            for part in plain_words(word.text)
        ]
    else:
        words = plain_words(value.required("text").text())
    kind = value.get("final", "is_final", "type")
    if kind is None:
        raise value.error('a member "final" or "type"', "none")
    if isinstance(kind.value, str):
        if kind.value.lower() not in TYPES:
            raise kind.error("partial or final")
        is_final = TYPES[kind.value.lower()]
    else:
        is_final = kind.flag()
    utterance = value.name_of("utterance", "id")
    display = displays.setdefault(utterance, _Display(value.line))
    display.length = value.time_of("audio") if value.has("audio") else display.length
    display.add(words, (time, value.time_of("elapsed")), is_final)


def read_openbench(source: Source) -> Iterator[Segment]:
    """Yield one segment with all results."""
    reading = Reading(source)
    document = JsonDocument(source)
    for value in document.values:
        display = _Display(value.line)
        events = []
        for number, (times, texts, is_final) in enumerate(CURSORS):
            moments = [moment.nanoseconds() for moment in value.elements(times)]
            results = [plain_words(text.text()) for text in value.elements(texts)]
            if len(moments) != len(results):
                raise value.error(
                    f"as many elements of {times} as of {texts}",
                    f"{len(moments)} and {len(results)}",
                )
            events += [
                (moment, number, place, words, is_final)
                for place, (moment, words) in enumerate(zip(moments, results, strict=True))
            ]
        for moment, *_, words, is_final in sorted(events, key=lambda event: event[:3]):
            (display.confirm if is_final else display.show)(words, (moment, None))
        yield display.segment(reading, None)
    reading.report()


SPEC = FormatSpec(
    title="events of a streaming recogniser: partial and final results with their times",
    sign='"time", "final" and "text" or "words"',
    read=read,
    has_one_recording=True,
)
OPENBENCH_SPEC = FormatSpec(
    title="streaming results of OpenBench: interim and confirmed texts with audio cursors",
    sign='"interim_results" and "audio_cursor"',
    read=read_openbench,
    has_one_recording=True,
)
