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
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING

from scoring.alignment.numbered import WordType
from scoring.alignment.system import (
    CASE_SENSITIVE,
    CHARACTER_ALIGNED,
    HYPOTHESIS_CONFIDENCES,
    HYPOTHESIS_TIMES,
    REFERENCE_CONFIDENCES,
    REFERENCE_SPAN,
    REFERENCE_TIMES,
    Definition,
    System,
    Utterances,
    Vocabulary,
    Words,
)
from scoring.pages.html.side import Side
from scoring.pages.terminal import shown

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.scored.rates import ErrorRates

NULL = "@"
NO_NAME = "-"
_UNTAGGED = (None, None)


def system_of(rates: ErrorRates, title: str | None = None, first_sequence: int = 0) -> System:
    """The scores of one hypothesis as sclite's reports want them.

    Utterances that have times and no name are called as sclite calls them: after their speaker, or
    after recording and channel where nobody says who speaks.

    Parameters
    ----------
    title
        As reports print it; None: the path of the hypothesis.
    first_sequence
        Running number of the first utterance, where several systems stand in one report.
    """
    sources = rates.sources
    count = len(rates)
    ignore_case = rates.rules.ignore_case
    references: Sequence[Segment | None] = sources.references if sources else [None] * count
    hypotheses: Sequence[Segment | None] = sources.hypotheses if sources else [None] * count
    # sclite without `-s` takes whole files for lower case, names included
    name = _in_lower_case if ignore_case else printable
    words = _WordTypes(name, rates.rules.forgive_optional)
    pipeline = sources.pipeline if sources else None
    left, right = (
        _Columns(Side(scored, segments, side, pipeline, rates.rules.unit), words)
        for scored, segments, side in (
            (rates.aligned.references, references, "reference"),
            (rates.aligned.hypotheses, hypotheses, "hypothesis"),
        )
    )
    common = 0 if ignore_case else CASE_SENSITIVE
    if rates.rules.unit in ("char", "grapheme"):
        common |= CHARACTER_ALIGNED
    spans = [_span(one) for one in references]
    attributes = array("H", [common]) * count
    for bit, known in (
        (REFERENCE_SPAN, [one is not None for one in spans]),
        (REFERENCE_TIMES, left.all_timed()),
        (HYPOTHESIS_TIMES, right.all_timed()),
        (REFERENCE_CONFIDENCES, left.all_confident()),
        (HYPOTHESIS_CONFIDENCES, right.all_confident()),
    ):
        for at, is_known in enumerate(known):
            attributes[at] |= bit * is_known
    names = _Names(name)
    for identifier, speaker, segment in zip(
        rates.identifiers, rates.speakers, references, strict=True
    ):
        names.add(identifier, speaker, segment)
    if rates.groups:
        # what reports show by speaker they show by group
        names.regroup(rates.group_names())
    placed = [one if one is not None and is_placed(one) else None for one in references]
    defined = sources.definitions if sources else ()
    return System(
        title=printable(rates.hypothesis.path if title is None else title),
        reference_name=printable(rates.reference.path),
        hypothesis_name=printable(rates.hypothesis.path),
        creation_date=time.ctime(),
        fragments_correct=False,
        optional_deletable=rates.rules.forgive_optional,
        weights_name=None,
        labels=_definitions("LABEL", defined),
        categories=_definitions("CATEGORY", defined),
        speakers=names.speakers,
        utterances=Utterances(
            names.identifiers,
            names.numbers,
            attributes,
            range(first_sequence, first_sequence + count),
            _texts(placed, lambda one: f"<{name(','.join(one.labels))}>" if one.labels else None),
            _texts(placed, lambda one: name(one.recording)),
            _texts(placed, lambda one: name(one.channel or NO_NAME)),
            array("d", [0.0 if one is None else one[0] for one in spans]),
            array("d", [0.0 if one is None else one[1] for one in spans]),
        ),
        vocabulary=Vocabulary(words.types, _changed(str.upper), lower=_changed(str.lower)),
        reference=left.words(),
        hypothesis=right.words(),
        edits=bytes(rates.aligned.edits),
        edit_offsets=rates.aligned.offsets,
        counts=array("i", bytes(rates.aligned.counts.array)),
    )


def printable(text: str) -> str:
    """Byte text in one piece, as sclite's words are; nothing at all becomes `_`.

    >>> printable("new york"), printable("")
    ('new_york', '_')
    """
    if not (text.isascii() and text.isalnum()):
        text = "_".join(shown(text).split()) or "_"
    return text.encode("utf-8", "backslashreplace").decode("latin-1")


def _in_lower_case(text: str) -> str:
    return printable(text.lower())


def _changed(change: Callable[[str], str]) -> Callable[[str], str]:
    """A change of case for byte text."""

    def changed(text: str) -> str:
        known = text.encode("latin-1").decode("utf-8", "surrogateescape")
        return change(known).encode("utf-8", "surrogateescape").decode("latin-1")

    return changed


def _definitions(keyword: str, defined: Iterable[object]) -> list[Definition]:
    from formats.words import Definition as Line

    texts = [
        tuple(text.encode().decode("latin-1") for text in (one.id, one.title, one.description))
        for one in defined
        if isinstance(one, Line) and one.keyword == keyword
    ]
    return [Definition(*each) for each in texts]


