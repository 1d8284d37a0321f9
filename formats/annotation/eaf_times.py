"""The times of ELAN's annotations: slots with and without values, and annotations on annotations.

A slot without a value stands between its neighbours of the same tier and of the tier above, at
equal distances. An annotation on another one has its times, or an equal share of them, in the
order that the annotations name their predecessors. Both kinds of times are interpolated.
"""

from __future__ import annotations

from itertools import pairwise, repeat
from operator import itemgetter, lt
from typing import Any, NamedTuple

from formats.annotation.tiers import Tier, labels_of
from formats.errors import SyntaxFormatError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TypeAlias

    from formats.source import Source

    Slots: TypeAlias = "Mapping[str | None, int | None]"
    Filled: TypeAlias = "dict[str | None, int]"
    Span: TypeAlias = "tuple[int | None, int | None, bool]"

__all__ = ["Annotation", "TierParts", "timed_tiers"]


class Annotation(NamedTuple):
    """One annotation as the file has it; slots of its own, or a reference to another annotation."""

    id: str
    text: str
    line: int | None
    begin: str | None
    end: str | None
    reference: str | None = None
    previous: str | None = None


class TierParts(NamedTuple):
    """A tier and its annotations, in the order of the file: a list for each field of them."""

    tier: Tier
    line: int | None
    columns: Sequence[Sequence[Any]]

    def annotations(self) -> list[Annotation]:
        """The annotations one by one."""
        return list(map(Annotation, *self.columns))

    def slots(self) -> set[str]:
        """Names of the time slots that the annotations refer to."""
        _, _, _, firsts, lasts, _, _ = self.columns
        return {*firsts, *lasts} - {None}


def timed_tiers(source: Source, parts: Sequence[TierParts], slots: Slots) -> None:
    """Fill the labels of every tier, in order of time.

    Parameters
    ----------
    slots: the time slots by name, in the order of the document; times in nanoseconds, `None` where
        a slot has no value.

    Raises
    ------
    SyntaxFormatError: a slot, annotation or tier that does not exist, one id twice, a circle of
        references, an end before its begin.
    """
    by_name = {part.tier.name: part for part in parts}
    _check_parents(source, parts, by_name)
    spans: dict[str, Span] = {}
    own: dict[str, int | None] = {}
    places = {name: place for place, name in enumerate(slots)} if None in slots.values() else {}
    has_references = any(any(part.columns[5]) for part in parts)
    waiting: list[TierParts] = []
    for part in parts:
        ids, _, lines, firsts, lasts, _, _ = part.columns
        begins: list[Any] = list(map(slots.get, firsts))
        ends: list[Any] = list(map(slots.get, lasts))
        new = dict(zip(ids, lines, strict=True))
        is_whole = None not in begins and None not in ends and len(new) == len(ids)
        if is_whole and all(map(lt, begins, ends)) and own.keys().isdisjoint(new):
            own.update(new)
            if has_references:
                spans.update(zip(ids, zip(begins, ends, repeat(False))))  # noqa: B905
            _label(part, begins, ends, repeat(False))
            continue
        waiting.append(part)
        filled = _filled_slots(slots, places, part, by_name.get(part.tier.parent or ""))
        for annotation in part.annotations():
            id_, line = annotation.id, annotation.line
            if id_ in own:
                raise _error(
                    source,
                    line,
                    f"an annotation with an id of its own (line {own[id_]} has it)",
                    quoted(id_),
                )
            own[id_] = line
            if annotation.reference is None:
                spans[id_] = _span(source, annotation, slots, filled)
    _share_spans(source, parts, own, spans)
    for part in waiting:
        _label(part, *zip(*map(spans.__getitem__, part.columns[0]), strict=True))


def _label(
    part: TierParts, begins: Sequence[Any], ends: Sequence[Any], are_guesses: Iterable[bool]
) -> None:
    """Make labels of annotations, in the order of time where all have times.

    The order of annotations in the file means nothing; their times and references do.
    """
    _, texts, lines, *_ = part.columns
    labels = labels_of(zip(begins, ends, texts, lines, are_guesses))  # noqa: B905
    if None not in begins and not all(map(lt, begins, begins[1:])):
        labels.sort(key=itemgetter(0, 1))
    part.tier.labels = labels


def _error(source: Source, line: int | None, expected: str, found: str) -> SyntaxFormatError:
    return source.syntax_error(line, expected, found)


def _check_parents(
    source: Source, parts: Sequence[TierParts], by_name: dict[str, TierParts]
) -> None:
    sound: set[str] = set()
    for part in parts:
        path: dict[str, None] = {}
        current: TierParts | None = part
        while current is not None and current.tier.name not in sound:
            if current.tier.name in path:
                expected = "tiers whose parents end somewhere"
                raise _error(source, part.line, expected, " in ".join(map(quoted, list(path)[:5])))
            path[current.tier.name] = None
            parent = current.tier.parent
            if parent is not None and parent not in by_name:
                raise _error(
                    source, current.line, "the name of a tier (PARENT_REF)", quoted(parent)
                )
            current = None if parent is None else by_name[parent]
        sound.update(path)


