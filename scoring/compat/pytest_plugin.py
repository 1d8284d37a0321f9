"""A plugin of pytest: the fixture `assert_wer`, whose failures show the words that differ.

Loaded by pytest itself where sclite-kit is installed; nothing else is imported before a test asks
for the fixture.

>>> from scoring.compat.pytest_plugin import check_wer
>>> check_wer("the cat sat", "the cat sat", below=0.1)
<ErrorRates 0.00 % of 1 utterances, Counts(correct=3, substitutions=0, deletions=0, insertions=0)>
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Unpack

    from scoring.options import Choices, Options
    from scoring.scored.rates import ErrorRates
    from scoring.sides.given import Given

__all__ = ["assert_wer", "check_wer"]

SHOWN = 10


def check_wer(
    reference: Given,
    hypothesis: Given,
    *,
    below: float,
    options: Options | None = None,
    **choices: Unpack[Choices],
) -> ErrorRates:
    """Score, and fail if the error rate is not below a limit; the scores."""
    __tracebackhide__ = True
    from scoring.pages.result import worst_of
    from scoring.scored.score import wer

    rates = wer(reference, hypothesis, options=options, **choices)
    if rates.error_rate < below:
        return rates
    raise AssertionError(
        f"expected an error rate below {below:.2%}, found {rates:.2%}\n{rates}\n\n"
        f"{worst_of(rates, top=SHOWN)}"
    )


@pytest.fixture
def assert_wer() -> Callable[..., ErrorRates]:
    """`check_wer`, as a fixture: `assert_wer(reference, hypothesis, below=0.12)`."""
    return check_wer
