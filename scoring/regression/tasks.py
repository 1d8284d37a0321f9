"""Results of `scoring der`, `kws`, `per`, `events` and `segments`, and what changed between two.

A result is read from its JSON: the numbers of `TASK_FIGURES`, and of each unit (recording, keyword,
utterance) the columns whose sums give them, for intervals and tests.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.drawing.data import check_head
from scoring.model.errors import StatisticsError
from scoring.regression.comparison import SignificanceTest
from scoring.regression.conditions import Condition
from scoring.regression.evidence import EvidenceError
from scoring.regression.task_figures import SCHEMAS, TASK_FIGURES
from scoring.regression.verdict import (
    Finding,
    Gate,
    Significance,
    combined,
    judge_number,
    significance_of,
)
from scoring.results.measured import Figure
from scoring.sides.corpus import ListedNames
from scoring.sides.matching.identifier import MatchingError
from scoring.stats.bootstrapping import Bootstrap, PairedBootstrap, paired_bootstrap
from scoring.stats.intervals import Resampling
from scoring.stats.randomisation import approximate_randomisation

if TYPE_CHECKING:
    from scoring.model.aliases import Json
    from scoring.model.arrays import Floats
    from scoring.stats.units import Score

UNITS = {"der": "recording", "kws": "keyword", "per": "utterance", "labels": "utterance"}


class TaskUnit(NamedTuple):
    """A recording, keyword or utterance."""

    statistics: Sequence[float]  # the columns of the task
    reference: object  # what must be equal in two results of the same reference


class TaskResult(NamedTuple):
    """The result of a task."""

    name: str
    task: str
    signature: str  # the rules that two results must share
    values: Mapping[str, float | None]
    units: Mapping[str, TaskUnit]
    scores: Mapping[str, Score]  # numbers that follow from sums over units


class TaskChange(NamedTuple):
    """A number of two results."""

    figure: Figure
    baseline: float | None
    new: float | None
    difference: Bootstrap | None  # None where the number follows from no sums, or units are few

    @property
    def change(self) -> float | None:
        """The new number less the baseline's."""
        return None if self.baseline is None or self.new is None else self.new - self.baseline


class TaskChanges(NamedTuple):
    """Two results of a task."""

    baseline: TaskResult
    new: TaskResult
    units: Sequence[str]
    numbers: Sequence[TaskChange]
    tests: Sequence[SignificanceTest]  # of the main number, the deciding one first


def read_task(path: str) -> TaskResult:
    """Read the JSON of a task."""
    with open(path, "rb") as file:
        data = file.read()
    return result_of(path, [data])


def result_of(name: str, lines: Iterable[bytes]) -> TaskResult:
    """Return the result in a JSON text."""
    try:
        document: Json = json.loads(b"".join(lines))
        schema = str(document["schema"])
        task, version = SCHEMAS[schema]
    except (KeyError, TypeError, ValueError) as problem:
        raise _no_result(name, problem) from None
    try:
        check_head(document, schema, version)
    except ValueError as problem:
        raise EvidenceError(name, None, None, str(problem)) from None
    try:
        return _READERS[task](name, document)
    except (KeyError, TypeError, ValueError, IndexError) as problem:
        raise _no_result(name, problem) from None


def _no_result(name: str, problem: Exception) -> EvidenceError:
    message = f"expected the JSON of a result, found none ({problem})"
    return EvidenceError(name, None, None, message)


def _ratios(task: str, columns: Sequence[str], ratios: Mapping[str, str]) -> dict[str, Score]:
    """Scores that divide sums of columns, as formulas: `errors / words`."""

    def score(formula: str) -> Callable[[Floats], Floats]:
        sides = [
            [columns.index(name) for name in side.split(" + ")] for side in formula.split(" / ")
        ]

        def divide(sums: Floats) -> Floats:
            part, whole = (sums[..., side].sum(axis=-1) for side in sides)
            result = np.full(np.shape(whole), np.nan)
            np.divide(part, whole, out=result, where=whole > 0)
            return result

        return divide

    assert ratios.keys() <= {figure.name for figure in TASK_FIGURES[task]}
    return {name: score(formula) for name, formula in ratios.items()}


def _diarisation(name: str, document: Json) -> TaskResult:
    columns = ("scored", "missed", "false_alarm", "confusion")
    kinds = columns[1:]
    total = document["total"]
    whole = total["scored_seconds"]
    rates = {f"{kind}_rate": total[f"{kind}_seconds"] / whole if whole else None for kind in kinds}
    units = {}
    for row in document["recordings"]:
        seconds = [row[f"{column}_seconds"] for column in columns]
        key = " ".join(filter(None, (row["recording"], row["channel"])))
        units[key] = TaskUnit(seconds, seconds[0])
    formulas = {f"{kind}_rate": f"{kind} / scored" for kind in kinds}
    formulas["error_rate"] = f"{' + '.join(kinds)} / scored"
    values = {
        figure.name: rates.get(figure.name, total.get(figure.name))
        for figure in TASK_FIGURES["der"]
    }
    scores = _ratios("der", columns, formulas)
    return TaskResult(name, "der", document["signature"], values, units, scores)


