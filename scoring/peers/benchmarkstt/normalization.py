"""Normalizers: objects that make texts comparable, created by name or from rule files.

The steps are those of `scoring.text`, with BenchmarkSTT's names, arguments and log. Users can add
their own classes.
"""

from __future__ import annotations

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import IO, Any

from scoring.peers.benchmarkstt.factory import CoreFactory
from scoring.peers.benchmarkstt.file_access import read_text
from scoring.peers.benchmarkstt.normalization_log import logged
from scoring.peers.benchmarkstt.segmentation import Normalizes
from scoring.text import casing, replacing, transliteration
from scoring.text.config_file import DEEPEST, DEFAULT_SECTION, section_rows
from scoring.text.config_file import ConfigSectionNotFoundError as ConfigSectionNotFoundError
from scoring.text.csv_dialects import CSVParserError as CSVParserError
from scoring.text.csv_dialects import UnclosedQuoteError as UnclosedQuoteError
from scoring.text.csv_dialects import read_rows
from scoring.text.step import Step

TABLES_VARIABLE = "UNIDECODE_TABLES"


class Normalizer(ABC):
    """Base of normalizers; a subclass changes a text in `_normalize`."""

    _title: str | None = None

    def normalize(self, text: str) -> str:
        """Return the normalized text; if it differs, log the change under the name of the class."""
        title = type(self).__name__ if self._title is None else self._title
        return logged(title, self._normalize, text)

    @abstractmethod
    def _normalize(self, text: str) -> str:
        """Return the normalized text."""
        raise NotImplementedError


class NormalizerWithFileSupport(Normalizer):
    """Base of normalizers whose arguments may come from the rows of a file."""


class NormalizationAggregate(Normalizer):
    """Applies several normalizers in order; without normalizers the text stays unchanged."""

    def __init__(self, title: str | None = None) -> None:
        self._title = title
        self._normalizers: list[Normalizes] = []

    def add(self, normalizer: Normalizes) -> None:
        """Append a normalizer."""
        self._normalizers.append(normalizer)

    def _normalize(self, text: str) -> str:
        for normalizer in self._normalizers:
            text = normalizer.normalize(text)
        return text


class _Steps(Normalizer):
    """Base of normalizers that apply one step of `scoring.text`."""

    _step: Step

    def _normalize(self, text: str) -> str:
        return self._step(text)


class Lowercase(_Steps):
    """Converts text to lower case.

    >>> Lowercase().normalize("Hello WORLD")
    'hello world'
    """

    _step: Step = casing.Lowercase()


class Unidecode(_Steps):
    """Converts text of any script to ASCII letters.

    The tables are those of the package anyascii. If the environment variable `UNIDECODE_TABLES` is
    `unidecode`, they are those of the package Unidecode, which must be installed.

    >>> Unidecode().normalize("große Städte")
    'grosse Stadte'
    """

    def __init__(self) -> None:
        self._step = transliteration.Unidecode(os.environ.get(TABLES_VARIABLE) or "anyascii")


class _SearchAndReplace(_Steps, NormalizerWithFileSupport):
    _kind: type[Any]

    def __init__(self, search: str, replace: str) -> None:
        self._step = self._kind(search, replace)


class Replace(_SearchAndReplace):
    """Replaces every occurrence of a text by another text; case-sensitive.

    >>> Replace("colour", "color").normalize("colour, colours, Colour")
    'color, colors, Colour'
    """

    _kind = replacing.Replace


class ReplaceWords(_SearchAndReplace):
    """Replaces whole words. The first letter matches in either case, and keeps its case.

    >>> ReplaceWords("a", "one").normalize("A bat, a cat")
    'One bat, one cat'
    """

    _kind = replacing.ReplaceWords


class Regex(_SearchAndReplace):
    r"""Replaces matches of a Python regular expression; `(?i)` makes the expression ignore case.

    >>> Regex("(?i)(w)as", r"\1ere").normalize("It was. Was it?")
    'It were. Were it?'
    """

    _kind = replacing.Regex


class _Rules(Normalizer):
    """Base of normalizers that apply a list of normalizers.

    Raises ImportError or ValueError for an unknown normalizer, and ValueError for invalid
    arguments. Messages begin with `FILE:LINE`.
    """

    _rules: NormalizationAggregate

    def _normalize(self, text: str) -> str:
        return self._rules.normalize(text)


