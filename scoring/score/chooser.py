"""The choice among several references and their variants: checks, opening and matching."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.model.combinations import check
from scoring.model.counts import CHARACTER_UNITS
from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus
from scoring.sides.matching import (
    IDENTIFIER,
    POSITION,
    DifferentLengthsError,
    MatchedSides,
    MatchingError,
)
from scoring.sides.matching.in_common import partners_of
from scoring.sides.variants import (
    VariantTable,
    read_variants,
    with_equivalents,
    with_variants,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from scoring.options import Options, Rules
    from scoring.text.pipeline import Pipeline


class Chooser:
    """Chooses the best of `number` references and their variants, according to the options.

    Raises CombinationError if the options cannot be combined.
    """

    def __init__(self, number: int, options: Options, pipeline: Pipeline | None) -> None:
        self._number, self._options = number, options
        check(options.features(number))
        self.table: VariantTable | None = None
        if options.variants_file is not None:
            table = read_variants(options.variants_file)
            self.table = _prepared(table, pipeline, self.unit_of_rows)

    @property
    def unit_of_rows(self) -> str:
        """The unit in which equivalents are looked up. Words are divided into characters later."""
        unit: str = self._options.value("unit")
        return "word" if self._options.variants_file and unit in CHARACTER_UNITS else unit

    def equivalents(self, side: Corpus, heard: Callable[[], Iterable[str]]) -> Corpus:
        """Return a reference with equivalent words and phrases added from the table.

        `heard` has the words of the hypothesis. The words of both sides are normalised and not yet
        split into characters.
        """
        table = self.table
        if table is None:
            return side
        spellings = table.spellings(heard() if table.parts else ())
        return with_equivalents(side, table, spellings, self.unit_of_rows)

    def named(self, rules: Rules) -> Rules:
        """Return the rules with the way of choosing a reference, for the signature."""
        options = self._options
        titles = ["notation"] if options.variants else []
        titles += [self.table.title] if self.table is not None else []
        return rules._replace(
            like="" if self._number > 1 else rules.like,
            profile="mr-wer@d03c6c6" if options.references == "mr-wer" else rules.profile,
            references=f"{options.references}({self._number})" if self._number > 1 else "",
            variants="+".join(titles),
        )

    def opened(self, matched: MatchedSides) -> MatchedSides:
        """Return the matched sides with the variants of the reference. Recordings stay uncut."""
        reference = self._with_variants(matched.reference)
        return matched._replace(reference=reference, cut=None)

    def added(self, first: MatchedSides, other: MatchedSides) -> Corpus:
        """Return the reference `other`, with its utterances in the order of the reference `first`.

        Raises MatchingError if the references match the hypothesis in different ways or have
        different utterances. Raises InputError if an identifier repeats.
        """
        side = other.reference
        if other.by != first.by:
            raise MatchingError(
                f"{side.name}: expected a reference matched by {first.by} as "
                f"{first.reference.name}, found one matched by {other.by}"
            )
        is_dealt = first.by not in (IDENTIFIER, POSITION)
        if is_dealt and list(other.hypothesis.words) != list(first.hypothesis.words):
            raise MatchingError(
                f"{side.name}: expected the segments of {first.reference.name}, "
                "found different segments"
            )
        return self._with_variants(_in_order(first.reference, side, first.by))

    def _with_variants(self, side: Corpus) -> Corpus:
        return with_variants(side) if self._options.variants else side


def _prepared(table: VariantTable, pipeline: Pipeline | None, unit: str) -> VariantTable:
    """Return the table of equivalents, normalised like references and cut into units."""
    from scoring.text.units import split_in_units
    from scoring.text.utterances import normalize_words

    steps = () if pipeline is None else pipeline.steps("reference")
    return table.prepared(lambda words: split_in_units(normalize_words(words, steps)[0], unit))


def _in_order(first: Corpus, other: Corpus, matched_by: str) -> Corpus:
    """Return the utterances of another reference in the order of the first reference."""
    if matched_by == POSITION and len(first.identifiers) != len(other.identifiers):
        raise DifferentLengthsError(
            f"{other.name}: expected as many utterances as {first.name}, "
            f"{len(first.identifiers)}, found {len(other.identifiers)}"
        )
    if first.identifiers == other.identifiers:
        return other
    matching = partners_of(first, other, IDENTIFIER, "skip", allow_unmatched=True)
    for row in matching.reference_only:
        raise MatchingError(
            f"{other.name}: expected the utterance {first.identifiers[row]!r} of "
            f"{first.place(row)}, found none"
        )
    for row in matching.hypothesis_only:
        problem = f"expected utterances of {first.name}, found {other.identifiers[row]!r}"
        raise InputError(other.name, other.lines[row], None, problem)
    return other.select(matching.partners)
