"""Who speaks when in an AWS Transcribe transcript, told apart from the words."""

from __future__ import annotations

from bisect import bisect_left

from formats.json.answer import Answer, SpokenWord
from formats.json.members import name_of, span_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from formats.json.document import JsonValue
    from formats.json.word_items import Hypothesis

__all__ = ["END", "START", "ItemWord", "SpeakerLabels", "Stretch"]

START, END = ("start_time",), ("end_time",)


class ItemWord(SpokenWord):
    """A word with its place among the turns of the file.

    Attributes
    ----------
    turn: number of the stretch of the file it belongs to, or `None`.
    """

    __slots__ = ("turn",)
    turn: int | None


class Stretch:
    """A stretch of the file: a turn of one speaker, or a span with other hypotheses."""

    __slots__ = ("channel", "end_ns", "nbest", "speaker", "start_ns")

    def __init__(
        self,
        start_ns: int | None,
        end_ns: int | None,
        speaker: str | None = None,
        channel: str | None = None,
        nbest: Sequence[Hypothesis] = (),
    ) -> None:
        self.start_ns = start_ns
        self.end_ns = end_ns
        self.speaker = speaker
        self.channel = channel
        self.nbest = nbest


class SpeakerLabels:
    """Who speaks when, told apart from the words.

    Attributes
    ----------
    turns: the stretches of one speaker.
    are_said_by_items: whether items name their speakers themselves: one that names none has none.
    """

    def __init__(self, labels: JsonValue | None, answer: Answer) -> None:
        self.turns: list[Stretch] = []
        self.are_said_by_items = False
        self._by_start: dict[int, int] = {}
        self._several: set[int] = set()
        self._middles: list[tuple[int, int]] = []
        self._near = self._doubtful = 0
        self._log = answer.source.log
        if labels is not None:
            answer.each(labels.elements("segments"), self._take)
        self._middles.sort()

    def _take(self, value: JsonValue) -> None:
        start_ns, end_ns = span_of(value, START, END)
        number = len(self.turns)
        speaker = name_of(value, "speaker_label")
        self.turns.append(Stretch(start_ns, end_ns, speaker))
        has_items = False
        for item in value.elements("items"):
            has_items = True
            begin, stop = span_of(item, START, END)
            self._place(number, begin, stop)
        if not has_items:
            self._place(number, start_ns, end_ns)

    def _place(self, number: int, start_ns: int | None, end_ns: int | None) -> None:
        if start_ns is None or end_ns is None:
            return
        known = self._by_start.setdefault(start_ns, number)
        if self.turns[known].speaker != self.turns[number].speaker:
            self._several.add(start_ns)
        self._middles.append(((start_ns + end_ns) // 2, number))

    def give(self, word: ItemWord) -> None:
        """Give the word its turn and, unless items name their own, its speaker."""
        if word.start_ns is None or not self._middles:
            return
        turn = self._by_start.get(word.start_ns)
        if self.are_said_by_items:
            is_own = turn is not None and self.turns[turn].speaker == word.speaker
            word.turn = turn if is_own else None
            return
        if turn is None:
            turn = self._nearest((word.start_ns + (word.end_ns or word.start_ns)) // 2)
            self._near += 1
        elif word.start_ns in self._several:
            self._doubtful += 1
        word.turn = turn
        word.speaker = self.turns[turn].speaker

    def _nearest(self, middle: int) -> int:
        place = bisect_left(self._middles, (middle, -1))
        around = self._middles[max(place - 1, 0) : place + 1]
        return min(around, key=lambda known: abs(known[0] - middle))[1]

    def tell(self) -> None:
        """Say how many words found their speaker by doubtful means."""
        if self._near:
            self._log.note(
                "AWS-SPEAKER", f"words given the speaker who is nearest in time: {self._near}"
            )
        if self._doubtful:
            self._log.warn(
                "AWS-SPEAKER?",
                f"words that several speakers' segments repeat, given to the first: "
                f"{self._doubtful}",
            )
