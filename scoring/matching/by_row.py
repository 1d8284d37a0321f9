"""Manifests without common identifiers: rows matched by the audio that they speak of.

Each row of a manifest is an utterance. It is known by its audio file where no other row of its side
has the same, else by the stretch of that file. Where that does not tell rows apart, or no audio is
named, they are taken in order, provided that nothing speaks against it.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.matching.identifier import POSITION
from scoring.sides.corpus import ONLY_CHANNEL, Corpus

if TYPE_CHECKING:
    from formats.model import Segment

# Recording, channel, start and end of a row; the times in nanoseconds.
Key: TypeAlias = tuple[str | None, str, int | None, int | None]
Rows: TypeAlias = tuple["Segment", ...]


class Found(NamedTuple):
    """How rows are matched.

    Attributes
    ----------
    by
        `audio` or `position`.
    identifiers, rows
        Of both sides.
    """

    by: str
    identifiers: tuple[list[str], list[str]]
    rows: tuple[Rows, Rows]


def by_row(reference: Corpus, hypothesis: Corpus) -> Found | None:
    """Match two manifests; None where they are none, or are matched better in another way."""
    sides = reference, hypothesis
    if not (reference.rows and hypothesis.rows) or _share_names(reference, hypothesis):
        return None
    rows = tuple(one for one in reference.rows if one.kind != "ignored"), hypothesis.rows
    if not all(rows) or any(row.starts_ns is not None or row.alternations for row in chain(*rows)):
        return None  # to be matched by time
    keys = [_keys(side, own) for side, own in zip(sides, rows, strict=True)]
    are_named = all(own[0][0] is not None for own in keys)
    for parts in (1, 2, 3, 4) if are_named else ():
        ours, theirs = ([key[:parts] for key in own] for own in keys)
        if len(set(ours)) < len(ours) or len(set(theirs)) < len(theirs):
            continue
        # other stretches of the same audio are another segmentation, not other utterances
        common = set(ours).intersection(theirs)
        if not common or (parts > 2 and len(common) < len(theirs)):
            return None
        return Found("audio", (_names(ours), _names(theirs)), rows)
    if _agree(*keys):
        numbers = [[f"{number:06d}" for number in range(1, len(own) + 1)] for own in rows]
        return Found(POSITION, (numbers[0], numbers[1]), rows)
    return None


def _share_names(reference: Corpus, hypothesis: Corpus) -> bool:
    """Whether an identifier of one side is one of the other, or a recording of it."""
    names, others = set(reference.identifiers), set(hypothesis.identifiers)
    if names and others:
        return not names.isdisjoint(others)
    rows = hypothesis.rows if names else reference.rows
    return not (names | others).isdisjoint(row.recording for row in rows)


def _keys(side: Corpus, rows: Rows) -> list[Key]:
    """What tells rows apart; no recording where all of them are only called as the file is."""
    from formats.source import recording_of

    own = recording_of(os.path.basename(side.name))
    named = any(row.recording != own for row in rows)
    return [
        (
            row.recording if named else None,
            row.channel or ONLY_CHANNEL,
            row.start_ns,
            row.end_ns,
        )
        for row in rows
    ]


def _names(keys: Sequence[Sequence[object]]) -> list[str]:
    """Identifiers such as `a`, `a-1`, `a-1-2.5-3.75`: recording, channel, times in seconds."""
    return [
        "-".join(f"{part / 1e9}" if isinstance(part, int) else str(part or 0) for part in key)
        for key in keys
    ]


def _agree(ours: Sequence[Key], theirs: Sequence[Key]) -> bool:
    """Whether rows can be taken in order: what both say of a row is the same."""
    if len(ours) != len(theirs):
        return all(key[0] is None and key[2] is None for key in chain(ours, theirs))
    return all(
        one == other or None in (one, other)
        for left, right in zip(ours, theirs, strict=True)
        for one, other in zip(left, right, strict=True)
    )