def _span(segment: Segment | None) -> tuple[float, float] | None:
    if segment is None or segment.start_ns is None or segment.end_ns is None:
        return None
    return segment.start_ns / 1e9, segment.end_ns / 1e9


def is_placed(segment: Segment) -> bool:
    """Whether it is known where the segment stands in its recording."""
    return segment.start_ns is not None or segment.starts_ns is not None


def _optional_words(segment: Segment | None) -> Collection[str]:
    if segment is None or segment.optional is None:
        return ()
    return set(compress(segment.words, segment.optional))


def _texts(
    segments: Sequence[Segment | None], text: Callable[[Segment], str | None]
) -> list[str | None] | None:
    """A column of texts; None if there is no segment to take them from."""
    if not any(segments):
        return None
    return [None if one is None else text(one) for one in segments]


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
            self.types.append(WordType(spoken, _UNTAGGED, text, word == NULL, optional, False))
        return number


class _Columns:
    """The words of one side, with what is known of the words they were made of."""

    def __init__(self, side: Side, words: _WordTypes) -> None:
        self._side = side
        self._types = array("i")
        self._begins = array("q")
        self._ends = array("q")
        self._starts = array("d")
        self._finishes = array("d")
        # single precision, as sclite keeps them
        self._confidences = array("f")
        self._timed = bytearray()
        self._confident = bytearray()
        for texts, segment in zip(side.scored, side.segments, strict=True):
            self._add(tuple(texts), segment, words)

    def _add(self, texts: tuple[str, ...], segment: Segment | None, words: _WordTypes) -> None:
        self._begins.append(len(self._types))
        forgiven = _optional_words(segment) if words.shows_optional else ()
        self._types.extend([words.number(text, text in forgiven) for text in texts])
        self._ends.append(len(self._types))
        nothing: tuple[None, ...] = (None,) * len(texts)
        starts: Sequence[int | None] = nothing
        ends: Sequence[int | None] = nothing
        confidences: Sequence[float | None] = nothing
        if segment is not None and texts == segment.words:
            starts = segment.starts_ns or nothing
            ends = segment.ends_ns or nothing
            confidences = segment.confidences or nothing
        elif segment is not None and texts:
            known = self._side.known_of(texts, segment)
            starts, ends, confidences = zip(*known, strict=True)
        self._timed.append(None not in starts and None not in ends)
        self._starts.extend([(one or 0) / 1e9 for one in starts])
        # sclite adds lengths to starts, which may end a bit elsewhere
        self._finishes.extend(
            [
                (one or 0) / 1e9 + ((two or 0) - (one or 0)) / 1e9
                for one, two in zip(starts, ends, strict=True)
            ]
        )
        self._confident.append(None not in confidences)
        self._confidences.extend([one or 0.0 for one in confidences])

    def all_timed(self) -> Sequence[bool]:
        """For each utterance whether all its words have times; of none if no side's word has."""
        return self._if_any(self._timed)

    def all_confident(self) -> Sequence[bool]:
        """For each utterance whether all its words have confidences."""
        return self._if_any(self._confident)

    def _if_any(self, known: bytearray) -> Sequence[bool]:
        spoken = map(int.__lt__, self._begins, self._ends)
        is_any = any(map(min, known, spoken))
        return [bool(one) and is_any for one in known]

    def words(self) -> Words:
        timed, confident = any(self.all_timed()), any(self.all_confident())
        return Words(
            self._types,
            self._begins,
            self._ends,
            self._starts if timed else None,
            self._finishes if timed else None,
            array("d", self._confidences) if confident else None,
        )


class _Names:
    """Identifiers in parentheses, and speakers in order of first appearance."""

    def __init__(self, shown: Callable[[str], str]) -> None:
        self._shown = shown
        self.speakers: list[str] = []
        self.identifiers: list[str] = []
        self.numbers = array("i")
        self._known: dict[str, int] = {}
        self._counts: list[int] = []

    def add(self, identifier: str, speaker: str | None, segment: Segment | None) -> None:
        """Add an utterance."""
        name = NO_NAME if speaker is None else self._shown(speaker)
        placed = segment is not None and is_placed(segment)
        digits = 3
        if speaker is None and segment is not None:
            name = self._shown(segment.recording)
            if placed:
                name = f"{name}-{self._shown(segment.channel or NO_NAME)}"
                digits = 4
        number = self._known.setdefault(name, len(self.speakers))
        if number == len(self.speakers):
            self.speakers.append(name)
            self._counts.append(0)
        if placed and segment is not None and segment.utterance is None:
            self.identifiers.append(f"({name}-{self._counts[number]:0{digits}d})")
        else:
            self.identifiers.append(f"({self._shown(identifier)})")
        self._counts[number] += 1
        self.numbers.append(number)

    def regroup(self, groups: Sequence[str | None]) -> None:
        """Let groups stand in the place of speakers."""
        shown = [NO_NAME if one is None else self._shown(one) for one in groups]
        places = {name: place for place, name in enumerate(dict.fromkeys(shown))}
        self.speakers = list(places)
        self.numbers = array("i", map(places.__getitem__, shown))
