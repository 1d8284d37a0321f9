"""Utterances with alternatives or optional words: choice of the best paths."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING

from scoring.alignment.compounds import core_compounds
from scoring.alignment.kernel import best_texts
from scoring.alignment.numbered import NumberedSide, WordType
from scoring.alignment.plain_references import PathTexts
from scoring.alignment.results import Alignments, CountsTable, is_column
from scoring.alignment.sides import WordCosts, align_sides
from scoring.alignment.texts import ColumnWords, column_of
from scoring.model.counts import Alignment, Costs, Edit
from scoring.options import Rules, profile_named
from scoring.score.paths import Resolved, choose_paths
from scoring.sides.braced import NULL_SIGN, BracedTexts, special_at
from scoring.sides.corpus import Corpus, words_at
from scoring.sides.rows import Ways, braced_texts, first_words_of, rows_of

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token, Words
    from scoring.alignment.numbered import Branch

PartsOfText = Sequence["Token | Alternation"]
BothWays = tuple[Ways, Ways]
# The step after which characters are words.
CHARACTERS_STEP = "sclite-characters"


def choose(
    plain: Alignments,
    reference: Corpus,
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    threads: int,
) -> Iterator[tuple[list[int], Alignments | Resolved, BothWays | None]]:
    """Yield groups of utterances with alternatives, each as rows, alignments and branches.

    If sclite's rules choose the paths, the alignments are complete. Otherwise, the chosen paths are
    yielded instead, and they must still be aligned.

    The branches are the alternatives taken on both sides; None if sclite's rules align optional
    words or wildcards.
    """
    special = _rows_with_choices(reference, hypothesis, partners, rules)
    if not special:
        return
    by_sclite = rules.profile == "sclite" and _are_words(rules) and not rules.compounds
    pairs: Iterable[tuple[str | None, str | None]] = [(None, None)] * len(special)
    if rules.unit == "word":
        heard = [partners[row] for row in special]
        pairs = zip(
            braced_texts(reference, special, rules.forgive_optional),
            braced_texts(hypothesis, heard, rules.forgive_optional),
            strict=True,
        )
        if by_sclite:
            written = _with_readings(reference.special), _with_readings(hypothesis.special)
            has_readings = [
                row in written[0] or partner in written[1]
                for row, partner in zip(special, heard, strict=True)
            ]
            pairs = _as_written_where_equal(list(pairs), has_readings, rules.ignore_case)
    rows: list[int] = []
    texts: tuple[list[str], list[str]] = [], []
    graphs: list[int] = []
    for row, (left, right) in zip(special, pairs, strict=True):
        if left is None or right is None:
            graphs.append(row)
            continue
        rows.append(row)
        texts[0].append(left)
        texts[1].append(right)
    if rows:
        yield rows, *_choose_in_texts(plain, texts, rules, by_sclite, threads)
    if graphs and by_sclite:
        yield graphs, _align_graphs(plain, reference, hypothesis, partners, graphs, rules), None
    elif graphs:
        resolved = _choose_in_graphs(reference, hypothesis, partners, graphs, rules)
        yield graphs, resolved, resolved.ways


def _rows_with_choices(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules
) -> list[int]:
    """Return the rows in which the reference or its partner has several possible paths."""
    rows = _with_choices(reference.special, rules.forgive_optional)
    heard = _with_choices(hypothesis.special, rules.forgive_optional)
    return sorted(rows | _rows_of_partners(heard, partners))


def _with_choices(special: Mapping[int, Segment], may_omit: bool) -> set[int]:
    """Return the indices of the utterances with several paths or with optional words."""
    texts = special.texts if isinstance(special, BracedTexts) else {}
    others = (row for row in special if row not in texts)
    return {*texts, *(row for row in others if may_omit or special[row].alternations)}


def _with_readings(special: Mapping[int, Segment]) -> set[int]:
    """Return the indices of the utterances in which a written form has readings."""
    texts = special.texts if isinstance(special, BracedTexts) else {}
    return {
        row
        for row in special
        if row not in texts and any(choice.is_written for _, choice in special[row].alternations)
    }


def _rows_of_partners(partners_wanted: Set[int], partners: Sequence[int]) -> Set[int]:
    """Return the indices of the utterances whose partner is in `partners_wanted`."""
    if not partners_wanted or partners == range(len(partners)):
        return partners_wanted
    return {row for row, partner in enumerate(partners) if partner in partners_wanted}


def _as_written_where_equal(
    texts: Sequence[tuple[str | None, str | None]], has_readings: Sequence[bool], ignore_case: bool
) -> Iterator[tuple[str | None, str | None]]:
    """Yield pairs of texts: the first readings of both sides if they are equal, otherwise as given.

    This is safe, because no other pair of paths can have fewer errors. A pair is unchanged if all
    its alternatives come from a file. None of these is the written form.
    """
    fold = str.casefold if ignore_case else str
    for (left, right), is_written in zip(texts, has_readings, strict=True):
        if is_written and left is not None and right is not None:
            words = first_words_of(left), first_words_of(right)
            folded = [list(map(fold, side)) for side in words]
            if folded[0] == folded[1]:
                yield " ".join(words[0]), " ".join(words[1])
                continue
        yield left, right


def _are_words(rules: Rules) -> bool:
    """Return True if the units are words; a step may have made each character a word."""
    # as signatures have the steps: `whitespace+sclite-characters+lowercase#84a52d6a`
    steps = rules.normalization.partition("#")[0].split("+")
    return rules.unit == "word" or (rules.unit == "char" and CHARACTERS_STEP in steps)


def path_costs(rules: Rules) -> Costs:
    """Return the costs with which a profile chooses among paths."""
    profile = profile_named(rules.profile)
    return profile.path_costs or profile.costs


def _choose_in_texts(
    plain: Alignments,
    texts: tuple[list[str], list[str]],
    rules: Rules,
    by_sclite: bool,
    threads: int,
) -> tuple[Alignments | Resolved, BothWays]:
    """Return the best paths through texts with alternatives in braces, and the chosen branches."""
    folded = texts
    if rules.ignore_case:
        folded = list(map(str.casefold, texts[0])), list(map(str.casefold, texts[1]))
    compounds = core_compounds(rules.compounds, rules.unit) if rules.compounds else 0
    prices = *path_costs(rules), compounds
    found = PathTexts._make(best_texts(*texts, *folded, *prices, by_sclite, threads))
    ways = (
        Ways.of(texts[0], found.places, found.place_offsets),
        Ways.of(texts[1], found.heard, found.heard_offsets),
    )
    are_columns = is_column(plain.references) and is_column(plain.hypotheses)
    cut: Callable[[bytes, bytes], Sequence[Words]] = _words_in_column if are_columns else _cut_texts
    sides = cut(*found[:2]), cut(*found[2:4])
    if by_sclite:
        edits, offsets, counts = found[4:7]
        table = CountsTable(counts)
        return Alignments(*sides, edits, array("q", offsets), table, plain.costs), ways
    return Resolved(*sides, [(1,)] * len(sides[0]), {}, ()), ways


def _words_in_column(data: bytes, ends: bytes) -> Sequence[Words]:
    return ColumnWords(column_of(data, ends))


def _cut_texts(data: bytes, ends: bytes) -> Sequence[Words]:
    """Return the words of texts in UTF-8; `ends` has the position where each text ends."""
    bounds = pairwise(array("i", ends))
    texts = [data[begin:end].decode("utf-8", "surrogatepass") for begin, end in bounds]
    return [tuple(text.split(" ")) if text else () for text in texts]


def _choose_in_graphs(
    reference: Corpus,
    hypothesis: Corpus,
    partners: Sequence[int],
    rows: Sequence[int],
    rules: Rules,
) -> Resolved:
    """Return the chosen paths through utterances with alternatives."""
    heard = [partners[row] for row in rows]
    others = hypothesis._replace(
        words=words_at(hypothesis.words, heard), special=special_at(hypothesis.special, heard)
    )
    sides = reference.select(rows), others
    columns = [rows_of(side, rules.unit, rules.forgive_optional) for side in sides]
    return choose_paths(columns[:1], columns[1], rules, path_costs(rules), prefers_length=False)


def _align_graphs(
    plain: Alignments,
    reference: Corpus,
    hypothesis: Corpus,
    partners: Sequence[int],
    rows: Sequence[int],
    rules: Rules,
) -> Alignments:
    """Return the alignments of utterances with alternatives, by sclite's rules."""
    from formats.schema.words import Token

    def parts(segment: Segment | None, words: Words) -> PartsOfText:
        return tuple(map(Token, words)) if segment is None else tuple(segment.items())

    aligned = align_choices(
        [parts(reference.special.get(row), plain.references[row]) for row in rows],
        [parts(hypothesis.special.get(partners[row]), plain.hypotheses[row]) for row in rows],
        str.casefold if rules.ignore_case else str,
        rules.forgive_optional,
    )
    return Alignments.of(aligned, plain.costs)


