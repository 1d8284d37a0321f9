"""Values: compiled and as data classes, they do the same."""

from __future__ import annotations

import copy
import dataclasses
import gc
import importlib.util
import inspect
import os
import pickle
import pprint
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

from formats import values

CLASSES = '''
from __future__ import annotations
from VALUES import KW_ONLY, field, fill, value


@value()
class Span:
    """From here to there."""

    start: int
    end: int = 7
    _: KW_ONLY
    name: str | None = None
    marks: dict[str, int] = field(default_factory=dict, metadata={"told": "of the marks"})

    def __post_init__(self) -> None:
        if type(self.start) is not int:
            raise TypeError("a start is a whole number")

    @property
    def size(self) -> int:
        return self.end - self.start


@value(kw_only=True)
class Named:
    first: int = 1
    second: int = 2

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Named) and self.first == other.first


@value(init=False)
class Gathered:
    items: tuple[int, ...]
    source: str | None

    def __init__(self, items, source=None) -> None:
        fill(self, items=tuple(items), source=source)


class Shown:
    __slots__ = ()

    def shown(self) -> str:
        return f"{self.first}: {len(self.known)} known"


@value(frozen=False, eq=False)
class Result(Shown):
    first: int
    second: int = 2
    known: dict[str, int] = field(default_factory=dict, init=False)


@value(frozen=False)
class Account:
    status: int = 0
    said: list[str] = field(default_factory=list)
'''


