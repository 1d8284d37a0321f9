"""Labels without what lies in stretches of time that are not to be scored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from formats.words import Label
from scoring.labels.outcome import Stretches, retimed


def outside(labels: Iterable[Label], stretches: Stretches) -> list[Label]:
    """The labels whose middle lies in none of the stretches; their begin, if they have no end.

    >>> outside([Label("a", 0, 2), Label("b", 1, 3)], ((1.5, 4.0),))
    [<word 'a' 0..2 of ''>]
    """
    kept = []
    for label in labels:
        if label.start is not None:
            middle = label.start if label.end is None else (label.start + label.end) / 2
            if any(begin <= middle < end for begin, end in stretches):
                continue
        kept.append(label)
    return kept


def cut(labels: Iterable[Label], stretches: Stretches) -> list[Label]:
    """The parts of the labels that lie in none of the stretches.

    >>> cut([Label("a", 0, 5)], ((1.0, 2.0), (4.0, 9.0)))
    [<word 'a' 0..1.0 of ''>, <word 'a' 2.0..4.0 of ''>]
    """
    kept = list(labels)
    for begin, end in stretches:
        kept = [part for label in kept for part in _without(label, begin, end)]
    return kept


def _without(label: Label, begin: float, end: float) -> Sequence[Label]:
    start, finish = label.start, label.end
    if start is None or start >= end or (finish is not None and finish <= begin):
        return [label]
    parts = []
    if start < begin:
        parts.append(retimed(label, start, begin))
    if finish is None or finish > end:
        parts.append(retimed(label, end, finish))
    return parts
