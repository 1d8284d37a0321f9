"""ESPnet's calculators under ESPnet's names; as in ESPnet, they may divide by zero.

Without reference tokens, these calculators raise ZeroDivisionError. Those of
`scoring.peers.calculators` return None.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from scoring.peers import calculators

__all__ = ["ErrorCalculator", "ErrorCalculatorTransducer"]

SEARCH = "espnet2.asr.transducer.beam_search_transducer"


def _rate(rate: float | None) -> float:
    """Return the rate unchanged; raise ZeroDivisionError if it is None."""
    if rate is None:
        raise ZeroDivisionError("expected tokens in the targets, found none")
    return rate


class ErrorCalculator(calculators.ErrorCalculator):
    """The calculator for attention models and CTC.

    Arguments and numbers are those of `scoring.peers.calculators.ErrorCalculator`; targets without
    characters or words raise ZeroDivisionError, except with CTC, where the rate is None.

    Examples
    --------
    >>> tokens = ["<blank>", "a", "b", "<space>"]
    >>> ErrorCalculator(tokens, "<space>", "<blank>", True, True)([[1, 3, 2]], [[1, 3, 1]])
    (0.5, 0.5)
    """

    def _rates(self, predictions: object, targets: object) -> tuple[float | None, float | None]:
        cer, wer = super()._rates(predictions, targets)
        return _rate(cer) if self.report_cer else None, _rate(wer) if self.report_wer else None

    def calculate_cer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float:
        """Return the character errors per character of the targets, without blanks."""
        return _rate(super().calculate_cer(seqs_hat, seqs_true))

    def calculate_wer(self, seqs_hat: Sequence[str], seqs_true: Sequence[str]) -> float:
        """Return the word errors per word of the targets."""
        return _rate(super().calculate_wer(seqs_hat, seqs_true))


class ErrorCalculatorTransducer(calculators.ErrorCalculatorTransducer):
    """The calculator for transducer models.

    Arguments and numbers are those of `scoring.peers.calculators.ErrorCalculatorTransducer`, with
    two differences: targets without characters or words raise ZeroDivisionError, and with a
    `joint_network` the search is by default the installed ESPnet's `BeamSearchTransducer` with a
    beam of 2 and scores that are not divided by the length, as in ESPnet.

    Examples
    --------
    >>> calculator = ErrorCalculatorTransducer(
    ...     {"first": [1, 3, 2]}.get, None, ["<blank>", "a", "b", "<space>"], "<space>", "<blank>")
    >>> calculator.calculate_wer(["a b"], ["a a"])
    0.5
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
        search: Callable[..., Any] | None = None,
        beam_size: int = 2,
        **rules: Any,
    ) -> None:
        if search is None and joint_network is not None:
            search = partial(import_module(SEARCH).BeamSearchTransducer, score_norm=False)
        super().__init__(
            decoder,
            joint_network,
            token_list,
            sym_space,
            sym_blank,
            report_cer,
            report_wer,
            search=search,
            beam_size=beam_size,
            **rules,
        )

    def _rates(self, predictions: object, targets: object) -> tuple[float | None, float | None]:
        cer, wer = super()._rates(predictions, targets)
        return _rate(cer) if self.report_cer else None, _rate(wer) if self.report_wer else None

    def calculate_cer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float:
        """Return the character errors per character of the targets, without blanks."""
        return _rate(super().calculate_cer(char_pred, char_target))

    def calculate_wer(self, char_pred: Sequence[str], char_target: Sequence[str]) -> float:
        """Return the word errors per word of the targets."""
        return _rate(super().calculate_wer(char_pred, char_target))
