"""Combine parts of readings without computing the full product."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, product, zip_longest
from math import prod
from typing import Any

MOST = 64
"""The largest number of readings of one place."""
_SLOT = re.compile(r"\{(\w+)\}")


def combine(parts: Sequence[Sequence[str]], most: int = MOST, between: str = " ") -> Iterator[str]:
    """Yield the combinations of one text from each part, joined by `between`.

    The longest parts lose their last texts until there are at most `most` combinations.

    Combinations of early texts come first.

    >>> list(combine([["a", "b"], ["c"]]))
    ['a c', 'b c']
    """
    if not all(parts):
        return iter(())
    columns = [
        map(part.__getitem__, places)
        for part, places in zip(parts, _order(tuple(map(len, parts)), most), strict=True)
    ]
    rows = zip(*columns, strict=True)
    if between and any("" in part for part in parts):
        return (between.join(filter(None, texts)) for texts in rows)
    return map(between.join, rows)


@lru_cache(1 << 12)
def _order(sizes: tuple[int, ...], most: int) -> tuple[tuple[int, ...], ...]:
    """Return the index of each part's text in each combination; `sizes` are the parts' sizes."""
    kept = list(sizes)
    while prod(kept) > most:
        kept[kept.index(max(kept))] -= 1
    return tuple(zip(*sorted(product(*map(range, kept)), key=sum), strict=True))


def fill(template: str, slots: Mapping[str, Sequence[str]], most: int = MOST) -> Iterator[str]:
    """Yield the template with each slot filled in all ways; nothing if a slot has no text.

    >>> list(fill("{a} past {b}", {"a": ["ten"], "b": ["one", "two"]}))
    ['ten past one', 'ten past two']
    """
    pieces = _SLOT.split(template)
    parts = [slots.get(piece, ()) if at % 2 else (piece,) for at, piece in enumerate(pieces)]
    return combine(parts, most, "")


def fill_all(
    templates: Iterable[str], slots: Mapping[str, Sequence[str]], most: int = MOST
) -> tuple[str, ...]:
    """Return at most `most` filled templates, taken from the templates in turn."""
    filled = [list(fill(template, slots, most)) for template in templates]
    return in_turn(filled, most)


def in_turn(lists: Sequence[Sequence[str]], most: int = MOST) -> tuple[str, ...]:
    """Return the different texts of all lists, in turn: all first texts, then all second texts.

    >>> in_turn([["a", "b"], ["c"]])
    ('a', 'c', 'b')
    """
    texts: dict[Any, None] = dict.fromkeys(chain.from_iterable(zip_longest(*lists)))
    texts.pop(None, None)
    return tuple(texts)[:most]


def slots_of(template: str) -> frozenset[str]:
    """Return the names of the slots in a template, such as `a` in `{a} past`."""
    return frozenset(_SLOT.findall(template))
