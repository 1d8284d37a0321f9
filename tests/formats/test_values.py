"""Values with named fields, and how they are written to JSON and read again."""

from __future__ import annotations

import copy
import gc
import inspect
import pickle
from typing import Any

import msgspec
import pytest

from formats.schema import compiled
from formats.schema.model import Segment
from formats.schema.transcript import PlainSegment
from formats.schema.value_records import convert, to_builtins
from formats.schema.values import NamedFields
from formats.schema.words import Alternation, Token


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


@pytest.fixture(params=["native", "plain"])
def word_kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A class of values by the thousand, with the compiled module and without it."""
    monkeypatch.setenv("SCORING_ALIGN", request.param)

    class Beginning(NamedFields, is_numerous=True):
        text: str
        start: int | None = None

    class Word(Beginning, is_numerous=True, kw_only=True):
        sure: float = 1.0

        def __post_init__(self) -> None:
            if not self.text:
                raise ValueError("empty")

    return Word


def test_values_by_the_thousand(word_kind: Any) -> None:
    word = word_kind("so", 3, sure=0.5)
    assert word == word_kind(sure=0.5, start=3, text="so") != word_kind("so", 3)
    assert hash(word) == hash(word_kind("so", 3, sure=0.5))
    assert word != ("so", 3, 0.5)
    assert word._astuple() == ("so", 3, 0.5)
    assert repr(word) == "Word(text='so', start=3, sure=0.5)"
    assert word._replace(text="no", sure=1.0) == word_kind("no", 3)
    assert word._replace() == word
    assert copy.deepcopy([word]) == [word]


@pytest.mark.parametrize(
    ("values", "named", "problem"),
    [
        ((), {"start": 2}, "missing required argument 'text'"),
        (("so", 2, 0.5), {}, "expected at most 2 values without names, found 3"),
        (("so",), {"text": "no"}, "two values for argument 'text'"),
        (("so",), {"end": 2}, "unexpected argument 'end'"),
    ],
)
def test_wrong_arguments_of_values_by_the_thousand(
    word_kind: Any, values: tuple[Any, ...], named: dict[str, Any], problem: str
) -> None:
    with pytest.raises(TypeError, match=problem):
        word_kind(*values, **named)


def test_values_by_the_thousand_are_checked_and_do_not_change(word_kind: Any) -> None:
    word = word_kind("so")
    with pytest.raises(ValueError, match="empty"):
        word_kind("")
    with pytest.raises(ValueError, match="empty"):
        word._replace(text="")
    with pytest.raises(TypeError, match="unexpected argument 'end'"):
        word._replace(end=2)
    with pytest.raises(AttributeError, match="immutable type: 'Word'"):
        word.text = "no"


def test_a_class_may_add_fields_to_values_by_the_thousand(word_kind: Any) -> None:
    class Placed(word_kind):  # type: ignore[misc]
        place: str = ""

    placed = Placed("so", place="here")
    assert (placed.text, placed.sure, placed.place) == ("so", 1.0, "here")
    assert placed._replace(place="there").place == "there"
    assert placed != word_kind("so")


@pytest.mark.skipif(compiled("build_values") is None, reason="the plain core is used")
def test_the_collector_of_garbage_does_not_look_at_words_and_segments() -> None:
    segment = Segment.from_items("a", [Token("so"), Alternation([[Token("um")], []])])
    assert not any(map(gc.is_tracked, (segment, *segment.items())))


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


class Spoken(msgspec.Struct):
    segments: tuple[Segment, ...]


def test_words_and_alternations_in_json_have_a_type() -> None:
    choice = Alternation([[Token("um"), Alternation([[Token("uh", 1, 2)], []])], []])
    spoken = Spoken((Segment.from_items("a", [Token("so"), choice], speaker="anne"),))
    written = to_builtins(spoken)
    inner = {
        "type": "choice",
        "branches": (({"type": "word", "text": "uh", "start_ns": 1, "end_ns": 2},), ()),
    }
    assert written["segments"][0]["alternations"] == (
        (1, {"type": "choice", "branches": (({"type": "word", "text": "um"}, inner), ())}),
    )
    assert convert(written, Spoken) == spoken


@pytest.mark.parametrize(
    ("item", "problem"),
    [
        ({"type": "word"}, "Object missing required field `text` - at `$.{place}`"),
        ({"type": "sound", "text": "a"}, "Invalid value 'sound' - at `$.{place}.type`"),
        (3, "Invalid value None - at `$.{place}.type`"),
    ],
)
def test_wrong_items_in_json(item: object, problem: str) -> None:
    choice = {"type": "choice", "branches": [[item]]}
    content = {"segments": [{"recording": "a", "alternations": [[0, choice]]}]}
    place = "segments[0].alternations[0][1].branches[0][0]"
    with pytest.raises(msgspec.ValidationError) as raised:
        convert(content, Spoken)
    assert str(raised.value) == problem.format(place=place)


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
    for name in Segment._fields:
        assert getattr(plain, name) == getattr(segment, name)
