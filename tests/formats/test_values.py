"""Values with named fields, and how they are written to JSON and read again."""

from __future__ import annotations

import copy
import inspect
import pickle
from typing import Any

import msgspec
import pytest

from formats.schema.model import Segment
from formats.schema.transcript import PlainSegment
from formats.schema.value_records import convert, to_builtins
from formats.schema.values import NamedFields


class Point(NamedFields):
    x: int
    y: int = 0
    names: list[str] = []  # noqa: RUF012


class Labelled(Point, kw_only=True, omit_defaults=True, rename={"label": "title"}):
    label: str = ""
    origin: Point | None = None


class Positive(NamedFields, frozen=False):
    number: int

    def __post_init__(self) -> None:
        if self.number < 0:
            raise ValueError("negative")


class Drawing(msgspec.Struct):
    points: tuple[Labelled, ...]
    first: Point | None = None


def test_fields_are_taken_in_order_or_by_name() -> None:
    assert Point(1, 2) == Point(y=2, x=1)
    assert Labelled(1, label="a") == Labelled(x=1, y=0, names=[], label="a")
    assert (Point(1).x, Point(1).y, Point(1).names) == (1, 0, [])
    assert Point._fields == ("x", "y", "names")
    assert Labelled.__match_args__ == ("x", "y", "names")


@pytest.mark.parametrize(
    ("values", "named", "problem"),
    [
        ((), {}, "missing required argument 'x'"),
        ((1, 2, [], 4), {}, "expected at most 3 values without names, found 4"),
        ((1,), {"x": 2}, "two values for argument 'x'"),
        ((1,), {"z": 2}, "unexpected argument 'z'"),
    ],
)
def test_wrong_arguments(values: tuple[Any, ...], named: dict[str, Any], problem: str) -> None:
    with pytest.raises(TypeError, match=problem):
        Point(*values, **named)


def test_values_are_compared_and_hashed_by_their_fields() -> None:
    pair = Labelled(1, names=(), label="a"), Labelled(1, names=(), label="a")  # type: ignore[arg-type]
    assert len(set(pair)) == 1
    assert Point(1) != Labelled(1)
    assert Point(1) != (1, 0, [])


def test_values_cannot_be_changed() -> None:
    point = Point(1)
    with pytest.raises(AttributeError, match="immutable type: 'Point'"):
        point.x = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="immutable type: 'Point'"):
        del point.x
    assert not hasattr(point, "__dict__")
    changeable = Positive(1)
    changeable.number = 2
    assert changeable == Positive(2)


def test_a_mutable_default_is_not_shared() -> None:
    first, second = Point(1), Point(1)
    first.names.append("a")
    assert second.names == []


def test_copies() -> None:
    value = Labelled(1, label="a", origin=Point(2))
    assert value._replace(y=3) == Labelled(1, 3, label="a", origin=Point(2))
    assert pickle.loads(pickle.dumps(value)) == copy.copy(value) == copy.deepcopy(value) == value
    assert value._asdict() == {"x": 1, "y": 0, "names": [], "label": "a", "origin": Point(2)}
    with pytest.raises(ValueError, match="negative"):
        Positive(1)._replace(number=-1)


def test_the_signature_names_the_fields() -> None:
    assert list(inspect.signature(Labelled).parameters) == list(Labelled._fields)
    assert repr(Point(1)) == "Point(x=1, y=0, names=[])"
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_values_in_json() -> None:
    drawing = Drawing((Labelled(1), Labelled(2, label="a", origin=Point(3))), Point(4))
    written = to_builtins(drawing)
    assert written == {
        "points": ({"x": 1}, {"x": 2, "title": "a", "origin": {"x": 3, "y": 0, "names": []}}),
        "first": {"x": 4, "y": 0, "names": []},
    }
    assert convert(written, Drawing) == drawing


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"points": [{}]}, "Object missing required field `x` - at `$.points[0]`"),
        ({"points": [3]}, "Expected `object`, got `int` - at `$.points[0]`"),
        (
            {"points": [{"x": 1}, {"x": 1, "origin": {"x": 1, "names": [2]}}]},
            "Expected `str`, got `int` - at `$.points[1].origin.names[0]`",
        ),
        ({"points": [], "first": {"x": "a"}}, "Expected `int`, got `str` - at `$.first.x`"),
    ],
)
def test_errors_in_json_have_the_whole_path(content: object, problem: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        convert(content, Drawing)
    assert str(raised.value) == problem


def test_a_plain_segment_has_the_attributes_of_a_segment() -> None:
    plain = PlainSegment("a", ("so", "it"), speaker="anne", utterance="u", line=3)
    segment = plain.segment()
    assert isinstance(segment, Segment)
    for name in Segment.__struct_fields__:
        assert getattr(plain, name) == getattr(segment, name)
