"""What reading the answer of any recognition service has in common.

Each service has its own names for the same things; what must not differ is what a user relies on:
a failed job is an error with the service's own message and never an empty hypothesis; results that
are not final are passed over and counted, and a file of nothing else is an error; words keep the
speaker and the place that the service gave them.
"""

from __future__ import annotations

from formats.errors import SyntaxFormatError
from formats.json.word_items import (
    ReadingCounts,
    WordItem,
    attach_punctuation,
    fill_times,
    segment_of,
    single_words,
)
from formats.times import SECOND, format_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from formats.json.document import JsonDocument, JsonValue
    from formats.json.word_items import Hypothesis
    from formats.model import Segment
    from formats.source import Source

__all__ = [
    "Answer",
    "SpokenWord",
    "WordRun",
    "messages",
    "speaker_runs",
    "with_extent",
]

UNITS = (
    (10, "tenths of a second"),
    (100, "hundredths of a second or frames"),
    (1000, "milliseconds"),
    (10_000, "tenths of a millisecond"),
    (16_000, "samples"),
    (10_000_000, "ticks of 100 ns"),
)


class SpokenWord(WordItem):
    """A word with what the service says of it alone.

    Attributes
    ----------
    speaker, language: as written, or `None`.
    """

    __slots__ = ("language", "speaker")

    def __init__(
        self,
        text: str,
        start_ns: int | None = None,
        end_ns: int | None = None,
        confidence: float | None = None,
        display: str | None = None,
        kind: str | None = None,
        *,
        speaker: str | None = None,
        language: str | None = None,
    ) -> None:
        super().__init__(text, start_ns, end_ns, confidence, display, kind)
        self.speaker = speaker
        self.language = language


class WordRun(list[SpokenWord]):
    """Words in order of speech, to whose display forms punctuation marks are added.

    >>> run = WordRun()
    >>> run.mark("¿", to_next=True); run.add(SpokenWord("qué")); run.mark("?")
    >>> run[0].display
    '¿qué?'
    """

    def __init__(self) -> None:
        super().__init__()
        self._pending = ""

    def add(self, word: SpokenWord) -> None:
        """Add a word, with the marks that wait for it."""
        if self._pending:
            word.display = self._pending + (word.text if word.display is None else word.display)
            self._pending = ""
        self.append(word)

    def mark(self, mark: str, *, to_next: bool = False) -> None:
        """Add a mark to the word before it, or, if there is none or `to_next`, after it."""
        mark = mark.strip()
        if mark and (to_next or self._pending or not attach_punctuation(self, mark)):
            self._pending += mark

    def close(self) -> None:
        """Give marks that still wait for a word to the last one."""
        attach_punctuation(self, self._pending)
        self._pending = ""