def _keywords(name: str, document: Json) -> TaskResult:
    overall, beta = document["overall"], float(document["parameters"]["beta"])
    columns = ("p_miss", "targeted", "p_fa", "evaluated")
    units = {}
    for row in overall["keywords"]:
        is_in = row["evaluated"]
        has_miss, has_alarm = (is_in and row[column] is not None for column in ("p_miss", "p_fa"))
        numbers = [
            row["p_miss"] if has_miss else 0.0,
            float(has_miss),
            row["p_fa"] if has_alarm else 0.0,
            float(has_alarm),
        ]
        units[row["keyword"]] = TaskUnit(numbers, (is_in, row["targets"]))
    scores = _ratios("kws", columns, {"p_miss": "p_miss / targeted", "p_fa": "p_fa / evaluated"})
    p_miss, p_fa = scores["p_miss"], scores["p_fa"]
    actual = overall["actual"]
    values = {
        **{
            f"{key[0]}twv": overall[key]["twv"]
            for key in ("actual", "maximum", "optimum", "supremum")
        },
        "p_miss": actual["p_miss"],
        "p_fa": actual["p_fa"],
        "map": overall["mean_average_precision"],
    }
    scores = {"atwv": lambda sums: 1 - p_miss(sums) - beta * p_fa(sums), **scores}
    return TaskResult(name, "kws", document["signature"], values, units, scores)


def _phonemes(name: str, document: Json) -> TaskResult:
    if len(document["systems"]) != 1:
        found = len(document["systems"])
        raise EvidenceError(name, None, None, f"expected one system, found {found}")
    [system] = document["systems"]
    columns = ("errors", "phonemes", "wrong", "utterances")
    units = {}
    for row in system["utterances"]:
        errors = row["substitutions"] + row["deletions"] + row["insertions"]
        phonemes = row["correct"] + row["substitutions"] + row["deletions"]
        # the chosen pronunciations may differ, the words may not
        units[row["identifier"]] = TaskUnit([errors, phonemes, errors > 0, 1], row["words"])
    formulas = {
        "error_rate": "errors / phonemes",
        "sentence_error_rate": "wrong / utterances",
    }
    values = {
        "error_rate": system["rates"]["corpus"],
        "sentence_error_rate": system["rates"]["sentence"],
    }
    scores = _ratios("per", columns, formulas)
    return TaskResult(name, "per", system["signature"], values, units, scores)


def _labels(name: str, document: Json) -> TaskResult:
    columns = ("C", "S", "D", "I")
    units = {}
    for row in document["utterances"]:
        sums = dict.fromkeys(columns, 0.0)
        reference = []
        for pair in row["aligned"]:
            # of segments seconds, of events pieces
            sums[pair["edit"]] += pair["end"] - pair["start"] if "start" in pair else 1
            if pair["reference"] is not None:
                reference.append(tuple(pair["reference"].values()))
        units[row["identifier"]] = TaskUnit(list(sums.values()), sorted(set(reference), key=str))
    formulas = {
        "error_rate": "S + D + I / C + S + D",
        "precision": "C / C + S + I",
        "recall": "C / C + S + D",
    }
    overall = {**document["overall"], **(document["overall"].get("keyword_spotting") or {})}
    values = {figure.name: overall.get(figure.name) for figure in TASK_FIGURES["labels"]}
    scores = _ratios("labels", columns, formulas)
    signature = f"{document['kind']}|{document['unit']}"
    return TaskResult(name, "labels", signature, values, units, scores)


_READERS: Mapping[str, Callable[[str, Json], TaskResult]] = {
    "der": _diarisation,
    "kws": _keywords,
    "per": _phonemes,
    "labels": _labels,
}


def compare_tasks(
    baseline: TaskResult, new: TaskResult, resampling: Resampling, test: str, *, common_only: bool
) -> TaskChanges:
    """Compare two results of a task, scored by the same rules against the same reference."""
    for title, old, changed in (
        ("a result of the task", baseline.task, new.task),
        ("the rules", baseline.signature, new.signature),
    ):
        if old != changed:
            raise MatchingError(
                f"{new.name}: expected {title} of {baseline.name}, {old}, found {changed}"
            )
    units = _common(baseline, new, common_only=common_only)
    is_whole = len(units) == len(baseline.units) == len(new.units)
    rows = [
        np.array([side.units[unit].statistics for unit in units], np.float64)
        for side in (baseline, new)
    ]
    numbers = []
    main = TASK_FIGURES[baseline.task][0]
    paired: PairedBootstrap | None = None
    reason = ""
    for figure in TASK_FIGURES[baseline.task]:
        score = baseline.scores.get(figure.name)
        result = None
        if score is not None:
            try:
                result = paired_bootstrap(*rows, score=score, **resampling._asdict())
                result = result._replace(
                    difference=result.difference._replace(block=UNITS[baseline.task])
                )
            except StatisticsError as problem:
                reason = reason or str(problem)
        if figure == main:
            paired = result
        values = [
            side.values.get(figure.name) if is_whole else _value(score, matrix)
            for side, matrix in zip((baseline, new), rows, strict=True)
        ]
        if values != [None, None]:
            difference = None if result is None else result.difference
            numbers.append(TaskChange(figure, values[0], values[1], difference))
    tests = _tests(rows, baseline.scores[main.name], paired, resampling, reason)
    tests.sort(key=lambda item: item.name != test)
    return TaskChanges(baseline, new, units, numbers, tests)


