"""The public names, and the cost of importing them."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import formats

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


@pytest.mark.parametrize("name", formats.__all__)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    thing = getattr(formats, name)
    assert name in dir(formats)
    assert name == "NULL" or thing.__doc__


def test_unknown_names_are_refused() -> None:
    with pytest.raises(AttributeError, match="module 'formats' has no attribute 'slurp'"):
        formats.slurp  # noqa: B018


def test_the_package_is_typed() -> None:
    assert (Path(formats.__file__).parent / "py.typed").is_file()
