"""The columns of sclite's reports, created from the scores of any two files.

Text becomes byte text: the bytes of UTF-8, one character each. Blanks inside a word or a name
become `_`, and control characters are escaped, since NIST's reports are cut at blanks and lines.
Times, confidences, labels and the spans of segments are there if the scores keep their sources
(`keep_sources`); a word that normalisation or the unit has changed has those of its origin, where
there is one.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import compress, pairwise
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.numbered import WordType
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_SPAN,
    HYPOTHESIS_TIMES,
    REFERENCE_CONFIDENCES,
    REFERENCE_SPAN,
    REFERENCE_TIMES,
    LabelDefinition,
    System,
    Utterances,
    Vocabulary,
    Words,
)
from scoring.drawing.terminal import printable
from scoring.model.counts import AS_SKIPPED, CHARACTER_UNITS
from scoring.results.side_details import ReportSide
from scoring.results.sources import Sources, WordOrigin

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.results.result import Rates

NULL = "@"
NO_NAME = "-"


def system_of(rates: Rates, title: str | None = None, first_sequence: int = 0) -> System:
    """The scores of one hypothesis as columns for sclite's reports.

    Utterances that have times and no name are named as by sclite: after their speaker, or after
    recording and channel where there is no speaker. Of a result of `sclite` itself, its own.
    """
    if rates.columns is not None and title is None and not first_sequence:
        return rates.columns
    rates.refuse_lengths("sclite's reports")
    count, rules, sources = len(rates), rates.rules, rates.sources or Sources((), ())
    references: Sequence[Segment | None] = sources.references or [None] * count
    hypotheses: Sequence[Segment | None] = sources.hypotheses or [None] * count
    # sclite without `-s` takes whole files for lower case, names included
    name = (lambda text: printable(text.lower())) if rules.ignore_case else printable
    numbered = _WordTypes(name, rules.forgive_optional)
    left, right = (
        _words(ReportSide(scored, segments, side, sources.pipeline, rules.unit), numbered)
        for scored, segments, side in (
            (rates.aligned.references, references, "reference"),
            (rates.aligned.hypotheses, hypotheses, "hypothesis"),
        )
    )
    owners, identifiers = _names(rates, references, name)
    speakers = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}
    return System(
        title=printable(rates.hypothesis.path if title is None else title),
        reference_name=printable(rates.reference.path),
        hypothesis_name=printable(rates.hypothesis.path),
        creation_date=time.ctime(),
        fragments_correct=False,
        optional_deletable=rules.forgive_optional,
        weights_name=None,
        labels=_definitions("LABEL", sources.definitions),
        categories=_definitions("CATEGORY", sources.definitions),
        speakers=list(speakers),
        utterances=_with_places(
            Utterances(
                identifiers,
                array("i", map(speakers.__getitem__, owners)),
                _attributes(rates, left, right),
                range(first_sequence, first_sequence + count),
            ),
            references,
            hypotheses,
            sources,
            name,
        ),
        vocabulary=Vocabulary(numbered.types, _changed(str.upper), lower=_changed(str.lower)),
        reference=left.words,
        hypothesis=right.words,
        edits=bytes(rates.aligned.edits).translate(AS_SKIPPED),
        edit_offsets=rates.aligned.offsets,
        counts=array("i", bytes(rates.aligned.counts.array)),
    )


def _attributes(rates: Rates, left: _SideWords, right: _SideWords) -> array[int]:
    """The bits of each utterance that do not depend on its span."""
    common = 0 if rates.rules.ignore_case else CASE_SENSITIVE
    common |= CHARACTER_ALIGNED * (rates.rules.unit in CHARACTER_UNITS)
    attributes = array("H", [common]) * len(rates)
    for bit, flags in (
        (REFERENCE_TIMES, left.timed),
        (HYPOTHESIS_TIMES, right.timed),
        (REFERENCE_CONFIDENCES, left.confident),
        (HYPOTHESIS_CONFIDENCES, right.confident),
    ):
        for utterance, flag in enumerate(flags):
            attributes[utterance] |= bit * flag
    return attributes


def _with_places(
    utterances: Utterances,
    references: Sequence[Segment | None],
    hypotheses: Sequence[Segment | None],
    sources: Sources,
    name: Callable[[str], str],
) -> Utterances:
    """The utterances with labels, recordings, channels, spans and streams, where there are any."""
    segments = [
        segment if segment is not None and is_placed(segment) else None for segment in references
    ]

    def texts(text: Callable[[Segment], str | None]) -> list[str | None] | None:
        if not any(segments):
            return None
        return [None if segment is None else text(segment) for segment in segments]

    spans = [_segment_span(segment) for segment in references]
    heard_spans = [_span(words) for words in sources.heard] or [None] * len(references)
    attributes = array("H", utterances.attributes)
    for bit, ranges in ((HYPOTHESIS_SPAN, heard_spans), (REFERENCE_SPAN, spans)):
        for utterance, span in enumerate(ranges):
            attributes[utterance] |= bit * (span is not None)
    begins, ends, heard_begins, heard_ends = (
        array("d", [0.0 if span is None else span[end] for span in ranges])
        for ranges in (spans, heard_spans)
        for end in (0, 1)
    )
    return utterances._replace(
        attributes=attributes,
        labels=texts(
            lambda segment: f"<{name(','.join(segment.labels))}>" if segment.labels else None
        ),
        files=texts(lambda segment: name(segment.recording)),
        channels=texts(lambda segment: name(segment.channel or NO_NAME)),
        span_begins=begins,
        span_ends=ends,
        hypothesis_span_begins=heard_begins,
        hypothesis_span_ends=heard_ends,
        streams=[_streams(*pair, name) for pair in zip(sources.heard, hypotheses, strict=True)]
        if sources.heard
        else None,
    )


def _segment_span(segment: Segment | None) -> tuple[float, float] | None:
    """The span of a segment in seconds, as sclite has it."""
    if segment is None or segment.start_ns is None or segment.end_ns is None:
        return None
    return segment.start_ns / 1e9, segment.end_ns / 1e9


def _span(words: Sequence[WordOrigin]) -> tuple[float, float] | None:
    """Seconds from the first to the last word; None where no word has times."""
    starts = [word.start_ns for word in words if word.start_ns is not None]
    ends = [word.end_ns for word in words if word.end_ns is not None]
    return (min(starts) / 1e9, max(ends) / 1e9) if starts and ends else None


def _streams(
    words: Sequence[WordOrigin], segment: Segment | None, escape: Callable[[str], str]
) -> str | None:
    """The stream that an utterance is compared with, or those of its words."""
    names = dict.fromkeys(word.speaker for word in words)
    if segment is not None and segment.speaker is not None:
        names.setdefault(segment.speaker)
    return ",".join(map(escape, names)) or None


def _changed(change: Callable[[str], str]) -> Callable[[str], str]:
    """A change of case for byte text."""

    def changed(text: str) -> str:
        return change(readable(text)).encode("utf-8", "surrogateescape").decode("latin-1")

    return changed


def _definitions(keyword: str, defined: Iterable[object]) -> list[LabelDefinition]:
    from formats.schema.words import Definition as Line

    texts = [
        tuple(text.encode().decode("latin-1") for text in (line.id, line.title, line.description))
        for line in defined
        if isinstance(line, Line) and line.keyword == keyword
    ]
    return [LabelDefinition(*each) for each in texts]


def is_placed(segment: Segment) -> bool:
    """True if the segment has a time in its recording."""
    return segment.start_ns is not None or segment.starts_ns is not None


def readable(byte_text: str) -> str:
    """Byte text as people read it; bytes that are no text survive."""
    return byte_text.encode("latin-1").decode("utf-8", "surrogateescape")


class _WordTypes:
    """Numbers the distinct words of both sides."""

    def __init__(self, escape: Callable[[str], str], shows_optional: bool) -> None:
        self.types: list[WordType] = []
        self.shows_optional = shows_optional
        self._escape = escape
        self._numbers: dict[tuple[str, bool], int] = {}

    def number(self, word: str, optional: bool = False) -> int:
        """The number of a word; one that may be omitted is written in parentheses."""
        number = self._numbers.get((word, optional))
        if number is None:
            text = self._escape(word)
            spoken = f"({text})" if optional else text
            number = self._numbers[word, optional] = len(self.types)
            self.types.append(WordType(spoken, (None, None), text, word == NULL, optional, False))
        return number


class _SideWords(NamedTuple):
    """The words of a side, and for each utterance whether all have times, and confidences.

    If no word of the side has any, no utterance has, not even an empty one.
    """

    words: Words
    timed: bytearray
    confident: bytearray


def _words(side: ReportSide, numbered: _WordTypes) -> _SideWords:
    """The words of one side, with times and confidences of their origins."""
    types, bounds = array("i"), array("q", [0])
    starts, finishes = array("d"), array("d")
    confidences = array("f")  # single precision, as sclite keeps them
    timed, confident = bytearray(), bytearray()
    for texts, segment in zip(side.scored, side.segments, strict=True):
        forgiven: Collection[str] = ()
        if numbered.shows_optional and segment is not None and segment.optional is not None:
            forgiven = set(compress(segment.words, segment.optional))
        types.extend([numbered.number(text, text in forgiven) for text in texts])
        bounds.append(len(types))
        details = list(side.known_of(tuple(texts), segment))
        timed.append(all(None not in (word.start_ns, word.end_ns) for word in details))
        confident.append(all(word.confidence is not None for word in details))
        for start_ns, end_ns, confidence in details:
            start, length = start_ns or 0, (end_ns or 0) - (start_ns or 0)
            starts.append(start / 1e9)
            # sclite adds lengths to starts, which may end a bit elsewhere
            finishes.append(start / 1e9 + length / 1e9)
            confidences.append(confidence or 0.0)
    for flags in (timed, confident):
        spans = zip(flags, pairwise(bounds), strict=True)
        if not any(flag and begin < end for flag, (begin, end) in spans):
            flags[:] = bytes(len(flags))
    words = Words(types, bounds[:-1], bounds[1:])
    if any(timed):
        words = words._replace(starts=starts, finishes=finishes)
    if any(confident):
        words = words._replace(confidences=array("d", confidences))
    return _SideWords(words, timed, confident)


def _names(
    rates: Rates, segments: Sequence[Segment | None], escape: Callable[[str], str]
) -> tuple[list[str], list[str]]:
    """The speaker of each utterance, or the group in its place, and the name in parentheses."""
    owners: list[str] = []
    identifiers: list[str] = []
    counts: Counter[str] = Counter()
    for name, speaker, segment in zip(rates.identifiers, rates.speakers, segments, strict=True):
        owner, digits = NO_NAME if speaker is None else escape(speaker), 3
        placed = segment is not None and is_placed(segment)
        if speaker is None and segment is not None:
            owner = escape(segment.recording)
            if placed:
                owner, digits = f"{owner}-{escape(segment.channel or NO_NAME)}", 4
        if placed and segment is not None and segment.utterance is None:
            identifiers.append(f"({owner}-{counts[owner]:0{digits}d})")
        else:
            identifiers.append(f"({escape(name)})")
        counts[owner] += 1
        owners.append(owner)
    if rates.groups:
        owners = [NO_NAME if group is None else escape(group) for group in rates.group_names()]
    return owners, identifiers