class File(_Rules):
    """Applies one normalizer for each row of a CSV file, in order.

    Parameters
    ----------
    normalizer
        Name or class of the normalizer that gets a row's fields as arguments.
    file
        A CSV file with a rule in each row.
    encoding
        Encoding of the file; None: the environment variable `DEFAULT_ENCODING`, or UTF-8.
    path
        Directory to which the file's name is relative; None: the working directory.
    """

    def __init__(
        self,
        normalizer: str | type[Normalizer],
        file: str | os.PathLike[str],
        encoding: str | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> None:
        kind: type[Any] = factory[normalizer] if isinstance(normalizer, str) else normalizer
        name = os.fspath(file)
        text = read_text(os.path.join("" if path is None else path, name), encoding)
        self._rules = NormalizationAggregate(name)
        for row in read_rows(text):
            try:
                self._rules.add(kind(*row))
            except (TypeError, ValueError, LookupError, re.error) as problem:
                raise ValueError(
                    f"{name}:{row.line} {kind.__name__}({list(row)}) {problem!r}"
                ) from problem


_depth: ContextVar[int] = ContextVar("_depth", default=0)


class Config(_Rules):
    """Applies the normalizers that a section of a config file lists, one per line.

    A line is the name of a normalizer and its arguments, separated by blanks; arguments with blanks
    are in double quotes, and `#` begins a comment. `replace`, `replacewords` and `regex` take a CSV
    file of rules and, if necessary, its encoding; `config` takes another config file and a section.
    Names of files are relative to the config file.

    Parameters
    ----------
    file
        Path of the file, or an open file. Names of files in an open file are relative to the
        working directory.
    section
        Name of the section; None: `normalization`. `Config.MAIN_SECTION` or an empty name selects
        the lines before the first header.
    encoding
        Encoding of the file; None: the environment variable `DEFAULT_ENCODING`, or UTF-8.
    """

    MAIN_SECTION = object()
    _default_section: object = DEFAULT_SECTION

    def __init__(
        self,
        file: str | os.PathLike[str] | IO[str],
        section: object = None,
        encoding: str | None = None,
    ) -> None:
        if isinstance(file, (str, os.PathLike)):
            name = os.fspath(file)
            text = read_text(name, encoding)
        else:
            name, text = "", file.read()
        chosen = self._default_section if section is None else section
        heading = "" if chosen is self.MAIN_SECTION else str(chosen)
        self._folder = os.path.dirname(name)
        self._rules = NormalizationAggregate(f"{name}[{heading}]" if heading else name)
        token = _depth.set(_depth.get() + 1)
        try:
            if _depth.get() > DEEPEST:
                raise ValueError(
                    f"{name}: expected at most {DEEPEST} config files nested in each other"
                )
            for row in section_rows(read_rows(text, spaced=True), heading):
                self._rules.add(self._rule(name, row.line, row[0], row[1:]))
        finally:
            _depth.reset(token)

    def _rule(self, file: str, line: int, name: str, fields: Sequence[str]) -> Normalizes:
        if name not in factory:
            raise ValueError(
                f"Unknown normalizer {name!r} on line {line}: {' '.join((name, *fields))!r}"
            )
        kind: type[Any] = factory[name]
        try:
            if issubclass(kind, Config) and fields:
                return kind(os.path.join(self._folder, fields[0]), *fields[1:])
            if issubclass(kind, (File, NormalizerWithFileSupport)):
                named = () if issubclass(kind, File) else (name,)
                return partial(_rules_of, self._folder)(*named, *fields)
            normalizer: Normalizes = kind(*fields)
        except TypeError as problem:
            place = f"{file}:{line}" if file else f"line {line}"
            arguments = ", ".join(map(repr, fields))
            raise ValueError(f"{place} {kind.__name__}({arguments}) {problem!r}") from problem
        return normalizer

    @classmethod
    def refresh_docstring(cls) -> None:
        """Do nothing; BenchmarkSTT here updates a docstring that names the default section."""

    @classmethod
    @contextmanager
    def default_section(cls, section: object) -> Iterator[None]:
        """Set the default section of config files within a `with` block."""
        before = cls._default_section
        cls._default_section = section
        try:
            yield
        finally:
            cls._default_section = before


def _rules_of(folder: str, normalizer: str, file: str, encoding: str | None = None) -> File:
    return File(normalizer, file, encoding, folder)


class FileFactory(CoreFactory[Normalizer]):
    """Creates normalizers for config files.

    The argument of a normalizer with file support is a file.
    """

    def create(self, alias: str, *args: Any, **kwargs: Any) -> Normalizer:
        """Create a normalizer."""
        kind = self[alias]
        if issubclass(kind, NormalizerWithFileSupport):
            return File(kind, *args, **kwargs)
        return kind(*args, **kwargs)


factory: CoreFactory[Normalizer] = CoreFactory(Normalizer, ("normalize",))
for _kind in (Config, File, Lowercase, Regex, Replace, ReplaceWords, Unidecode):
    factory.register(_kind)
