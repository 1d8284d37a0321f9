"""Matching of the utterances of both sides: matched sides, their row numbers, and errors.

The module `in_common` chooses the way of matching, finds partners, and rejects utterances that must
have one; the other modules are the ways.
"""

from __future__ import annotations

from itertools import accumulate

from formats.schema import NamedTuple
from scoring.model.errors import ScoringError
from scoring.sides.corpus import Corpus, RowNumbers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from formats.schema.model import Segment

IDENTIFIER, AUDIO, POSITION = "identifier", "audio", "position"
SPARSE = frozenset(("parquet", "arrow"))
"""Formats whose rows have numbers; their readers leave out the rows without a text."""


class MatchingError(ScoringError):
    """Raised if the identifiers of the two sides cannot be matched."""

    status = 2


class DifferentLengthsError(MatchingError, ValueError):
    """Raised if sides that are matched by position have different lengths."""


class MissingTextError(MatchingError, ValueError):
    """Raised if a row of a column has no text, although the other side has a text."""


class Cut(NamedTuple):
    """Whole recordings with the segments of one side; both sides are cut at these segments."""

    segments: Corpus  # all of them, recording by recording
    sizes: Sequence[int]  # number of segments of each recording
    partners: Sequence[int]  # position of each recording in the hypothesis
    streams: Sequence[Sequence[Segment]]  # the hypothesis's, as read, unless `segments` are


class MatchedSides(NamedTuple):
    """Both sides after matching. Utterances with the same identifier belong together."""

    reference: Corpus
    hypothesis: Corpus
    by: str  # `identifier`, `audio`, `position`, `time`, `recording` or `file`
    ignored_words: int = 0  # words of the hypothesis in segments that the reference ignores
    cut: Cut | None = None  # where utterances are whole recordings
    runs: Sequence[int] = ()  # utterances of each row of neighbours, where words are dealt by time


def in_rows(reference: Corpus, hypothesis: Corpus, keep: bool = True) -> tuple[Corpus, Corpus]:
    """Return both sides with row numbers as identifiers."""
    sides = reference, hypothesis
    rows = [side.spoken for side in sides]
    if all(side.format in SPARSE for side in sides):
        numbers = _numbers_in_tables(*rows)
    else:
        numbers = [(range(len(own)), len(own)) for own in rows]
    left, right = (
        side.with_utterances(RowNumbers(places), own, keep)._replace(rows=size)
        for side, own, (places, size) in zip(sides, rows, numbers, strict=True)
    )
    return left, right


def _numbers_in_tables(*sides: Sequence[Segment]) -> list[tuple[Sequence[int], int]]:
    """Return the row numbers of each side in its tables, from 0, and how many rows these have.

    So the rows after one without a text keep their partners. If both sides are in the same tables,
    these end with the last row that has a text on either side.
    """
    places = [[(getattr(row.line, "path", ""), int(row.line or 0)) for row in own] for own in sides]
    sizes = list(map(_last_rows, places))
    if sizes[0].keys() == sizes[1].keys():
        sizes = [_last_rows([*places[0], *places[1]])] * 2
    begins = [dict(zip(size, accumulate(size.values(), initial=0), strict=False)) for size in sizes]
    return [
        ([begin[path] + line - 1 for path, line in own], sum(size.values()))
        for own, size, begin in zip(places, sizes, begins, strict=True)
    ]


def _last_rows(places: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the last row of each table."""
    last: dict[str, int] = {}
    for path, line in places:
        last[path] = max(line, last.get(path, 0))
    return last