class Answer:
    """The answer of one service while it is read.

    Attributes
    ----------
    source: the input.
    service: how messages call the service.
    counts: what was placed, passed over and masked.
    spoke: whether anything at all was recognised, or the service said plainly that nothing was.
    latest_ns: the latest end of a word so far, in nanoseconds.
    silent: final results without a word, of which no segment is made.
    """

    def __init__(self, source: Source, service: str, code: str) -> None:
        self.source = source
        self.service = service
        self.code = code
        self.counts = ReadingCounts(source)
        self.spoke = False
        self.latest_ns = 0
        self.silent = 0
        self._first_error: SyntaxFormatError | None = None
        self._overlaps = 0
        self._backward = 0
        self._hypotheses_left_out = 0

    def each(self, values: Iterable[JsonValue], take: Callable[[JsonValue], None]) -> None:
        """Call `take` for every value; in lenient reading pass over those that are wrong."""
        for value in values:
            try:
                take(value)
            except SyntaxFormatError as error:
                self._first_error = self._first_error or error
                self.source.log.reject(f"{self.code}-RECORD", error)

    def require_alone(self, value: JsonValue) -> None:
        """Refuse a whole transcript that stands beside others.

        Raises
        ------
        SyntaxFormatError
        """
        if len(value.document.values) > 1:
            raise value.error("one transcript in the file", "several JSON values")

    def set_property(self, name: str, value: str | None) -> None:
        """What the file says of itself by name; the first word counts."""
        if value:
            self.source.properties.setdefault(name, value)

    def set_duration(self, duration_ns: int) -> None:
        """The length of the audio; the longest counts."""
        known = self.source.properties.get("duration")
        text = format_time(duration_ns, 3)
        if known is None or float(known) < float(text):
            self.source.properties["duration"] = text

    def other_language(self, language: str | None) -> dict[str, str]:
        """Segment properties for a language: empty if it is that of the file."""
        self.set_property("language", language)
        if language is None or language == self.source.properties.get("language"):
            return {}
        return {"language": language}

    def segment(
        self,
        items: Sequence[WordItem],
        *,
        channel: str | None = None,
        speaker: str | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        low_ns: int | None = None,
        high_ns: int | None = None,
        confidence: float | None = None,
        properties: Mapping[str, str] | None = None,
        nbest: Sequence[Hypothesis] = (),
    ) -> Segment:
        """A segment of these words, counted; words without times are placed if others have some.

        `low_ns` and `high_ns` bound what is placed where the segment itself has no times.
        """
        words = single_words(items)
        lacking = [word for word in words if word.start_ns is None or word.end_ns is None]
        if words and not lacking:
            self._see_times(words)
        elif any(word.start_ns is not None for word in lacking) or len(lacking) < len(words):
            low = low_ns if start_ns is None else start_ns
            high = high_ns if end_ns is None else end_ns
            self.counts.interpolated += fill_times(words, low, high)
            self.counts.untimed += sum(1 for word in words if word.start_ns is None)
            self._see_times(words)
        self.counts.see_words([word.text for word in words])
        self.spoke = self.spoke or bool(words)
        return segment_of(
            self.source.recording,
            words,
            channel=channel,
            speaker=speaker,
            start_ns=start_ns,
            end_ns=end_ns,
            confidence=confidence,
            properties=properties,
            nbest=nbest,
        )

    def _see_times(self, words: Sequence[WordItem]) -> None:
        before = begun = 0
        for word in words:
            start, end = word.start_ns, word.end_ns
            if start is None or end is None:
                continue
            if start < begun:
                self._backward += 1
            elif start < before:
                self._overlaps += 1
            begun, before = start, end
            self.latest_ns = max(self.latest_ns, end)

    def turns(
        self,
        items: Sequence[SpokenWord],
        *,
        channel: str | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        confidence: float | None = None,
        properties: Mapping[str, str] | None = None,
        nbest: Sequence[Hypothesis] = (),
    ) -> Iterator[Segment]:
        """One segment, or where the speaker changes one for each turn.

        Turns have times, those of their words, where the whole has: a turn that stands alone keeps
        the times it was given. Other hypotheses of the whole belong to no turn: they are counted.
        """
        runs = speaker_runs(items)
        if len(runs) < 2:
            yield self.segment(
                items,
                channel=channel,
                speaker=items[0].speaker if items else None,
                start_ns=start_ns,
                end_ns=end_ns,
                confidence=confidence,
                properties=properties,
                nbest=nbest,
            )
            return
        self._hypotheses_left_out += len(nbest)
        is_timed = start_ns is not None
        for number, run in enumerate(runs):
            low = runs[number - 1][-1].end_ns if number else start_ns
            high = runs[number + 1][0].start_ns if number + 1 < len(runs) else end_ns
            made = self.segment(
                run,
                channel=channel,
                speaker=run[0].speaker,
                low_ns=low,
                high_ns=high,
                confidence=confidence,
                properties=properties,
            )
            yield with_extent(made) if is_timed else made

    def finish(self, document: JsonDocument) -> None:
        """Say what was counted, and refuse a file in which nothing was recognised.

        Raises
        ------
        SyntaxFormatError: no final result, or no words; in lenient reading only recorded, unless
            all there was has been skipped as wrong.
        """
        log = self.source.log
        document.note_unknown()
        self.counts.tell()
        if self.silent:
            log.note("SILENT", f"final results without words: {self.silent}")
        if self._overlaps:
            log.note(
                "WORD-OVERLAP", f"words that begin before the one before ends: {self._overlaps}"
            )
        if self._backward:
            log.note(
                "WORD-ORDER", f"words that begin before the one before begins: {self._backward}"
            )
        if self._hypotheses_left_out:
            log.warn(
                "NBEST-TURNS",
                f"other hypotheses of results with several speakers, not kept: "
                f"{self._hypotheses_left_out}",
            )
        self._check_unit()
        if self.spoke or not document.values:
            self.source.is_silent = self.spoke
            return
        if self._first_error is not None:
            raise self._first_error
        if self.counts.partial:
            found = f"only results that are not final: {self.counts.partial}"
            error = SyntaxFormatError(path=self.source.name, expected="final results", found=found)
        else:
            error = SyntaxFormatError(
                f"expected words, found an empty result of {self.service}: it cannot be told from "
                "a failed job (lenient reading takes it for silence)",
                path=self.source.name,
            )
        log.reject("EMPTY-RESULT", error)

    def _check_unit(self) -> None:
        """Compare the last word with the length of the audio, where both are known."""
        known = self.source.properties.get("duration")
        duration_ns = 0 if known is None else round(float(known) * SECOND)
        if not duration_ns or self.latest_ns <= duration_ns + SECOND:
            return
        ratio = self.latest_ns / duration_ns
        seen = f"the last word ends at {format_time(self.latest_ns)} s, the audio at {known} s"
        likely = [name for factor, name in UNITS if 0.8 * factor <= ratio <= 1.05 * factor]
        if likely:
            self.source.log.warn("UNIT?", f"{seen}: the times may be {likely[0]}")
        else:
            self.source.log.warn("BEYOND-AUDIO", seen)


def messages(document: JsonDocument) -> Iterator[JsonValue]:
    """The top-level values, and the elements of those that are lists."""
    for value in document.values:
        if isinstance(value.value, list):
            yield from value.elements()
        else:
            yield value


def speaker_runs(items: Sequence[SpokenWord]) -> list[list[SpokenWord]]:
    """Words of one speaker after one another, run by run.

    >>> words = [SpokenWord("hi", speaker="0"), SpokenWord("oh", speaker="1")]
    >>> [[word.text for word in run] for run in speaker_runs(words)]
    [['hi'], ['oh']]
    """
    runs: list[list[SpokenWord]] = []
    for item in items:
        if runs and runs[-1][0].speaker == item.speaker:
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs


def with_extent(segment: Segment) -> Segment:
    """The segment with the times of its words as its own."""
    starts = [start for start in segment.starts_ns or () if start is not None]
    ends = [end for end in segment.ends_ns or () if end is not None]
    if not starts or not ends:
        return segment
    return segment.replace(start_ns=min(starts), end_ns=max(ends))
