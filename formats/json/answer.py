"""Shared code for reading the answers of recognition services.

The answer of a failed job causes an error with the service's own message, never an empty
hypothesis. Partial results are skipped and counted; a file with only partial results is an error.
Words keep the speakers and the order that the service gave them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from operator import gt, itemgetter
from typing import Any, TypeVar

from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.messages import NBEST_TURNS, SILENT, WORD_ORDER, WORD_ORPHANS, WORD_OVERLAP
from formats.json.shapes import Names
from formats.json.spoken_words import Parent, RecognizedWords, SpokenWord, owners_of, speaker_runs
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import OpenSpan, Reading
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time

Result = TypeVar("Result")


MOST_HYPOTHESES = 1000


class Answer(Reading):
    """The state of reading one answer of a recognition service."""

    def __init__(self, source: Source, service: str, code: str) -> None:
        super().__init__(source)
        self.service = service
        self.code = code
        self.spoke = False
        self.silent = 0

    def each_word(self, owner: JsonValue, name: str, names: Names) -> list[SpokenWord]:
        """Return the words of a JSON list. Lenient reading skips invalid words."""
        code = f"{self.code}-RECORD"
        words = names.read_all(owner.get(name), lambda error: self.source.log.reject(code, error))
        self.source.log.accept(code, len(words))
        return words

    def hypotheses(self, value: JsonValue) -> list[tuple[float | None, Any]]:
        """Return all hypotheses except the best, each as a pair of its confidence and its words."""
        best, *others = [
            (choice.confidence_of("confidence"), choice.text_of("transcript") or "")
            for choice in value.elements("alternatives")
        ]
        nbest = [(sure, tuple(cut_text(text))) for sure, text in others]
        return [best, *checked_hypotheses(value, nbest)]

    def each_value(
        self, owner: JsonValue, name: str, read: Callable[[JsonValue], Result]
    ) -> list[Result]:
        """Apply `read` to each element of a list; return the results.

        Lenient reading skips elements for which `read` fails.
        """
        return self.gather(owner.elements(name), lambda value: [read(value)])

    def gather(
        self, values: Iterable[JsonValue], read: Callable[[JsonValue], Iterable[Result]]
    ) -> list[Result]:
        """Apply `read` to each value; return the results of all values in one list.

        Lenient reading skips values for which `read` fails.
        """
        return list(self.source.log.accepted(f"{self.code}-RECORD", read, values))

    def require_alone(self, value: JsonValue) -> None:
        """Reject a file in which other JSON values follow a complete transcript."""
        if len(value.document.top) > 1:
            raise value.error("one transcript in the file", "several JSON values")

    def set_property(self, name: str, value: str | None) -> None:
        """Set a property of the file, unless it is set already."""
        if value:
            self.source.properties.setdefault(name, value)

    def set_duration(self, duration_ns: int) -> None:
        """Set the duration of the audio, unless a longer duration is set already."""
        text = format_time(duration_ns, 3)
        if float(self.source.properties.get("duration", -1)) < float(text):
            self.source.properties["duration"] = text

    def other_language(self, language: str | None) -> dict[str, str]:
        """Return a segment's language as a property, unless it is the language of the file."""
        self.set_property("language", language)
        if language is None or language == self.source.properties.get("language"):
            return {}
        return {"language": language}

    def _see(
        self, words: Sequence[str], starts: Sequence[int | None], ends: Sequence[int | None]
    ) -> None:
        """Count words, overlapping words, and words in the wrong order. Times are nanoseconds."""
        super()._see(words, starts, ends)
        self.spoke = self.spoke or bool(words)
        if None not in starts and None not in ends and not any(map(gt, (0, *ends), starts)):  # type: ignore[arg-type]
            self.latest_ns = max((self.latest_ns, *ends))  # type: ignore[assignment, type-var]
            return  # as a rule: each word begins where the one before it has ended, or later
        before = begun = 0
        for start, end in zip(starts, ends, strict=True):
            if start is None or end is None:
                continue
            if start < begun:
                self.count(WORD_ORDER)
            elif start < before:
                self.count(WORD_OVERLAP)
            begun, before = start, end
            self.latest_ns = max(self.latest_ns, end)

    def turns(
        self,
        items: Sequence[SpokenWord],
        *,
        span: OpenSpan = (None, None),
        nbest: Sequence[RecognizedWords] = (),
        **fields: Any,
    ) -> Iterator[Segment]:
        """Yield one segment per turn. A turn ends where the speaker changes."""
        runs = speaker_runs(items)
        if len(runs) < 2:
            speaker = items[0].speaker if items else None
            yield self.segment(items, speaker=speaker, span=span, nbest=nbest, **fields)
            return
        self.count(NBEST_TURNS, len(nbest))
        for number, run in enumerate(runs):
            low = runs[number - 1][-1].end_ns if number else span[0]
            high = runs[number + 1][0].start_ns if number + 1 < len(runs) else span[1]
            segment = self.segment(run, speaker=run[0].speaker, low_ns=low, high_ns=high, **fields)
            yield segment if span[0] is None else with_extent(segment)

    def within_parents(
        self, words: Sequence[SpokenWord], parents: Sequence[Parent], **fields: Any
    ) -> Iterator[Segment]:
        """Yield a segment for each utterance in `parents`, with its words.

        Words that belong to no utterance form additional segments.
        """
        owners = owners_of(words, parents)
        pairs = zip(words, owners, strict=True)
        groups = [
            (owner, [word for word, _ in group]) for owner, group in groupby(pairs, itemgetter(1))
        ]
        parts = Counter(owner for owner, _ in groups)
        for owner, group in groups:
            parent = Parent(None, None, None, ()) if owner is None else parents[owner]
            is_whole = owner is not None and parts[owner] == 1
            span = (parent.start_ns, parent.end_ns) if is_whole else (None, None)
            for segment in self.turns(group, span=span, confidence=parent.confidence, **fields):
                yield segment if is_whole else with_extent(segment)
        if orphans := owners.count(None):
            self.source.log.say(WORD_ORPHANS, words=orphans)

    def finish(self, document: JsonDocument) -> None:
        """Report the counts.

        Reject a file without words, unless the service says that there was silence.
        """
        log = self.source.log
        document.note_unknown()
        self.report()
        if self.silent:
            log.say(SILENT, results=self.silent)
        length = float(self.source.properties.get("duration", 0))
        self.check_unit(round(length * SECOND), reports_excess=True)
        if self.spoke or not document.top:
            self.source.is_silent = self.spoke
            return
        if log.first_error is not None:
            raise log.first_error
        if self.partial:
            self.refuse_partial("EMPTY-RESULT")
            return
        error = SyntaxFormatError(
            f"expected words, found an empty result of {self.service}: it looks like "
            "a failed job (lenient reading reads it as silence)",
            path=self.source.name,
        )
        log.reject("EMPTY-RESULT", error)


