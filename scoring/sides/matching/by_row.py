"""Manifests without common identifiers: rows are matched by their audio files.

Each row of a manifest is an utterance. Its key is its audio file; if several rows have the same
file, also the time span. If keys repeat or rows name no audio, rows are matched in order. Keys
that contradict each other prevent this, for example if both sides have identifiers.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from scoring.sides.corpus import ONLY_CHANNEL, Corpus
from scoring.sides.matching import AUDIO, POSITION, MatchedSides, in_rows

if TYPE_CHECKING:
    from formats.schema.model import Segment

# Recording, channel, start and end of a row; the times in nanoseconds.
RowKey: TypeAlias = tuple[str | None, str, int | None, int | None]
SegmentRows: TypeAlias = Sequence["Segment"]


def by_row(reference: Corpus, hypothesis: Corpus, keep: bool) -> MatchedSides | None:
    """Match two manifests by row; None if another way of matching is better."""
    sides = reference, hypothesis
    if _share_names(*sides):
        return None
    rows = reference.spoken, hypothesis.spoken
    if not all(rows) or any(row.starts_ns is not None or row.alternations for row in chain(*rows)):
        return None  # to be matched by time
    ours, theirs = map(_keys, sides, rows)
    are_named = ours[0][0] is not None and theirs[0][0] is not None
    for size in (1, 2, 3, 4) if are_named else ():
        left, right = ([key[:size] for key in keys] for keys in (ours, theirs))
        if len(set(left)) < len(left) or len(set(right)) < len(right):
            continue
        # other stretches of the same audio are another segmentation, not other utterances
        common = set(left).intersection(right)
        if not common or (size > 2 and len(common) < len(right)):
            return None
        if reference.identifiers and hypothesis.identifiers:
            from scoring.sides.messages import BY_AUDIO

            hypothesis = hypothesis.with_remark(BY_AUDIO, path=hypothesis.name)
        return MatchedSides(
            reference.with_utterances(_names(left), rows[0], keep),
            hypothesis.with_utterances(_names(right), rows[1], keep),
            AUDIO,
        )
    if (reference.identifiers and hypothesis.identifiers) or not _agree(ours, theirs):
        return None
    return MatchedSides(*in_rows(reference, hypothesis, keep), POSITION)


def _share_names(reference: Corpus, hypothesis: Corpus) -> bool:
    """Return True if one side's identifiers occur as identifiers or recordings on the other."""
    names, others = set(reference.identifiers), set(hypothesis.identifiers)
    if names and others:
        return not names.isdisjoint(others)
    rows = hypothesis.segments if names else reference.segments
    return not (names | others).isdisjoint(row.recording for row in rows)


def _keys(side: Corpus, rows: SegmentRows) -> list[RowKey]:
    """Return the key of each row. If all rows are named after the file, keys have no recording."""
    from formats.io.source import recording_of

    name = recording_of(os.path.basename(side.name))
    named = any(row.recording != name for row in rows)
    return [
        (row.recording if named else None, row.channel or ONLY_CHANNEL, row.start_ns, row.end_ns)
        for row in rows
    ]


def _names(keys: Sequence[Sequence[object]]) -> list[str]:
    """Return names such as `a`, `a-1`, `a-1-2.5-3.75`: recording, channel and times in seconds."""
    return [
        "-".join(f"{part / 1e9}" if isinstance(part, int) else str(part or 0) for part in key)
        for key in keys
    ]


def _agree(ours: Sequence[RowKey], theirs: Sequence[RowKey]) -> bool:
    """Return True if rows can be matched in order: their keys do not contradict each other."""
    if len(ours) != len(theirs):
        return all(key[0] is None and key[2] is None for key in chain(ours, theirs))
    return all(
        left == right or None in (left, right)
        for keys in zip(ours, theirs, strict=True)
        for left, right in zip(*keys, strict=True)
    )
