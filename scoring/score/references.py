"""Choose the best reference, or the best variant of a reference, for each utterance."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from scoring.alignment.plain_references import MarkedRow
from scoring.alignment.results import Alignments, concatenated
from scoring.model.counts import CHARACTER_UNITS, Alignment, Edit
from scoring.options import Options, Rules
from scoring.results.choices import ReferenceChoices
from scoring.score.aligned import align_chosen
from scoring.score.paths import Resolved, choose_paths
from scoring.sides.corpus import NO_PARTNER, Corpus, InputFile
from scoring.sides.rows import ChosenWays, cut_row, rows_of, with_table, written_length
from scoring.sides.variants import VariantTable


def score_references(
    references: Sequence[Corpus],
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    options: Options,
    table: VariantTable | None,
) -> tuple[Corpus, Alignments, ReferenceChoices, ChosenWays]:
    """Return the chosen reference words, their alignment with the hypothesis, and the choices.

    With one reference, also return the chosen branches.

    All references have the same utterances in the same order.
    """
    # characters are cut once the words of the table are found
    is_cut = table is None or rules.unit not in CHARACTER_UNITS
    unit = rules.unit if is_cut else "word"
    heard = rows_of(hypothesis, unit, rules.forgive_optional)
    if list(partners) != list(range(len(heard))):
        heard = [() if row == NO_PARTNER else heard[row] for row in partners]
    has_optional = options.variants or rules.forgive_optional
    columns = [rows_of(side, unit, has_optional) for side in references]
    lengths: Sequence[int] = ()
    if rules.variants_length == "written":
        lengths = [written_length(row, "word" if is_cut else rules.unit) for row in columns[0]]
    if table is not None:
        columns = [with_table(column, heard, table) for column in columns]
    if not is_cut:
        columns = [[cut_row(row, rules.unit) for row in column] for column in columns]
        heard = [cut_row(row, rules.unit) for row in heard]
    if options.references == "network":
        resolved = choose_paths(columns, heard, rules)
        aligned = align_chosen(resolved, rules, options.jobs)
    else:
        resolved, aligned = _chosen_whole(columns, heard, rules, options)
    if rules.variants_length == "shortest":
        lengths = list(resolved.shortest)
    free = sum(end - begin for gaps in resolved.cuts.values() for _, begin, end in gaps)
    choices = ReferenceChoices(
        [InputFile(side.name, side.format) for side in references],
        resolved.sources,
        lengths,
        free,
    )
    ways = [] if resolved.ways is None else [(range(len(heard)), resolved.ways)]
    return references[0]._replace(words=resolved.words, special={}), aligned, choices, ways


def _chosen_whole(
    columns: Sequence[Sequence[MarkedRow]],
    heard: Sequence[MarkedRow],
    rules: Rules,
    options: Options,
) -> tuple[Resolved, Alignments]:
    """Return the alignment with the best reference, or with the network of all references."""
    each = [choose_paths([column], heard, rules) for column in columns]
    aligned = [align_chosen(resolved, rules, options.jobs) for resolved in each]
    shortest = list(map(min, zip(*(resolved.shortest for resolved in each), strict=True)))
    if options.references == "mr-wer":
        return _merged(aligned, shortest)
    by_rate = options.references == "each"
    chosen: list[int] = []
    for counts in zip(*(alignments.counts for alignments in aligned), strict=True):
        # without words as of one word, so that silence matches silence, and after those with words
        keys = [
            (own.errors / max(own.reference_tokens, 1), not own.reference_tokens, own.errors)
            if by_rate
            else (own.errors,)
            for own in counts
        ]
        chosen.append(keys.index(min(keys)))
    rows = list(enumerate(chosen))
    resolved = Resolved(
        [each[number].words[row] for row, number in rows],
        [each[number].heard[row] for row, number in rows],
        [(number + 1,) for number in chosen],
        {row: each[number].cuts[row] for row, number in rows if row in each[number].cuts},
        shortest,
    )
    picked = [number * len(chosen) + row for row, number in rows]
    return resolved, concatenated(aligned).select(picked)


def _merged(aligned: Sequence[Alignments], shortest: Sequence[int]) -> tuple[Resolved, Alignments]:
    """Combine the alignments with all references into one, by the rule of multi-reference WER.

    A hypothesis word is correct if it is correct in any of these alignments. Otherwise, it is
    substituted if it is substituted in any of them, and inserted if not. A deletion counts only if
    all references have a deletion at this place.
    """
    merged: list[Alignment] = []
    chosen: list[tuple[int, ...]] = []
    for alignments in zip(*aligned, strict=True):
        places: dict[tuple[int, int], list[tuple[Edit, int, str]]] = {}
        for number, alignment in enumerate(alignments, 1):
            deletions = 0
            for index, (edit, word, _) in enumerate(alignment):
                is_deletion = edit == Edit.DELETION
                deletions += is_deletion
                place = index - deletions, deletions * is_deletion
                places.setdefault(place, []).append((edit, number, word or ""))
        shared = [min(edits) for edits in places.values() if len(edits) == len(aligned)]
        words = [(word, number) for edit, number, word in shared if edit != Edit.INSERTION]
        path, heard = tuple([word for word, _ in words]), alignments[0].hypothesis
        merged.append(Alignment(bytes([edit for edit, *_ in shared]), path, heard, 0))
        chosen.append(tuple([number for number, _ in groupby(number for _, number in words)]))
    joined = Alignments.of(merged, aligned[0].costs)
    return Resolved(joined.references, joined.hypotheses, chosen, {}, shortest), joined
