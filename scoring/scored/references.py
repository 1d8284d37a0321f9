"""The best of several references, or of the variants of one, for each utterance.

A path is chosen first; its words are then scored as those of any reference, under the profile of
the options. Wildcards cut an utterance in pieces, which are aligned one by one and joined.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain, groupby, pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Union

from scoring.alignment.kernel import best_paths
from scoring.alignment.plain_references import BAR, CLOSE, OPEN, WILDCARD_TYPE
from scoring.alignment.results import Alignments, concatenated
from scoring.errors import InputError
from scoring.model import CHARACTERS_AND_BLANKS
from scoring.rates.choices import ReferenceChoices
from scoring.scored.aligned import PART, align_words
from scoring.sides.account import NO_PARTNER, InputFile
from scoring.sides.corpus import Corpus, Words
from scoring.sides.variants import VariantTable

if TYPE_CHECKING:
    from formats.words import Alternation, Token
    from scoring.options import Options, Rules

# A reference as words and marks between alternatives.
Row: TypeAlias = Sequence[Union[str, int]]  # noqa: UP007
_MARKS: dict[str | int, int] = {mark: mark for mark in (OPEN, BAR, CLOSE, WILDCARD_TYPE)}


class Resolved(NamedTuple):
    """The chosen path of each utterance.

    `sources` are the numbers of the references, from 0, that its words come from; `cuts` the
    wildcards of an utterance: words of the path before it, and its range in the hypothesis;
    `shortest` the words of the shortest path.
    """

    words: list[Words]
    sources: list[tuple[int, ...]]
    cuts: dict[int, list[tuple[int, int, int]]]
    shortest: list[int]


class ChosenReferences(NamedTuple):
    """A reference of chosen words, its alignment with the hypothesis, and what was chosen."""

    reference: Corpus
    aligned: Alignments
    choices: ReferenceChoices


def score_references(
    references: Sequence[Corpus],
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    options: Options,
    table: VariantTable | None = None,
) -> ChosenReferences:
    """Choose and align; all references have the same utterances in the same order.

    InputError if the hypothesis has alternatives.
    """
    _refuse_alternatives(hypothesis, partners, rules)
    heard = [() if row == NO_PARTNER else hypothesis.words[row] for row in partners]
    columns = [_rows(side, rules, options.variants) for side in references]
    written = list(map(_written, columns[0]))
    if table is not None:
        columns = [_with_table(column, heard, table) for column in columns]
    if options.references == "network":
        resolved = _resolved(columns, heard, rules)
        aligned = _aligned(resolved, heard, rules, options.jobs)
    else:
        resolved, aligned = _chosen_whole(columns, heard, rules, options)
    lengths: Sequence[int] = ()
    if rules.variants_length:
        is_written = rules.variants_length == "written"
        lengths = written if is_written else resolved.shortest
    free = sum(end - begin for gaps in resolved.cuts.values() for _, begin, end in gaps)
    choices = ReferenceChoices(
        [InputFile(side.name, side.format) for side in references],
        [tuple(number + 1 for number in sources) for sources in resolved.sources],
        lengths,
        free,
    )
    return ChosenReferences(
        references[0]._replace(words=resolved.words, special={}), aligned, choices
    )


def _refuse_alternatives(hypothesis: Corpus, partners: Sequence[int], rules: Rules) -> None:
    for row in sorted(set(partners) & set(hypothesis.special)):
        if hypothesis.special[row].alternations or rules.forgive_optional:
            problem = (
                "expected plain words with several references or variants, found alternatives or "
                f"optional words in {hypothesis.identifiers[row]!r}"
            )
            raise InputError(hypothesis.name, hypothesis.lines[row], None, problem)


def _rows(side: Corpus, rules: Rules, has_notation: bool) -> list[Row]:
    """The words of each utterance, with marks around alternatives."""
    if side.special and rules.unit == CHARACTERS_AND_BLANKS:
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
    from formats.words import WILDCARD_KIND, Alternation

    for item in items:
        if isinstance(item, Alternation):
            yield OPEN
            for number, branch in enumerate(item.branches):
                if number:
                    yield BAR
                yield from _flat(branch, has_optional, unit)
            yield CLOSE
        elif item.kind == WILDCARD_KIND:
            yield WILDCARD_TYPE
        else:
            words: Words = (item.text,)
            if unit != "word":
                from scoring.normalize.units import split_in_units

                words = split_in_units(words, unit)
            marked: Row = [OPEN, *words, BAR, CLOSE]
            yield from (marked if item.optional and has_optional else words)


def _written(row: Row) -> int:
    """Words of a reference as written: the first alternatives."""
    if isinstance(row, tuple):
        return len(row)
    # for each open brace whether its first alternative is being read
    firsts: list[bool] = []
    words = 0
    for word in row:
        if word == OPEN:
            firsts.append(all(firsts))
        elif word == BAR:
            firsts[-1] = False
        elif word == CLOSE:
            firsts.pop()
        else:
            words += isinstance(word, str) and all(firsts)
    return words


def _with_table(column: list[Row], heard: Sequence[Words], table: VariantTable) -> list[Row]:
    """The references with the equivalents of a table as alternatives."""
    longest = max(map(len, table.phrases), default=0)
    starts = {phrase[0] for phrase in table.phrases}
    rows: list[Row] = []
    for row, words in zip(column, heard, strict=True):
        has_phrase = not starts.isdisjoint(row)
        changed = list(_with_phrases(row, table, longest)) if has_phrase else row
        if table.parts:
            changed = _with_spellings(changed, words, table)
        rows.append(changed)
    return rows


def _with_phrases(row: Row, table: VariantTable, longest: int) -> Iterator[str | int]:
    """The row with the longest phrases of the table, from left to right, as alternatives."""
    position = 0
    while position < len(row):
        for size in range(min(longest, len(row) - position), 0, -1):
            phrase = tuple(row[position : position + size])
            others = table.phrases.get(phrase)  # type: ignore[arg-type]
            if others is not None:
                yield OPEN
                yield from phrase
                for other in others:
                    yield BAR
                    yield from other
                yield CLOSE
                position += size
                break
        else:
            yield row[position]
            position += 1


def _with_spellings(row: Row, heard: Words, table: VariantTable) -> Row:
    """The row with each word in the spellings of the hypothesis that equal it by the table."""
    keys: dict[str, list[str]] = {}
    for spoken in dict.fromkeys(heard):
        keys.setdefault(table.key(spoken), []).append(spoken)
    changed: list[str | int] = []
    for word in row:
        others = keys.get(table.key(word), ()) if isinstance(word, str) else ()
        bars: list[Row] = [(BAR, other) for other in others if other != word]
        changed += [OPEN, word, *chain.from_iterable(bars), CLOSE] if bars else [word]
    return changed if len(changed) > len(row) else row


def _resolved(columns: Sequence[Sequence[Row]], heard: Sequence[Words], rules: Rules) -> Resolved:
    """The best path of each utterance through all references."""
    resolved = Resolved([], [], {}, [])
    for begin in range(0, max(len(heard), 1), PART):
        part = slice(begin, begin + PART)
        _resolve_part([column[part] for column in columns], heard[part], rules, resolved)
    return resolved


def _resolve_part(
    columns: Sequence[Sequence[Row]], heard: Sequence[Words], rules: Rules, resolved: Resolved
) -> None:
    """Append the best paths of some utterances."""
    rows = list(chain.from_iterable(zip(*columns, strict=True)))
    words: list[Any] = list(chain.from_iterable(rows))
    compared, spoken = words, list(chain.from_iterable(heard))
    if rules.ignore_case:
        compared = [word.casefold() if isinstance(word, str) else word for word in words]
        spoken = list(map(str.casefold, spoken))
    # numbers in the order of the words, so that the order of the references does not matter
    known = sorted(word for word in set(compared) if isinstance(word, str))
    numbers = _MARKS | dict(zip(known, range(len(known)), strict=True))
    number, unknown, count = numbers.get, len(known), len(columns)
    offsets = array("q", accumulate(map(len, rows), initial=0))
    paths = best_paths(
        array("i", map(numbers.__getitem__, compared)),
        offsets,
        array("i", [number(word, unknown) for word in spoken]),
        array("q", accumulate(map(len, heard), initial=0)),
        count,
    )
    whole, places, sources, _, cuts, shortest = (array("i", column) for column in paths)
    first, add, add_sources = len(resolved.words), resolved.words.append, resolved.sources.append
    for utterance, ((begin, end), reference) in enumerate(
        zip(pairwise(array("q", paths[3])), whole, strict=True)
    ):
        base = utterance * count
        row = rows[base + reference]
        if reference >= 0 and isinstance(row, tuple):
            add(row)
            add_sources((reference,))
            continue
        start = offsets[base]
        add(tuple([words[start + position] for position in places[begin:end]]))
        runs = tuple([source for source, _ in groupby(sources[begin:end])])
        add_sources((reference,) if reference >= 0 else runs)
    for utterance, words_before, start, stop in zip(*(cuts[at::4] for at in range(4)), strict=True):
        resolved.cuts.setdefault(first + utterance, []).append((words_before, start, stop))
    resolved.shortest.extend(shortest)


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
    """The reference of each utterance with the lowest rate, or the fewest errors."""
    each = [_resolved([column], heard, rules) for column in columns]
    aligned = [_aligned(resolved, heard, rules, options.jobs) for resolved in each]
    by_rate = options.references == "each"
    chosen: list[int] = []
    for counts in zip(*(alignments.counts for alignments in aligned), strict=True):
        keys = [
            ((_rate(own.errors, own.reference_tokens) if by_rate else 0.0), own.errors, number)
            for number, own in enumerate(counts)
        ]
        chosen.append(min(keys)[2])
    rows = list(enumerate(chosen))
    resolved = Resolved(
        [each[number].words[row] for row, number in rows],
        [(number,) for number in chosen],
        {row: each[number].cuts[row] for row, number in rows if row in each[number].cuts},
        [min(resolved.shortest[row] for resolved in each) for row, _ in rows],
    )
    picked = [number * len(chosen) + row for row, number in rows]
    return resolved, concatenated(aligned).select(picked)


def _rate(errors: int, words: int) -> float:
    """Errors per word; without words those of one word, so that silence matches silence."""
    return errors / max(words, 1)
