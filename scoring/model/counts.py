"""Results of comparing token sequences: edits, pairs, counts, costs, alignments."""

from __future__ import annotations

from formats.schema import IntEnum, NamedTuple
from scoring.model.errors import OptionValueError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from scoring.model.aliases import Unit

# What words are cut into before they are compared, see `scoring.text.units`.
UNITS = ("word", "char", "char+space", "grapheme", "mixed")
CHARACTER_UNITS = ("char", "char+space", "grapheme")
MIXED = "mixed"
CHARACTERS_AND_BLANKS: Final = "char+space"
BLANK = " "
# The origin of a choice between words and the same words in pieces, some with alternatives.
PIECES = "pieces"
# The origins of readings that other tools define, whose words count along the chosen path as there:
# NIST's map of spellings and notation, and fstalign's synonyms.
BY_PATH = frozenset(("glm rule", "alternation", "synonym"))
# What may stand after `mixed`, and Unicode's names of the scripts.
SCRIPTS = {
    "hangul": "Hangul",
    "thai": "Thai",
    "lao": "Lao",
    "khmer": "Khmer",
    "myanmar": "Myanmar",
}


def is_whole(word: str) -> bool:
    """Return True if a word is never split into characters: words in brackets, Kaldi's silence."""
    return "!SIL" in word or (len(word) > 1 and word[0] + word[-1] in ("[]", "<>"))


def characters_and_blanks(words: Sequence[str]) -> tuple[str, ...]:
    """Return the code points of all words, with a blank between two words."""
    return tuple(BLANK.join(words))


def characters(words: Sequence[str]) -> tuple[str, ...]:
    """Return the code points of words; words in brackets stay whole (unit `char`).

    Examples
    --------
    >>> characters(("日本", "ab", "<unk>"))
    ('日', '本', 'a', 'b', '<unk>')
    """
    return tuple(
        [piece for word in words for piece in ((word,) if is_whole(word) else word)],
    )


class Edit(IntEnum):
    """The edit at one slot of an alignment.

    The two SKIPPED edits are optional words that one side omits (sclite's optionally deletable
    words, option `-D`). They count as correct and have no partner. MERGED and SPLIT are pairs in
    alignments of other programs; sclite reads and prints them but does not count them. If several
    words match one compound, only the last of them has a partner, and the others are JOINED. JOINED
    words of the reference count as correct. JOINED words of the hypothesis are not counted.

    Examples
    --------
    >>> Edit.SUBSTITUTION.letter
    'S'
    >>> Edit.SKIPPED_REFERENCE.letter
    'C'
    """

    CORRECT = 0
    SUBSTITUTION = 1
    DELETION = 2
    INSERTION = 3
    SKIPPED_REFERENCE = 4
    SKIPPED_HYPOTHESIS = 5
    MERGED = 6
    SPLIT = 7
    JOINED_REFERENCE = 8
    JOINED_HYPOTHESIS = 9

    @property
    def letter(self) -> str:
        """The edit's letter in NIST's reports: C, S, D or I; M for merged, T for split."""
        return chr(LETTERS[self])


def edit_of(reference: str, hypothesis: str, missing: str) -> Edit:
    """Return the edit of two paired words; the word `missing` marks a side without a word.

    >>> edit_of("a", "***", "***").name
    'DELETION'
    """
    if reference == hypothesis:
        return Edit.CORRECT
    if reference == missing:
        return Edit.INSERTION
    return Edit.DELETION if hypothesis == missing else Edit.SUBSTITUTION


class Pair(NamedTuple):
    """One place of an alignment: the edit and both tokens. A missing token is None."""

    edit: Edit
    reference: str | None
    hypothesis: str | None


class Costs(NamedTuple):
    """Whole-number costs of the edits; a match costs nothing.

    Examples
    --------
    >>> SCLITE_COSTS
    Costs(substitution=4, deletion=3, insertion=3)
    """

    substitution: int = 4
    deletion: int = 3
    insertion: int = 3


SCLITE_COSTS = Costs()
UNIT_COSTS = Costs(1, 1, 1)


class Counts(NamedTuple):
    """Numbers of correct, substituted, deleted and inserted tokens, with rates; supports `+`.

    Skipped optional words count as correct, as in sclite.

    Examples
    --------
    >>> total = Counts(8, 1, 1, 0) + Counts(10, 0, 0, 2)
    >>> total.reference_tokens, total.errors, total.error_rate
    (20, 4, 0.2)
    >>> print(Counts(0, 0, 0, 3).error_rate)
    None
    """

    correct: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0

    def __add__(self, other: object) -> Counts:
        if not isinstance(other, Counts):
            return NotImplemented
        return Counts(*(a + b for a, b in zip(self, other, strict=True)))

    def __radd__(self, other: object) -> Counts:
        # `sum` starts from 0
        return self if other == 0 else NotImplemented

    @classmethod
    def of(cls, edits: bytes) -> Counts:
        """Return the counts of a string of `Edit` bytes.

        >>> Counts.of(bytes([0, 1, 4, 3]))
        Counts(correct=2, substitutions=1, deletions=0, insertions=1)
        """
        count = edits.count
        return cls(
            sum(map(count, _CORRECT)),
            count(Edit.SUBSTITUTION),
            count(Edit.DELETION),
            count(Edit.INSERTION),
        )

    @property
    def reference_tokens(self) -> int:
        """Number of reference tokens: correct, substituted and deleted."""
        return self.correct + self.substitutions + self.deletions

    @property
    def hypothesis_tokens(self) -> int:
        """Number of hypothesis tokens: correct, substituted and inserted."""
        return self.correct + self.substitutions + self.insertions

    @property
    def errors(self) -> int:
        """Number of errors: substitutions, deletions and insertions."""
        return self.substitutions + self.deletions + self.insertions

    @property
    def error_rate(self) -> float | None:
        """Errors per reference token, as a ratio (not percent); None without reference tokens."""
        return self.errors / self.reference_tokens if self.reference_tokens else None


