"""Error rates of token sequences during training: CTC, attention and transducer models.

- `TokenErrorRate` adds up batches, over processes too, and gives counts beside rates,
- `ErrorCalculator` and `ErrorCalculatorTransducer` take the arguments of ESPnet's classes.

Predictions and targets may be lists, tuples, NumPy arrays or tensors of any library, padded or
ragged, token ids or tokens. How they are compared is told in `docs/calculators.md`.
"""

from __future__ import annotations

from formats.lazy import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.compat.calculators.espnet import ErrorCalculator as ErrorCalculator
    from scoring.compat.calculators.espnet import (
        ErrorCalculatorTransducer as ErrorCalculatorTransducer,
    )
    from scoring.compat.calculators.metric import TokenErrorRate as TokenErrorRate
    from scoring.compat.calculators.rules import TokenRules as TokenRules
    from scoring.compat.calculators.totals import ErrorTotals as ErrorTotals

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "ErrorCalculator": ".espnet",
        "ErrorCalculatorTransducer": ".espnet",
        "ErrorTotals": ".totals",
        "TokenErrorRate": ".metric",
        "TokenRules": ".rules",
    },
)
