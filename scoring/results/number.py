"""Comparison and arithmetic of values that are numbers before all else."""

from __future__ import annotations

import operator
from collections.abc import Callable
from numbers import Real
from typing import Union

from scoring.model.errors import NoReferenceError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

Operand: TypeAlias = Union[float, "Number"]


def _computed(operation: Callable[[Any, Any], Any]) -> Callable[[Number, Operand], float]:
    """Return a method that computes with the `float` of its value and of another number."""

    def method(self: Number, operand: Operand) -> Any:
        if not isinstance(operand, Real):
            return NotImplemented
        return operation(float(self), float(operand))

    return method


def _compared(operation: Callable[[Any, Any], bool]) -> Callable[[Number, Operand], bool]:
    """Return a method that compares as `_computed` computes."""
    return _computed(operation)  # type: ignore[return-value]


class Number:
    """A value that compares and computes as its `float`; unhashable.

    If `float` raises `NoReferenceError`, the value equals itself alone.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __float__(self) -> float:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        try:
            return self is other or _equal(self, other)  # type: ignore[arg-type]
        except NoReferenceError:
            return False

    __lt__ = _compared(operator.lt)
    __le__ = _compared(operator.le)
    __gt__ = _compared(operator.gt)
    __ge__ = _compared(operator.ge)
    __add__ = _computed(operator.add)
    __radd__ = _computed(operator.add)
    __sub__ = _computed(operator.sub)
    __rsub__ = _computed(lambda value, left: left - value)
    __mul__ = _computed(operator.mul)
    __rmul__ = _computed(operator.mul)
    __truediv__ = _computed(operator.truediv)
    __rtruediv__ = _computed(lambda value, left: left / value)

    def __neg__(self) -> float:
        return -float(self)

    def __abs__(self) -> float:
        return abs(float(self))

    def __round__(self, digits: int | None = None) -> float:
        return round(float(self), digits)


_equal = _compared(operator.eq)
# `pytest.approx` and others ask whether a value is a number
Real.register(Number)
