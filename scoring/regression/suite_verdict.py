"""The joint verdict of a suite: all sets with p-values before and after correction.

Holm's method corrects the p-values of all sets. The p-values of groups are corrected within their
set and then multiplied by the number of sets. If nothing changed, the probability of a false
failure is at most the level for the sets, plus the level for the groups. Both probabilities are
halved, because improvements never fail.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from scoring.drawing import percent, points, probability
from scoring.drawing.blocks import Block, Heading, Items, Lead, Note, Table
from scoring.pages import listed
from scoring.regression.comparison import SignificanceTest
from scoring.regression.exports import printable, summary_of
from scoring.regression.report import CAUSES, page_of
from scoring.regression.unit_changes import Changes
from scoring.regression.verdict import (
    FAILED,
    NO_CONDITION,
    NOTHING_CHECKED,
    PASSED,
    UNDECIDED,
    Finding,
)
from scoring.stats.paired_tests import holm

ERROR = "ERROR"
# What the verdict says of the sets with each outcome, the worst first.
VERBS = {
    FAILED: "failed",
    ERROR: "could not be compared",
    UNDECIDED: "undecided",
    PASSED: "passed",
    NO_CONDITION: f"no condition, so {NOTHING_CHECKED}",
}
MOST_NAMES = 5  # of sets in the verdict
HEADINGS = ("set", "baseline", "new", "change", "interval", "p", "p corrected", "verdict")
# What a narrow terminal drops.
SPARE = (("p",), ("p corrected",), ("interval",), ("baseline",))


class CaseResult(NamedTuple):
    """One set of a suite with its findings."""

    name: str
    changes: Changes | None  # None if it could not be compared
    findings: Sequence[Finding] = ()
    problem: str = ""  # why it could not be compared or judged

    @property
    def outcome(self) -> str:
        """The outcome of all conditions of the set, in one word."""
        if self.problem:
            return ERROR
        if not self.findings:
            return NO_CONDITION
        outcomes = {finding.outcome for finding in self.findings}
        return next(name for name in (FAILED, UNDECIDED, PASSED) if name in outcomes)

    @property
    def test(self) -> SignificanceTest | None:
        """The decisive test of the set."""
        return self.changes.tests[0] if self.changes is not None and self.changes.tests else None


def corrected(sets: Sequence[Changes | None]) -> list[Changes | None]:
    """Return the comparisons with p-values corrected for their number."""
    tests = [changes.tests[0] if changes and changes.tests else None for changes in sets]
    p_values = [None if test is None else test.p_value for test in tests]
    number = sum(value is not None for value in p_values)
    result: list[Changes | None] = []
    for changes, test, value in zip(sets, tests, holm(p_values), strict=True):
        if changes is None or test is None:
            result.append(changes)
            continue
        groups = [
            group._replace(test=_times(group.test, max(number, 1))) for group in changes.groups
        ]
        deciding = test._replace(adjusted=value)
        result.append(changes._replace(tests=[deciding, *changes.tests[1:]], groups=groups))
    return result


def _times(test: SignificanceTest, number: int) -> SignificanceTest:
    """Return the test of a group, with its p-value multiplied by the number of sets."""
    value = test.p_value if test.adjusted is None else test.adjusted
    return test if value is None else test._replace(adjusted=min(1.0, number * value))


def lead_of_suite(results: Sequence[CaseResult]) -> Lead:
    """Return the joint verdict as a sentence."""
    by_outcome: dict[str, list[str]] = {outcome: [] for outcome in VERBS}
    for result in results:
        by_outcome[result.outcome].append(result.name)
    failed, is_unknown = by_outcome[FAILED], bool(by_outcome[ERROR])
    if failed:
        where = f" in {len(failed)} of {_sets(len(results))}" if len(results) > 1 else ""
        verdict = f"The suite fails{where}: {_names(failed)}"
    elif is_unknown:
        verdict = f"The suite cannot be judged: {_sets(len(results))}"
    else:
        verb = "passes" if by_outcome[PASSED] else "does not fail"
        checked = len(results) - len(by_outcome[NO_CONDITION])
        part = f"{checked} of " * (checked < len(results))
        verdict = f"The suite {verb}: {part}{_sets(len(results))}"
    others = [
        f"; {VERBS[outcome]}: {_names(names)}"
        for outcome, names in by_outcome.items()
        if names and outcome not in (FAILED, PASSED)
    ]
    return Lead(verdict + "".join(others), not (failed or is_unknown))


def _names(names: Sequence[str]) -> str:
    return listed(names[:MOST_NAMES]) + ", …" * (len(names) > MOST_NAMES)


def _sets(number: int) -> str:
    return f"{number} set{'s' * (number != 1)}"


def failures_of_suite(results: Sequence[CaseResult]) -> Iterator[tuple[str, str]]:
    """Yield the problems and the failed conditions of all sets: name and reason."""
    for result in results:
        if result.outcome == ERROR:
            yield result.name, result.problem
        for finding in result.findings:
            if finding.failed:
                yield f"{result.name}: {finding.name}", finding.text


def suite_blocks(results: Sequence[CaseResult]) -> Iterator[Block]:
    """Yield the first screen: joint verdict, failures with reasons, one row per set."""
    yield lead_of_suite(results)
    for outcome, good in ((FAILED, False), (ERROR, False), (UNDECIDED, None)):
        lines = []
        for result in results:
            lines += [
                f"{outcome} {result.name}: {finding.name}: {finding.text}"
                for finding in result.findings
                if finding.outcome == outcome
            ]
            is_problem = outcome == result.outcome == ERROR
            lines += [f"{outcome} {result.name}: {result.problem}"] * is_problem
        yield from [Items(lines, good=good)] if lines else []
    rows, marks = [], {}
    for number, result in enumerate(results):
        rows.append(_row(result))
        if result.outcome in (FAILED, ERROR):
            marks[number, len(HEADINGS) - 1] = False
    links = ["" if result.changes is None else anchor for result, anchor in _anchored(results)]
    yield Table(HEADINGS, rows, 1, marks, spare=SPARE, links=links)
    tested = sum(result.test is not None for result in results)
    if tested > 1:
        yield Note(f"p-values corrected for {tested} sets by Holm's method")


def _anchored(results: Sequence[CaseResult]) -> Iterator[tuple[CaseResult, str]]:
    """Yield each result with the anchor of its section on the page of the suite."""
    for number, result in enumerate(results, 1):
        yield result, f"set-{number}"


def _row(result: CaseResult) -> tuple[str, ...]:
    changes = result.changes
    if changes is None:
        return (result.name, *[""] * 6, result.outcome)
    main, test = changes.numbers[0], result.test
    figure, difference = main.figure, main.difference
    is_percent = figure.form == "percent"
    change = percent(main.change, sign="+") if is_percent else figure.text(main.change)
    bounds = "n/a"
    if difference is not None:
        bounds = difference.bounds(points if is_percent else figure.text)
    values = (None, None) if test is None else (test.p_value, test.adjusted)
    texts = map(probability, values)
    sides = map(figure.text, (main.baseline, main.new))
    return (result.name, *sides, change, bounds, *texts, result.outcome)


def pages_of_suite(results: Sequence[CaseResult], most: int) -> Iterator[Block]:
    """Yield the first screen, then the page of each set with its details folded.

    Sets that failed come first.
    """
    yield from suite_blocks(results)
    outcomes = [*VERBS]
    for result, anchor in sorted(
        _anchored(results), key=lambda entry: outcomes.index(entry[0].outcome)
    ):
        if result.changes is None:
            continue
        yield Heading(result.name, anchor=anchor)
        for block in page_of(result.changes, result.findings, most):
            yield _within_set(block) if isinstance(block, Heading) else block


def _within_set(heading: Heading) -> Heading:
    """Return a heading of the page of a set; only causes are not folded."""
    is_folded = heading.level == 2 and heading.text != CAUSES
    return heading._replace(level=heading.level + 1, wrong=False if is_folded else heading.wrong)


def suite_record(title: str, results: Sequence[CaseResult]) -> dict[str, Any]:
    """Return the joint verdict for JSON, without the members that begin a report."""
    return {
        "title": title,
        "passed": not any(result.outcome in (FAILED, ERROR) for result in results),
        "sets": [_set_record(result) for result in results],
    }


def _set_record(result: CaseResult) -> dict[str, Any]:
    test = result.test
    summary: Mapping[str, Any] = {} if result.changes is None else summary_of(result.changes)
    return {
        "set": result.name,
        "outcome": result.outcome,
        "problem": result.problem or None,
        "adjusted_p_value": None if test is None else test.adjusted,
        **summary,
        "findings": [finding.record() for finding in result.findings],
    }


def suite_junit(title: str, results: Sequence[CaseResult]) -> Iterator[bytes]:
    """Yield JUnit XML: one test suite per set, one test case per condition or group."""
    root = Element("testsuites", {"name": printable(title)})
    total: Counter[str] = Counter()
    for result in results:
        cases: list[tuple[str, str, str]] = []
        for finding in result.findings:
            kind = "skipped" if finding.undecided else "system-out"
            cases.append((finding.name, finding.text, "failure" if finding.failed else kind))
        fallen = {title for finding in result.findings for title in finding.groups}
        for group in result.changes.groups if result.changes is not None else ():
            old, new = group.change.baseline.value, group.change.new.value
            text = f"{group.title}: {percent(old)} % to {percent(new)} %"
            cases.append((group.title, text, "failure" if group.title in fallen else "system-out"))
        if result.outcome == NO_CONDITION:
            cases.append((NO_CONDITION, NOTHING_CHECKED, "skipped"))
        if result.problem:
            cases.append(("comparison", result.problem, "error"))
        kinds = Counter(kind for _, _, kind in cases)
        total.update(kinds)
        total["cases"] += len(cases)
        numbers = {"failures": kinds["failure"], "errors": kinds["error"]}
        numbers |= {"skipped": kinds["skipped"], "tests": len(cases)}
        attributes = {key: str(value) for key, value in numbers.items()}
        suite = SubElement(root, "testsuite", {"name": printable(result.name), **attributes})
        for name, text, kind in cases:
            case = SubElement(
                suite, "testcase", classname=printable(result.name), name=printable(name)
            )
            if kind == "system-out":
                SubElement(case, kind).text = printable(text)
            else:
                SubElement(case, kind, message=printable(text))
    numbers = {"tests": total["cases"], "failures": total["failure"], "errors": total["error"]}
    root.attrib.update({key: str(value) for key, value in numbers.items()})
    indent(root, space="")
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield tostring(root, encoding="utf-8", xml_declaration=False) + b"\n"
