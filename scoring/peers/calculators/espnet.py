"""Error rates of attention, CTC and transducer models, with the arguments of ESPnet's classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from scoring.peers.calculators.counting import (
    ErrorTotals,
    Token,
    TokenFields,
    TokenRules,
    count_errors,
    rows_of,
    token_pairs,
    totals_of,
    with_blanks,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

# From the encoder's output for one utterance to predicted ids, or to hypotheses, best first.
Decoder: TypeAlias = Callable[[Any], Any]


class _Calculator:
    """Base of the calculators: the rules for tokens, the rates to report, and rates of texts."""

    # marks that separate words in texts as blanks do
    _marks: tuple[str | None, ...] = ()

    def __init__(self, rules: TokenRules, report_cer: bool, report_wer: bool) -> None:
        self._rules = rules
        self.space, self.blank = rules.space, rules.blank
        self.report_cer, self.report_wer = report_cer, report_wer

    def _rates(self, predictions: object, targets: object) -> tuple[float | None, float | None]:
        if not self.report_cer and not self.report_wer:
            return None, None
        totals = totals_of(self._rules, predictions, targets)
        return totals.cer if self.report_cer else None, totals.wer if self.report_wer else None

    def convert_to_char(self, ys_hat: object, ys_pad: object) -> tuple[list[str], list[str]]:
        """Return the texts of predictions and targets."""
        sides = token_pairs(self._rules, ys_hat, ys_pad)
        predicted, expected = (list(map(self._rules.text, side)) for side in sides)
        return predicted, expected

    def calculate_cer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float | None:
        """Return the character errors of texts per character of the targets, without blanks."""
        sides = ([list(text.replace(" ", "")) for text in side] for side in (seqs_hat, seqs_true))
        return count_errors(*sides).error_rate

    def calculate_wer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float | None:
        """Return the word errors per word of the targets; None if the targets have no words."""
        sides = (
            [with_blanks(text, *self._marks).split() for text in side]
            for side in (seqs_hat, seqs_true)
        )
        return count_errors(*sides).error_rate


class ErrorCalculator(_Calculator):
    """Error rates of batches of predictions, which are teacher-forced or those of CTC.

    The arguments and methods are those of ESPnet's class for attention and CTC; arguments after
    `report_wer` are new. Numbers differ from those of ESPnet in these cases:

    - A batch without reference characters or words has no rate (None); ESPnet divides by zero.
    - Symbols are compared with single tokens, not searched in the joined text; negative ids are
      dropped; lists are cut at their padding, like arrays.
    - `word_boundary`, SentencePiece's mark, separates words and is not a character. With None it
      is a character, as in ESPnet. Then there are more characters, and unless `sym_space` is this
      mark, a text is a single word, so that word error rates are higher.

    Parameters
    ----------
    char_list
        The token of each id.
    sym_space, sym_blank
        The token between words, and the blank of CTC; they need not be in the list.
    report_cer, report_wer
        The rates that a call returns; a rate that is not reported is None.
    rules
        Fields of `TokenRules`, as keywords; TypeError or ValueError if invalid. `cut_to_reference`
        (default True) has no effect on CTC, `empty_references` (default `skip`) only on CTC.

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
        **rules: Unpack[TokenFields],
    ) -> None:
        self.char_list = list(char_list)
        self.idx_blank, self.idx_space = (
            self.char_list.index(symbol) if symbol in self.char_list else None
            for symbol in (sym_blank, sym_space)
        )
        fields: dict[str, Any] = {"cut_to_reference": True, "empty_references": "skip", **rules}
        checked = TokenRules(tuple(char_list), sym_space, sym_blank, **fields).checked()
        self._ctc_rules = checked._replace(collapse=True, cut_to_reference=False)
        checked = checked._replace(keep_reference_blank=True, empty_references="count")
        super().__init__(checked, report_cer, report_wer)

    def __call__(
        self, ys_hat: object, ys_pad: object, is_ctc: bool = False
    ) -> float | tuple[float | None, float | None] | None:
        """Return the rates of a batch, ratios over all its utterances.

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
        With `is_ctc`, the character error rate, whatever `report_cer` is; None if no reference has
        characters. Otherwise, the character and the word error rate; a rate that the calculator
        does not report is None.
        """
        return self.calculate_cer_ctc(ys_hat, ys_pad) if is_ctc else self._rates(ys_hat, ys_pad)

    def count_errors(self, ys_hat: object, ys_pad: object, is_ctc: bool = False) -> ErrorTotals:
        """Return the counts of characters and words of a batch. Counts of batches can be added.

        Examples
        --------
        >>> calculator = ErrorCalculator(["<blank>", "a"], "<space>", "<blank>")
        >>> totals = calculator.count_errors([[1, 0], [1, 0]], [[1], [-1]], is_ctc=True)
        >>> totals.characters, totals.empty_references, totals.left_out
        (Counts(correct=1, substitutions=0, deletions=0, insertions=0), 1, 1)
        """
        return totals_of(self._ctc_rules if is_ctc else self._rules, ys_hat, ys_pad)

    def calculate_cer_ctc(self, ys_hat: object, ys_pad: object) -> float | None:
        """Return the character error rate of CTC's best path; None without reference characters."""
        return totals_of(self._ctc_rules, ys_hat, ys_pad).cer


