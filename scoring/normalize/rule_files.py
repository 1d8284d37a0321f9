"""A step a row: rules of one kind from a CSV file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass

from scoring.normalize.csv_dialects import CSVParserError, read_rows
from scoring.normalize.step import Gathered, Step

UTF_8 = "utf-8"


@dataclass(frozen=True, slots=True, repr=False)
class RuleFile(Gathered):
    """The rules of a CSV file, one after the other."""

    name = "file"
    normalizer: str


def read_rules(
    build: Callable[..., Step],
    normalizer: str,
    file: str | os.PathLike[str],
    encoding: str = UTF_8,
    folder: str | os.PathLike[str] | None = None,
) -> RuleFile:
    """The rules of a CSV file, in the default dialect."""
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
            message = str(problem)
            if isinstance(problem, TypeError):
                message = f"expected the arguments of {normalizer}, found {len(row)} fields"
            raise ValueError(f"{path}:{row.line}: {message}") from None
    return RuleFile(path, tuple(rules), normalizer)