@pytest.fixture(params=["compiled", "plain"])
def made(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Some classes, beside the functions of the module that made them."""
    if request.param == "compiled" and not values.IS_COMPILED:
        pytest.skip("no compiled module")
    if request.param == "plain":
        monkeypatch.setenv("SCORING_ALIGN", "plain")
    assert values.__spec__ is not None
    assert values.__spec__.origin is not None
    spec = importlib.util.spec_from_file_location(f"values_{request.param}", values.__spec__.origin)
    assert spec is not None
    assert spec.loader is not None
    kind = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, kind)
    spec.loader.exec_module(kind)
    assert (kind._native is None) == (request.param == "plain")
    module = ModuleType(f"classes_{request.param}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(CLASSES.replace("VALUES", spec.name), vars(module))
    module.values = kind  # type: ignore[attr-defined]
    return module


def test_fields_are_given_by_place_and_by_name(made: Any) -> None:
    one = made.Span(1, 5, name="a")
    assert (one.start, one.end, one.name, one.marks, one.size) == (1, 5, "a", {}, 4)
    assert made.Span(end=5, start=1) == made.Span(1, 5)
    assert made.Span(1).end == 7
    assert made.Span(1).marks is not made.Span(1).marks
    assert made.values.as_tuple(one) == (1, 5, "a", {})
    assert made.Span(**{"".join(["st", "art"]): 3}).start == 3
    assert repr(one) == "Span(start=1, end=5, name='a', marks={})"
    assert made.Span.__match_args__ == ("start", "end")
    assert (made.Span.__qualname__, made.Span.__doc__) == ("Span", "From here to there.")


@pytest.mark.parametrize(
    ("given", "named", "message"),
    [
        ((), {}, "missing .*'start'"),
        ((1, 2, "a"), {}, "positional argument"),
        ((1,), {"start": 1}, "got multiple values for argument 'start'"),
        ((1,), {"ned": 1}, "got an unexpected keyword argument 'ned'"),
        (("a",), {}, "a start is a whole number"),
    ],
)
def test_calls_that_do_not_fit_are_refused(
    made: Any, given: tuple[object, ...], named: dict[str, object], message: str
) -> None:
    for kind in (made.Span, type("Below", (made.Span,), {})):
        with pytest.raises(TypeError, match=message):
            kind(*given, **named)


def test_values_stay_as_they_are(made: Any) -> None:
    one = made.Span(1)
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'start'"):
        one.start = 2
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'start'"):
        del one.start
    assert not hasattr(one, "__dict__")


def test_values_are_equal_by_fields_and_class(made: Any) -> None:
    named = made.Named(second=5)
    assert (named, hash(made.Named())) == (made.Named(), hash(made.Named()))
    assert made.Gathered([1]) == made.Gathered((1,))
    assert hash(made.Gathered([1])) == hash(made.Gathered((1,)))
    assert made.Gathered([1]) != made.Gathered([2])
    assert made.Gathered([1]) != ((1,), None)
    assert made.Span(1) != made.Named()
    with pytest.raises(TypeError, match="unhashable"):
        hash(made.Span(1))


def test_values_are_pickled_and_copied(made: Any) -> None:
    for one in (made.Span(1, name="a", marks={"b": 2}), made.Gathered([1], "s")):
        for other in (pickle.loads(pickle.dumps(one)), copy.copy(one), copy.deepcopy(one)):
            assert other == one
            assert type(other) is type(one)


@pytest.mark.skipif(not values.IS_COMPILED, reason="no compiled module")
@pytest.mark.parametrize(("here", "there"), [("plain", "native"), ("native", "plain")])
def test_values_are_pickled_for_those_without_a_compiler(here: str, there: str) -> None:
    def run(core: str, code: str, given: bytes = b"") -> bytes:
        code = f"import pickle, sys\nfrom formats import Segment, Transcript\n{code}"
        environment = {**os.environ, "SCORING_ALIGN": core}
        command = [sys.executable, "-c", code]
        return subprocess.run(
            command, input=given, env=environment, stdout=subprocess.PIPE, check=True
        ).stdout

    one = 'Transcript([Segment("rec", ("a", "b"), speaker="anne")], source="s")'
    pickled = run(here, f"sys.stdout.buffer.write(pickle.dumps({one}))")
    same = run(there, f"print(pickle.loads(sys.stdin.buffer.read()) == {one})", pickled)
    assert same.strip() == b"True"


def test_some_fields_are_changed(made: Any) -> None:
    one = made.values.replaced(made.Span(1, marks={"a": 1}), name="b")
    assert made.values.as_tuple(one) == (1, 7, "b", {"a": 1})
    with pytest.raises(TypeError, match="unexpected keyword argument 'ned'"):
        made.values.replaced(one, ned=2)
    with pytest.raises(TypeError, match="a start is a whole number"):
        made.values.replaced(one, start="2")
    gathered = made.values.replaced(made.Gathered([1], "s"), items=[2])  # as its `__init__` has it
    assert made.values.as_tuple(gathered) == ((2,), "s")


def test_a_list_is_a_column(made: Any) -> None:
    spans = made.values.in_bulk(made.Span, 2, start=[1, 2], name=["a", "b"], end=5)
    assert spans == [made.Span(1, 5, name="a"), made.Span(2, 5, name="b")]
    assert spans[0].marks is not spans[1].marks
    columns = type("Column", (list,), {})([1, 2])
    assert made.values.in_bulk(made.Span, 2, start=columns) == [made.Span(1), made.Span(2)]
    assert made.values.in_bulk(made.Span, 0) == []
    with pytest.raises(TypeError, match=r"missing .*'start'"):
        made.values.in_bulk(made.Span, 1, end=3)
    with pytest.raises(TypeError, match="unexpected keyword argument 'ned'"):
        made.values.in_bulk(made.Span, 1, start=1, ned=3)
    with pytest.raises(ValueError, match="columns differ in length"):
        made.values.in_bulk(made.Span, 2, start=[1])


def test_fields_are_told_of(made: Any) -> None:
    fields = made.values.fields_of(made.Span)
    assert [one.name for one in fields] == ["start", "end", "name", "marks"]
    assert fields[1].default == 7
    assert fields[3].metadata == {"told": "of the marks"}
    parameters = inspect.signature(made.Span).parameters
    assert list(parameters) == ["start", "end", "name", "marks"]
    assert parameters["start"].default is inspect.Parameter.empty
    assert parameters["name"].kind is inspect.Parameter.KEYWORD_ONLY
    assert parameters["end"].default == 7
    gathered = inspect.signature(made.Gathered).parameters
    assert [one.default for one in gathered.values()] == [inspect.Parameter.empty, None]


def test_an_account_changes(made: Any) -> None:
    one = made.Account()
    one.status = 2
    one.said.append("a")
    assert one == made.Account(2, ["a"])
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


def test_a_field_that_was_not_given_is_not_there(made: Any) -> None:
    one = made.Gathered.__new__(made.Gathered)
    with pytest.raises(AttributeError):
        one.items  # noqa: B018
    with pytest.raises(AttributeError):
        one == made.Gathered([])  # noqa: B015
    with pytest.raises(AttributeError):
        made.values.as_tuple(one)
    with pytest.raises((TypeError, AttributeError)):
        made.values.fill(one, thing=1)


def test_what_cannot_be_given_is_new_in_every_one(made: Any) -> None:
    one = made.Result(1)
    one.known["a"] = 1
    other = made.values.replaced(one, first=2)
    assert (other.first, other.second, other.known, other.shown()) == (2, 2, {}, "2: 0 known")
    assert one.shown() == "1: 1 known"
    assert one != made.Result(1)
    assert one in {one}
    assert pickle.loads(pickle.dumps(one)).known == {"a": 1}
    assert list(inspect.signature(made.Result).parameters) == ["first", "second"]
    for given, named in (((1, 2, {}), {}), ((1,), {"known": {}})):
        with pytest.raises(TypeError):
            made.Result(*given, **named)


def test_a_class_of_values_is_below_none_with_fields(made: Any) -> None:
    for base in (int, made.Named, type("Mixin", (), {})):
        with pytest.raises(TypeError, match="a class of values is below none that has fields: Sum"):
            made.values.value()(type("Sum", (base,), {}))


DEFINED = """
from __future__ import annotations
from VALUES import field, value


class Checked:
    __slots__ = ()

    def __post_init__(self) -> None:
        raise ValueError("asked")


@value()
class Made({base}):
    {first}
    second: int = 0
    {third}
"""


@pytest.mark.parametrize(
    ("base", "first", "third", "problem"),
    [
        ("", "first: int = 1", "third: int", "TypeError: non-default argument"),
        ("", "first: list = []", "", "ValueError: mutable default <class 'list'> for field first"),
        ("", "__slots__ = ()", "", "TypeError: Made already specifies __slots__"),
        ("Checked", "first: int = 1", "", "ValueError: asked"),
        ("", "first: int = 1", "__hash__ = None", "TypeError: unhashable type: 'Made'"),
        ("", "first: int = 1", "def __init__(self): 1 / 0", "ZeroDivisionError: "),
    ],
)
def test_rules_are_those_of_data_classes(
    made: Any, base: str, first: str, third: str, problem: str
) -> None:
    names = {"__name__": made.__name__}
    defined = DEFINED.format(base=base, first=first, third=third)
    with pytest.raises((TypeError, ValueError, ZeroDivisionError)) as refused:
        exec(defined.replace("VALUES", made.values.__name__) + "\n\nhash(Made())", names)
    assert f"{refused.typename}: {refused.value}".startswith(problem)


def test_values_within_values_come_and_go(made: Any) -> None:
    """However many there are: what looks at all of them says so, and letting go needs no stack."""
    chain = None
    for _ in range(300_000):
        one = made.Gathered.__new__(made.Gathered)
        made.values.fill(one, items=chain, source=None)
        chain = one
    for look in (hash, repr):
        with pytest.raises(RecursionError):
            look(chain)
    del chain, one
    gc.collect()


def test_what_is_no_value_is_refused(made: Any) -> None:
    with pytest.raises((TypeError, AttributeError)):
        made.values.as_tuple(5)
    with pytest.raises(TypeError):
        made.values.replaced(5, start=1)


def test_values_come_and_go(made: Any) -> None:
    """What they hold is let go of, whichever way they were made or not made."""
    told = object()
    before = sys.getrefcount(told)
    for _ in range(100):
        one = made.Span(1, name=told)
        made.values.replaced(one, name=told)
        made.values.replaced(one, name=None)
        made.values.in_bulk(made.Span, 3, start=1, name=[told] * 3)
        one = made.Gathered([], told)
        made.values.fill(one, source=told)
        for problem in ({"start": "a"}, {"ned": 1}):
            with pytest.raises(TypeError):
                made.Span(name=told, **problem)
    del one
    gc.collect()
    assert sys.getrefcount(told) == before


def test_classes_below_values_are_values(made: Any) -> None:
    below = type("Below", (made.Span,), {"__slots__": ("more",)})
    one = below(1, name="a")
    assert (one.start, one.end, one.size) == (1, 7, 6)
    assert one != made.Span(1, name="a")


def test_values_are_unequal_where_they_are_not_equal() -> None:
    """A class that says itself what is equal is asked for both."""
    from formats import Segment

    one, other = Segment("a", line=1), Segment("a", line=2)
    assert [one == other, one != other] == [True, False]
    named = one.replace(speaker="a")
    assert [one == named, one != named] == [False, True]


def test_functions_of_dataclasses_take_values(made: Any) -> None:
    named = made.Named(second=5)
    names = [one.name for one in dataclasses.fields(named)]
    assert names == [one.name for one in dataclasses.fields(made.Named)]
    assert dataclasses.asdict(named) == {name: getattr(named, name) for name in names}
    assert dataclasses.replace(named, second=6) == made.Named(second=6)
    with pytest.raises(TypeError):
        dataclasses.replace(named, third=6)
    assert pprint.pformat(named) == repr(named)
    assert dataclasses.is_dataclass(named)
