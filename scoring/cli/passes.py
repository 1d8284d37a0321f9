"""The stages of a run with their share of the work, so that one progress bar shows all stages."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from formats.io.progress import expect
from scoring.options import Options

# Work relative to that of reading a side, as measured with 300,000 utterances of twelve words.
_NORMALISING, _ALIGNING, _COMPARING, _DRAWING, _EXPLAINING = 35.0, 2.0, 30.0, 5.0, 20.0


def expect_scores(reference: str | None, hypotheses: Sequence[str], options: Options) -> None:
    """Announce the stages of scoring each hypothesis against the reference."""
    expect(_scores(reference, hypotheses, options))


def expect_comparison(reference: str | None, versions: Sequence[str], options: Options) -> None:
    """Announce the stages of comparing versions: scoring, tests, explanation of the change."""
    size = float(max(map(_size, versions)))
    expect(
        [
            *_scores(reference, versions, options),
            ("comparing", _COMPARING * size),
            ("drawing replications", _DRAWING * size),
            ("explaining the change", _EXPLAINING * size),
        ]
    )


def _scores(
    reference: str | None, hypotheses: Iterable[str], options: Options
) -> list[tuple[str, float]]:
    sides = [*filter(None, [reference]), *hypotheses]
    sizes = [float(_size(side)) for side in sides]
    passes = [(f"reading {side}", size) for side, size in zip(sides, sizes, strict=True)]
    if options.normalize is not None:
        passes += [("normalising", _NORMALISING * size) for size in sizes]
    first = int(reference is not None)
    return passes + [("aligning", _ALIGNING * size) for size in sizes[first:]]


def _size(path: str) -> int:
    """Return the number of bytes of a file; 1 if it is not a file."""
    try:
        return max(os.path.getsize(path), 1)
    except OSError:
        return 1
