"""What a benchmark compares: sets, systems and recipes, from a TOML file."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from formats.errors import close_names
from scoring.errors import InputError
from scoring.measures import checked_options
from scoring.options import Options

# What the names of result files of the Open ASR Leaderboard are made of.
MODEL, DATASET = "MODEL_", "_DATASET_"
# The measure that each cell has beside its errors.
LOOPS = "loops"


class EvaluationSet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A set of recordings with its reference."""

    reference: str
    options: dict[str, Any] = {}
    dataset: str | None = None  # its name on Hugging Face, for `.eval_results`
    task: str | None = None


class BenchPlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file; paths are relative to its folder."""

    title: str = "Benchmark"
    recipes: list[str] = []
    options: dict[str, Any] = {}
    history: str | None = None
    results: list[str] = []
    sets: dict[str, EvaluationSet] = {}
    systems: dict[str, dict[str, str | list[str]]] = {}


class Cell(NamedTuple):
    """One run of a system on a set, by one recipe."""

    recipe: str  # empty: the options alone
    set: str
    system: str
    number: int  # of the run, from 1
    reference: str
    hypothesis: str
    options: Options


class Benchmark(NamedTuple):
    """What to score, in the order of the file."""

    path: str
    plan: BenchPlan
    cells: tuple[Cell, ...]

    @property
    def recipes(self) -> list[str]:
        """The recipes; one without a name if the file names none."""
        return self.plan.recipes or [""]

    @property
    def history(self) -> str:
        """The file of results, which is the cache."""
        return _beside(self.path, self.plan.history or f"{os.path.splitext(self.path)[0]}.db")

    @property
    def sets(self) -> list[str]:
        """The names of the sets."""
        return list(dict.fromkeys(cell.set for cell in self.cells))


def read_benchmark(path: str) -> Benchmark:
    """Read a plan and check everything that can be checked before scoring; InputError if wrong."""
    try:
        with open(path, "rb") as file:
            plan = msgspec.toml.decode(file.read(), type=BenchPlan)
    except (msgspec.DecodeError, ValueError) as problem:
        place = re.search(r"at line (\d+), column (\d+)", str(problem))
        line, column = (int(place[1]), int(place[2])) if place else (None, None)
        message = f"expected a benchmark as TOML: {str(problem)[:1].lower()}{str(problem)[1:]}"
        raise InputError(path, line, column, message) from None
    except OSError as problem:
        raise _error(path, f"cannot be read: {problem.strerror}") from None
    cells = tuple(_cells(path, plan))
    if not cells:
        raise _error(path, "expected [systems] with files of [sets], found none")
    for cell in cells:
        for name in (cell.reference, cell.hypothesis):
            if not os.path.exists(name):
                raise _error(path, f"expected the file {name}, found none")
    return Benchmark(path, plan, cells)


def _cells(path: str, plan: BenchPlan) -> Iterator[Cell]:
    """Everything that is to be scored."""
    files = [*_named_files(path, plan), *_result_files(path, plan)]
    for recipe in plan.recipes or [""]:
        for name, system, number, reference, hypothesis in files:
            settings = plan.sets[name].options if name in plan.sets else {}
            chosen = {**plan.options, **settings, **({"like": recipe} if recipe else {})}
            try:
                measures = dict.fromkeys([*chosen.get("measures", ()), LOOPS])
                options = Options(**{**chosen, "measures": list(measures)})
                checked_options(options)
            except (TypeError, ValueError) as problem:
                raise _error(path, f"options: {problem}") from None
            yield Cell(recipe, name, system, number, reference, hypothesis, options)


def _named_files(path: str, plan: BenchPlan) -> Iterator[tuple[str, str, int, str, str]]:
    """Set, system, number of the run, reference and hypothesis of `systems`."""
    for system, files in plan.systems.items():
        for name, hypotheses in files.items():
            if name not in plan.sets:
                near = close_names(name, list(plan.sets))
                hint = f" (did you mean {near[0]}?)" if near else ""
                problem = f"systems.{system}: expected a set of [sets], found {name!r}{hint}"
                raise _error(path, problem)
            reference = _beside(path, plan.sets[name].reference)
            runs = [hypotheses] if isinstance(hypotheses, str) else hypotheses
            for number, hypothesis in enumerate(runs, 1):
                yield name, system, number, reference, _beside(path, hypothesis)


def _result_files(path: str, plan: BenchPlan) -> Iterator[tuple[str, str, int, str, str]]:
    """The same of files with both sides, whose names say system and set."""
    for pattern in plan.results:
        names = sorted(glob.glob(_beside(path, pattern), recursive=True))
        if not names:
            raise _error(path, f"results: expected files {pattern}, found none")
        for file in names:
            stem = os.path.splitext(os.path.basename(file))[0]
            system, separator, name = stem.removeprefix(MODEL).partition(DATASET)
            if not (stem.startswith(MODEL) and separator and system and name):
                problem = f"results: expected MODEL_NAME_DATASET_NAME.jsonl, found {file}"
                raise _error(path, problem)
            yield name, system.replace("-", "/", 1), 1, file, file


def _error(path: str, problem: str) -> InputError:
    return InputError(path, None, None, problem)


def _beside(path: str, name: str) -> str:
    """A path relative to the folder of a file."""
    return os.path.join(os.path.dirname(path), name)
