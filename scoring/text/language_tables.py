"""The rule tables of languages, data files of this package."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from functools import cache

from scoring.model.data_files import names_in, text_of
from scoring.text.csv_dialects import CsvRow, read_rows

_FOLDER = os.path.join(os.path.dirname(__file__), "tables")


def languages(kind: str) -> tuple[str, ...]:
    """Return the languages with a table of a kind: `contractions`, `fillers`, `spoken`."""
    return tuple(name.removesuffix(".csv") for name in names_in(folder_of(kind)))


def folder_of(kind: str) -> str:
    """Return the folder of the tables of a kind."""
    return os.path.join(_FOLDER, kind)


def _text(kind: str, lang: str) -> str:
    """Return the text of a table of this package."""
    return text_of(folder_of(kind), f"{lang}.csv")


def table_rows(kind: str, lang: str) -> list[CsvRow]:
    """Return the rows of a table of this package."""
    return list(read_rows(_text(kind, lang)))


def spoken_languages() -> tuple[str, ...]:
    """Return languages and regions with a table of spoken forms, from this package or CLDR."""
    return tuple(sorted({*languages("spoken"), *languages("cldr"), *languages("regions")}))


@cache
def spoken_rows(lang: str) -> tuple[CsvRow, ...]:
    """Return the rows of a language's table: that of this package, otherwise that from CLDR.

    Rows of a region, such as `pt-PT`, precede those of its language. A row `without` of the region
    removes the language's rows that begin with its values.
    """
    if lang in languages("regions"):
        own = table_rows("regions", lang)
        removed = [row[1:] for row in own if row[0] == "without"]
        rows = spoken_rows(lang.partition("-")[0])
        kept = (row for row in rows if not any(row[: len(start)] == start for start in removed))
        return (*(row for row in own if row[0] != "without"), *kept)
    return tuple(table_rows("spoken" if lang in languages("spoken") else "cldr", lang))


@cache
def varieties_of(lang: str) -> tuple[tuple[str, ...], ...]:
    """Return groups of words that are spelled differently in different countries."""
    lang = lang.partition("-")[0]
    if lang not in languages("varieties"):
        return ()
    # thousands of words, none of which needs quotes
    lines = _text("varieties", lang).splitlines()
    return tuple(tuple(line.rstrip().split(",")) for line in lines if line[0] != "#")


@cache
def table_digest(kind: str, lang: str) -> str:
    """Return the SHA-256 of a table's rows in hexadecimal; comments and layout do not count."""
    from hashlib import sha256

    rows: Iterable[Sequence[str]] = (
        (*spoken_rows(lang), *varieties_of(lang)) if kind == "spoken" else table_rows(kind, lang)
    )
    text = "\n".join(map("\t".join, rows))
    return sha256(text.encode("utf-8")).hexdigest()
