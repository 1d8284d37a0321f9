"""Comparisons without words: by the sums of two versions, with tests where utterances are known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from scoring.drawing.blocks import Block, Fact, Heading, Items, Note, Table
from scoring.drawing.data import counts_record, head_of, json_file
from scoring.drawing.numbers import percent
from scoring.model.counts import Counts
from scoring.regression.evidence import Check, ScoredVersion
from scoring.regression.exports import SCHEMA, SCHEMA_VERSION
from scoring.regression.history import History, RecordedRun
from scoring.regression.layouts import OF_HISTORY
from scoring.regression.report import lead_of, verdict_blocks
from scoring.regression.significance import DEFAULT, TESTS, TestName, compare_tables
from scoring.regression.verdict import (
    Finding,
    Gate,
    combined,
    judge_rates,
    judge_significance,
    significance_of,
)
from scoring.score.table import BlockName, ScoreTable, score_table
from scoring.sides.matching.identifier import MatchingError
from scoring.stats.intervals import Resampling

if TYPE_CHECKING:
    from scoring.regression.comparison import Comparison

KINDS = ("substitutions", "deletions", "insertions")


class WordlessVersion(NamedTuple):
    """The known numbers of a version without its words."""

    name: str
    kind: str  # as of `ScoredVersion`, or `sums`
    words: int
    errors: int
    counts: Counts | None  # None: the kinds of errors are unknown
    rules: str | None  # the signature without the version; None: unknown
    signature: str
    table: ScoreTable | None  # errors of each utterance; None: unknown
    remark: str = ""
    checks: Sequence[Check] = ()

    @property
    def total(self) -> Counts:
        """Errors and words as limits need them; unknown kinds count as insertions."""
        return self.counts or Counts(self.words, 0, 0, self.errors)


class WordlessComparison(NamedTuple):
    """Two versions, and the tests that their utterances allow."""

    baseline: WordlessVersion
    new: WordlessVersion
    comparison: Comparison | None  # None: only sums are known

    @property
    def reason(self) -> str:
        """The reason why there are no tests and intervals."""
        lacking = [side.name for side in (self.baseline, self.new) if side.table is None]
        return f"{' and '.join(lacking)} has only sums, not the errors of each utterance"


def wordless_run(path: str, selector: str = "") -> WordlessVersion | None:
    """The run of a history that a text selects, if its words were not kept; otherwise None."""
    if not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        if file.read(len(OF_HISTORY)) != OF_HISTORY:
            return None
    with History(path) as history:
        run = history.find(selector)
        return None if run.has_alignments else version_of_run(history, run)


def version_of_run(history: History, run: RecordedRun) -> WordlessVersion:
    """Return the sums of a recorded run, and the errors of its utterances if they are known."""
    record = run.summary["counts"]
    has_kinds = all(name in record for name in ("correct", *KINDS))
    sums = run.summary.get("sums")
    remark = ""
    if sums is not None:
        rounded = " from rounded percentages" if sums["rounded"] else ""
        remark = f"imported sums of {sums['source']}{rounded}; rules of scoring not recorded"
    errors, words = run.errors_and_tokens
    return WordlessVersion(
        f"{history.path}, run {run.number}",
        "run" if sums is None else "sums",
        words,
        errors,
        Counts(*(record[name] for name in ("correct", *KINDS))) if has_kinds else None,
        run.rules if sums is None else None,
        str(run.summary["signature"]),
        history.table(run) if run.has_utterances else None,
        remark,
    )


def wordless_version_of(side: ScoredVersion) -> WordlessVersion:
    """Return the sums and the utterances of a version with words."""
    counts, signature = side.rates.counts, side.rates.signature
    return WordlessVersion(
        side.name,
        side.kind,
        counts.reference_tokens,
        counts.errors,
        counts,
        signature.partition("|v:")[0],
        signature,
        score_table(side.rates),
        checks=side.checks,
    )


def compare_wordless(
    baseline: WordlessVersion,
    new: WordlessVersion,
    tests: Sequence[TestName] = TESTS,
    block: BlockName = "auto",
    resampling: Resampling = DEFAULT,
    *,
    references_may_differ: bool = False,
) -> WordlessComparison:
    """Compare sums; MatchingError if they cannot be of the same words by the same rules."""
    rules = baseline.rules, new.rules
    if None not in rules and rules[0] != rules[1]:
        raise MatchingError(
            f"{new.name}: expected the rules of {baseline.name}, {rules[0]}, found {rules[1]} "
            "(the words to score again were not kept)"
        )
    units = [side.signature.partition("|")[0] for side in (baseline, new)]
    if units[0] != units[1]:
        raise MatchingError(f"{new.name}: expected {units[0]} as {baseline.name}, found {units[1]}")
    if baseline.words != new.words and not references_may_differ:
        raise MatchingError(
            f"{new.name}: expected {baseline.words} reference words as {baseline.name}, found "
            f"{new.words} (--references-may-differ compares them)"
        )
    comparison = None
    if baseline.table is not None and new.table is not None:
        # rules were compared above
        tables = [side._replace(rules=None) for side in (baseline.table, new.table)]
        comparison = compare_tables(tables[0], tables[1], tests, block, resampling)
    return WordlessComparison(baseline, new, comparison)


def judge_wordless(result: WordlessComparison, gate: Gate) -> list[Finding]:
    """Every condition with its outcome; MatchingError if one needs words or utterances."""
    baseline, new = result.baseline, result.new
    if gate.recorded_must_agree:
        raise MatchingError("--fail-if-recorded-differs needs words to compute the numbers again")
    tests = () if result.comparison is None else result.comparison.tests
    findings = []
    for condition in gate.conditions:
        if condition.measure or condition.of_groups:
            option = condition.option.replace(" ", "-")
            raise MatchingError(f"--{option} needs the words of both sides: {new.name} has none")
        if condition.only_significant and not tests:
            raise MatchingError(f"{condition.name} is impossible: {result.reason}")
        test = significance_of(tests[0], gate.level) if tests else None
        findings.append(judge_rates(condition, baseline.total, new.total, test))
    if gate.significance is not None:
        if not tests:
            raise MatchingError(f"--fail-if-significant is impossible: {result.reason}")
        more = new.errors - baseline.errors
        findings.append(judge_significance(more, tests[0], gate.significance))
    return combined(findings, needs_all=gate.needs_all)


def wordless_summary(result: WordlessComparison) -> dict[str, Any]:
    """Return the change of the error rate in short, for `summary_line`."""
    old, fresh = (side.total.error_rate for side in (result.baseline, result.new))
    change = None if old is None or fresh is None else fresh - old
    comparison = result.comparison
    bootstrap = None if comparison is None else comparison.bootstrap
    test = comparison.tests[0] if comparison is not None and comparison.tests else None
    return {
        "task": "wer",
        "baseline": result.baseline.name,
        "new": result.new.name,
        "number": "error_rate",
        "baseline_value": old,
        "new_value": fresh,
        "change": change,
        "relative": change / old if change is not None and old else None,
        "interval": None if bootstrap is None else list(bootstrap.difference.limits),
        "flag": (bootstrap and bootstrap.difference.flag) or None,
        "test": None if test is None else test.name,
        "p_value": None if test is None else test.p_value,
        "runs": [1, 1],
        "signature": result.baseline.signature,
    }


def wordless_page(result: WordlessComparison, findings: Sequence[Finding] = ()) -> Iterator[Block]:
    """Yield the sums side by side, the statistics, and which are impossible."""
    baseline, new = result.baseline, result.new
    yield lead_of(wordless_summary(result))
    for title, side in (("Baseline", baseline), ("New", new)):
        yield Heading(title)
        yield Items([f"{side.name} ({side.kind})", *filter(None, [side.remark])])
    rates = [side.total.error_rate for side in (baseline, new)]
    change = None if None in rates else (rates[1] or 0) - (rates[0] or 0)
    rows = [("error rate %", *map(percent, rates), percent(change, sign="+"))]
    numbers = [("errors", baseline.errors, new.errors)]
    if baseline.counts is not None and new.counts is not None:
        kinds = zip(KINDS, baseline.counts[1:], new.counts[1:], strict=True)
        numbers += [(kind, old, fresh) for kind, old, fresh in kinds]
    numbers.append(("reference words", baseline.words, new.words))
    rows += [(name, str(old), str(fresh), f"{fresh - old:+d}") for name, old, fresh in numbers]
    yield from (Heading("Change"), Table(("", "baseline", "new", "change"), rows))
    if result.comparison is not None:
        yield Items(str(result.comparison).splitlines())
    else:
        yield Note(f"no interval and no test: {result.reason}")
    yield Fact("signature", baseline.signature)
    yield from verdict_blocks(findings)


def wordless_lines(result: WordlessComparison, findings: Sequence[Finding]) -> Iterator[bytes]:
    """Return the comparison as JSON, with the schema of comparisons of words."""
    sides = (("baseline", result.baseline), ("new", result.new))
    none = {"number": 0, "identifiers": []}
    rates = [side.total.error_rate for _, side in sides]
    old, new = rates
    change = None if old is None or new is None else new - old
    comparison = result.comparison
    bootstrap = None if comparison is None else comparison.bootstrap
    difference = None
    if comparison is not None and bootstrap is not None:
        difference = {
            "estimate": bootstrap.difference.estimate,
            **bootstrap.difference.record(),
            "probability_of_improvement": bootstrap.probability_of_improvement,
        }
    tests = () if comparison is None else comparison.tests
    tables = [side.table for _, side in sides if side.table is not None]
    return json_file(
        {
            **head_of(SCHEMA, SCHEMA_VERSION),
            "signature": result.baseline.signature,
            **{name: {"name": s.name, "kind": s.kind, "recorded": []} for name, s in sides},
            "utterances": len(tables[0].statistics) if len(tables) == 2 else 0,
            "baseline_only": none,
            "new_only": none,
            "total": {
                "name": "total",
                **{name: _counts_record(side) for name, side in sides},
                "errors": result.new.errors - result.baseline.errors,
                "rate": change,
                "relative": change / old if change is not None and old else None,
            },
            "difference": difference,
            "tests": [
                {"name": test.name, "p_value": test.p_value, "remark": test.remark}
                for test in tests
            ],
            **{name: [] for name in ("speakers", "worse", "better")},
            "findings": [finding._asdict() for finding in findings],
            "passed": not any(finding.failed for finding in findings),
        }
    )


def _counts_record(side: WordlessVersion) -> dict[str, Any]:
    if side.counts is not None:
        return counts_record(side.counts)
    return {
        "errors": side.errors,
        "reference_tokens": side.words,
        "rate": side.errors / side.words if side.words else None,
    }
