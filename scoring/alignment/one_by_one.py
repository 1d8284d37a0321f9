"""Aligning utterances one by one, as word graphs."""

from __future__ import annotations

from array import array
from itertools import groupby
from typing import NamedTuple

from scoring.alignment import kernel
from scoring.alignment.numbered import Side
from scoring.alignment.word_costs import WordCosts
from scoring.model import Edit

UNPAIRED = frozenset({Edit.DELETION, Edit.INSERTION})


class OneByOne:
    """Aligns single utterances as word graphs."""

    def __init__(self, reference: Side, hypothesis: Side, costs: WordCosts, by_time: bool) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._costs = costs
        self._by_time = by_time

    def align(self, utterance: int) -> tuple[bytes, int]:
        """Edits of one utterance, and how many pairs of null words were dropped."""
        left, mine = self._costs.network(self._reference, utterance)
        right, theirs = self._costs.network(self._hypothesis, utterance)
        table = self._costs.match_table(self._reference, mine, self._hypothesis, theirs)
        steps = array("i", kernel.align_network(left, right, int(self._costs.mode), table)[0])
        places: list[_Place] = []
        null_pairs = 0
        for a, b in zip(steps[::2], steps[1::2], strict=True):
            pair = (mine[a - 1] if a else None, theirs[b - 1] if b else None)
            edit = self._edit(*pair)
            if edit is not None:
                places.append(_Place(*pair, edit))
            elif a and b:
                null_pairs += 1
        if self._by_time:
            # runs of neighbouring deletions and insertions are sorted by start time, stably
            runs = groupby(places, key=lambda place: place.edit in UNPAIRED)
            places = [
                place
                for unpaired, run in runs
                for place in (sorted(run, key=self._start) if unpaired else run)
            ]
        self._reference.keep(utterance, [p.reference for p in places if p.reference is not None])
        self._hypothesis.keep(utterance, [p.hypothesis for p in places if p.hypothesis is not None])
        return bytes([place.edit for place in places]), null_pairs

    def _edit(self, reference: int | None, hypothesis: int | None) -> int | None:
        """What a step counts as; None for null words without a partner or with each other."""
        types = self._costs.types
        mine = None if reference is None else self._reference.types[reference]
        theirs = None if hypothesis is None else self._hypothesis.types[hypothesis]
        if mine is not None and theirs is not None:
            if types[mine].null and types[theirs].null:
                return None
            return Edit.CORRECT if self._costs.match(mine, theirs) else Edit.SUBSTITUTION
        if mine is not None:
            word = types[mine]
            edit = Edit.SKIPPED_REFERENCE if word.optional else Edit.DELETION
        else:
            assert theirs is not None
            word = types[theirs]
            edit = Edit.SKIPPED_HYPOTHESIS if word.optional else Edit.INSERTION
        return None if word.null else edit

    def _start(self, place: _Place) -> float:
        side, position = self._reference, place.reference
        if position is None:
            side, position = self._hypothesis, place.hypothesis
        assert side.starts is not None
        assert position is not None
        return side.starts[position]


class _Place(NamedTuple):
    """A step of an alignment: positions of words, None without a partner."""

    reference: int | None
    hypothesis: int | None
    edit: int
