from collections.abc import Iterable, Sequence

from scoring.alignment.system import Utterances

_Side = tuple[
    Sequence[int],
    Sequence[int],
    Sequence[int],
    Sequence[float] | None,
    Sequence[float] | None,
    Sequence[float] | None,
]

class BlockRenderer:
    def __init__(
        self,
        texts: Sequence[str],
        upper: Sequence[str],
        weights: Sequence[float] | None,
        utterances: Utterances,
        reference: _Side,
        hypothesis: _Side,
        edits: bytes,
        offsets: Sequence[int],
        counts: Sequence[int],
    ) -> None: ...
    def render(self, utterances: Iterable[int], line_width: int, full: bool) -> bytes: ...
    def block(self, utterance: int, line_width: int, full: bool) -> bytes: ...

class PathWriter:
    def __init__(
        self,
        quoted: Sequence[str],
        weights: Sequence[float] | None,
        utterances: Utterances,
        reference: _Side,
        hypothesis: _Side,
        edits: bytes,
        offsets: Sequence[int],
        counts: Sequence[int],
        slot_separator: str,
        field_separator: str,
    ) -> None: ...
    def write(self, utterances: Iterable[int]) -> bytes: ...

def sum_by_speaker(
    counts: Sequence[int], speakers: Sequence[int], number_of_speakers: int
) -> list[tuple[int, ...]]: ...
def confidence_sums(
    confidences: Sequence[float],
    begins: Sequence[int],
    edits: bytes,
    edit_offsets: Sequence[int],
    speakers: Sequence[int],
    number_of_speakers: int,
) -> list[tuple[int, float, float, int]]: ...
