"""A suite: gates for several test sets and systems, described in one TOML file.

A set has a reference, a hypothesis and a baseline. Every other key is an option of `scoring
compare` without its dashes. `[defaults]` has keys for all sets.
"""

from __future__ import annotations

import glob
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from formats.reading.toml_places import key_places, missing_file, place_of, unknown_name
from formats.schema.errors import reason_unread
from formats.schema.messages import LONGEST_QUOTE
from scoring.model.errors import InputError
from scoring.regression.bench.plan import toml_problem
from scoring.regression.history import ACCEPTED, HistoryError, tags_of

TOP = ("title", "history", "systems", "significance", "defaults", "sets")
FILES = ("reference", "hypothesis", "baseline")
OWN = (*FILES, "tags")  # keys of a set that are no options
# What a message about a file without a set adds.
_EXAMPLE = (
    '; a suite has for each set: [sets.NAME], then lines such as reference = "ref.trn", '
    'baseline = "old.trn", hypothesis = "new.trn" and fail-increase = "5%"'
)
OF_GATE = ("set", "system", ACCEPTED[0], "accepted-by", "reason")  # tags that the gate sets itself


class OptionShape(NamedTuple):
    """The TOML types that an option accepts; the meaning of the value is not checked."""

    is_flag: bool = False  # true or false
    has_value: bool = True  # a text or number
    is_repeatable: bool = False  # a list of texts and numbers

    def problem(self, value: object) -> str:
        """Describe what is wrong with a value of the option; empty for a valid value."""
        values = value if isinstance(value, list) else [value]
        if isinstance(value, bool):
            fits = self.is_flag
        elif isinstance(value, list):
            fits = self.is_repeatable and not any(isinstance(item, bool) for item in values)
        else:
            fits = self.has_value
        if fits and all(isinstance(item, (str, int, float)) and item != "" for item in values):
            return ""
        expected = [
            *(["true or false"] if self.is_flag else []),
            *(["a text or number"] if self.has_value else []),
            *(["a list of these"] if self.is_repeatable else []),
        ]
        return f"expected {' or '.join(expected)}, found {shown(value)}"


class Case(NamedTuple):
    """One system on one set of a suite."""

    set: str
    system: str  # empty if the suite names no systems
    reference: str | None
    hypotheses: tuple[str, ...]  # several runs, if a pattern matches several files
    baseline: str
    options: Mapping[str, Any]  # of `scoring compare`, without dashes
    tags: Mapping[str, str]  # of the runs that are recorded

    @property
    def name(self) -> str:
        """The name of the set, followed by the system if the set has several."""
        return f"{self.set} {self.system}".strip()


class Suite(NamedTuple):
    """The content of a suite file."""

    path: str
    title: str
    history: str | None  # of accepted runs
    significance: float
    cases: tuple[Case, ...]
    defaults: Mapping[str, Any] = {}  # options of all sets


class SuiteFile(NamedTuple):
    """The text of a suite file, for errors with line and column."""

    path: str
    text: str

    def error(self, problem: str, keys: Sequence[str] = ()) -> InputError:
        """Return an error at the position of a key.

        `keys` is the path of the key from the top table down.
        """
        position = place_of(self.text, tuple(keys)) if keys else None
        if keys[:1] == ["sets"] and len(keys) == len(("sets", "NAME", "KEY")):
            # a key that the set itself does not have is one of the defaults
            whole = [each.path for each in key_places(self.text)]
            if tuple(keys) not in whole and ("defaults", keys[-1]) in whole:
                position = place_of(self.text, ("defaults", keys[-1]))
        line, column = position or (None, None)
        return InputError(self.path, line, column, problem)


def read_suite(path: str, options: Mapping[str, OptionShape]) -> tuple[Suite, SuiteFile]:
    """Read a suite and check it before scoring; InputError with line and column.

    `options` are the options of `scoring compare` by name.
    """
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise InputError(path, None, None, reason_unread(problem)) from None
    except UnicodeDecodeError as problem:
        raise InputError(path, None, None, f"expected UTF-8, found {problem.reason}") from None
    file = SuiteFile(path, text)
    try:
        content = msgspec.toml.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, ValueError) as problem:
        message, line, column = toml_problem(problem, "the suite is not valid TOML")
        example = "" if "[sets." in text else _EXAMPLE
        raise InputError(path, line, column, message + example) from None
    for key in content:
        if key not in TOP:
            example = "" if content.get("sets") else _EXAMPLE
            raise file.error(unknown_name("a key of a suite", key, TOP) + example, [key])
    sets = _table(file, content, "sets")
    if not sets:
        raise file.error(f"expected [sets.NAME] with at least one set, found none{_EXAMPLE}")
    systems = content.get("systems", [""])
    if "systems" in content and not _is_list_of_names(systems):
        expected = "expected a list of different names without comma and @"
        raise file.error(f"{expected}, found {shown(systems)}", ["systems"])
    title, history = (_text(file, content, name) for name in ("title", "history"))
    level = content.get("significance", 0.05)
    if not isinstance(level, float) or not 0 < level < 1:
        raise file.error(
            f"expected a number between 0 and 1, found {shown(level)}", ["significance"]
        )
    if history is not None:
        history = _beside(path, history)
    defaults = _table(file, content, "defaults")
    cases = []
    for name in sets:
        entries = _table(file, sets, name, "sets")
        if not _is_list_of_names([name]):
            expected = "expected a name of a set without comma and @"
            raise file.error(f"{expected}, found {name!r}", ["sets", name])
        for table, keys in ((["defaults"], defaults), (["sets", name], entries)):
            for key, value in keys.items():
                wrong = _key_problem(key, value, options)
                if wrong:
                    raise file.error(wrong, [*table, key])
        for system in systems:
            cases.append(_case(file, name, system, {**defaults, **entries}, history))
    usual = {key: value for key, value in defaults.items() if key not in OWN}
    return Suite(path, title or "Gate", history, level, tuple(cases), usual), file


