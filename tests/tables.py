"""Tables of cases as data: `test_x.cases` beside `test_x.py`.

A table begins with a line `## name`. Each further line is a case, written as a Python literal.
"""

from ast import literal_eval
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def table_of(module: str, name: str) -> list[Any]:
    """The cases of a table of a test module, which is given by its `__file__`."""
    text = Path(module).with_suffix(".cases").read_bytes().decode()
    tables = dict(part.split("\n", 1) for part in f"\n{text}".split("\n## ")[1:])
    rows: str = tables[name]
    return [literal_eval(row) for row in rows.split("\n") if row]


def in_one_test(cases: Iterable[object]) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """Try all cases in one test, where a case takes less time than pytest takes to start a test.

    A case is an argument, or a tuple of arguments; a failure shows the arguments of its case.
    """
    arguments = [case if type(case) is tuple else (case,) for case in cases]
    assert arguments

    def as_test(try_case: Callable[..., None]) -> Callable[[], None]:
        def test() -> None:
            for case in arguments:
                try_case(*case)

        return test

    return as_test
