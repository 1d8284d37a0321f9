"""Results of `scoring der`, `kws`, `per`, `events` and `segments`, as tables of units and columns.

The JSON of a result has the numbers of its task. For each unit (recording, keyword or utterance),
the JSON has the columns whose sums determine these numbers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from formats.schema.messages import expected_found, message_of
from scoring.drawing.data import check_head
from scoring.regression.evidence import Check, EvidenceError
from scoring.regression.task_figures import SCHEMAS, TASKS
from scoring.regression.units import Layout, UnitTable, checks_of_values, layout_of, ratio_score

if TYPE_CHECKING:
    from scoring.model.aliases import Json
    from scoring.model.arrays import Floats


class TaskRow(NamedTuple):
    """A recording, keyword or utterance with its columns."""

    numbers: Sequence[float]  # of the columns of the task
    reference: object  # what must be equal in two results of the same reference
    groups: Mapping[str, str | None] = {}
    recorded: float | None = None  # the main number, if the result has it


def read_task(path: str) -> UnitTable:
    """Read the JSON result of a task from a file."""
    with open(path, "rb") as file:
        data = file.read()
    return result_of(path, [data])


def result_of(name: str, lines: Iterable[bytes]) -> UnitTable:
    """Parse the result in a JSON text."""
    try:
        document: Json = json.loads(b"".join(lines))
        schema = str(document["schema"])
        task, version = SCHEMAS[schema]
    except (KeyError, TypeError, ValueError) as problem:
        raise _no_result(name, problem) from None
    try:
        check_head(document, schema, version)
    except ValueError as problem:
        raise EvidenceError(name, None, None, message_of(problem)) from None
    try:
        if len(document["systems"]) != 1:
            found = len(document["systems"])
            raise EvidenceError(name, None, None, expected_found("one system", found))
        [system] = document["systems"]
        table = _READERS[task](name, system)
        return table._replace(checks=(*table.checks, *_other_numbers(name, system, table)))
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise _no_result(name, problem) from None


def _no_result(name: str, problem: Exception) -> EvidenceError:
    message = expected_found("the JSON of a result", f"none ({problem})")
    return EvidenceError(name, None, None, message)


def _table(
    name: str,
    layout: Layout,
    signature: str,
    units: Mapping[str, TaskRow],
    values: Mapping[str, float | None],
) -> UnitTable:
    """Return the table of a task.

    Its checks compare the recorded numbers with those computed from the sums of the units.
    """
    task = layout.task
    rows = np.array([unit.numbers for unit in units.values()], np.float64)
    rows = rows.reshape(-1, len(layout.columns))
    names = dict.fromkeys(name for unit in units.values() for name in unit.groups)
    table = UnitTable(
        name,
        task.name,
        signature,
        signature,
        layout,
        tuple(rows.sum(axis=0).tolist()),
        list(units),
        rows,
        references=[unit.reference for unit in units.values()],
        groups={name: [unit.groups.get(name) for unit in units.values()] for name in names},
        values=values,
    )
    of_units = {name: unit.recorded for name, unit in units.items()}
    return table._replace(checks=tuple(checks_of_values(name, table, of_units)))


def _other_numbers(name: str, document: Json, table: UnitTable) -> Iterator[Check]:
    """Yield a check, marked as not checked, for each number that the units do not determine."""
    columns = table.layout.columns
    used = {
        "version",
        "error_rate",
        "sentence_error_rate",
        *columns,
        *(f"{column}_seconds" for column in columns),
    }
    used |= {figure.name for figure in table.layout.task.figures} & table.layout.scores.keys()
    if others := sorted(set(_names_of_numbers(document)) - used):
        remark = "no sums of units give them"
        yield Check(f"{name} (other numbers)", 0, remark=remark, names=tuple(others))


def _names_of_numbers(value: object, name: str = "") -> Iterator[str]:
    """Yield the name of each member that is a number."""
    if isinstance(value, Mapping):
        for key, each in value.items():
            if key != "account":  # of the files that were read
                yield from _names_of_numbers(each, str(key))
    elif isinstance(value, list):
        for each in value:
            yield from _names_of_numbers(each, name)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield name


def _diarisation(name: str, system: Json) -> UnitTable:
    task = TASKS["der"]
    kinds = task.wrong
    total = system["overall"]
    whole = total["scored_seconds"]
    rates = {f"{kind}_rate": total[f"{kind}_seconds"] / whole if whole else None for kind in kinds}
    units = {}
    for row in system["recordings"]:
        seconds = [row[f"{column}_seconds"] for column in task.columns]
        groups = {name: row[name] for name in ("recording", "channel")}
        key = " ".join(filter(None, groups.values()))
        units[key] = TaskRow(seconds, seconds[0], groups, row.get("error_rate"))
    values = {
        figure.name: rates.get(figure.name, total.get(figure.name)) for figure in task.figures
    }
    return _table(name, layout_of(task), system["signature"], units, values)


def _keywords(name: str, system: Json) -> UnitTable:
    task, overall = TASKS["kws"], system["overall"]
    beta = float(system["parameters"]["beta"])
    units = {}
    for row in overall["keywords"]:
        is_in = row["evaluated"]
        if not (is_in or row["targets"]):
            continue  # nobody says the keyword, so it has no value
        has_miss, has_alarm = (is_in and row[column] is not None for column in ("p_miss", "p_fa"))
        miss, alarm = row["p_miss"] if has_miss else 0.0, row["p_fa"] if has_alarm else 0.0
        numbers = [miss, float(has_miss), alarm, float(has_alarm), miss + beta * alarm]
        units[row["keyword"]] = TaskRow(numbers, (is_in, row["targets"]), {"text": row.get("text")})
    p_miss, p_fa = (
        ratio_score(formula, task.columns) for formula in ("p_miss / targeted", "p_fa / evaluated")
    )
    assert p_miss is not None
    assert p_fa is not None

    def actual(sums: Floats) -> Floats:
        return 1 - p_miss(sums) - beta * p_fa(sums)

    values = {
        **{
            f"{key[0]}twv": overall[key]["twv"]
            for key in ("actual", "maximum", "optimum", "supremum")
        },
        "p_miss": overall["actual"]["p_miss"],
        "p_fa": overall["actual"]["p_fa"],
        "map": overall["mean_average_precision"],
    }
    return _table(name, layout_of(task, atwv=actual), system["signature"], units, values)


def _phonemes(name: str, system: Json) -> UnitTable:
    units = {}
    for row in system["utterances"]:
        errors = row["substitutions"] + row["deletions"] + row["insertions"]
        phonemes = row["correct"] + row["substitutions"] + row["deletions"]
        # the chosen pronunciations may differ, the words may not
        groups = {"speaker": row.get("speaker")}
        numbers = [errors, phonemes, errors > 0, 1]
        units[row["id"]] = TaskRow(numbers, row["words"], groups, row.get("error_rate"))
    values = {
        "error_rate": system["rates"]["error_rate"],
        "sentence_error_rate": system["rates"]["sentence_error_rate"],
    }
    table = _table(name, layout_of(TASKS["per"]), system["signature"], units, values)
    return table._replace(speakers=table.groups.get("speaker"))


def _labels(name: str, system: Json) -> UnitTable:
    task = TASKS["labels"]
    units = {}
    for row in system["utterances"]:
        sums = dict.fromkeys(task.columns, 0.0)
        reference = []
        for pair in row["aligned"]:
            # of segments seconds, of events pieces
            sums[pair["edit"]] += pair["end"] - pair["start"] if "start" in pair else 1
            if pair["reference"] is not None:
                reference.append(tuple(pair["reference"].values()))
        units[row["id"]] = TaskRow(list(sums.values()), sorted(set(reference), key=str))
    overall = {**system["overall"], **(system["overall"].get("keyword_spotting") or {})}
    values = {figure.name: overall.get(figure.name) for figure in task.figures}
    return _table(name, layout_of(task), system["signature"], units, values)


_READERS: Mapping[str, Callable[[str, Json], UnitTable]] = {
    "der": _diarisation,
    "kws": _keywords,
    "per": _phonemes,
    "labels": _labels,
}
