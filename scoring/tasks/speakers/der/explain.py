"""Explains why tools report different errors for the same turns, by the effect of each rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors, SpeakerTime
from scoring.tasks.speakers.der.rules import LIKE, STEPS, DiarisationRules, rules_like
from scoring.tasks.speakers.der.score import Read, score

FIRST = "md-eval"
"""The tool whose rules are changed, in turn, into those of each other tool."""


class RuleStep(NamedTuple):
    """A changed rule in words, and its effect on the amounts in nanoseconds."""

    rule: str
    moved: SpeakerTime


class Explained(NamedTuple):
    """The results by tool, and the steps from the result of `FIRST` to each of them."""

    results: Mapping[str, DiarisationErrors]
    steps: Mapping[str, tuple[RuleStep, ...]]

    def record(self) -> dict[str, object]:
        """Return a record for JSON."""
        return {
            tool: {
                **errors.record(),
                "signature": errors.signature,
                "steps": [
                    {
                        "rule": step.rule,
                        **{
                            f"{name}_seconds": ns / 1e9 for name, ns in step.moved._asdict().items()
                        },
                    }
                    for step in self.steps[tool]
                ],
            }
            for tool, errors in self.results.items()
        }


def explained(sides: Read, collar_ns: int = 0, skip_overlap: bool = False) -> Explained:
    """Score by the rules of all tools; each tool applies the collar by its own definition.

    The steps of a tool add up to the difference between its amounts and those of `FIRST`. Rules are
    changed in sequence, so that the effect of a rule is measured after the preceding changes.

    >>> from scoring.tasks.speakers.der.score import read
    >>> turns = {"talk": [("anne", 1, 10), ("anne", 8, 12)]}, {"talk": [("x", 0, 12)]}
    >>> for step in explained(read(*turns)).steps["pyannote"]:
    ...     print(step.rule, *(ns // 10**9 for ns in step.moved))
    scored without a region file: the extent of both sides 0 0 1 0
    turns: only those longer than 0 s 0 0 0 0
    two turns of a speaker at the same time count twice 2 2 0 0
    half of the collar lies on each side of a boundary 0 0 0 0
    speakers are paired by the time that is scored 0 0 0 0
    NOSCORE regions: scored like all others 0 0 0 0
    recordings of one side only: scored if you ask for it 0 0 0 0
    """
    results: dict[str, DiarisationErrors] = {}
    steps: dict[str, tuple[RuleStep, ...]] = {}
    for tool in LIKE:
        goal = rules_like(tool, collar_ns=collar_ns, skip_overlap=skip_overlap or None)
        results[tool] = score(sides, goal, tool)
        rules = rules_like(FIRST, collar_ns=collar_ns, skip_overlap=skip_overlap or None)
        steps[tool] = tuple(_steps(sides, rules, goal))
    return Explained(results, steps)


def _steps(sides: Read, rules: DiarisationRules, goal: DiarisationRules) -> list[RuleStep]:
    before = score(sides, rules, FIRST).amounts
    steps = []
    for name in STEPS:
        value = getattr(goal, name)
        if getattr(rules, name) != value:
            rules = replace(rules, **{name: value})
            after = score(sides, rules, FIRST).amounts
            steps.append(RuleStep(STEPS[name][value], after.plus(before, -1)))
            before = after
    return steps
