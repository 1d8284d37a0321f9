"""The public names, and the cost of importing them."""

import copy
import inspect
import pickle
import subprocess
import sys
from collections import namedtuple
from enum import IntEnum as Original
from pathlib import Path
from typing import Any

import msgspec
import pytest

import formats
from formats.schema import IntEnum, NamedTuple
from tests.each_case import each_case

REPOSITORY = Path(formats.__file__).parents[1]
PLACES = [str(REPOSITORY), str(Path(msgspec.__file__).parents[1])]


def modules_after(statement: str) -> set[str]:
    code = f"import sys; before = set(sys.modules); {statement}; print(*set(sys.modules) - before)"
    found = subprocess.run(
        [sys.executable, "-S", "-E", "-c", f"import sys; sys.path[:0] = {PLACES}; {code}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(found.stdout.split())


def test_importing_the_package_loads_nothing_else() -> None:
    loaded = modules_after("import formats") - modules_after("import collections")
    assert loaded == {"formats", "formats.schema", "__future__"}


def test_the_model_loads_no_reader() -> None:
    loaded = modules_after("import formats; formats.Segment.of('r', ['a'])")
    assert not loaded.intersection({"argparse", "json", "gzip", "difflib", "numpy", "lxml"})


@each_case("name", formats.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(formats, name)
    assert name in dir(formats)
    assert name == "NULL" or thing.__doc__


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'formats' has no attribute 'slurp'"):
        formats.slurp  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (Path(formats.__file__).parent / "py.typed").is_file()


class Small(NamedTuple):
    """Three fields."""

    first: int
    second: str = "b"
    third: tuple[int, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the third field."""
        return sum(self.third)


class Large(NamedTuple):
    a: int
    b: int
    c: int
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int = 11


def test_named_tuples_behave_as_those_of_collections() -> None:
    """Both kinds of constructors: from a table, and for many fields compiled."""
    kind: Any = Small
    create: Any = namedtuple
    plain = create("Small", "first second third", defaults=("b", ()))
    ours = kind(1, third=(2, 3))
    theirs = plain(1, third=(2, 3))
    assert ours == theirs
    assert tuple(ours) == (1, "b", (2, 3))
    assert repr(ours) == repr(theirs)
    assert hash(ours) == hash(theirs)
    assert ours._asdict() == theirs._asdict()
    assert ours._replace(second="x") == theirs._replace(second="x")
    assert kind._make([4, 5, 6]) == plain._make([4, 5, 6])
    assert (Small._fields, Small._field_defaults) == (plain._fields, plain._field_defaults)
    assert Small.__match_args__ == plain.__match_args__
    assert (ours.first, ours.third, ours.total) == (1, (2, 3), 5)
    assert (Small.__doc__, Small.__module__) == ("Three fields.", __name__)
    assert [*inspect.signature(Small).parameters] == [*inspect.signature(plain).parameters]
    for values in ((), (1, 2, 3, 4)):
        with pytest.raises(TypeError) as expected:
            plain(*values)
        with pytest.raises(TypeError) as caught:
            kind(*values)
        assert str(caught.value) == str(expected.value)
    with pytest.raises(AttributeError):
        ours.first = 2
    with pytest.raises((ValueError, TypeError), match="unexpected field names"):
        ours._replace(fourth=1)
    assert copy.copy(ours) == pickle.loads(pickle.dumps(ours)) == ours
    large = Large(*range(10))
    assert (large.a, large.j, large.k, len(large)) == (0, 9, 11, 11)
    assert pickle.loads(pickle.dumps(large)) == large


def test_named_tuples_need_nothing_of_cpython_alone() -> None:
    code = """
import sys, types
sys.modules["_collections"] = types.ModuleType("_collections")
from formats.schema.messages import Entry
print(Entry("A", "note", "text").severity, Entry("A", "note", "text").is_shown)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "note False\n"


def test_named_integers_are_those_of_enum() -> None:
    """Also where a class body has integers of Python's own, as from 3.13 on."""
    body = {"__module__": __name__, "__qualname__": "Kind", "__firstlineno__": 55, "A": 1, "B": 2}
    definition: Any = type(IntEnum)
    ours: Any = definition("Kind", (IntEnum,), dict(body))

    class Kind(Original):
        A = 1
        B = 2

    for kind in (ours, Kind):
        assert [(member.name, member.value) for member in kind] == [("A", 1), ("B", 2)]
        assert [int(kind(1)), len(kind)] == [1, 2]
        with pytest.raises(ValueError, match="3 is not a valid"):
            kind(3)
