"""The references, or variants of a reference, that were chosen for the utterances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from scoring.alignment.results import taken
from scoring.sides.corpus import InputFile


class ReferenceChoices(NamedTuple):
    """The references of a result, and the reference that was chosen for each utterance.

    `inputs` are all references, in their order. For each utterance, `chosen` has the numbers, from
    1, of the references that its words come from, in the order of the words. `lengths` are the
    numbers of words by which the errors of each utterance are divided; if empty, the words of the
    chosen path are counted. `wildcard_words` is the number of hypothesis words matched by
    wildcards; they are not scored.
    """

    inputs: Sequence[InputFile]
    chosen: Sequence[tuple[int, ...]]
    lengths: Sequence[int] = ()
    wildcard_words: int = 0

    def select(self, rows: Sequence[int]) -> ReferenceChoices:
        """Return the choices of the utterances at the given positions."""
        return self._replace(chosen=taken(self.chosen, rows), lengths=taken(self.lengths, rows))

    def joined(self, others: Sequence[ReferenceChoices]) -> ReferenceChoices:
        """Return the choices of this part of a run followed by those of later parts.

        Each part already counts the wildcard words of the whole run.
        """
        parts = [self, *others]
        return self._replace(
            chosen=list(chain.from_iterable(part.chosen for part in parts)),
            lengths=list(chain.from_iterable(part.lengths for part in parts)),
        )