def _filled_slots(
    slots: Slots, places: Mapping[str | None, int], part: TierParts, above: TierParts | None
) -> Filled:
    """Times for the slots without value of one tier, where there are neighbours to tell."""
    names = part.slots()
    if all(slots[n] is not None for n in names if n in slots):
        return {}
    if above is not None:
        names.update(above.slots())
    ordered = sorted((name for name in names if name in slots), key=places.__getitem__)
    times = [slots[name] for name in ordered]
    valued = [n for n, time in enumerate(times) if time is not None]
    filled: Filled = {}
    for low, high in pairwise(valued):
        first, last = times[low], times[high]
        assert first is not None
        assert last is not None
        for n in range(low + 1, high):
            filled[ordered[n]] = first + (last - first) * (n - low) // (high - low)
    return filled


def _span(source: Source, annotation: Annotation, slots: Slots, filled: Filled) -> Span:
    first, last = annotation.begin, annotation.end
    if first not in slots or last not in slots:
        wrong, what = (last, "TIME_SLOT_REF2") if first in slots else (first, "TIME_SLOT_REF1")
        found = "none" if wrong is None else quoted(wrong)
        raise _error(source, annotation.line, f"the id of a time slot ({what})", found)
    begin, end = slots[first], slots[last]
    is_interpolated = first in filled or last in filled
    begin = filled.get(first) if begin is None else begin
    end = filled.get(last) if end is None else end
    if begin is None or end is None:
        message = f"annotation {quoted(annotation.id)} has no times, nor have its neighbours"
        source.log.warn("EAF-TIME", message, annotation.line)
        return None, None, False
    if end < begin:
        raise _error(source, annotation.line, f"an end after {begin / 1e9:g} s", f"{end / 1e9:g} s")
    if end == begin:
        message = f"annotation {quoted(annotation.id)} ends where it begins, at {begin / 1e9:g} s"
        source.log.warn("EAF-EMPTY", message, annotation.line)
    return begin, end, is_interpolated


def _share_spans(
    source: Source,
    parts: Sequence[TierParts],
    own: Mapping[str, int | None],
    spans: dict[str, Span],
) -> None:
    """Times of annotations on annotations, from above downwards."""
    below: dict[str, list[list[Annotation]]] = {}
    for part in parts:
        siblings: dict[str, list[Annotation]] = {}
        for annotation in part.annotations() if any(part.columns[5]) else ():
            if annotation.reference is not None:
                _check_reference(source, annotation, annotation.reference, own)
                siblings.setdefault(annotation.reference, []).append(annotation)
        for reference, group in siblings.items():
            below.setdefault(reference, []).append(_in_order(source, group))
    waiting = list(spans) if below else []
    while waiting:
        parent = waiting.pop()
        begin, end, _ = spans[parent]
        for group in below.pop(parent, ()):
            for n, annotation in enumerate(group):
                if begin is None or end is None:
                    spans[annotation.id] = None, None, False
                else:
                    length, size = end - begin, len(group)
                    first, last = begin + length * n // size, begin + length * (n + 1) // size
                    spans[annotation.id] = first, last, True
                waiting.append(annotation.id)
    for groups in below.values():
        lost = groups[0][0]
        expected = "an annotation whose references (ANNOTATION_REF) end at one with times"
        raise _error(source, lost.line, expected, f"a circle at {quoted(lost.id)}")


def _check_reference(
    source: Source, annotation: Annotation, reference: str, own: Mapping[str, int | None]
) -> None:
    if reference not in own:
        expected = "the id of an annotation (ANNOTATION_REF)"
        raise _error(source, annotation.line, expected, quoted(reference))


def _in_order(source: Source, group: list[Annotation]) -> list[Annotation]:
    """The annotations on one annotation, each after the one it names its predecessor."""
    ids = {annotation.id for annotation in group}
    after: dict[str, list[Annotation]] = {}
    ordered: list[Annotation] = []
    waiting: list[Annotation] = []
    for annotation in group:
        if annotation.previous is None:
            waiting.append(annotation)
        elif annotation.previous not in ids:
            raise _error(
                source,
                annotation.line,
                "the id of an annotation of the same parent and tier (PREVIOUS_ANNOTATION)",
                quoted(annotation.previous),
            )
        else:
            after.setdefault(annotation.previous, []).append(annotation)
    waiting.reverse()
    while waiting:
        annotation = waiting.pop()
        ordered.append(annotation)
        waiting.extend(reversed(after.pop(annotation.id, [])))
    for left in after.values():
        expected = "annotations whose predecessors (PREVIOUS_ANNOTATION) begin somewhere"
        raise _error(source, left[0].line, expected, f"a circle at {quoted(left[0].id)}")
    return ordered