def _common(baseline: TaskResult, new: TaskResult, *, common_only: bool) -> list[str]:
    """Return the units of both; refuses those of one side, and other references."""
    noun = UNITS[baseline.task]
    units = [unit for unit in baseline.units if unit in new.units]
    if not units:
        raise MatchingError(f"{new.name}: expected {noun}s of {baseline.name}, found others")
    for side, opposite in ((baseline, new), (new, baseline)):
        missing = ListedNames.of(unit for unit in side.units if unit not in opposite.units)
        if missing.number and not common_only:
            raise MatchingError(
                f"{opposite.name}: expected the {noun}s of {side.name}, missing {missing} "
                "(--common-only skips them)"
            )
    different = [
        unit for unit in units if baseline.units[unit].reference != new.units[unit].reference
    ]
    if different:
        raise MatchingError(
            f"{new.name}: expected the reference of {baseline.name}, found another in "
            f"{ListedNames.of(different)}"
        )
    return units


def _value(score: Score | None, rows: Floats) -> float | None:
    """Return a number of some units; None where it follows from no sums."""
    if score is None:
        return None
    value = float(score(rows.sum(axis=0)[None])[0])
    return value if np.isfinite(value) else None


def _tests(
    rows: Sequence[Floats],
    score: Score,
    paired: PairedBootstrap | None,
    resampling: Resampling,
    reason: str,
) -> list[SignificanceTest]:
    """Return both tests of the main number."""
    if paired is None:
        return [
            SignificanceTest(name, None, None, reason) for name in ("randomisation", "bootstrap")
        ]
    remark = f"paired bootstrap, {resampling.replications:,} replications"
    tests = [SignificanceTest("bootstrap", paired.p_value, None, remark)]
    try:
        result = approximate_randomisation(
            rows[0], rows[1], score=score, trials=resampling.replications, seed=resampling.seed
        )
        remark = f"{'all' if result.exact else 'random'} {result.trials:,} exchanges"
        return [SignificanceTest("randomisation", result.p_value, None, remark), *tests]
    except StatisticsError as problem:
        return [SignificanceTest("randomisation", None, None, str(problem)), *tests]


def judge_values(result: TaskResult, conditions: Sequence[Condition]) -> list[Finding]:
    """Judge the numbers of one result by limits that need no baseline."""
    findings = []
    for condition in conditions:
        value = result.values.get(condition.figure.name)
        if value is None:
            name = f"{condition.measure}.{condition.figure.name}"
            raise StatisticsError(f"{result.name} has no number {name}")
        title = f"{result.name}: {condition.figure.title}"
        findings.append(judge_number(condition, title, value))
    return findings


def judge_task(changes: TaskChanges, gate: Gate) -> list[Finding]:
    """Judge what changed; a condition without a measure is about the main number."""
    main = TASK_FIGURES[changes.baseline.task][0]
    numbers = {change.figure.name: change for change in changes.numbers}
    findings = []
    for condition in gate.conditions:
        if not condition.measure:
            condition = condition._replace(figure=main, measure=changes.baseline.task)
        if condition.measure != changes.baseline.task:
            expected = f"expected a number of {changes.baseline.task}"
            raise StatisticsError(f"{condition.name}: {expected}, found one of {condition.measure}")
        change = numbers.get(condition.figure.name)
        significance = None
        if condition.figure.name == main.name:
            significance = significance_of(changes.tests[0], gate.level)
        elif change is not None and change.difference is not None:
            low, high = change.difference.limits
            text = change.difference.bounds(condition.figure.text)
            significance = Significance(low > 0 or high < 0, f"interval of the change {text}")
        values = (None, None) if change is None else (change.new, change.baseline)
        title = f"the new {condition.figure.title}"
        findings.append(judge_number(condition, title, *values, significance))
    if gate.significance is not None:
        findings.append(_of_significance(changes, gate.significance))
    return combined(findings, needs_all=gate.needs_all)


def _of_significance(changes: TaskChanges, level: float) -> Finding:
    main, test = changes.numbers[0], significance_of(changes.tests[0], level)
    change = main.change or 0.0
    worse = -change if main.figure.better == "higher" else change
    kind = "worse than" if worse > 0 else "better than" if worse < 0 else "equal to"
    failed = worse > 0 and bool(test.is_significant)
    text = f"{main.figure.title} {kind} the baseline's ({test.text})"
    return Finding("fail if significant", text, failed)