class Alignment:
    """Two token sequences and the edits that turn the reference into the hypothesis.

    Parameters
    ----------
    edits
        One byte per place, an `Edit` value each.
    reference, hypothesis
        The aligned tokens, in order of the places. If a sequence has alternatives, these are the
        tokens of the chosen alternatives.
    cost
        Total cost of the edits, in the units of `Costs`.
    """

    __slots__ = ("cost", "edits", "hypothesis", "reference")

    def __init__(
        self, edits: bytes, reference: Sequence[str], hypothesis: Sequence[str], cost: float
    ) -> None:
        self.edits = edits
        self.reference = reference
        self.hypothesis = hypothesis
        self.cost = cost

    def __iter__(self) -> Iterator[Pair]:
        reference, hypothesis = iter(self.reference), iter(self.hypothesis)
        for code in self.edits:
            edit = Edit(code)
            left = None if code in NO_REFERENCE else next(reference)
            right = None if code in NO_HYPOTHESIS else next(hypothesis)
            yield Pair(edit, left, right)

    def __len__(self) -> int:
        return len(self.edits)

    def __eq__(self, another: object) -> bool:
        if not isinstance(another, Alignment):
            return NotImplemented
        return (self.edits, list(self.reference), list(self.hypothesis), self.cost) == (
            another.edits,
            list(another.reference),
            list(another.hypothesis),
            another.cost,
        )

    def __hash__(self) -> int:
        return hash((self.edits, tuple(self.reference), tuple(self.hypothesis)))

    def __repr__(self) -> str:
        return (
            f"<Alignment {self.letters!r} of {len(self.reference)} reference and "
            f"{len(self.hypothesis)} hypothesis tokens, cost {self.cost:g}>"
        )

    @property
    def letters(self) -> str:
        """The edits as a string of letters such as C, S, D and I, one per place."""
        return self.edits.translate(LETTERS).decode("ascii")

    def pairs(self) -> list[Pair]:
        """Return the places of the alignment as a list of `Pair`."""
        return list(self)

    def counts(self) -> Counts:
        """Return the number of each kind of edit."""
        return Counts.of(self.edits)


NO_REFERENCE = frozenset({Edit.INSERTION, Edit.SKIPPED_HYPOTHESIS, Edit.JOINED_HYPOTHESIS})
NO_HYPOTHESIS = frozenset({Edit.DELETION, Edit.SKIPPED_REFERENCE, Edit.JOINED_REFERENCE})
LETTERS = bytes.maketrans(bytes(range(10)), b"CSDICCMTCC")
_CORRECT = (
    Edit.CORRECT,
    Edit.SKIPPED_REFERENCE,
    Edit.SKIPPED_HYPOTHESIS,
    Edit.JOINED_REFERENCE,
)
# NIST's formats have no compounds: their words appear as optional ones that are skipped.
AS_SKIPPED = bytes.maketrans(
    bytes([Edit.JOINED_REFERENCE, Edit.JOINED_HYPOTHESIS]),
    bytes([Edit.SKIPPED_REFERENCE, Edit.SKIPPED_HYPOTHESIS]),
)


def left_to_right(values: Iterable[float]) -> float:
    """Add numbers from left to right like C; newer versions of Python have a more exact `sum`."""
    total = 0.0
    for value in values:
        total += value
    return total


def checked_unit(unit: str) -> Unit:
    """Return a unit in its canonical spelling: scripts sorted, without duplicates.

    Raises
    ------
    ValueError
        If the unit is unknown.

    Examples
    --------
    >>> checked_unit("mixed+thai+khmer+thai")
    'mixed+khmer+thai'
    """
    if unit == CHARACTERS_AND_BLANKS:
        return CHARACTERS_AND_BLANKS
    name, *scripts = unit.split("+")
    if name not in UNITS or (scripts and name != MIXED):
        raise OptionValueError("unit", expected=", ".join(UNITS), found=repr(unit))
    for script in scripts:
        if script not in SCRIPTS:
            raise OptionValueError(
                "unit", expected=f"{MIXED} with any of {', '.join(SCRIPTS)}", found=repr(unit)
            )
    checked: Unit = "+".join([name, *sorted(set(scripts))])  # type: ignore[assignment]
    return checked
