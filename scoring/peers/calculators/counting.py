"""Errors of batches of token sequences: ids become tokens and texts, whose errors are counted.

Each token is compared with the symbols for blank and space. ESPnet instead searches for the symbols
in the joined text, in which neighbouring tokens can form a symbol by accident. Batches are lists,
arrays or tensors on any device. No library is imported for them: `cpu()` moves a tensor off its
device, `tolist()` or `numpy()` converts it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import add, index
from typing import Literal, NamedTuple, TypeAlias, TypedDict

from scoring.alignment.sequences import edit_distance_batch
from scoring.model.counts import UNIT_COSTS, Counts

# An id in a list of tokens, or the token itself.
Token: TypeAlias = int | str
PADDING = -1
WORD_BOUNDARY = "\u2581"
TEXTS = (str, bytes, bytearray, memoryview)
CHOICES = {"unit": ("char", "token"), "empty_references": ("count", "skip")}


class TokenFields(TypedDict, total=False):
    """The types of the fields of `TokenRules`, which calculators take as keywords."""

    padding: Token | None
    word_boundary: str | None
    cut_to_reference: bool
    collapse: bool
    drop: Collection[Token]
    unit: Literal["char", "token"]
    empty_references: Literal["count", "skip"]


class TokenRules(NamedTuple):
    """The rules for turning predictions and targets into texts.

    Attributes
    ----------
    tokens
        The token of each id.
    space
        The symbol for a blank between words, alone or inside a token; None: there is no such
        symbol.
    blank
        The token for no output (the blank of CTC and transducers); None: there is no such token.
    padding
        The item that pads targets and predictions; negative ids are always padding.
    word_boundary
        SentencePiece's mark at the start of a word; it separates words like a blank. With None it
        is an ordinary character: character error rates then cover more characters, and words are
        not separated unless `space` is the mark.
    cut_to_reference
        Cut predictions where the padding of the target begins. Predictions that are fed the
        reference (teacher forcing) continue beyond its end.
    collapse
        Merge each run of equal ids in a prediction into one id, as CTC's best path needs.
    drop
        Additional ids or tokens to drop on both sides, for example `<sos/eos>`.
    keep_reference_blank
        True: if `blank` occurs in a target, it counts as text, as in ESPnet for attention.
    unit
        The unit of character error rates: `char`, the code points of texts without blanks, or
        `token`.
    empty_references
        For utterances without characters in the reference: `count` predictions as insertions, or
        `skip` them in the character error rate, which makes it lower.
    """

    tokens: tuple[str, ...]
    space: str | None = "<space>"
    blank: str | None = "<blank>"
    padding: Token | None = PADDING
    word_boundary: str | None = WORD_BOUNDARY
    cut_to_reference: bool = False
    collapse: bool = False
    drop: Collection[Token] = frozenset()
    keep_reference_blank: bool = False
    unit: str = "char"
    empty_references: str = "count"

    def target(self, row: Sequence[Token], number: int) -> list[str]:
        """Return the scored tokens of a target."""
        return self._kept(row, number, "targets", self.blank if self.keep_reference_blank else None)

    def prediction(self, row: Sequence[Token], target: Sequence[Token], number: int) -> list[str]:
        """Return the scored tokens of a prediction."""
        if self.cut_to_reference:
            ends = (index for index, token in enumerate(target) if self._is_padding(token))
            row = row[: next(ends, len(target))]
        if self.collapse:
            row = [token for token, _ in groupby(row)]
        return self._kept(row, number, "predictions", None)

    def _is_padding(self, token: Token) -> bool:
        return token == self.padding or (isinstance(token, int) and token < 0)

    def _kept(
        self, row: Sequence[Token], number: int, side: str, kept_blank: str | None
    ) -> list[str]:
        kept = []
        for token in row:
            if self._is_padding(token) or token in self.drop:
                continue
            name = self._name(token, number, side) if isinstance(token, int) else token
            if name not in self.drop and (name != self.blank or name == kept_blank):
                kept.append(name)
        return kept

    def _name(self, token: int, number: int, side: str) -> str:
        if token < len(self.tokens):
            return self.tokens[token]
        raise IndexError(
            f"{side}: expected token ids below {len(self.tokens)}, found {token} in "
            f"utterance {number}"
        )

    def text(self, tokens: Iterable[str]) -> str:
        """Return tokens as a text with blanks between words."""
        return "".join(with_blanks(token, self.space, self.word_boundary) for token in tokens)

    def units(self, tokens: Sequence[str]) -> list[str]:
        """Return the units of character error rates: characters or tokens, without blanks."""
        if self.unit == "token":
            return [token for token in tokens if token != self.space]
        return list(self.text(tokens).replace(" ", ""))

    def checked(self) -> TokenRules:
        """Return the rules unchanged; raise TypeError or ValueError if a field is invalid."""
        drop: object = self.drop
        for token in self.tokens:
            if not isinstance(token, str):
                raise TypeError(f"tokens: expected texts, found {type(token).__name__}")
        if isinstance(drop, str) or not isinstance(drop, Collection):
            raise TypeError(f"drop: expected ids or tokens, found {type(drop).__name__}")
        for name, choices in CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                raise ValueError(f"{name}: expected one of {', '.join(choices)}, found {value!r}")
        return self._replace(drop=frozenset(drop))


def with_blanks(text: str, *marks: str | None) -> str:
    """Replace the given marks of word boundaries in a text by blanks."""
    for mark in marks:
        if mark:
            text = text.replace(mark, " ")
    return text


class ErrorTotals(NamedTuple):
    """The error counts of one or more batches; `a + b` adds them up.

    Attributes
    ----------
    characters
        Characters, or tokens with `unit="token"`.
    words
        Words.
    utterances
        Number of utterances.
    empty_references
        Utterances without characters in the reference.
    left_out
        Predicted characters of the utterances in `empty_references`, if the rules skip them instead
        of counting insertions.

    Examples
    --------
    >>> total = ErrorTotals(Counts(3, 1), Counts(1, 1), 1) + ErrorTotals(Counts(4), Counts(2), 1)
    >>> total.cer, total.wer, total.characters.errors
    (0.125, 0.25, 1)
    """

    characters: Counts = Counts()
    words: Counts = Counts()
    utterances: int = 0
    empty_references: int = 0
    left_out: int = 0

    @property
    def cer(self) -> float | None:
        """Errors per reference character, a ratio; None without reference characters."""
        return self.characters.error_rate

    @property
    def wer(self) -> float | None:
        """Errors per reference word, a ratio; None without reference words."""
        return self.words.error_rate

    def __add__(self, other: object) -> ErrorTotals:
        if not isinstance(other, ErrorTotals):
            return NotImplemented
        return ErrorTotals(*map(add, self, other))

    def __radd__(self, other: object) -> ErrorTotals:
        # `sum` starts from 0
        return self if other == 0 else NotImplemented


def totals_of(rules: TokenRules, predictions: object, targets: object) -> ErrorTotals:
    """Return the error totals of a batch."""
    sides = token_pairs(rules, predictions, targets)
    pairs = list(zip(*([rules.units(tokens) for tokens in side] for side in sides), strict=True))
    empty = sum(not reference for _, reference in pairs)
    left_out = 0
    if rules.empty_references == "skip":
        left_out = sum(len(prediction) for prediction, reference in pairs if not reference)
        pairs = [pair for pair in pairs if pair[1]]
    characters = count_errors(*zip(*pairs, strict=True)) if pairs else Counts()
    words = count_errors(*([rules.text(row).split() for row in side] for side in sides))
    return ErrorTotals(characters, words, len(sides[0]), empty, left_out)


def count_errors(predictions: Sequence[Sequence[str]], targets: Sequence[Sequence[str]]) -> Counts:
    """Return the sum of the errors of all pairs, with unit costs."""
    return edit_distance_batch(targets, predictions, costs=UNIT_COSTS).total()


def token_pairs(
    rules: TokenRules, predictions: object, targets: object
) -> tuple[list[list[str]], list[list[str]]]:
    """Return two lists: the scored tokens of each prediction, and of each target."""
    predicted, expected = rows_of(predictions, "predictions"), rows_of(targets, "targets")
    if len(predicted) != len(expected):
        raise ValueError(
            f"expected as many predictions as targets, found {len(predicted)} and {len(expected)}"
        )
    pairs = zip(predicted, expected, strict=True)
    return (
        [rules.prediction(row, target, number) for number, (row, target) in enumerate(pairs)],
        [rules.target(target, number) for number, target in enumerate(expected)],
    )


def rows_of(batch: object, side: str) -> list[list[Token]]:
    """Return the sequences of a batch as lists of `int` and `str`, including padding."""
    rows = []
    for number, sequence in enumerate(_plain(batch, f"{side}: expected a batch of sequences")):
        row = _plain(sequence, f"{side}: expected a sequence of tokens as utterance {number}")
        if not set(map(type, row)) <= {int, str}:
            row = [_token(token, side, number) for token in row]
        rows.append(row)
    return rows


def _plain(sequence: object, expected: str) -> list[Token]:
    """Return the items of a sequence, array or tensor as a list.

    The error for any other value begins with `expected`.
    """
    items = sequence
    if not isinstance(sequence, TEXTS):
        for name in ("cpu", "numpy", "tolist"):
            method = getattr(items, name, None)
            if callable(method) and not (name == "numpy" and hasattr(items, "tolist")):
                items = method()
        if isinstance(items, Iterable):
            return list(items)
    raise TypeError(f"{expected}, found {type(sequence).__name__}")


def _token(token: object, side: str, number: int) -> Token:
    if isinstance(token, str):
        return str(token)
    if isinstance(token, float) and token.is_integer():
        return int(token)
    if not isinstance(token, bool) and hasattr(token, "__index__"):
        return index(token)
    raise TypeError(
        f"{side}: expected token ids or tokens in utterance {number}, found {type(token).__name__}"
    )
