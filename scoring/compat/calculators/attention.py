"""Error rates of attention and CTC models, with the arguments of ESPnet's class."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from scoring.compat.calculators.batches import Token
from scoring.compat.calculators.metric import Reports, paired_rows, token_pairs, totals_of
from scoring.compat.calculators.rules import PADDING, WORD_BOUNDARY, TokenRules, checked_rules
from scoring.compat.calculators.totals import (
    ErrorTotals,
    counted_characters,
    counted_words,
)
from scoring.labels.ratio import error_ratio

BOTH = Reports(cer=True, wer=True)
CHARACTERS = Reports(cer=True, wer=False)


class ErrorCalculator:
    """Error rates of a batch of predictions made with the reference as input, or by CTC.

    The arguments and methods are those of ESPnet's class for attention and CTC; what is named
    after `report_wer` is new. Where numbers differ from the original's:

    - A batch without reference characters or words has the rate 0 or infinity, where the original
      divides by zero.
    - Symbols are looked for token by token, not in the joined text.
    - Negative ids in predictions are dropped, where the original takes tokens from the end of the
      list.
    - `word_boundary`, the mark of SentencePiece, separates words and is no character. With None
      it is a character as in the original: there are more characters then and, unless `sym_space`
      is the mark, a text is a single word, so that word error rates are higher.
    - Lists are cut at their padding as arrays are.

    Parameters
    ----------
    char_list
        The token of each id.
    sym_space
        The token between words; it need not be in the list.
    sym_blank
        The blank of CTC; it need not be in the list.
    report_cer, report_wer
        Which rates a call gives; the other is None.
    padding
        What targets are filled up with.
    cut_to_reference
        Cut predictions at the length of the reference; not for CTC.
    word_boundary, drop, unit
        As of `TokenRules`.
    empty_references
        Of CTC only: `skip` (as the original) leaves utterances without reference characters out of
        the rate, so that their insertions are lost; `count` counts them, which makes it higher.
        `count_errors` tells of both.

    Raises
    ------
    TypeError, ValueError
        If an argument is of another kind, or means nothing.

    Examples
    --------
    >>> tokens = ["<blank>", "a", "b", "c", "d", "<space>"]
    >>> calculator = ErrorCalculator(tokens, "<space>", "<blank>", True, True)
    >>> predictions = [[1, 2, 5, 3, 3, 0], [1, 0, 5, 4, 1, 1]]
    >>> targets = [[1, 2, 5, 3, 4, -1], [1, 5, 4, -1, -1, -1]]
    >>> calculator(predictions, targets)
    (0.3333333333333333, 0.5)
    >>> calculator.convert_to_char(predictions, targets)
    (['ab cc', 'a '], ['ab cd', 'a d'])
    >>> calculator([[1, 1, 0, 1]], [[1, 1, 1]], is_ctc=True)
    0.3333333333333333
    """

    def __init__(
        self,
        char_list: Sequence[str],
        sym_space: str | None,
        sym_blank: str | None,
        report_cer: bool = False,
        report_wer: bool = False,
        *,
        padding: Token | None = PADDING,
        cut_to_reference: bool = True,
        word_boundary: str | None = WORD_BOUNDARY,
        drop: Collection[Token] = (),
        unit: str = "char",
        empty_references: str = "skip",
    ) -> None:
        self.report_cer = report_cer
        self.report_wer = report_wer
        self.char_list = list(char_list)
        self.space = sym_space
        self.blank = sym_blank
        self.idx_blank = _position(self.char_list, sym_blank)
        self.idx_space = _position(self.char_list, sym_space)
        common = TokenRules(
            tuple(char_list),
            sym_space,
            sym_blank,
            padding,
            word_boundary,
            drop=drop,  # type: ignore[arg-type]
            unit=unit,
            empty_references=empty_references,
        )
        self._ctc_rules = checked_rules(common._replace(collapse=True))
        self._rules = self._ctc_rules._replace(
            collapse=False,
            cut_to_reference=cut_to_reference,
            keep_reference_blank=True,
            empty_references="count",
        )

    def __call__(
        self, ys_hat: object, ys_pad: object, is_ctc: bool = False
    ) -> float | tuple[float | None, float | None] | None:
        """The rates of a batch, ratios over all its utterances.

        Parameters
        ----------
        ys_hat
            Predicted ids or tokens, of shape (utterances, tokens) or ragged.
        ys_pad
            Target ids or tokens, padded or ragged.
        is_ctc
            Whether predictions are the best path of CTC.

        Returns
        -------
        With `is_ctc` the error rate of characters, whatever is to be reported, None if no
        reference has any; else that and the error rate of words, each None if not to be reported.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.
        """
        if is_ctc:
            return self.calculate_cer_ctc(ys_hat, ys_pad)
        if not self.report_cer and not self.report_wer:
            return None, None
        totals = totals_of(self._rules, Reports(self.report_cer, self.report_wer), ys_hat, ys_pad)
        return totals.cer, totals.wer

    def count_errors(self, ys_hat: object, ys_pad: object, is_ctc: bool = False) -> ErrorTotals:
        """The counts behind the rates of a batch, of characters and words; they add up.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.

        Examples
        --------
        >>> calculator = ErrorCalculator(["<blank>", "a"], "<space>", "<blank>")
        >>> totals = calculator.count_errors([[1, 0], [1, 0]], [[1], [-1]], is_ctc=True)
        >>> totals.characters, totals.empty_references, totals.left_out
        (Counts(correct=1, substitutions=0, deletions=0, insertions=0), 1, 1)
        """
        return totals_of(self._ctc_rules if is_ctc else self._rules, BOTH, ys_hat, ys_pad)

    def calculate_cer_ctc(self, ys_hat: object, ys_pad: object) -> float | None:
        """The error rate of characters of CTC's best path; None if no reference has any.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.
        """
        totals = totals_of(self._ctc_rules, CHARACTERS, ys_hat, ys_pad)
        counts = totals.characters
        if totals.utterances == totals.empty_references and not (counts and counts.errors):
            return None
        return totals.cer

    def convert_to_char(self, ys_hat: object, ys_pad: object) -> tuple[list[str], list[str]]:
        """The texts of predictions and targets.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.
        """
        predictions, targets = token_pairs(self._rules, paired_rows(ys_hat, ys_pad))
        return list(map(self._rules.text, predictions)), list(map(self._rules.text, targets))

    def calculate_cer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float:
        """Errors in the characters of texts per character of the references, without blanks.

        Raises
        ------
        ValueError
            If there are not as many of both.
        """
        counts = counted_characters(seqs_true, seqs_hat)
        return error_ratio(counts.errors, counts.reference_tokens)

    def calculate_wer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float:
        """Errors in the words of texts per word of the references.

        Raises
        ------
        ValueError
            If there are not as many of both.
        """
        counts = counted_words(seqs_true, seqs_hat)
        return error_ratio(counts.errors, counts.reference_tokens)


def _position(tokens: Sequence[str], symbol: str | None) -> int | None:
    return tokens.index(symbol) if symbol in tokens else None
