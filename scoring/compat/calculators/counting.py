"""Errors of batches of token sequences: from ids to tokens and texts, and what is counted of them.

Everything is decided token by token. The original joins the tokens and then looks for the symbols
of blank and space in the text, where neighbouring tokens can form such a symbol by accident.
Batches come as lists, arrays or tensors on any device, and no library is imported for them: what
has `cpu()` is asked to leave its device, what has `tolist()` or `numpy()` to become plain.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypedDict, get_args

from scoring.alignment.batch import edit_distance_batch
from scoring.model import UNIT_COSTS, Counts

if TYPE_CHECKING:
    from typing_extensions import Unpack

# An id in a list of tokens, or the token itself.
Token: TypeAlias = int | str
Unit: TypeAlias = Literal["char", "token"]
EmptyReferences: TypeAlias = Literal["count", "skip"]
PADDING = -1
WORD_BOUNDARY = "\u2581"
TEXTS = (str, bytes, bytearray, memoryview)
CHOICES = {"unit": get_args(Unit), "empty_references": get_args(EmptyReferences)}


class TokenRules(NamedTuple):
    """How predictions and targets become texts.

    Attributes
    ----------
    tokens
        The token of each id; None where tokens themselves are given, or ids are compared as they
        are (`unit="token"`).
    space
        The symbol that stands for a blank between words, alone or inside a token; None: none.
    blank
        The token that stands for nothing, the blank of CTC and transducers; None: none.
    padding
        What targets and predictions are filled up with; negative ids always are padding.
    word_boundary
        The mark of SentencePiece where a word begins, a blank as well. With None it is a
        character like others: error rates of characters are then of more characters, and words
        are not separated unless `space` is it.
    cut_to_reference
        Cut predictions where the padding of the target begins. Predictions made with the
        reference as input (teacher forcing) go on beyond their end.
    collapse
        Make one of equal ids that follow each other in a prediction, as CTC's best path needs.
    drop
        Further ids or tokens that stand for nothing on both sides, such as `<sos/eos>`.
    keep_reference_blank
        Leave `blank` in targets as the text it is; what ESPnet does for attention.
    unit
        What error rates of characters count: `char`, the code points of texts without their
        blanks, or `token`.
    empty_references
        Predictions of utterances without characters in the reference are insertions (`count`), or
        left out of the error rate of characters (`skip`), which makes it lower.
    """

    tokens: tuple[str, ...] | None = None
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
        """The tokens of a target that are left."""
        return self._kept(row, number, "targets", self.blank if self.keep_reference_blank else None)

    def prediction(self, row: Sequence[Token], target: Sequence[Token], number: int) -> list[str]:
        """The tokens of a prediction that are left."""
        if self.cut_to_reference:
            ends = (place for place, token in enumerate(target) if self._is_padding(token))
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
            if name in self.drop or (name == self.blank and name != kept_blank):
                continue
            kept.append(name)
        return kept

    def _name(self, token: int, number: int, side: str) -> str:
        if self.tokens is None:
            if self.unit == "token":
                return str(token)
            raise ValueError(f"{side}: expected tokens, or a list of them, found token ids only")
        if token >= len(self.tokens):
            raise IndexError(
                f"{side}: expected token ids below {len(self.tokens)}, found {token} in "
                f"utterance {number}"
            )
        return self.tokens[token]

    def text(self, tokens: Iterable[str]) -> str:
        """The text that tokens make, words separated by blanks.

        >>> TokenRules().text(["▁the", "▁c", "at", "<space>", "x"])
        ' the cat x'
        """
        return "".join([_text(token, self.space, self.word_boundary) for token in tokens])

    def units(self, tokens: Sequence[str]) -> list[str]:
        """What error rates of characters count: characters or tokens, without blanks."""
        if self.unit == "token":
            return [token for token in tokens if token != self.space]
        return list(self.text(tokens).replace(" ", ""))


@lru_cache(maxsize=1 << 16)
def _text(token: str, space: str | None, word_boundary: str | None) -> str:
    for mark in (space, word_boundary):
        if mark:
            token = token.replace(mark, " ")
    return token


def checked_rules(rules: TokenRules) -> TokenRules:
    """The same rules with a tuple of tokens, if each is valid."""
    tokens: object = rules.tokens
    if tokens is not None:
        if isinstance(tokens, str) or not isinstance(tokens, Iterable):
            raise TypeError(f"tokens: expected a list of texts, found {type(tokens).__name__}")
        rules = rules._replace(tokens=tuple(tokens))
        for token in rules.tokens or ():
            if not isinstance(token, str):
                raise TypeError(f"tokens: expected texts, found {type(token).__name__}")
    drop: object = rules.drop
    if isinstance(drop, str) or not isinstance(drop, Collection):
        raise TypeError(f"drop: expected ids or tokens, found {type(drop).__name__}")
    for name, choices in CHOICES.items():
        value = getattr(rules, name)
        if value not in choices:
            raise ValueError(f"{name}: expected one of {', '.join(choices)}, found {value!r}")
    return rules._replace(drop=frozenset(drop))


class ErrorTotals(NamedTuple):
    """What was counted; `a + b` counts both.

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
        for name in ("characters", "words"):
            if (getattr(self, name) is None) != (getattr(other, name) is None):
                raise ValueError(f"expected totals that both count {name}, found one that does not")
        pairs: Any = zip(self, other, strict=True)
        sums: Any = (None if left is None else left + right for left, right in pairs)
        return ErrorTotals(*sums)

    def __radd__(self, other: object) -> ErrorTotals:
        # `sum` starts from 0
        return self if other == 0 else NotImplemented


