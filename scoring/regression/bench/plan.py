"""The plan of a benchmark: sets, systems and recipes, from a TOML file."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from formats.reading.toml_places import missing_file, place_of, unknown_name
from formats.schema.errors import reason_unread
from scoring.model.errors import InputError, OptionTypeError, OptionValueError
from scoring.options import FIELDS, Options
from scoring.regression.messages import OF_TEXTS
from scoring.score.plan import pipeline_of
from scoring.score.record_reader import member_problem

PLAN = "the plan of the benchmark"
# What the names of result files of the Open ASR Leaderboard are made of.
MODEL, DATASET = "MODEL_", "_DATASET_"
# The measure that each cell has beside its errors.
LOOPS = "loops"
_ENDS = re.compile(r"[^\w.*-]+")  # of names


class EvaluationSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A test set: recordings with their reference."""

    reference: str
    options: dict[str, Any] = {}
    dataset: str | None = None  # its name on Hugging Face, for `.eval_results`
    task: str | None = None


class BenchPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a benchmark's TOML file; paths are relative to its folder."""

    title: str = "Benchmark"
    recipes: list[str] = []
    options: dict[str, Any] = {}
    history: str | None = None
    results: list[str] = []
    sets: dict[str, EvaluationSet] = {}
    systems: dict[str, dict[str, str | list[str]]] = {}


class Cell(NamedTuple):
    """One run of a system on a set, to be scored by one recipe."""

    recipe: str  # empty: the options alone
    set: str
    system: str
    number: int  # of the run, from 1
    reference: str
    hypothesis: str
    options: Options


class Benchmark(NamedTuple):
    """The cells to score, in the order of the file."""

    path: str
    plan: BenchPlan
    cells: tuple[Cell, ...]

    @property
    def history(self) -> str:
        """The history file with all results, which serves as the cache."""
        return _beside(self.path, self.plan.history or f"{os.path.splitext(self.path)[0]}.db")

    @property
    def sets(self) -> list[str]:
        """The names of the sets."""
        return list(dict.fromkeys(cell.set for cell in self.cells))


def read_benchmark(path: str) -> Benchmark:
    """Read the plan of a benchmark; InputError if a check before scoring fails."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
        content = msgspec.toml.decode(text, type=dict[str, Any])
    except OSError as problem:
        raise InputError(path, None, None, reason_unread(problem)) from None
    except (msgspec.DecodeError, ValueError) as problem:
        if not path.endswith(".toml"):
            expected = f"expected CONFIG.toml, found another format ({OF_TEXTS})"
            raise InputError(path, None, None, expected) from None
        message, line, column = toml_problem(problem, PLAN)
        raise InputError(path, line, column, message) from None
    for keys, value, kind in _parts(content):
        _check_part(path, text, keys, value, kind)
    plan = msgspec.convert(content, BenchPlan)
    cells = tuple(_cells(path, plan))
    if not cells:
        raise _error(path, "expected [systems] with files of [sets], found none")
    for cell in cells:
        for file, keys in (
            (cell.reference, ("sets", cell.set, "reference")),
            (cell.hypothesis, ("systems", cell.system, cell.set)),
        ):
            if not os.path.exists(file):
                raise _located(path, text, keys, missing_file(file))
    return Benchmark(path, plan, cells)


def _parts(content: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], object, Any]]:
    """Yield the path, the value and the expected type of each part; the whole plan is last."""
    tables = {name: table for name, table in content.items() if isinstance(table, dict)}
    for name, table in tables.get("sets", {}).items():
        yield ("sets", name), table, EvaluationSet
    for name, files in tables.get("systems", {}).items():
        for key, hypotheses in files.items() if isinstance(files, dict) else ():
            yield ("systems", name, key), hypotheses, str | list[str]
        yield ("systems", name), files, dict[str, Any]
    yield (), content, BenchPlan


def _check_part(path: str, text: str, keys: tuple[str, ...], value: object, kind: Any) -> None:
    """Raise InputError at the first unknown key, or at the first value of a wrong type."""
    known: Sequence[str] = getattr(kind, "__struct_fields__", ())
    for key in value if known and isinstance(value, dict) else ():
        if key not in known:
            expected = "a key of a set" if keys else "a key of a benchmark"
            raise _located(path, text, (*keys, key), unknown_name(expected, key, known))
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as problem:
        inner = re.findall(r"\w+", str(problem).partition(" - at `$")[2])
        whole = ".".join(keys)
        message = member_problem(problem, whole or PLAN)
        around = f"{whole}: " if whole and inner else ""
        raise _located(path, text, (*keys, *inner), f"{around}{message}") from None


def _located(path: str, text: str, keys: tuple[str, ...], problem: str) -> InputError:
    """Return an error at the position of a key."""
    line, column = place_of(text, keys) or (None, None)
    return InputError(path, line, column, problem)


def toml_problem(problem: Exception, expected: str) -> tuple[str, int | None, int | None]:
    """Return the text of a TOML decoder's error, with line and column if known."""
    message = member_problem(problem, expected)
    message = message.replace("invalid value", "invalid value (a text needs quotation marks)")
    if place := re.search(r" \(at line (\d+), column (\d+)\)", message):
        return message.replace(place[0], ""), int(place[1]), int(place[2])
    return message, None, None


