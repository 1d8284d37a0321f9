"""Alignment of words by type, spelling and metadata, and the resulting mapping of times."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from scoring.tasks.speakers.md_eval_records import METADATA, WHOLE_WORDS, TimedRecord
from scoring.tasks.speakers.metadata.alignment import Neighbours, PathSearch

SPANS = frozenset({"FILLER", "EDIT"})
"""Types of metadata that belong to all their words; other types belong only to the last word."""
SUBTYPE_BONUS, TYPE_BONUS = 0.02, 0.01
RIGHT = -0.5
"""A pair with a lower score is an error."""


class WordPlaces:
    """An index of words by their middles."""

    def __init__(self, words: Sequence[TimedRecord]) -> None:
        self.middles = [word.middle for word in words]

    def within(self, begin: float, end: float) -> tuple[int, int]:
        """Return the positions of the first and last word whose middle is in a time span.

        If the span contains no middle of a word, the last position is the first minus 1.
        """
        first = bisect_left(self.middles, begin)
        after = max(first - 1, 0, bisect_right(self.middles, end))
        return first, after - 1


def mark_words(records: Iterable[TimedRecord], words: Sequence[TimedRecord]) -> None:
    """Mark each word with the metadata that contains it or ends at it.

    Raises IndexError if there are metadata but no words. As in md-eval, metadata that end before
    the first word mark the last word.
    """
    places = WordPlaces(words)
    for record in records:
        if record.kind not in METADATA:
            continue
        first, last = places.within(record.begin, record.end)
        for place in range(first, last + 1) if record.kind in SPANS else (last,):
            word = words[place]
            word.attributes = word.attributes or {}
            word.attributes[record.kind] = record.subtype


def word_count(word: TimedRecord) -> int:
    """Return how many words a token counts as: two if it has a hyphen.

    >>> texts = ("um-hmm", "a-b", "a-", "-")
    >>> [word_count(TimedRecord("LEXEME", 0, 1, 0.5, text)) for text in texts]
    [1, 2, 1, 2]
    """
    text = word.text.strip("-")
    return 1 if text in WHOLE_WORDS or (text and "-" not in text) else 2


def lone_score(word: TimedRecord) -> float:
    """Return the score of a word without a partner."""
    if word.word_type == "lex":
        return -float(word_count(word))
    return -0.2 * word_count(word)


def pair_score(spoken: TimedRecord, heard: TimedRecord, gap: float) -> float | None:
    """Return the score of a pair of words; None if their times are too far apart."""
    if not min(spoken.end, heard.end) - max(spoken.begin, heard.begin) + gap > 0:
        return None
    score = 0.0
    if spoken.attributes and heard.attributes:
        for kind in ("EDIT", "FILLER", "IP", "SU"):
            subtypes = spoken.attributes.get(kind), heard.attributes.get(kind)
            if None not in subtypes:
                score += SUBTYPE_BONUS if subtypes[0] == subtypes[1] else TYPE_BONUS
    if _is_match(spoken, heard):
        return score
    if spoken.word_type == heard.word_type != "lex":
        return score - 0.1 * word_count(spoken)
    return score - max(word_count(spoken), word_count(heard))


def _is_match(spoken: TimedRecord, heard: TimedRecord) -> bool:
    """Return True if types and spellings of two words match."""
    types = spoken.word_type, heard.word_type
    if types == ("lex", "frag"):
        return _has_fragment(spoken.text, heard.text)
    if types == ("frag", "lex"):
        return _has_fragment(heard.text, spoken.text)
    if types[0] != types[1]:
        return False
    return types[0] in ("fp", "frag") or spoken.text == heard.text


def _has_fragment(text: str, fragment: str) -> bool:
    """Return True if a word contains a fragment, which md-eval uses as a pattern.

    >>> [_has_fragment("because", fragment) for fragment in ("-caus-", "c.u-", "-", "x-")]
    [True, True, False, False]
    """
    piece = fragment.strip("-")
    if piece in ("", "0"):
        return False
    if piece.isalnum():
        return piece in text
    try:
        return re.search(piece, text, re.ASCII) is not None
    except re.error:
        return False


def is_error(spoken: TimedRecord | None, heard: TimedRecord | None, gap: float) -> bool:
    """Return True if a pair, or a word without partner, counts as an error."""
    if spoken is not None and heard is not None:
        score = pair_score(spoken, heard, gap)
    else:
        word = spoken if spoken is not None else heard
        score = None if word is None else lone_score(word)
    return score is None or not score > RIGHT


def align_words(
    spoken: Sequence[TimedRecord],
    heard: Sequence[TimedRecord],
    gap: float,
    margin: float,
    *,
    per_speaker: bool,
) -> None:
    """Set the partners of the words of both sides.

    With `per_speaker`, the system's words are aligned with the words of one speaker after the
    other. A word keeps the last partner that it gets.
    """
    neighbours = Neighbours([(word.begin, word.end) for word in heard])

    def matches(place: int) -> Iterator[tuple[int, float]]:
        word = spoken[place]
        for other in neighbours.near(word.begin, word.end, gap):
            score = pair_score(word, heard[other], gap)
            if score is not None:
                yield other, score

    alignment = PathSearch(
        len(spoken),
        list(map(lone_score, heard)),
        lambda place: lone_score(spoken[place]),
        matches,
        margin,
    )
    speakers = sorted({word.speaker for word in spoken}) if per_speaker else [None]
    for speaker in speakers:
        own = [
            place for place, word in enumerate(spoken) if speaker is None or word.speaker == speaker
        ]
        # Perl takes a speaker called 0 for none
        alignment.extend(range(len(spoken)) if speaker == "0" else own)
        if heard:
            for place, other in alignment.pairs(own[-1]):
                spoken[place].partner, heard[other].partner = heard[other], spoken[place]


class TimeMap:
    """A mapping from the system's times to the reference's times, by aligned words."""

    def __init__(self, heard: Iterable[TimedRecord]) -> None:
        self._pairs = [(word, word.partner) for word in heard if word.partner is not None]
        self._latest = list(accumulate((word.end for word, _ in self._pairs), max))

    @property
    def has_anchors(self) -> bool:
        """True if any words are aligned; otherwise times stay unchanged."""
        return bool(self._pairs)

    def moved(self, time: float) -> float:
        """Return the reference's time for a time of the system."""
        return self.anchored(time)[0]

    def anchored(self, time: float) -> tuple[float, str | None]:
        """Return the mapped time, and the start, as text, of a reference word at this time.

        The text is None if no reference word starts there.
        """
        after = bisect_left(self._latest, time)
        before = min(after, len(self._pairs) - 1)
        while before >= 0 and self._pairs[before][0].begin > time:
            before -= 1
        right = left = None
        if after < len(self._pairs):
            word, partner = self._pairs[after]
            is_inside = word.begin < time
            right = (word.end, partner.end) if is_inside else (word.begin, partner.begin)
        if before >= 0:
            word, partner = self._pairs[before]
            is_inside = word.end > time
            left = (word.begin, partner.begin) if is_inside else (word.end, partner.end)
            if right is not None and time == left[0]:
                return left[1], (partner.begin_text or None) if is_inside else None
        if left is None:
            return (time if right is None else right[1] + (time - right[0])), None
        if right is None:
            return left[1] + (time - left[0]), None
        share = (time - left[0]) * (right[1] - left[1])
        return left[1] + share / (right[0] - left[0]), None
