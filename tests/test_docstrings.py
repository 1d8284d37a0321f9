"""The examples in docstrings run: those of a room in one test.

To run each example as a test of its own, use `python -m pytest --doctest-modules scoring/stats`.
"""

import doctest
import importlib
import linecache
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
MODULES = [
    path.relative_to(ROOT)
    for package in ("formats", "scoring", "sclite_kit")
    for path in sorted((ROOT / package).rglob("*.py"))
    if re.search(r"(?m)^ *>>> \w", path.read_text("utf-8"))
]
ROOMS = sorted({path.with_suffix("").parts[:2] for path in MODULES})


@pytest.mark.parametrize("room", ROOMS, ids=".".join)
def test_examples_of_docstrings(room: tuple[str, str]) -> None:
    paths = [path for path in MODULES if path.with_suffix("").parts[:2] == room]
    results = {}
    for path in paths:
        name = ".".join(path.with_suffix("").parts).removesuffix(".__init__")
        module = importlib.import_module(name)
        # each run asks for the time of every file that is in there
        linecache.clearcache()
        runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
        for test in doctest.DocTestFinder().find(module):
            if test.examples:
                runner.run(test)
        results[name] = runner.summarize()
    assert {name: result for name, result in results.items() if result.failed} == {}
    assert [name for name, result in results.items() if result.attempted == 0] == []