def _case(
    file: SuiteFile, name: str, system: str, keys: Mapping[str, Any], history: str | None
) -> Case:
    """Return the case of a system on a set; raise an error if one of its files is missing."""
    names = {"set": name, "system": system}
    paths = {}
    for key in FILES:
        value = keys.get(key)
        for word, filled in names.items():
            value = value and value.replace(f"{{{word}}}", filled)
        paths[key] = _beside(file.path, value) if value else None
    pattern = paths["hypothesis"]
    if pattern is None:
        raise file.error(f'expected a hypothesis for the set "{name}", found none', ["sets", name])
    hypotheses = [pattern]
    if not os.path.exists(pattern):
        hypotheses = sorted(glob.glob(pattern, recursive=True))
    keys_of_hypothesis = ["sets", name, "hypothesis"]
    if not hypotheses:
        raise file.error(missing_file(pattern), keys_of_hypothesis)
    for key in ("reference", "baseline"):
        if paths[key] is not None and not os.path.exists(str(paths[key])):
            raise file.error(missing_file(str(paths[key])), ["sets", name, key])
    baseline = paths["baseline"] or history
    if baseline is None:
        expected = "expected a baseline (a result, or a history of accepted runs), found none"
        raise file.error(f"{expected} of {name}", ["sets", name])
    tags = {**keys.get("tags", {}), "set": name, **({"system": system} if system else {})}
    options = {key: value for key, value in keys.items() if key not in OWN}
    return Case(name, system, paths["reference"], tuple(hypotheses), baseline, options, tags)


def words_of_option(name: str, value: Any) -> list[str]:
    """Return an option's command-line arguments: none if the value is false, several for a list."""
    if isinstance(value, bool):
        return [f"--{name}"] * value
    values = value if isinstance(value, list) else [value]
    return [f"--{name}={each}" for each in values]


def shown(value: object) -> str:
    """Return a value in TOML notation, shortened."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


def _key_problem(key: str, value: object, options: Mapping[str, OptionShape]) -> str:
    """Return a description of a wrong key or value of a set; empty if both are valid."""
    if key in FILES:
        is_path = isinstance(value, str) and value
        return "" if is_path else f"expected a path, found {shown(value)}"
    if key == "tags":
        return _tags_problem(value)
    if key not in options:
        return unknown_name("a key of a set or an option of compare", key, (*OWN, *options))
    return options[key].problem(value)


def _tags_problem(value: object) -> str:
    if not isinstance(value, dict) or not all(isinstance(each, str) for each in value.values()):
        return f"expected a table of texts, found {shown(value)}"
    for name in {*value} & {*OF_GATE}:
        return f"expected other names than {', '.join(OF_GATE)}, found {name}"
    try:
        tags_of(f"{name}={text}" for name, text in value.items())
    except HistoryError as problem:
        return str(problem.problem)
    return ""


def _table(
    file: SuiteFile, content: Mapping[str, Any], name: str, above: str = ""
) -> Mapping[str, Any]:
    """Return the table with this name; InputError if the value of the name is not a table."""
    value = content.get(name, {})
    if not isinstance(value, dict):
        example = _EXAMPLE if "sets" in (name, above) else ""
        problem = f"expected a table, found {shown(value)}{example}"
        raise file.error(problem, [*filter(None, [above]), name])
    return value


def _text(file: SuiteFile, content: Mapping[str, Any], name: str) -> str | None:
    value = content.get(name)
    if value is not None and not isinstance(value, str):
        raise file.error(f"expected a text, found {shown(value)}", [name])
    return value


def _is_list_of_names(value: object) -> bool:
    """Return True for a list of distinct names, which can be values of tags."""
    if not isinstance(value, list) or not value:
        return False
    return len({*map(str, value)}) == len(value) and all(
        isinstance(item, str) and item and not {*item} & {",", "@"} for item in value
    )


def _beside(path: str, name: str) -> str:
    """Resolve a path relative to the folder of a file."""
    return os.path.join(os.path.dirname(path), name)
