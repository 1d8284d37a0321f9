"""Named tuples of the schema: what they do is what `typing.NamedTuple` does."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from collections.abc import Callable
from typing import Any
from typing import NamedTuple as Standard

import pytest

from formats.schema import NamedTuple


class Ours(NamedTuple):
    """A point."""

    x: int
    y: str = "b"
    z: float = 0.5

    @property
    def double(self) -> int:
        return 2 * self.x

    def __str__(self) -> str:
        return f"<{self.x}>"


class Theirs(Standard):
    """A point."""

    x: int
    y: str = "b"
    z: float = 0.5

    @property
    def double(self) -> int:
        return 2 * self.x

    def __str__(self) -> str:
        return f"<{self.x}>"


class Undocumented(NamedTuple):
    first: int


CALLS: list[Callable[[Any], Any]] = [
    lambda point: tuple(point(1)),
    lambda point: tuple(point(1, z=2.5)),
    lambda point: tuple(point(y="q", x=3)),
    lambda point: point(),
    lambda point: point(1, 2, 3, 4),
    lambda point: point(1, w=2),
    lambda point: point(1).double,
    lambda point: (str(point(1)), repr(point(1)).partition("(")[2]),
    lambda point: point(1)._asdict(),
    lambda point: tuple(point(1)._replace(y="r")),
    lambda point: point(1)._replace(w=2),
    lambda point: tuple(point._make("abc")),
    lambda point: point._make("ab"),
    lambda point: setattr(point(1), "x", 2),
    lambda point: vars(point(1)),
    lambda point: (point(1) == (1, "b", 0.5), hash(point(1)), point(1) < (2,)),
    lambda point: (point._fields, point._field_defaults, point.__match_args__),
    lambda point: (point.__doc__, point.x.__doc__, point.__module__, point.__slots__),
    lambda point: [
        (parameter.name, parameter.kind, parameter.default)
        for parameter in inspect.signature(point).parameters.values()
    ],
    lambda point: json.dumps(point(1)),
    lambda point: tuple(pickle.loads(pickle.dumps(point(1)))),
    lambda point: type(copy.copy(point(1))) is type(copy.deepcopy(point(1))) is point,
]


def outcome(call: Callable[[Any], Any], point: Any) -> object:
    try:
        return call(point)
    except Exception as problem:
        return type(problem), str(problem).replace("Theirs", "Ours")


@pytest.mark.parametrize("call", CALLS)
def test_like_the_standard_library(call: Callable[[Any], Any]) -> None:
    assert outcome(call, Ours) == outcome(call, Theirs)


def test_without_a_docstring() -> None:
    assert Undocumented.__doc__ == "Undocumented(first)"
    assert repr(Undocumented(1)) == "Undocumented(first=1)"
    assert type(Undocumented(1)._replace(first=2)) is Undocumented
