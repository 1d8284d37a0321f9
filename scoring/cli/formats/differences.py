"""Differences of two transcripts in words, times and speakers, independent of formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from formats.schema import NamedTuple
from formats.schema.model import UNSPOKEN_KINDS, Segment
from formats.schema.words import Alternation as Choice
from formats.schema.words import Token
from scoring.alignment.sequences import align
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Alignment, Edit

MIRRORED = bytes.maketrans(
    bytes([Edit.DELETION, Edit.INSERTION]), bytes([Edit.INSERTION, Edit.DELETION])
)


class KnownWord(NamedTuple):
    """A word with its speaker, its line in the file and its times in nanoseconds.

    `times` are the start and end of the word, then those of its segment.
    """

    text: str
    times: tuple[int | None, int | None, int | None, int | None]
    speaker: str | None
    line: int | None

    @property
    def place_ns(self) -> int | None:
        """The time (ns) by which the word is sorted: its start, or else that of its segment.

        Only the first word of a segment has the segment's start. None if no start is known.
        """
        return self.times[0] if self.has_own_time else self.times[2]

    @property
    def has_own_time(self) -> bool:
        """True if the word itself has a start time."""
        return self.times[0] is not None


class RecordingPart(NamedTuple):
    """The words of a recording (or of one of its channels) on both sides."""

    name: str
    alignment: Alignment
    left: Sequence[KnownWord]
    right: Sequence[KnownWord]

    def pairs(self) -> Iterator[tuple[KnownWord, KnownWord]]:
        """Yield the pairs of equal words."""
        left, right = iter(self.left), iter(self.right)
        for code in self.alignment.edits:
            ours = None if code in NO_REFERENCE else next(left)
            theirs = None if code in NO_HYPOTHESIS else next(right)
            if ours is not None and theirs is not None and code == Edit.CORRECT:
                yield ours, theirs


@dataclass(frozen=True, slots=True)
class Differences:
    """The differences between two transcripts."""

    parts: Sequence[RecordingPart]
    times: Sequence[tuple[str, KnownWord, KnownWord, int]]
    speakers: dict[tuple[str, str], tuple[int, KnownWord, KnownWord]]
    lone: Counter[tuple[str, int]] = field(default_factory=Counter)

    @property
    def counts(self) -> Counter[str]:
        """The numbers of ``equal``, ``substituted``, ``deleted`` and ``inserted`` words."""
        every = b"".join(part.alignment.edits for part in self.parts)
        kinds = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
        names = ("equal", "substituted", "deleted", "inserted")
        return Counter({name: every.count(kind) for name, kind in zip(names, kinds, strict=True)})

    @property
    def are_there(self) -> bool:
        """True if words, times or speakers differ.

        A time or speaker that only one side has is no difference.
        """
        counts = self.counts
        return bool(counts.total() - counts["equal"] or self.times or self.speakers)


def compare(left: Iterable[Segment], right: Iterable[Segment], *, tolerance_ns: int) -> Differences:
    """Align the words of two transcripts; compare the times and speakers of equal words.

    Recordings with equal names are compared. Without names, whole files are compared. Channels are
    compared separately if both sides have the same channels. Words are sorted by time if both sides
    have times. Without times, but with the same utterances on both sides, words are in the order of
    the left side's utterances. In all other cases, they are in the order of each file.
    """
    sides = _grouped(list(left), list(right))
    parts = []
    for key in sorted(sides[0].keys() | sides[1].keys()):
        ours, theirs = sides[0].get(key, []), sides[1].get(key, [])
        parts.append(RecordingPart(key, _aligned(ours, theirs), ours, theirs))
    times = []
    lone: Counter[tuple[str, int]] = Counter()
    names: dict[tuple[str, str], tuple[int, KnownWord, KnownWord]] = {}
    for part in parts:
        for word, match in part.pairs():
            apart = _apart(word, match)
            if apart is None:
                lone["times", int(_has_times(match))] += _has_times(word) != _has_times(match)
            elif apart > tolerance_ns:
                times.append((part.name, word, match, apart))
            if word.speaker is None or match.speaker is None:
                lone["speakers", int(word.speaker is None)] += word.speaker != match.speaker
            elif word.speaker != match.speaker:
                pair = word.speaker, match.speaker
                count, first, its = names.get(pair, (0, word, match))
                names[pair] = count + 1, first, its
    return Differences(parts, times, names, +lone)


def _grouped(
    left: Sequence[Segment], right: Sequence[Segment]
) -> tuple[dict[str, list[KnownWord]], dict[str, list[KnownWord]]]:
    """Return the words of both sides, grouped for comparison."""
    sides = [
        [segment for segment in side if segment.kind not in UNSPOKEN_KINDS]
        for side in (left, right)
    ]
    names, channels = (
        [{getattr(segment, name) for segment in side} for side in sides]
        for name in ("recording", "channel")
    )
    by_name = bool(names[0] & names[1])
    by_channel = channels[0] == channels[1] and len(channels[0]) > 1

    def key(segment: Segment) -> str:
        name = segment.recording if by_name else ""
        return f"{name} channel {segment.channel}" if by_channel else name

    every = [segment for side in sides for segment in side if segment.word_count]
    by_word = all(segment.is_timed for segment in every)
    by_segment = all(segment.start_ns is not None for segment in every)
    orders = [{segment.utterance: number for number, segment in enumerate(side)} for side in sides]
    by_utterance = (
        not by_word
        and not by_segment
        and None not in orders[0]
        and orders[0].keys() == orders[1].keys()
    )
    grouped: list[dict[str, list[KnownWord]]] = []
    for side in sides:
        if by_segment:
            side = sorted(side, key=lambda segment: (segment.start_ns or 0, segment.end_ns or 0))
        elif by_utterance:
            side = sorted(side, key=lambda segment: orders[0][segment.utterance])
        words: dict[str, list[KnownWord]] = {}
        for segment in side:
            words.setdefault(key(segment), []).extend(said(segment))
        if by_word:
            for part in words.values():
                part.sort(key=lambda word: (word.times[0] or 0, word.times[1] or 0))
        grouped.append({name: part for name, part in words.items() if part})
    return grouped[0], grouped[1]


def said(segment: Segment) -> Iterator[KnownWord]:
    """Yield the words of a segment."""
    words: list[tuple[str, int | None, int | None]] = []
    for item in segment.items():
        if isinstance(item, Token):
            words.append((item.text, item.start_ns, item.end_ns))
        else:
            choices = (Choice([branch]).tokens() for branch in item.branches)
            branches = (" ".join(token.text for token in tokens) or "@" for tokens in choices)
            words.append((f"{{ {' / '.join(branches)} }}", None, None))
    for index, (text, start, end) in enumerate(words):
        first = segment.start_ns if index == 0 else None
        last = segment.end_ns if index == len(words) - 1 else None
        yield KnownWord(text, (start, end, first, last), segment.speaker, segment.line)


def _aligned(left: Sequence[KnownWord], right: Sequence[KnownWord]) -> Alignment:
    """Return the alignment of two lists of words.

    If the sides are exchanged, the pairs of words stay the same.
    """
    ours, theirs = [word.text for word in left], [word.text for word in right]
    if ours <= theirs:
        return align(ours, theirs)
    alignment = align(theirs, ours)
    return Alignment(alignment.edits.translate(MIRRORED), ours, theirs, alignment.cost)


def _has_times(word: KnownWord) -> bool:
    return any(time is not None for time in word.times)


def _apart(left: KnownWord, right: KnownWord) -> int | None:
    """Return how far two words are apart in time, in nanoseconds; None if it is unknown.

    A word without its own times has those of its segment.
    """
    sides = left.times, right.times
    words, border = [times[:2] for times in sides], [times[2:] for times in sides]
    nearest = [
        (start if start is not None else first, end if end is not None else last)
        for start, end, first, last in sides
    ]
    for starts_and_ends in (words, border, nearest):
        gaps: list[int] = [
            abs(first_time - second_time)
            for first_time, second_time in zip(*starts_and_ends, strict=True)
            if first_time is not None and second_time is not None
        ]
        if gaps:
            return max(gaps)
    return None


class Hunk(NamedTuple):
    """A run of differing words, with some equal words before and after it."""

    alignment: Alignment
    left: KnownWord | None
    right: KnownWord | None


def hunks(part: RecordingPart, context: int) -> Iterator[Hunk]:
    """Yield the differing parts with their context; neighbouring parts may share one hunk."""
    edits = part.alignment.edits
    wrong = [index for index, code in enumerate(edits) if code != Edit.CORRECT]
    left = [0, *accumulate(code not in NO_REFERENCE for code in edits)]
    right = [0, *accumulate(code not in NO_HYPOTHESIS for code in edits)]
    done = 0
    while done < len(wrong):
        last = done
        while last + 1 < len(wrong) and wrong[last + 1] - wrong[last] <= 2 * context + 1:
            last += 1
        begin, end = max(0, wrong[done] - context), min(len(edits), wrong[last] + 1 + context)
        yield Hunk(
            Alignment(
                edits[begin:end],
                part.alignment.reference[left[begin] : left[end]],
                part.alignment.hypothesis[right[begin] : right[end]],
                0.0,
            ),
            _at(part.left, left[wrong[done]], edits[wrong[done]] not in NO_REFERENCE),
            _at(part.right, right[wrong[done]], edits[wrong[done]] not in NO_HYPOTHESIS),
        )
        done = last + 1


def _at(words: Sequence[KnownWord], index: int, stands: bool) -> KnownWord | None:
    index -= not stands
    return words[index] if index >= 0 else None
