"""Gates on a single result, and the output of all gates: messages and a line of JSON."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence

from formats.console.command_line import is_screen
from formats.console.telling import inform, print_line, tells_json
from formats.schema.errors import OptionError
from formats.schema.messages import TEXT, Message
from scoring.cli.flags import TOGETHER, kind_of
from scoring.cli.scoring import EXCEEDED, OK, say
from scoring.drawing import percent
from scoring.model.errors import StatisticsError
from scoring.model.outputs import put

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from fractions import Fraction
    from typing import Any

    from scoring.regression.verdict import Finding
    from scoring.results import Rates

TASK_TABLE = f"--fail-measure\n{TOGETHER}"


def way_of_more_files(command: str) -> str:
    """Return how to compare the systems of a task whose command scores one system."""
    return (
        f"score each system by `scoring {command} REF HYP --json SYSTEM.json`, then compare two "
        "systems by `scoring compare A.json B.json`"
    )


def task_kinds(task: str) -> dict[str, Any]:
    """Return the argument types of the flags in `TASK_TABLE`, by the name of the flag."""

    def read(text: str) -> Any:
        from scoring.regression.conditions import limit_of, without_baseline
        from scoring.regression.task_figures import TASK_FIGURES

        return without_baseline(limit_of(text, task, TASK_FIGURES[task]))

    return {"fail_measure": kind_of(read), "fail_when": {"default": "any"}}


def rate_findings(
    arguments: Namespace,
    name: str,
    errors: float | Fraction,
    total: int | Fraction,
    noun: str = "error rate",
) -> list[Finding]:
    """Compare an error rate with each limit of `--fail-above`; return the findings."""
    if not arguments.fail_above:
        return []
    if not total:
        raise StatisticsError(f"{name} has no error rate: there are no reference words")
    from scoring.regression.conditions import is_above
    from scoring.regression.verdict import Finding

    findings = []
    for condition in arguments.fail_above:
        failed = is_above(errors, condition.bound() * total)
        side = "above" if failed else "not above"
        limit = condition.text.removesuffix("%")
        text = f"{name}: {noun} {percent(float(errors / total))} % is {side} {limit} %"
        findings.append(Finding(condition.name, text, failed))
    return findings


def exceeds(
    arguments: Namespace, name: str, errors: float, total: int, noun: str = "error rate"
) -> bool:
    """Return True if an error rate exceeds a limit; print each exceeded limit."""
    failed = [item for item in rate_findings(arguments, name, errors, total, noun) if item.failed]
    for finding in failed:
        say(finding.text)
    return bool(failed)


def system_findings(rates: Rates, arguments: Namespace) -> list[Finding]:
    """Check the conditions on the rates and measures of a system; return the findings."""
    noun = "error rate" if rates.verdicts is None else "error rate before verdicts"
    name = rates.hypothesis.title
    findings = rate_findings(arguments, name, rates.counts.errors, rates.length, noun)
    of_groups = getattr(arguments, "fail_group_above", ())
    if not arguments.fail_measure and not of_groups:
        return findings
    from scoring.regression.verdict import judge_groups, judge_system

    findings += [judge_groups(each, rates, arguments.group_words) for each in of_groups]
    return findings + [judge_system(condition, rates) for condition in arguments.fail_measure]


def task_status(
    name: str,
    lines: Callable[[], Iterable[bytes]],
    arguments: Namespace,
    rates: Sequence[Finding] = (),
) -> int:
    """Return the exit status for a task's result.

    `rates` are the findings on its rates. The JSON `lines` of the result are parsed only if an
    option needs their numbers.
    """
    record: dict[str, Any] = {}
    findings = list(rates)
    if arguments.fail_measure or arguments.summary_json is not None:
        from scoring.regression.tasks import result_of
        from scoring.regression.verdict import judge_values

        result = result_of(name, lines())
        findings += judge_values(result, arguments.fail_measure)
        record = {
            "task": result.layout.task.name,
            "systems": [system_record(name, result.values)],
            "signature": result.signature,
        }
    return close_own_gate([findings], arguments, record)


def system_record(name: str, values: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the numbers of a system for the gate's line of JSON."""
    return {"name": name, "metrics": dict(values)}


def refuse_guesses() -> None:
    """Raise `OptionError` if a text was read from a column that only its values suggest."""
    from formats.console.telling import told_remarks
    from formats.json.messages import TABLE_GUESSED
    from formats.manifests.messages import ROLE_GUESSED
    from formats.schema.diagnostics import Diagnostic
    from scoring.cli.messages import GUESSED_TEXT

    for remark in told_remarks():
        if isinstance(remark, Diagnostic) and remark.value.entry in (ROLE_GUESSED, TABLE_GUESSED):
            fields = {"path": str(remark.path), "name": remark.value.fields["name"]}
            raise OptionError(value=Message(GUESSED_TEXT, fields, remark.value.side))


def close_own_gate(
    systems: Sequence[Sequence[Finding]],
    arguments: Namespace,
    record: Mapping[str, Any],
    also_failed: str = "",
) -> int:
    """Print the failed conditions on each system; return the exit status.

    `also_failed` describes another failure that causes the exit status 3; empty if there is none.
    """
    if not any(systems) and arguments.summary_json is None:
        return EXCEEDED if also_failed else OK
    from scoring.regression.verdict import combined

    refuse_guesses()
    needs_all = arguments.fail_when == "all"
    findings = [finding for system in systems for finding in combined(system, needs_all=needs_all)]
    failed = close_gate(findings, arguments, record, also_failed, with_names=False)
    return EXCEEDED if failed or also_failed else OK


def close_gate(
    findings: Sequence[Finding],
    arguments: Namespace,
    record: Mapping[str, Any],
    also_failed: str = "",
    *,
    with_names: bool = True,
    is_printed: bool = False,
) -> bool:
    """Write the line of JSON, and print the failed conditions; return True if any failed.

    `is_printed` is true if a report on standard output shows the conditions.

    `also_failed` describes another failure that the line of JSON reports; empty if there is none.
    """
    if arguments.summary_json is not None:
        from formats.console.telling import told_remarks
        from scoring.regression.summary import summary_line

        put(arguments.summary_json, [summary_line(record, findings, also_failed, told_remarks())])
    failed = [finding for finding in findings if finding.failed]
    say_failed(
        [(finding.name if with_names else "", finding.text) for finding in failed],
        is_printed=is_printed,
    )
    return bool(failed)


def say_failed(failures: Sequence[tuple[str, str]], *, is_printed: bool) -> None:
    """Print failed conditions, each with its name and reason, to standard error.

    `is_printed` is true if a report on standard output has the reasons. Then standard error has
    only one line with the names, and none on a terminal. A log of both has each reason once.
    """
    texts = [": ".join(filter(None, failure)) for failure in failures]
    if not is_printed or tells_json():
        for text in texts:
            say(text)
        return
    for text in texts:
        inform(Message(TEXT, {"text": text}))
    if texts and not (is_screen() and sys.stderr is not None and sys.stderr.isatty()):
        names = ", ".join(dict.fromkeys(name for name, _ in failures))
        print_line(f"scoring: error: not passed: {names} (the report has the reasons)")
