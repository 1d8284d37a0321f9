"""What sclite's reports are drawn from, made of the scores of any two files.

Text becomes byte text: the bytes of UTF-8, one character each. Blanks inside a word or a name
become `_`, and control characters are escaped, since NIST's reports are cut at blanks and lines.
Times, confidences, labels and the spans of segments are there if the scores keep their sources
(`keep_sources`); a word that normalisation or the unit has made has those of the word it was made
of, where that can be told.
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
from scoring.model import CHARACTER_UNITS
from scoring.rates.side_details import ReportSide
from scoring.rates.sources import Sources, WordOrigin

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.rates.result import Rates

NULL = "@"
NO_NAME = "-"


def system_of(rates: Rates, title: str | None = None, first_sequence: int = 0) -> System:
    """The scores of one hypothesis as sclite's reports want them.

    Utterances that have times and no name are called as sclite calls them: after their speaker, or
    after recording and channel where nobody says who speaks.
    """
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
    common = 0 if rules.ignore_case else CASE_SENSITIVE
    common |= CHARACTER_ALIGNED * (rules.unit in CHARACTER_UNITS)
    spans = [
        None
        if one is None or one.start_ns is None or one.end_ns is None
        # sclite has seconds
        else (one.start_ns / 1e9, one.end_ns / 1e9)
        for one in references
    ]
    attributes = array("H", [common]) * count
    heard_spans = [_span(words) for words in sources.heard] or [None] * count
    for bit, known in (
        (HYPOTHESIS_SPAN, [one is not None for one in heard_spans]),
        (REFERENCE_SPAN, [one is not None for one in spans]),
        (REFERENCE_TIMES, left.timed),
        (HYPOTHESIS_TIMES, right.timed),
        (REFERENCE_CONFIDENCES, left.confident),
        (HYPOTHESIS_CONFIDENCES, right.confident),
    ):
        for at, is_known in enumerate(known):
            attributes[at] |= bit * is_known
    placed = [one if one is not None and is_placed(one) else None for one in references]
    owners, identifiers = _names(rates, references, name)
    speakers = {owner: number for number, owner in enumerate(dict.fromkeys(owners))}

    def texts(text: Callable[[Segment], str | None]) -> list[str | None] | None:
        return [None if one is None else text(one) for one in placed] if any(placed) else None

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
        utterances=Utterances(
            identifiers,
            array("i", map(speakers.__getitem__, owners)),
            attributes,
            range(first_sequence, first_sequence + count),
            texts(lambda one: f"<{name(','.join(one.labels))}>" if one.labels else None),
            texts(lambda one: name(one.recording)),
            texts(lambda one: name(one.channel or NO_NAME)),
            array("d", [0.0 if one is None else one[0] for one in spans]),
            array("d", [0.0 if one is None else one[1] for one in spans]),
            array("d", [0.0 if one is None else one[0] for one in heard_spans]),
            array("d", [0.0 if one is None else one[1] for one in heard_spans]),
            [_streams(*one, name) for one in zip(sources.heard, hypotheses, strict=True)]
            if sources.heard
            else None,
        ),
        vocabulary=Vocabulary(numbered.types, _changed(str.upper), lower=_changed(str.lower)),
        reference=left.words,
        hypothesis=right.words,
        edits=bytes(rates.aligned.edits),
        edit_offsets=rates.aligned.offsets,
        counts=array("i", bytes(rates.aligned.counts.array)),
    )


def _span(words: Sequence[WordOrigin]) -> tuple[float, float] | None:
    """Seconds from the first to the last word; None where no word has times."""
    starts = [one.start_ns for one in words if one.start_ns is not None]
    ends = [one.end_ns for one in words if one.end_ns is not None]
    return (min(starts) / 1e9, max(ends) / 1e9) if starts and ends else None


def _streams(
    words: Sequence[WordOrigin], segment: Segment | None, shown: Callable[[str], str]
) -> str | None:
    """What an utterance is compared with: its stream, or those that its words are on."""
    names = dict.fromkeys(one.speaker for one in words)
    if segment is not None and segment.speaker is not None:
        names.setdefault(segment.speaker)
    return ",".join(map(shown, names)) or None


def _changed(change: Callable[[str], str]) -> Callable[[str], str]:
    """A change of case for byte text."""

    def changed(text: str) -> str:
        return change(readable(text)).encode("utf-8", "surrogateescape").decode("latin-1")

    return changed


def _definitions(keyword: str, defined: Iterable[object]) -> list[LabelDefinition]:
    from formats.words import Definition as Line

    texts = [
        tuple(text.encode().decode("latin-1") for text in (one.id, one.title, one.description))
        for one in defined
        if isinstance(one, Line) and one.keyword == keyword
    ]
    return [LabelDefinition(*each) for each in texts]


def is_placed(segment: Segment) -> bool:
    """Whether it is known where the segment stands in its recording."""
    return segment.start_ns is not None or segment.starts_ns is not None


def readable(byte_text: str) -> str:
    """Byte text as people read it; bytes that are no text survive."""
    return byte_text.encode("latin-1").decode("utf-8", "surrogateescape")


class _WordTypes:
    """Numbers the distinct words of both sides."""

    def __init__(self, shown: Callable[[str], str], shows_optional: bool) -> None:
        self.types: list[WordType] = []
        self.shows_optional = shows_optional
        self._shown = shown
        self._numbers: dict[tuple[str, bool], int] = {}

    def number(self, word: str, optional: bool = False) -> int:
        """The number of a word; one that may be left out is written in parentheses."""
        number = self._numbers.get((word, optional))
        if number is None:
            text = self._shown(word)
            spoken = f"({text})" if optional else text
            number = self._numbers[word, optional] = len(self.types)
            self.types.append(WordType(spoken, (None, None), text, word == NULL, optional, False))
        return number


class _Known(NamedTuple):
    """The words of a side, and for each utterance whether all have times, and confidences.

    If no word of the side has any, no utterance has, not even one without words.
    """

    words: Words
    timed: bytearray
    confident: bytearray


def _words(side: ReportSide, numbered: _WordTypes) -> _Known:
    """The words of one side, with what is known of the words they were made of."""
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
        known = list(side.known_of(tuple(texts), segment))
        timed.append(all(None not in (one.start_ns, one.end_ns) for one in known))
        confident.append(all(one.confidence is not None for one in known))
        for start_ns, end_ns, confidence in known:
            start, length = start_ns or 0, (end_ns or 0) - (start_ns or 0)
            starts.append(start / 1e9)
            # sclite adds lengths to starts, which may end a bit elsewhere
            finishes.append(start / 1e9 + length / 1e9)
            confidences.append(confidence or 0.0)
    for flags in (timed, confident):
        if not any(
            flag and one < two for flag, (one, two) in zip(flags, pairwise(bounds), strict=True)
        ):
            flags[:] = bytes(len(flags))
    words = Words(types, bounds[:-1], bounds[1:])
    if any(timed):
        words = words._replace(starts=starts, finishes=finishes)
    if any(confident):
        words = words._replace(confidences=array("d", confidences))
    return _Known(words, timed, confident)


def _names(
    rates: Rates, segments: Sequence[Segment | None], shown: Callable[[str], str]
) -> tuple[list[str], list[str]]:
    """Of each utterance the speaker, or the group in its place, and the name in parentheses."""
    owners: list[str] = []
    identifiers: list[str] = []
    counts: Counter[str] = Counter()
    for name, speaker, segment in zip(rates.identifiers, rates.speakers, segments, strict=True):
        owner, digits = NO_NAME if speaker is None else shown(speaker), 3
        placed = segment is not None and is_placed(segment)
        if speaker is None and segment is not None:
            owner = shown(segment.recording)
            if placed:
                owner, digits = f"{owner}-{shown(segment.channel or NO_NAME)}", 4
        if placed and segment is not None and segment.utterance is None:
            identifiers.append(f"({owner}-{counts[owner]:0{digits}d})")
        else:
            identifiers.append(f"({shown(name)})")
        counts[owner] += 1
        owners.append(owner)
    if rates.groups:
        owners = [NO_NAME if one is None else shown(one) for one in rates.group_names()]
    return owners, identifiers
