"""Error rates of token sequences during the training of CTC, attention and transducer models.

`ErrorCalculator` and `ErrorCalculatorTransducer` take the arguments of ESPnet's classes. Their
`count_errors` returns the counts of a batch; counts of batches can be added.

Predictions and targets may be lists, tuples, NumPy arrays or tensors of any library, padded or
ragged, token ids or tokens. `docs/from-espnet.md` describes how they are compared.
"""

from __future__ import annotations

from scoring.peers.calculators.counting import ErrorTotals, TokenRules
from scoring.peers.calculators.espnet import ErrorCalculator, ErrorCalculatorTransducer

__all__ = [
    "ErrorCalculator",
    "ErrorCalculatorTransducer",
    "ErrorTotals",
    "TokenRules",
]
