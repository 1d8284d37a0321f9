"""A suite: a gate over several test sets and systems, described by one TOML file.

A set names its reference, hypothesis and baseline. Every other key is an option of `scoring
compare` without its dashes, and means the same. `[defaults]` has the keys of all sets.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from formats.schema.errors import close_names
from scoring.model.errors import InputError
from scoring.regression.bench.plan import toml_problem

TOP = ("title", "history", "systems", "significance", "defaults", "sets")
FILES = ("reference", "hypothesis", "baseline")
OWN = (*FILES, "tags")  # keys of a set that are no options


class Case(NamedTuple):
    """A system on a set."""

    set: str
    system: str  # empty if the suite names no systems
    reference: str | None
    hypotheses: tuple[str, ...]  # several runs, if a pattern matches several files
    baseline: str
    options: Mapping[str, Any]  # of `scoring compare`, without dashes
    tags: Mapping[str, str]  # of the runs that are recorded

    @property
    def name(self) -> str:
        """The set, with the system if there are several."""
        return f"{self.set} {self.system}".strip()


class Suite(NamedTuple):
    """The content of the file."""

    path: str
    title: str
    history: str | None  # of accepted runs
    significance: float
    cases: tuple[Case, ...]


class SuiteFile(NamedTuple):
    """The text of a suite, to say where an error is."""

    path: str
    text: str

    def error(self, problem: str, keys: Sequence[str] = ()) -> InputError:
        """Return an error at the line and column of a key, given by its path from the top."""
        line, column = _place(self.text, keys)
        return InputError(self.path, line, column, problem)


def read_suite(path: str, options: Sequence[str]) -> tuple[Suite, SuiteFile]:
    """Read a suite and check all that needs no scoring; InputError with line and column.

    `options` are the names of the options of `scoring compare`.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise InputError(path, None, None, f"cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError as problem:
        raise InputError(path, None, None, f"expected UTF-8, found {problem.reason}") from None
    file = SuiteFile(path, text)
    try:
        content = msgspec.toml.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, ValueError) as problem:
        message, line, column = toml_problem(problem, "expected a suite in TOML")
        raise InputError(path, line, column, message) from None
    for key in content:
        if key not in TOP:
            raise file.error(_unknown("a key of a suite", key, TOP), [key])
    sets = _table(file, content, "sets")
    if not sets:
        raise file.error("expected [sets.NAME] with at least one set, found none")
    systems = content.get("systems", [""])
    if not systems or ("systems" in content and not _is_list_of_texts(systems)):
        raise file.error("expected a list of names of systems", ["systems"])
    title, history = (_text(file, content, name) for name in ("title", "history"))
    level = content.get("significance", 0.05)
    if not isinstance(level, float) or not 0 < level < 1:
        raise file.error(f"expected a number between 0 and 1, found {level!r}", ["significance"])
    if history is not None:
        history = _beside(path, history)
    defaults = _table(file, content, "defaults")
    cases = []
    for name in sets:
        entries = _table(file, sets, name, "sets")
        for table, keys in ((["defaults"], defaults), (["sets", name], entries)):
            for key in keys:
                if key not in OWN and key not in options:
                    known = (*OWN, *options)
                    wrong = _unknown("a key of a set or an option of compare", key, known)
                    raise file.error(wrong, [*table, key])
        for system in systems:
            cases.append(_case(file, name, system, {**defaults, **entries}, history))
    return Suite(path, title or "Gate", history, level, tuple(cases)), file


