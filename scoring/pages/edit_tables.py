"""Tables of the most frequent edits: by word, and by character."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Heading, Items, Table
from scoring.model.counts import Edit

if TYPE_CHECKING:
    from scoring.results import Rates


def confusions_of(rates: Rates, least: int) -> Iterator[Block]:
    """Yield tables of the substituted, deleted and inserted words.

    A row is shown if it occurs at least `least` times.
    """
    from scoring.measures.view import View

    view = View(rates)
    for edit, heading, columns in (
        (Edit.SUBSTITUTION, "Substitutions", ("reference", "hypothesis")),
        (Edit.DELETION, "Deletions", ("reference",)),
        (Edit.INSERTION, "Insertions", ("hypothesis",)),
    ):
        slots = np.flatnonzero(view.edits == edit)
        sides = [getattr(view, name) for name in columns]
        ids = np.stack([side.ids[side.slots[slots]] for side in sides], axis=1)
        pairs, numbers = np.unique(ids, axis=0, return_counts=True)
        rows = [
            (-number, tuple(side.types[word] for side, word in zip(sides, pair, strict=True)))
            for pair, number in zip(pairs.tolist(), numbers.tolist(), strict=True)
            if number >= least
        ]
        yield Heading(heading, remark=f"{len(slots)} in all, {len(pairs)} different")
        if rows:
            cells = [(*words, str(-number)) for number, words in sorted(rows)]
            yield Table((*columns, "times"), cells, len(columns))
        else:
            yield Items([f"at least {least} times: none"])


def characters_of(rates: Rates) -> Iterator[Block]:
    """Yield a table with the error rate of each character; those with most errors come first."""
    from scoring.measures.characters import letter_counts
    from scoring.measures.view import View

    rows = []
    for letter, counts in letter_counts(View(rates)).items():
        number, errors = sum(counts[:3]), sum(counts[1:])
        rate = percent(errors / number if number else None)
        name = "(blank)" if letter == " " else letter
        rows.append((-errors, name, (str(number), *map(str, counts), rate)))
    headings = ("character", "in the reference", "correct", "sub", "del", "ins", "rate %")
    yield Table(headings, [(name, *cells) for _, name, cells in sorted(rows)])
