"""Where a result comes from, and what became of every utterance."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

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

    def merged(self, more: ListedNames) -> ListedNames:
        """These names and more of them."""
        names = (*self.identifiers, *more.identifiers)
        return ListedNames(self.number + more.number, names[:SHOWN])

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
    """What became of every utterance of both sides."""

    matched_by: str  # `identifier`, `audio`, `position`, `time`, `recording` or `file`
    references: int  # utterances of the side
    hypotheses: int
    matched: int  # utterances that have a partner
    reference_only: ListedNames = ListedNames()  # deleted or dropped, as the rules say
    hypothesis_only: ListedNames = ListedNames()  # not scored
    unscored_words: int = 0  # words of those hypotheses
    skipped_words: int = 0  # words of references that were dropped
    ignored_words: int = 0  # of the hypothesis in segments that the reference says not to score
    repeated: int = 0  # utterances that are in their file twice with the same words, read once


def sum_of_accounts(left: Account, right: Account) -> Account:
    """The account of two results together."""
    pairs: Iterable[tuple[Any, Any]] = zip(left[1:], right[1:], strict=True)
    sums = (a.merged(b) if isinstance(a, ListedNames) else a + b for a, b in pairs)
    return Account._make((left.matched_by, *sums))