def align_choices(
    references: Sequence[PartsOfText],
    hypotheses: Sequence[PartsOfText],
    fold: Callable[[str], str],
    forgive_optional: bool,
) -> list[Alignment]:
    """Align sequences of words and alternatives; the alignments have the chosen alternatives.

    If readings on both sides have equal written forms, the written forms are chosen. Otherwise
    sclite's rules decide between equally cheap paths.

    >>> from formats.schema.words import Alternation, Token
    >>> either = Alternation([[Token("grey")], [Token("gray")]])
    >>> align_choices([[either]], [[Token("gray")]], str.casefold, False)[0].reference
    ('gray',)
    """
    words = _Words(fold, forgive_optional)
    pairs = list(zip(references, hypotheses, strict=True))
    aligned = {row: _as_written(*pair, fold) for row, pair in enumerate(pairs)}
    others = [row for row, alignment in aligned.items() if alignment is None]
    left, right = (words.side(pairs[row][side] for row in others) for side in (0, 1))
    edits = align_sides(left, right, WordCosts(words.types))
    for place, (row, (begin, end)) in enumerate(zip(others, pairwise(edits.offsets), strict=True)):
        texts = words.texts(left, place), words.texts(right, place)
        aligned[row] = Alignment(edits.edits[begin:end], *texts, 0.0)
    return [alignment for alignment in aligned.values() if alignment is not None]


