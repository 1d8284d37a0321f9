"""Tables of cases as data: `test_x.cases` beside `test_x.py`.

A table begins with a line `## name`. Each further line is a case, written as a Python literal.
"""

from ast import literal_eval
from pathlib import Path
from typing import Any


def table_of(module: str, name: str) -> list[Any]:
    """The cases of a table of a test module, which is given by its `__file__`."""
    text = Path(module).with_suffix(".cases").read_bytes().decode()
    tables = dict(part.split("\n", 1) for part in f"\n{text}".split("\n## ")[1:])
    rows: str = tables[name]
    return [literal_eval(row) for row in rows.split("\n") if row]
