"""Error rates of transducers, with the arguments of ESPnet's class."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from scoring.compat.calculators.batches import Token, row_of
from scoring.compat.calculators.metric import Reports, paired_rows, token_pairs, totals_of
from scoring.compat.calculators.rules import PADDING, WORD_BOUNDARY, TokenRules, checked_rules
from scoring.compat.calculators.totals import (
    ErrorTotals,
    counted_characters,
    counted_words,
)
from scoring.labels.ratio import error_ratio

# From the encoder's output for one utterance to predicted ids, or to hypotheses, best first.
Decoder: TypeAlias = Callable[[Any], Any]


class ErrorCalculatorTransducer:
    """Error rates of a batch that is decoded on the way.

    The arguments and methods are those of ESPnet's class for transducers; what is named after
    `report_wer` is new. Decoding stays with the caller, so that no library of networks is needed:
    either `decoder` is a function from the encoder's output for one utterance to predicted ids and
    `joint_network` None; or both are what the original takes, and `search` is the class of its
    search, which is made with `decoder`, `joint_network` and `beam_size` and called for each
    utterance; of its best hypothesis the ids `yseq` are taken without the first, which starts it.
    Versions of the original differ in how they search (beams of 1 or 2, scores normalised or not),
    which can move the number: `functools.partial` gives `search` further options.

    Where numbers differ from the original's:

    - A batch without reference characters or words has the rate 0 or infinity, where the original
      divides by zero.
    - Negative ids are padding, where the original takes tokens from the end of the list.
    - Symbols are looked for token by token, not in the joined text.
    - `word_boundary`, the mark of SentencePiece, separates words and is no character, as of
      `ErrorCalculator`.

    Parameters
    ----------
    decoder, joint_network, search
        See above.
    beam_size
        Given to `search`.
    token_list
        The token of each id.
    sym_space
        The token between words.
    sym_blank
        The blank; it stands for nothing on both sides, so that targets may be padded with it.
    report_cer, report_wer
        Which rates a call gives; the other is None.
    padding, word_boundary, drop, unit
        As of `TokenRules`.

    Raises
    ------
    TypeError
        If nothing decodes; and as of `TokenRules`.
    ValueError
        If an argument means nothing.

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
        padding: Token | None = PADDING,
        word_boundary: str | None = WORD_BOUNDARY,
        drop: Collection[Token] = (),
        unit: str = "char",
    ) -> None:
        self._decoder = _decoder(decoder, joint_network, search, beam_size)
        self.decoder = decoder
        self.token_list = list(token_list)
        self.space = sym_space
        self.blank = sym_blank
        self.report_cer = report_cer
        self.report_wer = report_wer
        self._rules = checked_rules(
            TokenRules(
                tuple(token_list),
                sym_space,
                sym_blank,
                padding,
                word_boundary,
                drop=drop,  # type: ignore[arg-type]
                unit=unit,
            )
        )

    def __call__(self, encoder_out: Any, target: object) -> tuple[float | None, float | None]:
        """The error rates of characters and words of a batch, each None if not to be reported.

        Parameters
        ----------
        encoder_out
            The encoder's output, an utterance at each position: an array or tensor of shape
            (utterances, frames, features), or a list.
        target
            Target ids or tokens, padded with the blank or with `padding`, or ragged.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.
        """
        if not self.report_cer and not self.report_wer:
            return None, None
        reports = Reports(self.report_cer, self.report_wer)
        totals = totals_of(self._rules, reports, self.decode(encoder_out), target)
        return totals.cer, totals.wer

    def count_errors(self, encoder_out: Any, target: object) -> ErrorTotals:
        """The counts behind the rates of a batch, of characters and words; they add up.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.
        """
        return totals_of(self._rules, Reports(True, True), self.decode(encoder_out), target)

    def decode(self, encoder_out: Any) -> list[list[Token]]:
        """The predicted ids of each utterance.

        Raises
        ------
        TypeError, ValueError
            If the decoder gives neither ids nor hypotheses.
        """
        return [_ids(self._decoder(encoder_out[number])) for number in range(len(encoder_out))]

    def convert_to_char(self, pred: object, target: object) -> tuple[list[str], list[str]]:
        """The texts of predictions and targets.

        Raises
        ------
        IndexError, TypeError, ValueError
            As of `TokenErrorRate.update`.

        Examples
        --------
        >>> calculator = ErrorCalculatorTransducer(list, None, ["a", "b", " ", "_"], " ", "_")
        >>> calculator.convert_to_char([[0, 1, 2], [1, 0, 3]], [[0, 1], [1, 2]])
        (['ab ', 'ba'], ['ab', 'b '])
        """
        predictions, targets = token_pairs(self._rules, paired_rows(pred, target))
        return list(map(self._rules.text, predictions)), list(map(self._rules.text, targets))

    def calculate_cer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float:
        """Errors in the characters of texts per character of the references, without blanks.

        Raises
        ------
        ValueError
            If there are not as many of both.
        """
        counts = counted_characters(char_target, char_pred)
        return error_ratio(counts.errors, counts.reference_tokens)

    def calculate_wer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float:
        """Errors in the words of texts per word of the references.

        Words are cut at white space and at `word_boundary`.

        Raises
        ------
        ValueError
            If there are not as many of both.
        """
        mark = self._rules.word_boundary
        if mark:
            char_pred = [text.replace(mark, " ") for text in char_pred]
            char_target = [text.replace(mark, " ") for text in char_target]
        counts = counted_words(char_target, char_pred)
        return error_ratio(counts.errors, counts.reference_tokens)


def _decoder(
    decoder: Any, joint_network: Any, search: Callable[..., Decoder] | None, beam_size: int
) -> Decoder:
    if search is not None:
        return search(decoder=decoder, joint_network=joint_network, beam_size=beam_size)
    if joint_network is not None:
        raise TypeError(
            "expected search, the class of the beam search, together with joint_network, found none"
        )
    if not callable(decoder):
        raise TypeError(
            "decoder: expected a function from an utterance to its ids, "
            f"found {type(decoder).__name__}"
        )
    found: Decoder = decoder
    return found


def _ids(decoded: Any) -> list[Token]:
    """Ids as they are, or those of the best hypothesis without the one that starts it."""
    if isinstance(decoded, (list, tuple)) and decoded and hasattr(decoded[0], "yseq"):
        decoded = decoded[0]
    if hasattr(decoded, "yseq"):
        return row_of(decoded.yseq, "hypothesis")[1:]
    return row_of(decoded, "decoder")