def reader(
    service: str, code: str, read_message: Callable[[JsonValue, Answer], Iterable[Segment]]
) -> Callable[[Source], Iterator[Segment]]:
    """Create the reader of a service's format. `read_message` yields the segments of one message.

    A message may be a whole transcript.
    """

    def read(source: Source) -> Iterator[Segment]:
        document = JsonDocument(source, streams=True)
        answer = Answer(source, service, code)
        for value in document.messages:
            yield from read_message(value, answer)
        answer.finish(document)

    return read


def parent_of(value: JsonValue, names: Names) -> Parent:
    """Return the times of an utterance, and the times of each word that it lists."""
    spans = list(map(names.span, value.elements("words")))
    return Parent(*names.span(value), value.confidence_of("confidence"), spans)


def likeliest(value: JsonValue) -> JsonValue:
    """Return the first element of ``alternatives``; an empty list is an error."""
    best = next(value.elements("alternatives"), None)
    if best is None:
        raise value.error('"alternatives" with an element', "none")
    return best


def with_extent(segment: Segment) -> Segment:
    """Return the segment; its times become the start of its first word and the end of its last."""
    starts = [start for start in segment.starts_ns or () if start is not None]
    ends = [end for end in segment.ends_ns or () if end is not None]
    if not starts or not ends:
        return segment
    return segment.replace(start_ns=min(starts), end_ns=max(ends))


def checked_hypotheses(
    value: JsonValue, nbest: Sequence[RecognizedWords]
) -> Sequence[RecognizedWords]:
    """Return the hypotheses; raise an error for more than a thousand."""
    if len(nbest) > MOST_HYPOTHESES:
        raise value.error(f"at most {MOST_HYPOTHESES} hypotheses", str(len(nbest)))
    return nbest


def require_success(
    value: JsonValue, names: Sequence[str], success: Sequence[str], reasons: Sequence[str]
) -> None:
    """Reject an answer that reports a failure.

    The status is in the members `names`; it must be in `success`. The reason is in one of the
    members `reasons`.
    """
    status = value.get(*names)
    if status is not None and status.name().lower() not in map(str.lower, success):
        message = message_of(value, *reasons)
        found = quoted(status.name()) + (f": {message}" if message else "")
        raise status.error(f'"{success[0]}"', found)


def refuse_error(value: JsonValue, *names: str) -> None:
    """Reject an answer that has one of the given error members."""
    trouble = value.get(*names)
    if trouble is not None and trouble.value not in ("", [], {}, False, 0):
        message = message_of(value, *names)
        raise trouble.error("a transcript", f"an error of the service: {message}")


def message_of(value: JsonValue, *names: str) -> str:
    """Return the service's error message: the text in the first of these members."""
    members = (member for name in names if (member := value.get(name)) is not None)
    return "; ".join(dict.fromkeys(filter(None, map(_flat, members))))


def _flat(value: JsonValue) -> str:
    if isinstance(value.value, dict):
        return ": ".join(filter(None, (_flat(v) for _, v in list(value.members())[:8])))
    if isinstance(value.value, list):
        return ", ".join(filter(None, (_flat(v) for v in list(value.elements())[:8])))
    text = str(value.value)
    return "".join(c if c.isprintable() else " " for c in text)[:200]
