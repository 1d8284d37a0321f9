"""A step a row: rules of one kind from a CSV file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from scoring.normalize.csv_dialects import CSVParserError, read_rows
from scoring.normalize.step import Gathered, Step, put

UTF_8 = "utf-8"


class RuleFile(Gathered):
    """The rules of a CSV file, one after the other.

    Parameters
    ----------
    normalizer
        Name of the step that every row makes.
    file
        Where the rules come from, for people.
    rules
        The steps.
    """

    __slots__ = ("normalizer",)
    name = "file"
    normalizer: str

    def __init__(self, normalizer: str, file: str, rules: tuple[Step, ...]) -> None:
        put(self, normalizer=normalizer, file=file, _rules=rules)


def read_rules(
    build: Callable[..., Step],
    normalizer: str,
    file: str | os.PathLike[str],
    encoding: str = UTF_8,
    folder: str | os.PathLike[str] | None = None,
) -> RuleFile:
    """The rules of a CSV file, in the default dialect.

    Parameters
    ----------
    build
        Makes a step of the fields of a row.
    normalizer
        Its name.
    file
        Relative to the folder, if one is given.

    Raises
    ------
    OSError, UnicodeDecodeError
        If the file cannot be read.
    CSVParserError
        If it is no CSV.
    ValueError
        As `FILE:LINE: …` if a row does not fit the step.
    """
    path = os.fspath(file) if folder is None else os.path.join(folder, file)
    with open(path, encoding=encoding, newline="") as stream:
        text = stream.read()
    rules = []
    for row in read_rows(text):
        try:
            rules.append(build(*row))
        except (TypeError, ValueError, re.error) as problem:
            if isinstance(problem, (CSVParserError, UnicodeError)):
                raise
            what = str(problem)
            if isinstance(problem, TypeError):
                what = f"expected the arguments of {normalizer}, found {len(row)} fields"
            raise ValueError(f"{path}:{row.line}: {what}") from None
    return RuleFile(normalizer, path, tuple(rules))