def _case(
    file: SuiteFile, name: str, system: str, keys: Mapping[str, Any], history: str | None
) -> Case:
    """Return a system on a set, whose files must be there."""
    names = {"set": name, "system": system}
    paths = {}
    for key in FILES:
        value = keys.get(key)
        if value is not None and not isinstance(value, str):
            raise file.error(f"expected a text, found {value!r}", ["sets", name, key])
        for word, filled in names.items():
            value = value and value.replace(f"{{{word}}}", filled)
        paths[key] = _beside(file.path, value) if value else None
    pattern = paths["hypothesis"]
    if pattern is None:
        raise file.error(f"expected a hypothesis of {name}, found none", ["sets", name])
    hypotheses = [pattern]
    if not os.path.exists(pattern):
        hypotheses = sorted(glob.glob(pattern, recursive=True))
    keys_of_hypothesis = ["sets", name, "hypothesis"]
    if not hypotheses:
        raise file.error(f"expected the file {pattern}, found none", keys_of_hypothesis)
    for key in ("reference", "baseline"):
        if paths[key] is not None and not os.path.exists(str(paths[key])):
            raise file.error(f"expected the file {paths[key]}, found none", ["sets", name, key])
    baseline = paths["baseline"] or history
    if baseline is None:
        expected = "expected a baseline (a result, or a history of accepted runs), found none"
        raise file.error(f"{expected} of {name}", ["sets", name])
    tags = keys.get("tags", {})
    if not isinstance(tags, dict) or not all(isinstance(each, str) for each in tags.values()):
        raise file.error("expected a table of texts", ["sets", name, "tags"])
    tags = {**tags, "set": name, **({"system": system} if system else {})}
    options = {key: value for key, value in keys.items() if key not in OWN}
    return Case(name, system, paths["reference"], tuple(hypotheses), baseline, options, tags)


def words_of_option(name: str, value: Any) -> list[str]:
    """Return the arguments of an option: none if it is false, several for a list."""
    if value is False:
        return []
    if value is True:
        return [f"--{name}"]
    values = value if isinstance(value, list) else [value]
    return [word for each in values for word in (f"--{name}", str(each))]


def _table(
    file: SuiteFile, content: Mapping[str, Any], name: str, above: str = ""
) -> Mapping[str, Any]:
    """Return a table; InputError if the key holds something else."""
    value = content.get(name, {})
    if not isinstance(value, dict):
        raise file.error(f"expected a table, found {value!r}", [*filter(None, [above]), name])
    return value


def _text(file: SuiteFile, content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise file.error(f"expected a text, found {value!r}", [name])
    return value


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) and item for item in value)


def _unknown(expected: str, name: str, names: Sequence[str]) -> str:
    near = close_names(name, names)
    return f"expected {expected}, found {name!r}" + (f" (did you mean {near[0]}?)" if near else "")


def _beside(path: str, name: str) -> str:
    """Return a path relative to the folder of a file."""
    return os.path.join(os.path.dirname(path), name)


def _place(text: str, keys: Sequence[str]) -> tuple[int | None, int | None]:
    """Return the line and column of a key; of the table around it if the key is not there."""
    key_path = list(keys)
    of_set = key_path[:1] == ["sets"] and len(key_path) == len(("sets", "NAME", "KEY"))
    # a key that the set itself does not have is one of the defaults
    usual = ["defaults", key_path[-1]] if of_set else None
    places: dict[int, tuple[int, int]] = {}
    for number, table, name, column in _keys_in(text) if key_path else ():
        path = [*table, *([name] if name else [])]
        if path == key_path or (not name and path[: len(key_path)] == key_path):
            places.setdefault(0, (number, column))
        elif path == usual:
            places.setdefault(1, (number, column))
        elif path == key_path[: len(path)]:
            places[2] = number, column
    return places[min(places)] if places else (None, None)


def _keys_in(text: str) -> Iterator[tuple[int, list[str], str, int]]:
    """Yield line, table, key and column of each table and key; the key of a table is empty."""
    table: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        content = line.strip()
        column = len(line) - len(line.lstrip()) + 1
        if content.startswith("["):
            inside = content.strip("[]").partition("]")[0]
            table = [part.strip().strip("\"'") for part in inside.split(".")]
            yield number, table, "", column
        elif "=" in content and not content.startswith("#"):
            yield number, table, content.partition("=")[0].strip().strip("\"'"), column
