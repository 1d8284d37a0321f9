"""The columns of sclite's reports, created from a result.

Text becomes byte text: UTF-8 with one character per byte. Blanks inside a word or a name become
`_`, and control characters are escaped, because NIST's programs split reports at blanks and at
line ends. If the result keeps its sources (`keep_sources`), times, confidences, labels and spans of
segments are included. If normalisation or the unit changed a word, the new word gets the time and
the confidence of the original word.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import compress, pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.alignment.numbered import NumberedWords, WordType
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
    readable,
)
from scoring.drawing.terminal import printable
from scoring.model.counts import AS_SKIPPED, CHARACTER_UNITS
from scoring.results.scored_side import ScoredSide
from scoring.results.sources import Sources, WordOrigin
from scoring.sides.corpus import lies_in_time

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.results import Rates

Escape: TypeAlias = Callable[[str], str]
SpeakerNames: TypeAlias = list[str | None] | None
SecondsFromTo: TypeAlias = tuple[float, float]  # in seconds

NULL = "@"
NO_NAME = "-"


def system_of(rates: Rates, title: str | None = None, first_sequence: int = 0) -> System:
    """Return the scores of one hypothesis as columns for sclite's reports.

    An utterance with times but without a name is named as in sclite: after its speaker, or, if the
    speaker is unknown, after its recording and channel.
    """
    rates.refuse_lengths("sclite's reports")
    rules, sources = rates.rules, rates.sources or Sources((), ())
    # sclite without `-s` takes whole files for lower case, names included
    name: Escape = (lambda text: printable(text.lower())) if rules.ignore_case else printable
    numbers = _WordNumbers(name)
    reference = ScoredSide(rates, "reference")
    left = _words(reference, numbers, rules.forgive_optional)
    right = _words(ScoredSide(rates, "hypothesis"), numbers, rules.forgive_optional)
    owners, identifiers = _names(rates, reference.segments, name)
    speakers = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}
    spans = list(map(_segment_span, reference.segments)), list(map(_span, sources.heard))
    attributes = array("H", [0 if rules.ignore_case else CASE_SENSITIVE]) * len(rates)
    flags: Mapping[int, Iterable[object]] = {
        CHARACTER_ALIGNED: [rules.unit in CHARACTER_UNITS] * len(rates),
        REFERENCE_TIMES: left.timed,
        HYPOTHESIS_TIMES: right.timed,
        REFERENCE_CONFIDENCES: left.confident,
        HYPOTHESIS_CONFIDENCES: right.confident,
        REFERENCE_SPAN: spans[0],
        HYPOTHESIS_SPAN: spans[1],
    }
    for bit, column in flags.items():
        for utterance, flag in enumerate(column):
            attributes[utterance] |= bit * bool(flag)
    places = _places(reference.segments, name)
    spoken, heard = map(_ends, spans)
    pairs = zip(sources.heard, sources.hypotheses if sources.heard else (), strict=True)
    return System(
        title=printable(rates.hypothesis.title if title is None else title),
        reference_name=printable(rates.reference.path),
        hypothesis_name=printable(rates.hypothesis.path),
        creation_date=time.ctime(),
        fragments_correct=False,
        optional_deletable=rules.forgive_optional,
        weights_name=None,
        labels=_definitions("LABEL", sources.definitions),
        categories=_definitions("CATEGORY", sources.definitions),
        speakers=list(speakers),
        utterances=Utterances(
            identifiers,
            array("i", map(speakers.__getitem__, owners)),
            attributes,
            range(first_sequence, first_sequence + len(rates)),
            *places,
            *spoken,
            *heard,
            [_streams(*pair, name) for pair in pairs] or None,
        ),
        vocabulary=Vocabulary(numbers.types, _changed(str.upper), lower=_changed(str.lower)),
        reference=left.words,
        hypothesis=right.words,
        edits=bytes(rates.aligned.edits).translate(AS_SKIPPED),
        offsets=array("q", rates.aligned.offsets),
        counts=rates.path_counts,
    )


def _places(
    references: Sequence[Segment | None], name: Escape
) -> tuple[SpeakerNames, SpeakerNames, SpeakerNames]:
    """Return the labels, recordings and channels of segments; None for what is unknown."""
    rows = [each if each is not None and lies_in_time(each) else None for each in references]
    if all(each is None for each in rows):
        return None, None, None
    return (
        [f"<{name(','.join(each.labels))}>" if each and each.labels else None for each in rows],
        [None if each is None else name(each.recording) for each in rows],
        [None if each is None else name(each.channel or NO_NAME) for each in rows],
    )


def _segment_span(segment: Segment | None) -> SecondsFromTo | None:
    """Return the span of a segment in seconds; None without times."""
    if segment is None or segment.start_ns is None or segment.end_ns is None:
        return None
    return segment.start_ns / 1e9, segment.end_ns / 1e9


def _ends(spans: Sequence[SecondsFromTo | None]) -> tuple[array[float] | None, array[float] | None]:
    """Return the start times and the end times of spans. A missing span counts as 0.

    Without any span, both are None.
    """
    if not any(spans):
        return None, None
    begins, ends = zip(*((0.0, 0.0) if span is None else span for span in spans), strict=True)
    return array("d", begins), array("d", ends)


def _span(words: Sequence[WordOrigin]) -> SecondsFromTo | None:
    """Return the start of the first timed word and the end of the last, in seconds, or None."""
    starts = [word.start_ns for word in words if word.start_ns is not None]
    ends = [word.end_ns for word in words if word.end_ns is not None]
    return (min(starts) / 1e9, max(ends) / 1e9) if starts and ends else None


def _streams(words: Sequence[WordOrigin], segment: Segment | None, escape: Escape) -> str | None:
    """Return the names of the hypothesis streams of an utterance, joined by commas."""
    names = dict.fromkeys(word.speaker for word in words)
    if segment is not None and segment.speaker is not None:
        names.setdefault(segment.speaker)
    return ",".join(map(escape, names)) or None


def _changed(change: Callable[[str], str]) -> Callable[[str], str]:
    """Return the function `change`, which changes case, as a function for byte text."""

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


class _WordNumbers(dict[str | tuple[str], int]):
    """A number for each word of both sides, in order of first appearance.

    Optional words have their own numbers.
    """

    def __init__(self, escape: Escape) -> None:
        super().__init__()
        self.types: list[WordType] = []
        self._escape = escape

    def __missing__(self, word: str | tuple[str]) -> int:
        optional = isinstance(word, tuple)
        plain = word[0] if isinstance(word, tuple) else word
        text = self._escape(plain)
        spoken = f"({text})" if optional else text
        self[word] = number = len(self.types)
        self.types.append(WordType(spoken, (None, None), text, plain == NULL, optional, False))
        return number


class _SideWords(NamedTuple):
    """The words of a side, and flags for each utterance.

    `timed` tells whether all words of an utterance have times, and `confident` whether all have
    confidences. A column is empty if no word of the side has a value.
    """

    words: NumberedWords
    timed: bytearray
    confident: bytearray


def _words(side: ScoredSide, numbers: _WordNumbers, marks_optional: bool) -> _SideWords:
    """Return the words of one side; each has the time and confidence of its original word."""
    types, bounds = array("i"), array("q", [0])
    starts, finishes = array("d"), array("d")
    confidences = array("f")  # single precision, as sclite keeps them
    timed, confident = bytearray(), bytearray()
    has_details = side.is_timed or side.is_confident
    for texts, segment in zip(side.words, side.segments, strict=True):
        if marks_optional and segment is not None and segment.optional is not None:
            optional = set(compress(segment.words, segment.optional))
            types.extend([numbers[(text,) if text in optional else text] for text in texts])
        else:
            types.extend(map(numbers.__getitem__, texts))
        bounds.append(len(types))
        if not has_details:
            continue
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
        spans = zip(flags, pairwise(bounds), strict=False)
        if not any(flag and begin < end for flag, (begin, end) in spans):
            flags.clear()
    words = NumberedWords(types, bounds[:-1], bounds[1:])
    if timed:
        words.starts, words.finishes = starts, finishes
    if confident:
        words.confidences = array("d", confidences)
    return _SideWords(words, timed, confident)


def _names(
    rates: Rates, segments: Sequence[Segment | None], escape: Escape
) -> tuple[list[str], list[str]]:
    """Return the speaker (or group) of each utterance, and each utterance's name in parentheses."""
    owners: list[str] = []
    identifiers: list[str] = []
    counts: Counter[str] = Counter()
    for name, speaker, segment in zip(rates.identifiers, rates.speakers, segments, strict=True):
        owner, digits = NO_NAME if speaker is None else escape(speaker), 3
        placed = segment is not None and lies_in_time(segment)
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