class ErrorCalculatorTransducer(_Calculator):
    """Error rates of batches; the calculator first decodes the encoder's output.

    The arguments and methods are those of ESPnet's class for transducers; arguments after
    `report_wer` are new. The caller decodes, so that no library of networks is needed. There are
    two ways. Either `decoder` is a function from the encoder's output for one utterance to
    predicted ids, and `joint_network` is None. Or `decoder` and `joint_network` are those of
    ESPnet, and `search` is ESPnet's class for the search. An instance of `search`, created with
    `decoder`, `joint_network` and `beam_size`, is then called for each utterance. The ids `yseq` of
    the best hypothesis are scored, without the start symbol at the beginning. Versions of ESPnet
    search differently (beams of 1 or 2, scores normalised or not), which can change the number;
    `functools.partial` passes more options to `search`.

    Numbers differ from those of ESPnet in the same cases as with `ErrorCalculator`.

    Parameters
    ----------
    decoder, joint_network, search, beam_size
        See above. Raises TypeError for an invalid combination.
    token_list
        The token of each id.
    sym_space, sym_blank
        The token between words, and the blank; the blank is dropped on both sides, so that targets
        may be padded with it.
    report_cer, report_wer, rules
        As in `ErrorCalculator`; by default no token is cut or skipped.

    Examples
    --------
    >>> tokens = ["<blank>", "a", "b", "c", "d", "<space>"]
    >>> best = {"first": [1, 2, 5, 3], "second": [4]}
    >>> calculator = ErrorCalculatorTransducer(
    ...     best.get, None, tokens, "<space>", "<blank>", report_cer=True, report_wer=True)
    >>> calculator(["first", "second"], [[1, 2, 5, 4, 0], [4, 5, 1, 0, 0]])
    (0.4, 0.5)
    """

    def __init__(
        self,
        decoder: Any,
        joint_network: Any,
        token_list: Sequence[str],
        sym_space: str | None,
        sym_blank: str | None,
        report_cer: bool = False,
        report_wer: bool = False,
        *,
        search: Callable[..., Decoder] | None = None,
        beam_size: int = 1,
        **rules: Unpack[TokenFields],
    ) -> None:
        self.decoder = self._decoder = decoder
        if search is not None:
            self._decoder = search(
                decoder=decoder, joint_network=joint_network, beam_size=beam_size
            )
        elif joint_network is not None:
            raise TypeError(
                "search: expected the class of the beam search, which joint_network needs, found "
                "none"
            )
        elif not callable(decoder):
            raise TypeError(
                "decoder: expected a function from an utterance to its ids, "
                f"found {type(decoder).__name__}"
            )
        self.token_list = list(token_list)
        checked = TokenRules(tuple(token_list), sym_space, sym_blank, **rules).checked()
        self._marks = (checked.word_boundary,)
        super().__init__(checked, report_cer, report_wer)

    def __call__(self, encoder_out: Any, target: object) -> tuple[float | None, float | None]:
        """Return the character and word error rates of a batch, each None if it is not reported.

        Parameters
        ----------
        encoder_out
            The encoder's output: an array or tensor of shape (utterances, frames, features), or a
            list with the output for each utterance.
        target
            Target ids or tokens, padded with the blank or with `padding`, or ragged.
        """
        if not self.report_cer and not self.report_wer:
            return None, None
        return self._rates(self.decode(encoder_out), target)

    def count_errors(self, encoder_out: Any, target: object) -> ErrorTotals:
        """Return the counts of characters and words of a batch. Counts of batches can be added."""
        return totals_of(self._rules, self.decode(encoder_out), target)

    def decode(self, encoder_out: Any) -> list[list[Token]]:
        """Return the predicted ids of each utterance.

        Raise TypeError if the decoder returns anything else.
        """
        return [_ids(self._decoder(encoder_out[number])) for number in range(len(encoder_out))]

    # with the argument names of the original
    def convert_to_char(self, pred: object, target: object) -> tuple[list[str], list[str]]:
        """Return the texts of predictions and targets, as `ErrorCalculator` does."""
        return super().convert_to_char(pred, target)

    def calculate_cer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float | None:
        """Return the character error rate as `ErrorCalculator` does."""
        return super().calculate_cer(char_pred, char_target)

    def calculate_wer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float | None:
        """Return the word error rate as `ErrorCalculator` does.

        Both `sym_space` and `word_boundary` separate words.
        """
        return super().calculate_wer(char_pred, char_target)


def _ids(decoded: Any) -> list[Token]:
    """Return ids unchanged; for a hypothesis of a search, return its ids after the start symbol."""
    if isinstance(decoded, (list, tuple)) and decoded and hasattr(decoded[0], "yseq"):
        decoded = decoded[0]
    if hasattr(decoded, "yseq"):
        return rows_of([decoded.yseq], "hypothesis")[0][1:]
    return rows_of([decoded], "decoder")[0]
