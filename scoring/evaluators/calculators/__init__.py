"""Error rates of token sequences during training: CTC, attention and transducer models.

- `TokenErrorRate` adds up batches, over processes too, and gives counts beside rates,
- `ErrorCalculator` and `ErrorCalculatorTransducer` take the arguments of ESPnet's classes.

Predictions and targets may be lists, tuples, NumPy arrays or tensors of any library, padded or
ragged, token ids or tokens. How they are compared is told in `docs/calculators.md`.
"""

from __future__ import annotations

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.evaluators.calculators.attention import ErrorCalculator as ErrorCalculator
    from scoring.evaluators.calculators.metric import TokenErrorRate as TokenErrorRate
    from scoring.evaluators.calculators.rules import TokenRules as TokenRules
    from scoring.evaluators.calculators.totals import ErrorTotals as ErrorTotals
    from scoring.evaluators.calculators.transducer import (
        ErrorCalculatorTransducer as ErrorCalculatorTransducer,
    )

_HOMES = {
    "ErrorCalculator": "attention",
    "ErrorCalculatorTransducer": "transducer",
    "ErrorTotals": "totals",
    "TokenErrorRate": "metric",
    "TokenRules": "rules",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
