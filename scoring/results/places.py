"""Counts by places: a place with several readings counts as many words as its written form has.

Readings from normalisation steps (spoken forms, contractions, fillers, …) differ in their numbers
of words. `$5` is one word, and `five dollars` are two words. The number of words on the chosen path
therefore depends on the hypothesis. With counts by places, the reference has its written number of
words for every hypothesis.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING

from scoring.alignment import load_core
from scoring.alignment.results import Alignments, CountsTable
from scoring.model.counts import NO_REFERENCE, Counts, Edit
from scoring.results.forgiven import REFERENCE, Forgiveness, Listed, places_of_settled
from scoring.results.written import Taken

if TYPE_CHECKING:
    from scoring.text.settled_forms import SettledForms


def counted_by_places(
    aligned: Alignments, forgiveness: Forgiveness
) -> tuple[Alignments, Forgiveness]:
    """Return the alignments with counts by places.

    The edits of the chosen path stay unchanged. Also return the forgiven places, so that they are
    not computed again.
    """
    changed: dict[int, Counts] = {}
    settled, rest = forgiveness.without_blocks()
    places_of_row = dict(rest.by_row(aligned))
    for row, places in places_of_row.items():
        readings = [place for place in places if place.longest and place.side == REFERENCE]
        if readings:
            counts = counts_by_places(aligned.edits_of(row), readings)
            if counts != aligned.counts[row]:
                changed[row] = counts
    counted = with_counts(aligned, changed)
    if settled:
        counted = _with_table(counted, _with_settled(counted, settled[0]))
    return counted, Forgiveness.of(Listed(len(aligned), places_of_row, settled))


def _with_settled(aligned: Alignments, forms: SettledForms) -> CountsTable:
    """Return the counts of all utterances.

    Written forms with decided readings are counted by place.
    """
    native = load_core()
    if native is None:
        places = ((row, places_of_settled(forms[row])) for row in forms)
        return _changed(
            aligned,
            {row: counts_by_places(aligned.edits_of(row), readings) for row, readings in places},
        )
    numbers = aligned.counts.numbers
    edits, offsets = bytes(aligned.edits), array("q", aligned.offsets)
    for block in forms.blocks:
        counted = native.count_places(
            edits, offsets, numbers, block.rows, block.bounds, block.forms, block.lengths()
        )
        numbers = memoryview(counted).cast("i")
    return CountsTable(bytes(numbers))


def _changed(aligned: Alignments, changed: Mapping[int, Counts]) -> CountsTable:
    """Return the counts of all utterances, with new counts for some of them."""
    numbers = array("i", aligned.counts.numbers)
    for row, counts in changed.items():
        numbers[4 * row : 4 * row + 4] = array("i", counts)
    return CountsTable(numbers.tobytes())


def _with_table(aligned: Alignments, table: CountsTable) -> Alignments:
    sides = aligned.references, aligned.hypotheses
    return Alignments(*sides, aligned.edits, aligned.offsets, table, aligned.costs)


def with_counts(aligned: Alignments, changed: Mapping[int, Counts]) -> Alignments:
    """Return the alignments with new counts for some utterances."""
    return _with_table(aligned, _changed(aligned, changed)) if changed else aligned


def path_counts(aligned: Alignments) -> CountsTable:
    """Return the counts of the edits along the chosen paths.

    >>> from scoring import wer
    >>> rates = wer("it is $5", "it is six dollars", normalize="spoken-forms")
    >>> tuple(rates.counts), tuple(path_counts(rates.aligned)[0])
    ((2, 1, 0, 0), (3, 1, 0, 0))
    """
    edits = map(aligned.edits_of, range(len(aligned)))
    return CountsTable(array("i", chain.from_iterable(map(Counts.of, edits))).tobytes())


def counts_by_places(edits: bytes, places: Sequence[Taken]) -> Counts:
    """Return the counts of an utterance, given the places with readings on its reference path.

    A place is correct if its reading has no errors. Otherwise it has the errors of its reading, but
    at most one per written word; its remaining words are correct. Words inserted next to a wrong
    place are part of the place, up to the length of its longest reading. Without this rule, `26`
    for `35` would be one error, but `twenty six` would be two errors.

    Examples
    --------
    >>> place = Taken("money", "reference", ("$5",), ("five", "dollars"), 1, 3, 1, 2, longest=2)
    >>> counts_by_places(bytes([0, 0, 0]), [place])
    Counts(correct=2, substitutions=0, deletions=0, insertions=0)
    >>> counts_by_places(bytes([0, 1, 1, 3]), [place])
    Counts(correct=1, substitutions=1, deletions=0, insertions=1)
    """
    total = list(Counts.of(edits))
    if max(edits, default=0) < Edit.INSERTION and not any(
        any(edits[place.begin : place.end]) for place in places
    ):
        # all are right, and each edit has a word of the reference
        total[Edit.CORRECT] += sum(
            place.written_end - place.written_begin - place.end + place.begin for place in places
        )
        return Counts(*total)
    words = [index for index, edit in enumerate(edits) if edit not in NO_REFERENCE]
    done = 0  # edits before are counted
    for place in sorted(places, key=attrgetter("begin")):
        written = place.written_end - place.written_begin
        if place.begin == place.end:
            # a reading of no words has no errors
            total[Edit.CORRECT] += written
            continue
        begin, end = words[place.begin], words[place.end - 1] + 1
        inside = Counts.of(edits[begin:end])
        if inside.substitutions or inside.deletions:
            room = place.longest - inside.hypothesis_tokens
            while room > 0 and begin > done and edits[begin - 1] == Edit.INSERTION:
                begin, room = begin - 1, room - 1
            while room > 0 and end < len(edits) and edits[end] == Edit.INSERTION:
                end, room = end + 1, room - 1
            inside = Counts.of(edits[begin:end])
        counted = _of_place(inside, written)
        total = [
            number + of_place - of_path
            for number, of_place, of_path in zip(total, counted, inside, strict=True)
        ]
        done = end
    return Counts(*total)


def _of_place(counts: Counts, written: int) -> Counts:
    """Convert the counts along a reading to counts of a place with `written` written words."""
    _, substitutions, deletions, insertions = counts
    if counts.errors <= written:
        correct = written - substitutions - deletions
        return Counts(correct, substitutions, deletions, insertions)
    substitutions = min(written, counts.hypothesis_tokens)
    return Counts(0, substitutions, written - substitutions, 0)
