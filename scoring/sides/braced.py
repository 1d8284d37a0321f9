"""Utterances with alternatives as texts with braces, `{ a / b c / @ }`, aligned in one batch.

For large files, the texts are kept as written. A segment is parsed when it is accessed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.model import Segment

NULL_SIGN, OPEN_SIGN, BAR_SIGN, CLOSE_SIGN = "@{/}"
SIGNS = frozenset("@{/}")


class BracedTexts(Mapping[int, "Segment"]):
    """Utterances with alternatives, by position; texts are parsed on access.

    `parse` returns the segments of the texts, in the same order.
    """

    def __init__(
        self,
        texts: Mapping[int, str],
        others: Mapping[int, Segment],
        parse: Callable[[], Sequence[Segment]],
    ) -> None:
        self.texts = texts
        self._others, self._parse = others, parse
        self._segments: Mapping[int, Segment] | None = None

    def __getitem__(self, row: int) -> Segment:
        if row not in self.texts:
            return self._others[row]
        if self._segments is None:
            self._segments = dict(zip(self.texts, self._parse(), strict=True))
        return self._segments[row]

    def __contains__(self, row: object) -> bool:
        return row in self.texts or row in self._others

    def __iter__(self) -> Iterator[int]:
        return iter(sorted([*self.texts, *self._others]) if self._others else self.texts)

    def __len__(self) -> int:
        return len(self.texts) + len(self._others)

    def __reduce__(self) -> tuple[type[dict[int, Segment]], tuple[dict[int, Segment]]]:
        return dict, (dict(self),)  # other processes have no part of the file


def special_at(special: Mapping[int, Segment], positions: Sequence[int]) -> Mapping[int, Segment]:
    """Return the utterances with alternatives at `positions`, by their index there."""
    if not special:
        return {}
    kept = [(new, old) for new, old in enumerate(positions) if old in special]
    if not isinstance(special, BracedTexts):
        return {new: special[old] for new, old in kept}
    texts = {new: special.texts[old] for new, old in kept if old in special.texts}
    olds = dict(kept)
    others = {new: special[old] for new, old in kept if new not in texts}
    return BracedTexts(texts, others, lambda: [special[olds[new]] for new in texts])