def _cells(path: str, plan: BenchPlan) -> Iterator[Cell]:
    """Yield every combination of recipe, system and set to score."""
    files = [*_named_files(path, plan), *_result_files(path, plan)]
    for recipe in plan.recipes or [""]:
        for name, system, number, reference, hypothesis in files:
            settings = plan.sets[name].options if name in plan.sets else {}
            chosen = {**plan.options, **settings, **({"like": recipe} if recipe else {})}
            try:
                yield Cell(recipe, name, system, number, reference, hypothesis, _options(chosen))
            except (TypeError, ValueError) as problem:
                option = ""
                if isinstance(problem, OptionTypeError | OptionValueError):
                    option = problem.option
                raise _error(path, f"options: {problem}", chosen.get("like", option)) from None


def _options(values: Mapping[str, Any]) -> Options:
    """Return the options of a cell; they always include the measure of loops.

    Raises TypeError or ValueError for invalid options.
    """
    names = list(FIELDS)
    for name in values.keys() - set(names):
        raise OptionValueError(name, unknown_name("a field of Options", name, names))
    options = Options(**values)
    options = options.changed(measures=[*options.measures, LOOPS])
    from scoring.measures import checked_options

    checked_options(options)
    pipeline_of(options)
    return options


def _named_files(path: str, plan: BenchPlan) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield set, system, run number, reference and hypothesis of each file in `systems`."""
    for system, files in plan.systems.items():
        for name, hypotheses in files.items():
            if name not in plan.sets:
                problem = unknown_name("a set of [sets]", name, list(plan.sets))
                raise _error(path, f"systems.{system}: {problem}", name)
            reference = _beside(path, plan.sets[name].reference)
            runs = [hypotheses] if isinstance(hypotheses, str) else hypotheses
            for number, hypothesis in enumerate(runs, 1):
                yield name, system, number, reference, _beside(path, hypothesis)


def _result_files(path: str, plan: BenchPlan) -> Iterator[tuple[str, str, int, str, str]]:
    """Yield set, system, run number, and the path (twice) of each file with both sides.

    The file's name contains the system and the set.
    """
    for pattern in plan.results:
        names = sorted(glob.glob(_beside(path, pattern), recursive=True))
        if not names:
            raise _error(path, f"results: expected files {pattern}, found none", pattern)
        for file in names:
            stem = os.path.splitext(os.path.basename(file))[0]
            system, separator, name = stem.removeprefix(MODEL).partition(DATASET)
            if not (stem.startswith(MODEL) and separator and system and name):
                problem = f"results: expected MODEL_NAME_DATASET_NAME.jsonl, found {file}"
                raise _error(path, problem)
            yield name, system.replace("-", "/", 1), 1, file, file


def _error(path: str, problem: str, name: str = "") -> InputError:
    """Return an error at the line that contains a name; at the whole file if several lines do."""
    lines = enumerate(Path(path).read_text("utf-8", "replace").splitlines(), 1)
    numbers = [number for number, line in lines if name in filter(None, _ENDS.split(line))]
    return InputError(path, numbers[0] if len(numbers) == 1 else None, None, problem)


def _beside(path: str, name: str) -> str:
    """Resolve a path relative to the folder of a file."""
    return os.path.join(os.path.dirname(path), name)
