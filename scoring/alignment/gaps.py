"""Cut two timed word sequences at common pauses, so that the pieces can be aligned separately."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from formats.schema import NamedTuple

PIECE = 50
OPEN_END = 999999.99


class Chunk(NamedTuple):
    """A range of reference words, and the corresponding range of hypothesis words."""

    reference_begin: int
    reference_end: int
    hypothesis_begin: int
    hypothesis_end: int


class TimedWords:
    """The timed words of one channel of a side, which `PauseSearch` cuts.

    The first entry of each column belongs to the word before the channel (0 if there is none).
    `inside` is true for words of an alternation. `offset` is the position of a word minus its index
    in these columns. `begin` is the index of the next word to cut, and `end` the index after the
    last word.
    """

    __slots__ = ("begin", "end", "finishes", "inside", "offset", "starts")

    def __init__(
        self,
        starts: Sequence[float],
        finishes: Sequence[float],
        inside: Sequence[int],
        offset: int = -1,
    ) -> None:
        self.starts = starts
        self.finishes = finishes
        self.inside = inside
        self.offset = offset
        self.begin = 1
        self.end = len(starts)

    def gap(self, word: int) -> tuple[float, float]:
        """Return the end time of a word, and the start time of the next word in the channel."""
        following = OPEN_END if word == self.end - 1 else self.starts[word + 1]
        return self.finishes[word], following


class PauseSearch:
    """Searches for pauses that both sides have at the same time.

    The search begins about `PIECE` words into each side. It moves back, first on the side that is
    later, until pauses of both sides overlap. The reference is never cut inside an alternation.
    """

    def __init__(self, reference: TimedWords, hypothesis: TimedWords) -> None:
        self._reference = reference
        self._hypothesis = hypothesis

    def chunks(self) -> Iterator[Chunk]:
        """Yield the pieces of the channel, in order."""
        ref, hyp = self._reference, self._hypothesis
        while ref.begin < ref.end or hyp.begin < hyp.end:
            r, h = self._cut()
            yield Chunk(
                ref.begin + ref.offset, r + ref.offset, hyp.begin + hyp.offset, h + hyp.offset
            )
            ref.begin, hyp.begin = r, h

    def _cut(self) -> tuple[int, int]:
        """Return the end positions of the next piece in the reference and in the hypothesis."""
        ref, hyp = self._reference, self._hypothesis
        piece = PIECE
        while ref.end - ref.begin > piece or hyp.end - hyp.begin > piece:
            r = min(ref.begin + piece, ref.end - 1)
            h = min(hyp.begin + piece, hyp.end - 1)
            r = self._leave_alternation(r)
            r, h = self._search(*self._synchronise(r, h))
            if r > ref.begin or h > hyp.begin:
                return r + 1, h + 1
            piece *= 2
        return ref.end, hyp.end

    def _leave_alternation(self, r: int) -> int:
        while r >= self._reference.begin and self._reference.inside[r]:
            r -= 1
        return r

    def _back(self, r: int) -> tuple[int, bool]:
        """Return the position before `r`, and True if an alternation was skipped there."""
        moved = r - 1
        left = self._leave_alternation(moved)
        return left, left != moved

    def _apart(self, r: int, h: int) -> bool:
        ref, hyp = self._reference, self._hypothesis
        shared = min(ref.finishes[r], hyp.finishes[h]) - max(ref.starts[r], hyp.starts[h])
        return bool(shared < 0)

    def _pull_reference(self, r: int, h: int) -> tuple[int, bool]:
        """Move `r` back while its word begins after word `h`.

        Return `r`, and True if an alternation was skipped on the way.
        """
        starts, limit = self._reference.starts, self._hypothesis.starts[h]
        while r >= self._reference.begin and starts[r] > limit and self._apart(r, h):
            r, crossed = self._back(r)
            if crossed:
                return r, True
        return r, False

    def _pull_hypothesis(self, r: int, h: int) -> int:
        starts, limit = self._hypothesis.starts, self._reference.starts[r]
        while h >= self._hypothesis.begin and limit < starts[h] and self._apart(r, h):
            h -= 1
        return h

    def _synchronise(self, r: int, h: int) -> tuple[int, int]:
        crossed = True
        while crossed:
            if self._reference.starts[r] > self._hypothesis.starts[h]:
                r, crossed = self._pull_reference(r, h)
            else:
                h = self._pull_hypothesis(r, h)
                crossed = False
        return r, h

    def _search(self, r: int, h: int) -> tuple[int, int]:
        ref, hyp = self._reference, self._hypothesis
        while r > ref.begin and h > hyp.begin:
            (r_from, r_to), (h_from, h_to) = ref.gap(r), hyp.gap(h)
            if min(r_to, h_to) - max(r_from, h_from) >= 0:
                break
            crossed = True
            while crossed:
                r, h, crossed = self._shift(r, h)
        return r, h

    def _shift(self, r: int, h: int) -> tuple[int, int, bool]:
        """Move the later of words `r` and `h` back by one, then the other until it is not later.

        Return both positions, and True if an alternation was skipped on the way.
        """
        crossed = False
        if self._reference.starts[r] > self._hypothesis.starts[h]:
            if r > self._reference.begin:
                r, crossed = self._back(r)
            if not crossed:
                h = self._pull_hypothesis(r, h)
        else:
            if h > self._hypothesis.begin:
                h -= 1
            r, crossed = self._pull_reference(r, h)
        return r, h, crossed
