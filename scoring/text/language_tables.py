"""The rule tables of languages, data files of this package."""

from __future__ import annotations

import os
from functools import cache

from scoring.text.csv_dialects import CsvRow, read_file

_FOLDER = os.path.join(os.path.dirname(__file__), "tables")


def languages(kind: str) -> tuple[str, ...]:
    """Return the languages that have a table of a kind: `contractions`, `fillers`, `numbers`."""
    ending = ".csv"
    names = os.listdir(os.path.join(_FOLDER, kind))
    return tuple(sorted(name.removesuffix(ending) for name in names if name.endswith(ending)))


def table_rows(kind: str, lang: str) -> list[CsvRow]:
    """Return the rows of a table of this package."""
    return read_file(os.path.join(_FOLDER, kind, lang + ".csv"))


@cache
def table_digest(kind: str, lang: str) -> str:
    """Return SHA-256 of the rows of a table, in hexadecimal: comments and layout do not count."""
    from hashlib import sha256

    rows = "\n".join("\t".join(row) for row in table_rows(kind, lang))
    return sha256(rows.encode("utf-8")).hexdigest()
