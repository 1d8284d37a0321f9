"""Where a result comes from, and what became of every utterance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

SHOWN = 10
# The position of a partner that is not there.
NO_PARTNER = -1


class ListedNames(NamedTuple):
    """How many there are of something, and the first ten by name."""

    number: int = 0
    identifiers: tuple[str, ...] = ()

    @classmethod
    def of(cls, identifiers: Iterable[str]) -> ListedNames:
        """Count identifiers.

        >>> ListedNames.of(["a", "b"])
        ListedNames(number=2, identifiers=('a', 'b'))
        """
        every = list(identifiers)
        return cls(len(every), tuple(every[:SHOWN]))

    def __str__(self) -> str:
        more = ", …" if self.number > len(self.identifiers) else ""
        names = f": {', '.join(self.identifiers)}{more}" if self.identifiers else ""
        return f"{self.number}{names}"


class InputFile(NamedTuple):
    """A file that took part."""

    path: str  # as it was named
    format: str | None = None  # name of its format, None for what came from memory
    sha256: str | None = None  # of the file's bytes, in hexadecimal; None where there is no file


class Account(NamedTuple):
    """What became of every utterance of both sides.

    Attributes
    ----------
    matched_by
        `identifier`, `audio`, `position`, `time`, `recording` or `file`.
    references, hypotheses
        How many utterances each side has.
    matched
        How many have a partner.
    reference_only
        References without hypothesis: deleted or left out, as the rules say.
    hypothesis_only
        Hypotheses without reference: not scored.
    unscored_words
        Words of those hypotheses.
    skipped_words
        Words of references that were left out.
    ignored_words
        Words of the hypothesis in segments that the reference says not to score.
    repeated
        Utterances of both sides that stood twice with the same words and were read once.
    """

    matched_by: str
    references: int
    hypotheses: int
    matched: int
    reference_only: ListedNames = ListedNames()
    hypothesis_only: ListedNames = ListedNames()
    unscored_words: int = 0
    skipped_words: int = 0
    ignored_words: int = 0
    repeated: int = 0


def sum_of_accounts(left: Account, right: Account) -> Account:
    """The account of two results together."""

    def both(first: ListedNames, second: ListedNames) -> ListedNames:
        names = (*first.identifiers, *second.identifiers)
        return ListedNames(first.number + second.number, ListedNames.of(names).identifiers)

    return Account(
        left.matched_by,
        left.references + right.references,
        left.hypotheses + right.hypotheses,
        left.matched + right.matched,
        both(left.reference_only, right.reference_only),
        both(left.hypothesis_only, right.hypothesis_only),
        left.unscored_words + right.unscored_words,
        left.skipped_words + right.skipped_words,
        left.ignored_words + right.ignored_words,
        left.repeated + right.repeated,
    )
