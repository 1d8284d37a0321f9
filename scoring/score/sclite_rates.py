"""The results of `sclite`, or of its SGML, with everything that `scoring.wer` gives."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import pairwise

from scoring.alignment.results import Alignments, CountsTable
from scoring.alignment.system import CASE_SENSITIVE, CHARACTER_ALIGNED, System
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.options import Rules
from scoring.results.columns import readable
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Account, InputFile


def rates_of(system: System) -> ErrorRates:
    """The scores of what sclite has scored, or read back from its SGML.

    Its rules are as far as `Rules` knows them: word weights and fragments are sclite's alone. A
    word that was dropped without a partner has an empty one in SGML.
    """
    bits = 0
    for mark in set(system.utterances.attributes):
        bits |= mark
    types = system.vocabulary.types
    texts = [readable(word.text) for word in types]
    if system.optional_deletable:
        texts = [
            word[1:-1] if len(word) > 2 and word[0] + word[-1] == "()" else word for word in texts
        ]
    empty = {number for number, word in enumerate(types) if not word.text}
    edits = bytearray(system.edits)
    sides: list[list[tuple[str, ...]]] = []
    words: list[Sequence[int]]
    for side, lacking, skipped in (
        (system.reference, NO_REFERENCE, Edit.SKIPPED_HYPOTHESIS),
        (system.hypothesis, NO_HYPOTHESIS, Edit.SKIPPED_REFERENCE),
    ):
        words = [side.types[a:b] for a, b in zip(side.begins, side.ends, strict=True)]
        if empty.intersection(side.types):
            for row, (begin, end) in zip(words, pairwise(system.edit_offsets), strict=True):
                numbers = iter(row)
                for slot in range(begin, end):
                    if system.edits[slot] not in lacking and next(numbers) in empty:
                        edits[slot] = skipped
            words = [[word for word in numbers if word not in empty] for numbers in words]
        sides.append([tuple(map(texts.__getitem__, numbers)) for numbers in words])
    count, name = len(system), readable(system.title)
    return ErrorRates(
        InputFile(name if system.reference_name is None else readable(system.reference_name)),
        InputFile(name),
        Rules(
            ignore_case=not bits & CASE_SENSITIVE,
            forgive_optional=system.optional_deletable,
            unit="char" if bits & CHARACTER_ALIGNED else "word",
        ),
        Account("identifier", count, count, count),
        [
            readable(word).removeprefix("(").removesuffix(")")
            for word in system.utterances.identifiers
        ],
        [readable(system.speakers[number]) for number in system.utterances.speakers],
        Alignments(
            sides[0],
            sides[1],
            bytes(edits),
            system.edit_offsets,
            CountsTable(array("i", system.counts).tobytes()),
        ),
        columns=system,
    )
