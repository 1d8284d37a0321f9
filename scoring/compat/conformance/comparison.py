"""What a program answers, compared with what is expected, area by area."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.compat.conformance.vectors import AREAS, Answer, Vector, line_of
from scoring.drawing.blocks import Block, Items, Table
from scoring.errors import ScoringError

# Differences of rates and seconds that count for none; a vector may allow more.
TOLERANCE = 1e-9
ALIGNED = frozenset({"alignment", "pairs"})
HEADINGS = ("area", "cases", "the same", "counts differ", "alignment differs", "not answered")


class AnswerError(ScoringError):
    """A program that cannot be run, or whose output is not answers."""

    status = 2


class Difference(NamedTuple):
    """A member of an answer that is not as expected; None: missing."""

    vector: Vector
    member: str
    found: object

    def __str__(self) -> str:
        expected = self.vector["expected"][self.member]
        return (
            f"{self.vector['id']}: {self.member}: expected {_short(expected)}, "
            f"found {'none' if self.found is None else _short(self.found)}"
        )


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


@dataclass(slots=True)
class AreaReport:
    """How the answers in an area compare; `unsupported` counts the reasons that were named."""

    cases: int = 0
    same: int = 0
    counts: int = 0
    alignments: int = 0
    unsupported: Counter[str] = field(default_factory=Counter)
    examples: list[Difference] = field(default_factory=list)

    def row(self, name: str) -> tuple[str, ...]:
        """The cells of a table."""
        missing = sum(self.unsupported.values())
        numbers = (self.cases, self.same, self.counts, self.alignments, missing)
        return (name, *map(str, numbers))


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """The areas of a comparison by name."""

    areas: Mapping[str, AreaReport]

    @property
    def differences(self) -> int:
        """How many cases differ."""
        return sum(area.counts + area.alignments for area in self.areas.values())

    def blocks(self, examples: int = 3) -> Iterator[Block]:
        """A table of the areas, then so many differences of each."""
        rows = [area.row(name) for name, area in self.areas.items()]
        sums = [sum(int(row[column]) for row in rows) for column in range(1, len(HEADINGS))]
        yield Table(HEADINGS, [*rows, ("sum", *map(str, sums))])
        reasons: Counter[str] = Counter()
        for area in self.areas.values():
            reasons.update(area.unsupported)
        lines = [f"not answered, {reason}: {number}" for reason, number in reasons.items()]
        for area in self.areas.values():
            lines += map(str, area.examples[:examples])
        if lines:
            yield Items(lines)


def compare(vectors: Sequence[Vector], answers: Iterable[Answer]) -> ConformanceReport:
    """Compare answers with expected values; a vector without answer differs.

    Raises
    ------
    AnswerError
        If an answer belongs to no vector, or a vector has several.
    """
    by_name: dict[str, Answer] = {}
    known = {vector["id"] for vector in vectors}
    for answer in answers:
        name = str(answer.get("id"))
        if name not in known:
            raise AnswerError(f"expected the id of a vector in an answer, found {name!r}")
        if name in by_name:
            raise AnswerError(f"expected one answer to {name!r}, found several")
        by_name[name] = answer
    areas: dict[str, AreaReport] = {}
    for vector in vectors:
        report = areas.setdefault(vector["area"], AreaReport())
        report.cases += 1
        answer = by_name.get(vector["id"], {})
        reason = answer.get("unsupported")
        if reason is not None:
            report.unsupported[str(reason)] += 1
            continue
        different = [
            Difference(vector, name, answer.get(name)) for name in _members(vector, answer)
        ]
        if not different:
            report.same += 1
        elif ALIGNED.issuperset(difference.member for difference in different):
            report.alignments += 1
        else:
            report.counts += 1
        report.examples += different[:1]
    order = [area for area in AREAS if area in areas]
    return ConformanceReport({area: areas[area] for area in order})


def _members(vector: Vector, answer: Answer) -> Iterator[str]:
    """The members that differ; an answer may leave its alignment out."""
    tolerance = vector.get("tolerance", TOLERANCE)
    for name, expected in vector["expected"].items():
        if name in ALIGNED and answer and name not in answer:
            continue
        if not _is_same(expected, answer.get(name, ...), tolerance):
            yield name


def _is_same(expected: Any, found: Any, tolerance: float) -> bool:
    numbers = (int, float)
    if isinstance(expected, bool) or not isinstance(expected, numbers):
        return bool(expected == found)
    if isinstance(found, bool) or not isinstance(found, numbers):
        return False
    return bool(abs(expected - found) <= tolerance)


def answers_of(command: Sequence[str], vectors: Sequence[Vector]) -> Iterator[Answer]:
    """What a command writes for vectors on its standard input.

    Raises
    ------
    AnswerError
        If it cannot be run, fails, or writes other lines.
    """
    asked = b"".join(
        line_of({name: value for name, value in vector.items() if name != "expected"})
        for vector in vectors
    )
    try:
        done = subprocess.run(list(command), input=asked, stdout=subprocess.PIPE, check=False)
    except OSError as problem:
        raise AnswerError(f"{command[0]}: cannot be run: {problem.strerror}") from None
    if done.returncode:
        raise AnswerError(f"{command[0]}: expected exit status 0, found {done.returncode}")
    for number, line in enumerate(done.stdout.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            raise AnswerError(
                f"{command[0]}:{number}: expected an answer as a JSON object, found {line[:60]!r}"
            )
        yield answer
