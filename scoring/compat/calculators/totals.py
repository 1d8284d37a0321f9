"""Errors of many utterances as counts that add up; rates are derived from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.alignment.batch import edit_distance_batch
from scoring.model import UNIT_COSTS, Counts


class ErrorTotals(NamedTuple):
    """What was counted; `a + b` is the account of both.

    Attributes
    ----------
    characters
        Characters, or tokens where those are the unit; None if they were not asked for.
    words
        None if they were not asked for.
    utterances
        How many there were.
    empty_references
        How many of them have no characters in the reference.
    left_out
        How many predicted characters of those are not among the insertions, as
        `empty_references="skip"` has it.

    Examples
    --------
    >>> total = ErrorTotals(Counts(3, 1), Counts(1, 1), 1) + ErrorTotals(Counts(4), Counts(2), 1)
    >>> total.cer, total.wer, total.characters.errors
    (0.125, 0.25, 1)
    """

    characters: Counts | None = Counts()
    words: Counts | None = Counts()
    utterances: int = 0
    empty_references: int = 0
    left_out: int = 0

    @property
    def cer(self) -> float | None:
        """Errors per character of the reference, a ratio; None without any, or if not asked for."""
        return self.characters.error_rate if self.characters else None

    @property
    def wer(self) -> float | None:
        """Errors per word of the reference, as `cer`."""
        return self.words.error_rate if self.words else None

    def __add__(self, other: object) -> ErrorTotals:
        if not isinstance(other, ErrorTotals):
            return NotImplemented
        return ErrorTotals(
            _sum("characters", self.characters, other.characters),
            _sum("words", self.words, other.words),
            self.utterances + other.utterances,
            self.empty_references + other.empty_references,
            self.left_out + other.left_out,
        )

    def __radd__(self, other: object) -> ErrorTotals:
        # `sum` starts from 0
        return self if other == 0 else NotImplemented

    def numbers(self) -> dict[str, int]:
        """Everything as plain numbers by name, which may be added one by one.

        >>> ErrorTotals(Counts(3, 1), None, 1).numbers()["characters_substitutions"]
        1
        """
        found: dict[str, int] = {}
        for group in ("characters", "words"):
            counts: Counts | None = getattr(self, group)
            if counts is not None:
                found.update({f"{group}_{name}": n for name, n in counts._asdict().items()})
        return found | {name: getattr(self, name) for name in _PLAIN}

    @classmethod
    def from_numbers(cls, numbers: Mapping[str, int]) -> ErrorTotals:
        """What `numbers` gave, back again.

        Raises
        ------
        ValueError
            If a name is missing or unknown, or a number is negative.
        """
        left = dict(numbers)
        groups: dict[str, Counts | None] = {}
        for group in ("characters", "words"):
            names = [f"{group}_{name}" for name in Counts._fields]
            known = [name for name in names if name in left]
            if known and known != names:
                raise ValueError(f"expected numbers {', '.join(names)}, found {', '.join(known)}")
            groups[group] = Counts(*(_number(left, name) for name in names)) if known else None
        plain = {name: _number(left, name) for name in _PLAIN}
        if left:
            raise ValueError(f"expected names of numbers only, found {', '.join(map(repr, left))}")
        return cls(groups["characters"], groups["words"], **plain)


_PLAIN = ("utterances", "empty_references", "left_out")


def _number(left: dict[str, int], name: str) -> int:
    value = left.pop(name, None)
    # numbers may come back from a sum of floats, as of other processes
    if value is None or int(value) != value or value < 0:
        raise ValueError(f"{name}: expected a whole number from 0, found {value!r}")
    return int(value)


def _sum(name: str, one: Counts | None, other: Counts | None) -> Counts | None:
    if one is None and other is None:
        return None
    if one is None or other is None:
        raise ValueError(f"expected totals that both count {name}, found one that does not")
    return one + other


def counted(references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]]) -> Counts:
    """Errors of all pairs; every edit costs the same."""
    return edit_distance_batch(references, hypotheses, costs=UNIT_COSTS).total()


def counted_characters(references: Iterable[str], hypotheses: Iterable[str]) -> Counts:
    """Errors in the code points of texts, blanks (U+0020) left aside.

    >>> counted_characters(["hallo", "word"], ["hello", "world"])
    Counts(correct=8, substitutions=1, deletions=0, insertions=1)
    """
    return counted(
        *([list(text.replace(" ", "")) for text in side] for side in (references, hypotheses))
    )


def counted_words(references: Iterable[str], hypotheses: Iterable[str]) -> Counts:
    """Errors in the words of texts, cut at white space.

    >>> counted_words(["this is test", "hello there world"], ["this is a test", "hello world"])
    Counts(correct=5, substitutions=0, deletions=1, insertions=1)
    """
    return counted(*([text.split() for text in side] for side in (references, hypotheses)))