def totals_of(
    rules: TokenRules, report_cer: bool, report_wer: bool, predictions: object, targets: object
) -> ErrorTotals:
    """Count a batch."""
    sides = token_pairs(rules, predictions, targets, texts=report_wer)
    units = [[rules.units(tokens) for tokens in side] for side in sides]
    empty = [not reference for reference in units[1]]
    left_out = 0
    if report_cer and rules.empty_references == "skip":
        left_out = sum(len(row) for row, none in zip(units[0], empty, strict=True) if none)
        units = [[row for row, none in zip(side, empty, strict=True) if not none] for side in units]
    characters = count_errors(units[1], units[0]) if report_cer else None
    words = None
    if report_wer:
        words = count_errors(*([rules.text(row).split() for row in side] for side in sides[::-1]))
    return ErrorTotals(characters, words, len(empty), sum(empty), left_out)


def count_errors(
    references: Sequence[Sequence[str]], hypotheses: Sequence[Sequence[str]]
) -> Counts:
    """Errors of all pairs; every edit costs the same."""
    return edit_distance_batch(references, hypotheses, costs=UNIT_COSTS).total()


def token_pairs(
    rules: TokenRules, predictions: object, targets: object, texts: bool = False
) -> tuple[list[list[str]], list[list[str]]]:
    """The tokens of a batch that are left by the rules: predictions and targets."""
    predicted, expected = rows_of(predictions, "predictions"), rows_of(targets, "targets")
    if len(predicted) != len(expected):
        raise ValueError(
            f"expected as many predictions as targets, found {len(predicted)} and {len(expected)}"
        )
    if texts and rules.tokens is None:
        rows = [*predicted, *expected]
        if any(isinstance(token, int) and token >= 0 for row in rows for token in row):
            raise ValueError(
                "words: expected tokens, or a list of them, found token ids only "
                "(report_wer=False counts none)"
            )
    pairs = zip(predicted, expected, strict=True)
    return (
        [rules.prediction(row, target, number) for number, (row, target) in enumerate(pairs)],
        [rules.target(target, number) for number, target in enumerate(expected)],
    )


def rows_of(batch: object, side: str) -> list[list[Token]]:
    """The token sequences of a batch, padding included, as lists of `int` and `str`.

    >>> import numpy
    >>> rows_of(numpy.array([[1, 2], [3, -1]]), "targets"), rows_of([("a", "b"), []], "targets")
    ([[1, 2], [3, -1]], [['a', 'b'], []])
    """
    sequences = _plain(batch)
    if sequences is None:
        raise TypeError(f"{side}: expected a batch of sequences, found {type(batch).__name__}")
    rows = []
    for number, sequence in enumerate(sequences):
        row = _plain(sequence)
        if row is None:
            raise TypeError(
                f"{side}: expected a sequence of tokens as utterance {number}, "
                f"found {type(sequence).__name__}"
            )
        if not set(map(type, row)) <= {int, str}:
            row = [_token(token, side, number) for token in row]
        rows.append(row)
    return rows


