"""A metric for validation during training: it takes batches, and merges over processes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from scoring.compat.calculators.batches import Token, rows_of
from scoring.compat.calculators.rules import (
    BLANK,
    PADDING,
    SPACE,
    WORD_BOUNDARY,
    EmptyReferences,
    TokenRules,
    Unit,
    checked_rules,
)
from scoring.compat.calculators.totals import ErrorTotals, counted, counted_words
from scoring.model import Counts

if TYPE_CHECKING:
    from typing_extensions import Unpack


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
    neither the mean of utterances nor of batches. So neither the order of batches nor how they
    were spread over processes changes a digit.

    Parameters
    ----------
    tokens, space, blank, padding, word_boundary, cut_to_reference, collapse, drop
        As of `TokenRules`.
    unit, empty_references
        As there.
    report_cer, report_wer
        What to compute.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another kind, or means nothing.

    Examples
    --------
    >>> tokens = ["<blank>", "a", "b", "c", "d", "<space>"]
    >>> metric = TokenErrorRate.for_ctc(tokens)
    >>> batch = metric.update([[1, 1, 0, 1, 2, 2, 5, 3, 3], [0, 4, 4, 0]],
    ...                       [[1, 1, 2, 5, 3, -1], [4, 4, -1, -1, -1, -1]])
    >>> batch.cer, batch.characters.deletions
    (0.16666666666666666, 1)
    >>> other = TokenErrorRate.for_ctc(tokens)
    >>> _ = other.update([[1]], [[1]])
    >>> metric.merge(other)
    >>> metric.compute().characters.reference_tokens
    7
    """

    def __init__(
        self,
        tokens: Iterable[str] | None = None,
        *,
        space: str | None = SPACE,
        blank: str | None = BLANK,
        padding: Token | None = PADDING,
        word_boundary: str | None = WORD_BOUNDARY,
        cut_to_reference: bool = False,
        collapse: bool = False,
        drop: Collection[Token] = (),
        unit: Unit = "char",
        empty_references: EmptyReferences = "count",
        report_cer: bool = True,
        report_wer: bool = True,
    ) -> None:
        rules = TokenRules(
            tokens,  # type: ignore[arg-type]
            space,
            blank,
            padding,
            word_boundary,
            cut_to_reference,
            collapse,
            drop,  # type: ignore[arg-type]
            False,
            unit,
            empty_references,
        )
        self._rules = checked_rules(rules)
        self._reports = Reports(report_cer, report_wer)
        self._totals = self._reports.nothing()

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

    @property
    def rules(self) -> TokenRules:
        """How predictions and targets become texts."""
        return self._rules

    def update(self, predictions: object, targets: object) -> ErrorTotals:
        """Count a batch; what it gave by itself.

        Nothing is added if the batch is refused.

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
        batch = totals_of(self._rules, self._reports, predictions, targets)
        self._totals = self._totals + batch
        return batch

    def merge(self, *others: TokenErrorRate) -> None:
        """Add what others counted, say in other processes; they stay as they are.

        Raises
        ------
        ValueError
            If one counts by other rules.
        """
        for other in others:
            if (other._rules, other._reports) != (self._rules, self._reports):
                raise ValueError("expected a metric of the same rules, found one of others")
        self._totals = sum((other._totals for other in others), self._totals)

    def reset(self) -> None:
        """Forget all batches."""
        self._totals = self._reports.nothing()

    def compute(self) -> ErrorTotals:
        """What all batches gave: counts, and the rates `cer` and `wer`."""
        return self._totals

    def state_dict(self) -> dict[str, int]:
        """The counts as plain numbers by name, always in the same order.

        The sum of the numbers of several processes, name by name, is the state of all.
        """
        return self._totals.numbers()

    def load_state_dict(self, state: Mapping[str, int]) -> None:
        """Take over counts that `state_dict` gave, in place of those there are.

        Raises
        ------
        ValueError
            If it is no such state, or one of a metric that reports something else.
        """
        found = ErrorTotals.from_numbers(state)
        if Reports(found.characters is not None, found.words is not None) != self._reports:
            raise ValueError("expected the state of a metric that reports the same, found another")
        self._totals = found

    def __repr__(self) -> str:
        return f"<TokenErrorRate of {self._totals.utterances} utterances, {self.state_dict()}>"


class Reports(NamedTuple):
    """What to compute."""

    cer: bool
    wer: bool

    def nothing(self) -> ErrorTotals:
        """The totals of no batch."""
        return ErrorTotals(Counts() if self.cer else None, Counts() if self.wer else None)


def totals_of(
    rules: TokenRules, reports: Reports, predictions: object, targets: object
) -> ErrorTotals:
    """Count a batch.

    Raises
    ------
    IndexError, TypeError, ValueError
        As of `TokenErrorRate.update`.
    """
    pairs = paired_rows(predictions, targets)
    if reports.wer and rules.tokens is None:
        _refuse_ids(pairs)
    sides = token_pairs(rules, pairs)
    units = [[rules.units(tokens) for tokens in side] for side in sides]
    empty = [not reference for reference in units[1]]
    left_out = 0
    if reports.cer and rules.empty_references == "skip":
        left_out = sum(len(own) for own, none in zip(units[0], empty, strict=True) if none)
        units = [[own for own, none in zip(side, empty, strict=True) if not none] for side in units]
    characters = counted(units[1], units[0]) if reports.cer else None
    words = None
    if reports.wer:
        texts = [[rules.text(tokens) for tokens in side] for side in sides]
        words = counted_words(texts[1], texts[0])
    return ErrorTotals(characters, words, len(empty), sum(empty), left_out)


def paired_rows(predictions: object, targets: object) -> list[tuple[list[Token], list[Token]]]:
    """The rows of a batch, each prediction with its target.

    Raises
    ------
    TypeError, ValueError
        As of `TokenErrorRate.update`.
    """
    predicted, wanted = rows_of(predictions, "predictions"), rows_of(targets, "targets")
    if len(predicted) != len(wanted):
        raise ValueError(
            f"expected as many predictions as targets, found {len(predicted)} and {len(wanted)}"
        )
    return list(zip(predicted, wanted, strict=True))


def token_pairs(
    rules: TokenRules, pairs: Sequence[tuple[Sequence[Token], Sequence[Token]]]
) -> tuple[list[list[str]], list[list[str]]]:
    """The tokens that are left by the rules: predictions and targets.

    Raises
    ------
    IndexError, ValueError
        As of `TokenErrorRate.update`.
    """
    return (
        [rules.prediction(row, target, number) for number, (row, target) in enumerate(pairs)],
        [rules.target(target, number) for number, (_, target) in enumerate(pairs)],
    )


def _refuse_ids(pairs: Sequence[tuple[Sequence[Token], Sequence[Token]]]) -> None:
    """Ids without a list of tokens make no words."""
    if any(
        isinstance(token, int) and token >= 0 for pair in pairs for row in pair for token in row
    ):
        raise ValueError(
            "words: expected tokens, or a list of them, found token ids only (report_wer=False "
            "counts none)"
        )
