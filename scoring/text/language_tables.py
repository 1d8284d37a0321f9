"""The rule tables of languages, data files of this package."""

from __future__ import annotations

import os
from functools import cache

from scoring.text.csv_dialects import CsvRow, read_file

_FOLDER = os.path.join(os.path.dirname(__file__), "tables")


def languages(kind: str) -> tuple[str, ...]:
    """Return the languages with a table of a kind: `contractions`, `fillers`, `spoken`, `cldr`."""
    ending = ".csv"
    names = os.listdir(os.path.join(_FOLDER, kind))
    return tuple(sorted(name.removesuffix(ending) for name in names if name.endswith(ending)))


def table_path(kind: str, lang: str) -> str:
    """Return the path of a table of this package."""
    return os.path.join(_FOLDER, kind, lang + ".csv")


def table_rows(kind: str, lang: str) -> list[CsvRow]:
    """Return the rows of a table of this package."""
    return read_file(table_path(kind, lang))


def spoken_languages() -> tuple[str, ...]:
    """Return the languages with a table of spoken forms, ours or one from CLDR."""
    return tuple(sorted({*languages("spoken"), *languages("cldr")}))


def spoken_rows(lang: str) -> list[CsvRow]:
    """Return the rows of our table of a language; of the one from CLDR if there is none of ours."""
    return table_rows("spoken" if lang in languages("spoken") else "cldr", lang)


@cache
def table_digest(kind: str, lang: str) -> str:
    """Return SHA-256 of the rows of a table, in hexadecimal: comments and layout do not count."""
    from hashlib import sha256

    table = spoken_rows(lang) if kind == "spoken" else table_rows(kind, lang)
    rows = "\n".join("\t".join(row) for row in table)
    return sha256(rows.encode("utf-8")).hexdigest()
