"""Words into the utterances that a service lists beside them."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque

from formats.json.answer import Answer, SpokenWord, with_extent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from formats.model import Segment

__all__ = ["Parent", "within_parents"]


class Parent:
    """An utterance: its times, and the times of the words that it repeats.

    Attributes
    ----------
    start_ns, end_ns: nanoseconds, or `None`.
    confidence: of the whole, or `None`.
    places: start and end of each of its words; empty where it lists none.
    """

    __slots__ = ("confidence", "end_ns", "places", "start_ns")

    def __init__(
        self,
        start_ns: int | None,
        end_ns: int | None,
        confidence: float | None,
        places: Sequence[tuple[int | None, int | None]],
    ) -> None:
        self.start_ns = start_ns
        self.end_ns = end_ns
        self.confidence = confidence
        self.places = places


def within_parents(
    words: Sequence[SpokenWord],
    parents: Sequence[Parent],
    answer: Answer,
    channel: str | None,
    properties: Mapping[str, str] | None = None,
) -> Iterator[Segment]:
    """The words as segments, by the utterances that repeat them; each word counts once.

    A word belongs to the utterance that lists its start and end, else to the one within whose
    times it begins. Words of no utterance make segments of their own, with a warning.
    """
    owners = _owners(words, parents)
    groups: list[tuple[int | None, list[SpokenWord]]] = []
    for word, owner in zip(words, owners, strict=True):
        if groups and groups[-1][0] == owner:
            groups[-1][1].append(word)
        else:
            groups.append((owner, [word]))
    times: dict[int | None, int] = {}
    for owner, _ in groups:
        times[owner] = times.get(owner, 0) + 1
    for owner, own in groups:
        parent = None if owner is None else parents[owner]
        is_whole = parent is not None and times[owner] == 1
        for segment in answer.turns(
            own,
            channel=channel,
            start_ns=parent.start_ns if parent is not None and is_whole else None,
            end_ns=parent.end_ns if parent is not None and is_whole else None,
            confidence=None if parent is None else parent.confidence,
            properties=properties,
        ):
            yield segment if is_whole else with_extent(segment)
    orphans = sum(1 for owner in owners if owner is None)
    if orphans:
        answer.source.log.warn(
            "WORD-ORPHANS",
            f"words in no utterance, kept in segments of their own: {orphans}",
        )


def _owners(words: Sequence[SpokenWord], parents: Sequence[Parent]) -> list[int | None]:
    """The utterance of each word."""
    listed: dict[tuple[int | None, int | None], deque[int]] = {}
    for number, parent in enumerate(parents):
        for place in parent.places:
            listed.setdefault(place, deque()).append(number)
    order = sorted(
        (parent.start_ns, number)
        for number, parent in enumerate(parents)
        if parent.start_ns is not None
    )
    starts = [start for start, _ in order]
    owners: list[int | None] = []
    for word in words:
        waiting = listed.get((word.start_ns, word.end_ns))
        if waiting:
            owners.append(waiting.popleft())
        elif word.start_ns is None:
            owners.append(owners[-1] if owners else None)
        else:
            before = bisect_right(starts, word.start_ns) - 1
            owner = order[before][1] if before >= 0 else None
            end = None if owner is None else parents[owner].end_ns
            owners.append(owner if end is not None and word.start_ns <= end else None)
    return owners
