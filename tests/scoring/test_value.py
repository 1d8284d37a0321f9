"""The base of immutable things."""

from __future__ import annotations

import copy
import pickle

import pytest

from scoring.model import Value


class Point(Value):
    __slots__ = ("label", "x")
    uncompared = frozenset({"label"})

    def __init__(self, x: int, label: str) -> None:
        object.__setattr__(self, "x", x)
        object.__setattr__(self, "label", label)


class Other(Point):
    __slots__ = ()


def test_equality_and_hash_leave_out_what_is_not_compared() -> None:
    assert Point(1, "a") == Point(1, "b")
    assert hash(Point(1, "a")) == hash(Point(1, "b"))
    assert Point(1, "a") != Point(2, "a")


def test_other_types_are_never_equal() -> None:
    assert Point(1, "a") != Other(1, "a")
    assert Point(1, "a") != 1


def test_copies() -> None:
    point = Point(1, "a")
    assert copy.copy(point) is point
    assert copy.deepcopy([point])[0] is point
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(point, protocol))
        assert back == point
        assert back.label == "a"


def test_nothing_can_be_set_or_deleted() -> None:
    point = Point(1, "a")
    with pytest.raises(AttributeError, match="Point is immutable: cannot set 'x'"):
        point.x = 2
    with pytest.raises(AttributeError, match="Point is immutable: cannot delete 'x'"):
        del point.x  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="cannot set 'y'"):
        point.y = 2


class Named(Point):
    __slots__ = ("name",)

    def __init__(self, x: int, label: str, name: str) -> None:
        super().__init__(x, label)
        object.__setattr__(self, "name", name)


def test_what_comes_from_the_base_counts_too() -> None:
    """A class that adds nothing is not equal to all of its kind, nor empty after pickling."""
    assert Other(1, "a") == Other(1, "b") != Other(2, "a")
    assert len({Other(1, "a"), Other(1, "b"), Other(2, "a")}) == 2
    assert Named(1, "a", "n") == Named(1, "b", "n")
    assert Named(1, "a", "n") != Named(2, "a", "n")
    assert Named(1, "a", "n") != Named(1, "a", "m")
    for one in (Other(1, "a"), Named(1, "a", "n")):
        back = pickle.loads(pickle.dumps(one))
        assert (back, back.label) == (one, "a")
