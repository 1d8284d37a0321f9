"""The best of several references, or of the variants of one, for each utterance.

A path is chosen first; its words are then scored as those of any reference, under the profile of
the options. Wildcards cut an utterance in pieces, which are aligned separately and joined.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.alignment.kernel import best_paths
from scoring.alignment.plain_references import BAR, CLOSE, OPEN, WILDCARD_TYPE, Row
from scoring.alignment.results import Alignments, concatenated
from scoring.model.counts import CHARACTERS_AND_BLANKS, Alignment, Edit
from scoring.model.errors import InputError
from scoring.results.choices import ReferenceChoices
from scoring.score.aligned import align_words
from scoring.sides.corpus import NO_PARTNER, Corpus, InputFile, PlainTexts, Words
from scoring.sides.variants import VariantTable

if TYPE_CHECKING:
    from formats.schema.words import Alternation, Token
    from scoring.options import Options, Rules


class Resolved(NamedTuple):
    """The chosen path of each utterance.

    `sources` are the numbers of the references, from 1, that its words come from; `cuts` the
    wildcards of an utterance: words of the path before it, and its range in the hypothesis;
    `shortest` the words of the shortest path.
    """

    words: Sequence[Words]
    sources: list[tuple[int, ...]]
    cuts: dict[int, list[tuple[int, ...]]]
    shortest: Sequence[int]


def score_references(
    references: Sequence[Corpus],
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    options: Options,
    table: VariantTable | None,
) -> tuple[Corpus, Alignments, ReferenceChoices]:
    """A reference of chosen words, its alignment with the hypothesis, and what was chosen.

    All references have the same utterances in the same order. InputError if the hypothesis has
    alternatives.
    """
    for row in sorted(set(partners) & set(hypothesis.special)):
        if hypothesis.special[row].alternations or rules.forgive_optional:
            problem = (
                "expected plain words with several references or variants, found alternatives or "
                f"optional words in {hypothesis.identifiers[row]!r}"
            )
            raise InputError(hypothesis.name, hypothesis.lines[row], None, problem)
    heard = hypothesis.words
    if list(partners) != list(range(len(heard))):
        heard = [() if row == NO_PARTNER else heard[row] for row in partners]
    columns = [_rows(side, rules, options.variants) for side in references]
    lengths: Sequence[int] = ()
    if rules.variants_length == "written":
        lengths = list(map(_written, columns[0]))
    if table is not None:
        columns = [_with_table(column, heard, table) for column in columns]
    if options.references == "network":
        resolved = _resolved(columns, heard, rules)
        aligned = _aligned(resolved, heard, rules, options.jobs)
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
    return references[0]._replace(words=resolved.words, special={}), aligned, choices


def _rows(side: Corpus, rules: Rules, has_notation: bool) -> Sequence[Row]:
    """The words of each utterance, with marks around alternatives."""
    if not side.special:
        return side.words.rows if isinstance(side.words, PlainTexts) else side.words
    if rules.unit == CHARACTERS_AND_BLANKS:
        row = min(side.special)
        problem = "expected plain words with unit char+space, found alternatives (--unit char)"
        raise InputError(side.name, side.lines[row], None, problem)
    rows: list[Row] = list(side.words)
    has_optional = has_notation or rules.forgive_optional
    for row, segment in side.special.items():
        rows[row] = list(_flat(segment.items(), has_optional, rules.unit))
    return rows


def _flat(
    items: Iterable[Token | Alternation], has_optional: bool, unit: str
) -> Iterator[str | int]:
    from formats.schema.words import WILDCARD_KIND, Alternation

    for item in items:
        if isinstance(item, Alternation):
            yield from _marked(_flat(branch, has_optional, unit) for branch in item.branches)
        elif item.kind == WILDCARD_KIND:
            yield WILDCARD_TYPE
        else:
            words: Words = (item.text,)
            if unit != "word":
                from scoring.text.units import split_in_units

                words = split_in_units(words, unit)
            yield from (_marked([words, ()]) if item.optional and has_optional else words)


def _marked(branches: Iterable[Iterable[str | int]]) -> Iterator[str | int]:
    """Alternatives with marks around and between them."""
    for number, branch in enumerate(branches):
        yield BAR if number else OPEN
        yield from branch
    yield CLOSE


def _written(row: Row) -> int:
    """Words of a reference as written: the first alternatives."""
    firsts = [True]  # whether the alternatives being read are first ones, for each open brace
    words = 0
    for word in _items(row):
        if word == OPEN:
            firsts.append(firsts[-1])
        elif word == BAR:
            firsts[-1] = False
        elif word == CLOSE:
            firsts.pop()
        else:
            words += isinstance(word, str) and firsts[-1]
    return words


def _with_table(column: Sequence[Row], heard: Sequence[Words], table: VariantTable) -> list[Row]:
    """The references with the equivalents of a table as alternatives."""
    longest = max(map(len, table.phrases), default=0)
    starts = {phrase[0] for phrase in table.phrases}
    rows: list[Row] = []
    for row, words in zip(column, heard, strict=True):
        changed = items = _items(row)
        if not starts.isdisjoint(items):
            changed = list(_with_phrases(items, table, longest))
        if table.parts:
            changed = _with_spellings(changed, words, table)
        rows.append(changed if len(changed) > len(items) else row)
    return rows


def _with_phrases(row: list[Any], table: VariantTable, longest: int) -> Iterator[str | int]:
    """The row with the longest phrases of the table, from left to right, as alternatives."""
    position = 0
    while position < len(row):
        phrases = (tuple(row[position : position + size]) for size in range(longest, 0, -1))
        phrase = next(filter(table.phrases.__contains__, phrases), ())
        branches = [phrase, *table.phrases[phrase]] if phrase else []
        yield from _marked(branches) if branches else row[position : position + 1]
        position += len(phrase) or 1


def _with_spellings(row: list[Any], heard: Words, table: VariantTable) -> list[Any]:
    """The row with each word in the spellings of the hypothesis that equal it by the table."""
    keys: dict[str, list[str]] = {}
    for spoken in dict.fromkeys(heard):
        keys.setdefault(table.key(spoken), []).append(spoken)
    changed: list[str | int] = []
    for word in row:
        equals = keys.get(table.key(word), ()) if isinstance(word, str) else ()
        others = [(other,) for other in equals if other != word]
        changed += _marked([(word,), *others]) if others else [word]
    return changed


def _resolved(columns: Sequence[Sequence[Row]], heard: Sequence[Words], rules: Rules) -> Resolved:
    """The best path of each utterance through all references."""
    count = len(columns)
    if count == 1 and (only := _without_choice(columns[0])) is not None:
        return only
    rows: list[Any] = list(chain.from_iterable(zip(*columns, strict=True)))
    compared: Sequence[Row] = rows
    spoken: Sequence[Row] = heard.rows if isinstance(heard, PlainTexts) else heard
    if rules.ignore_case:
        compared, spoken = (list(map(_folded, side)) for side in (compared, spoken))
    paths = best_paths(compared, spoken, count)
    whole, places, sources, _, cuts, shortest = (array("i", column) for column in paths)
    are_texts = set(map(type, rows)) == {str}
    numbers = [(number,) for number in range(1, count + 1)]
    words: list[Any] = []
    chosen: list[tuple[int, ...]] = []
    for base, (begin, end), reference in zip(
        range(0, len(rows), count), pairwise(array("q", paths[3])), whole, strict=True
    ):
        row = rows[base + reference]
        if reference < 0 or isinstance(row, list):
            every = rows[base : base + count]
            items: list[Any] = " ".join(every).split() if are_texts else _items(*every)
            path = [items[place] for place in places[begin:end]]
            row = " ".join(path) if are_texts else tuple(path)
        words.append(row if are_texts or not isinstance(row, str) else tuple(row.split()))
        if reference < 0:
            chosen.append(tuple([source + 1 for source, _ in groupby(sources[begin:end])]))
        else:
            chosen.append(numbers[reference])
    gaps: dict[int, list[tuple[int, ...]]] = {}
    for utterance, *gap in zip(*(cuts[at::4] for at in range(4)), strict=True):
        gaps.setdefault(utterance, []).append(tuple(gap))
    return Resolved(PlainTexts(words) if are_texts else words, chosen, gaps, shortest)


def _without_choice(rows: Sequence[Row]) -> Resolved | None:
    """One reference of plain words, each its only path; `None` if there are marks in it."""
    if set(map(type, rows)) == {str}:
        texts: Sequence[Any] = PlainTexts(list(rows))
        lengths = [len(str(text).split()) for text in rows]
    else:
        texts = [tuple(_items(row)) for row in rows]
        if any(isinstance(item, int) for row in texts for item in row):
            return None
        lengths = list(map(len, texts))
    return Resolved(texts, [(1,)] * len(rows), {}, lengths)


def _items(*rows: Row) -> list[Any]:
    """The words and marks of some rows."""
    return list(chain.from_iterable(row.split() if isinstance(row, str) else row for row in rows))


def _folded(row: Row) -> Row:
    if isinstance(row, str):
        return row.casefold()
    return [word.casefold() if isinstance(word, str) else word for word in row]


def _aligned(resolved: Resolved, heard: Sequence[Words], rules: Rules, threads: int) -> Alignments:
    """Align the chosen words, those between wildcards apart from others."""
    if not resolved.cuts:
        return align_words(resolved.words, heard, rules, threads)
    pieces: tuple[list[Words], list[Words]] = [], []
    bounds = [0]
    for row, sides in enumerate(zip(resolved.words, heard, strict=True)):
        gaps = resolved.cuts.get(row, ())
        ends = (
            [bound for gap in gaps for bound in (gap[0], gap[0])],
            [bound for gap in gaps for bound in gap[1:]],
        )
        for words, places, into in zip(sides, ends, pieces, strict=True):
            all_places = [0, *places, len(words)]
            into += [words[b:e] for b, e in zip(all_places[::2], all_places[1::2], strict=True)]
        bounds.append(len(pieces[0]))
    return align_words(*pieces, rules, threads).joined_at(bounds)


def _chosen_whole(
    columns: Sequence[Sequence[Row]], heard: Sequence[Words], rules: Rules, options: Options
) -> tuple[Resolved, Alignments]:
    """Align each reference; that with the lowest rate or the fewest errors, or all merged."""
    each = [_resolved([column], heard, rules) for column in columns]
    aligned = [_aligned(resolved, heard, rules, options.jobs) for resolved in each]
    shortest = list(map(min, *(resolved.shortest for resolved in each)))
    if options.references == "mr-wer":
        return _merged(aligned, shortest)
    by_rate = options.references == "each"
    chosen: list[int] = []
    for counts in zip(*(alignments.counts for alignments in aligned), strict=True):
        # without words as of one word, so that silence matches silence
        keys = [
            (own.errors / (max(own.reference_tokens, 1) if by_rate else 1), own.errors)
            for own in counts
        ]
        chosen.append(keys.index(min(keys)))
    rows = list(enumerate(chosen))
    resolved = Resolved(
        [each[number].words[row] for row, number in rows],
        [(number + 1,) for number in chosen],
        {row: each[number].cuts[row] for row, number in rows if row in each[number].cuts},
        shortest,
    )
    picked = [number * len(chosen) + row for row, number in rows]
    return resolved, concatenated(aligned).select(picked)


def _merged(aligned: Sequence[Alignments], shortest: Sequence[int]) -> tuple[Resolved, Alignments]:
    """The alignments with each reference as one, by the rule of multi-reference WER.

    A word of the hypothesis is correct if it is with any reference, otherwise substituted,
    otherwise inserted. A deletion counts if all references have it: at the same place, with as many
    before it in the utterance.
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
    return Resolved(joined.references, chosen, {}, shortest), joined
