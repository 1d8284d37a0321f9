"""BenchmarkSTT's files: configs with one step per line, and CSV files with rules of one kind."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from scoring.text.csv_dialects import CSVParserError, CsvRow, read_file
from scoring.text.step import Gathered, Step

DEFAULT_SECTION, UTF_8 = "normalization", "utf-8"
HEADER = re.compile(r"\[([A-Za-z0-9]+)\]")
DEEPEST = 20


class ConfigSectionNotFoundError(ValueError):
    """A config file has no section with the requested name."""


@dataclass(frozen=True, slots=True, repr=False)
class Config(Gathered):
    """The steps in a section of a config file, applied in order."""

    name = "config"
    section: str | None


def section_rows(rows: Iterable[CsvRow], section: str | None = DEFAULT_SECTION) -> list[CsvRow]:
    """Return the rows of a section; None or an empty name means the rows before the first header.

    Sections with the same name are read as one section.
    """
    current: list[CsvRow] = []
    sections = {"": current}
    for row in rows:
        header = HEADER.fullmatch(row[0]) if len(row) == 1 else None
        if header is None:
            current.append(row)
        else:
            current = sections.setdefault(header[1], [])
    chosen = section or ""
    if chosen not in sections:
        present = ", ".join(name for name in sections if name) or "none"
        raise ConfigSectionNotFoundError(f"expected a section [{chosen}], found {present}")
    return sections[chosen]


# From the name of a step, its arguments, the folder of the file and how deep configs are nested.
Build = Callable[[str, Sequence[str], str, int], Step]


class UnknownStepError(ValueError):
    """A step with the requested name does not exist."""


def parse_config(
    rows: Iterable[CsvRow],
    build: Build,
    section: str | None = DEFAULT_SECTION,
    file: str = "",
    depth: int = 0,
) -> Config:
    """Return the steps in a section of a config file.

    File names in the section are relative to the folder of the config file.
    """
    if depth > DEEPEST:
        raise ValueError(
            f"{file}: expected at most {DEEPEST} config files nested in each other, found more"
        )
    rules = []
    for row in section_rows(rows, section):
        try:
            rules.append(build(row[0], row[1:], os.path.dirname(file), depth))
        except UnknownStepError:
            raise UnknownStepError(
                f"Unknown normalizer {row[0]!r} on line {row.line}: {' '.join(row)!r}"
            ) from None
    return Config(file, tuple(rules), section or None)


@dataclass(frozen=True, slots=True, repr=False)
class RuleFile(Gathered):
    """The rules of a CSV file, applied in order."""

    name = "file"
    normalizer: str


def read_rules(
    build: Callable[..., Step],
    normalizer: str,
    file: str | os.PathLike[str],
    encoding: str = UTF_8,
    *,
    folder: str | os.PathLike[str] | None = None,
) -> RuleFile:
    """Return the rules of a CSV file, in the default dialect."""
    path = os.fspath(file) if folder is None else os.path.join(folder, file)
    rules = []
    for row in read_file(path, encoding):
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