def _as_written(
    reference: PartsOfText, hypothesis: PartsOfText, fold: Callable[[str], str]
) -> Alignment | None:
    """Return the alignment of the first alternatives of both sides if these are equal, or None.

    Equal first alternatives have no errors, so no other pair of paths is better. None is returned
    if all alternatives come from a file: these are equal in rank, so none is the written form.
    """
    if not _has_readings(reference) and not _has_readings(hypothesis):
        return None
    written = _first_path(reference), _first_path(hypothesis)
    if len(written[0]) != len(written[1]) or any(map(ne, *(map(fold, side) for side in written))):
        return None
    return Alignment(bytes([Edit.CORRECT]) * len(written[0]), *written, 0.0)


def _has_readings(parts: PartsOfText) -> bool:
    """Return True if any part of a text is a written form with readings."""
    from formats.schema.words import Alternation

    return any(isinstance(part, Alternation) and part.is_written for part in parts)


def _first_path(parts: Iterable[Token | Alternation]) -> tuple[str, ...]:
    """Return the words of the path that takes each first alternative."""
    from formats.schema.words import Token

    words: list[str] = []
    for part in parts:
        if isinstance(part, Token):
            words.append(part.text)
        else:
            words += [token.text for token in part.first_branch()]
    return tuple(words)


class _Words:
    """A number for each word; converts a side to columns of these numbers."""

    def __init__(self, fold: Callable[[str], str], forgive_optional: bool) -> None:
        self.types: list[WordType] = []
        self._numbers: dict[tuple[str, bool, bool], int] = {}
        self._plain: dict[str, int] = {}
        self._fold = fold
        self._forgive_optional = forgive_optional

    def side(self, utterances: Iterable[PartsOfText]) -> NumberedSide:
        """Return the utterances of a side as numbers of words, with graphs for alternatives."""
        types, begins, ends = array("i"), array("q"), array("q")
        graphs: dict[int, Branch] = {}
        for row, parts in enumerate(utterances):
            begins.append(len(types))
            items = self._branch(parts, types)
            ends.append(len(types))
            if any(not isinstance(item, int) for item in items):
                graphs[row] = items
        return NumberedSide(types, begins, ends, graphs)

    def texts(self, side: NumberedSide, row: int) -> tuple[str, ...]:
        """Return the aligned words of a side of an utterance as texts."""
        numbers = side.types[side.begins[row] : side.ends[row]]
        return tuple([self.types[number].text for number in numbers])

    def _branch(self, parts: PartsOfText, types: array[int]) -> Branch:
        """Add the words of `parts` to `types`; return their positions, nested like `parts`."""
        from formats.schema.words import Token

        items: list[int | tuple[Branch, ...]] = []
        for part in parts:
            if isinstance(part, Token):
                number = None if part.optional else self._plain.get(part.text)
                if number is None:
                    optional = part.optional and self._forgive_optional
                    items.append(self._add(part.text, optional, False, types))
                    continue
                items.append(len(types))
                types.append(number)
            elif part.is_null:
                items.append(self._add(NULL_SIGN, False, True, types))
            else:
                branches = [
                    self._branch(branch, types) or (self._add(NULL_SIGN, False, True, types),)
                    for branch in part.branches
                ]
                items.append(tuple(branches))
        return tuple(items)

    def _add(self, text: str, optional: bool, null: bool, types: array[int]) -> int:
        key = (text, optional, null)
        if key not in self._numbers:
            # no word read from a file can hold a NUL
            value = "\0" if null else self._fold(text)
            self._numbers[key] = len(self.types)
            self.types.append(WordType(text, (None, None), value, null, optional, False))
            if not null and not optional:
                self._plain[text] = self._numbers[key]
        types.append(self._numbers[key])
        return len(types) - 1