def _plain(sequence: object) -> list[Token] | None:
    """A list of what is in it; None if nothing can be."""
    if isinstance(sequence, TEXTS):
        return None
    for name in ("cpu", "numpy", "tolist"):
        method = getattr(sequence, name, None)
        if callable(method) and not (name == "numpy" and hasattr(sequence, "tolist")):
            sequence = method()
    return list(sequence) if isinstance(sequence, Iterable) else None


def _token(token: object, side: str, number: int) -> Token:
    if isinstance(token, str):
        return str(token)
    if isinstance(token, float) and token.is_integer():
        return int(token)
    if not isinstance(token, bool) and hasattr(token, "__index__"):
        return operator.index(token)
    raise TypeError(
        f"{side}: expected token ids or tokens in utterance {number}, found {type(token).__name__}"
    )


class TokenChoices(TypedDict, total=False):
    """The keywords of `TokenErrorRate`, for those who check types."""

    space: str | None
    blank: str | None
    padding: Token | None
    word_boundary: str | None
    cut_to_reference: bool
    collapse: bool
    drop: Collection[Token]
    unit: Unit
    empty_references: EmptyReferences
    report_cer: bool
    report_wer: bool


class TokenErrorRate:
    """Error rates of characters and words over any number of batches.

    Rates are of the whole: errors of all utterances per character or word of all references,
    neither the mean of utterances nor of batches.

    Parameters
    ----------
    tokens
        The token of each id; None where tokens themselves are given.
    report_cer, report_wer
        What to compute.
    rules
        Fields of `TokenRules`, as keywords.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another kind, or means nothing.

    Examples
    --------
    >>> metric = TokenErrorRate.for_ctc(["<blank>", "a", "b", "c", "d", "<space>"])
    >>> batch = metric.update([[1, 1, 0, 1, 2, 2, 5, 3, 3], [0, 4, 4, 0]],
    ...                       [[1, 1, 2, 5, 3, -1], [4, 4, -1, -1, -1, -1]])
    >>> batch.cer, batch.characters.deletions
    (0.16666666666666666, 1)
    >>> _ = metric.update([[1]], [[1]])
    >>> metric.compute().characters.reference_tokens
    7
    """

    def __init__(
        self, tokens: Iterable[str] | None = None, **options: Unpack[TokenChoices]
    ) -> None:
        rules: dict[str, Any] = {**options}
        self._reports = rules.pop("report_cer", True), rules.pop("report_wer", True)
        self.rules = checked_rules(TokenRules(tokens, **rules))  # type: ignore[arg-type]
        self._totals = ErrorTotals()
        self.reset()

    @classmethod
    def for_attention(
        cls, tokens: Iterable[str] | None = None, **options: Unpack[TokenChoices]
    ) -> TokenErrorRate:
        """For predictions made with the reference as input: cut where the reference ends."""
        options.setdefault("cut_to_reference", True)
        return cls(tokens, **options)

    @classmethod
    def for_ctc(
        cls, tokens: Iterable[str] | None = None, **options: Unpack[TokenChoices]
    ) -> TokenErrorRate:
        """For the best path of CTC, an id a frame: equal ids that follow each other are one."""
        options.setdefault("collapse", True)
        return cls(tokens, **options)

    @classmethod
    def for_transducer(
        cls, tokens: Iterable[str] | None = None, **options: Unpack[TokenChoices]
    ) -> TokenErrorRate:
        """For decoded predictions; targets may be padded with the id of the blank."""
        return cls(tokens, **options)

    def update(self, predictions: object, targets: object) -> ErrorTotals:
        """Count a batch, and return its own totals. Nothing is added if the batch is rejected.

        Parameters
        ----------
        predictions, targets
            Token ids or tokens: sequences of sequences, or an array or tensor of shape
            (utterances, tokens), padded or ragged, on any device.

        Raises
        ------
        ValueError
            If there are not as many predictions as targets, or ids without a list of tokens, of
            which only errors of `unit="token"` can be counted.
        IndexError
            If the list of tokens has no such id.
        TypeError
            If it is no batch.
        """
        batch = totals_of(self.rules, *self._reports, predictions, targets)
        self._totals = self._totals + batch
        return batch

    def reset(self) -> None:
        """Forget all batches."""
        characters, words = (Counts() if report else None for report in self._reports)
        self._totals = ErrorTotals(characters, words)

    def compute(self) -> ErrorTotals:
        """The totals of all batches; those of several processes add up."""
        return self._totals

    def __repr__(self) -> str:
        return f"<TokenErrorRate of {self._totals.utterances} utterances, {self._totals}>"
