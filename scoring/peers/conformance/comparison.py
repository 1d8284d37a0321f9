"""Comparison of a program's answers with the expected answers, area by area."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from scoring.drawing.blocks import Block, Items, Table
from scoring.model.errors import ScoringError
from scoring.peers.conformance.vectors import Answer, Vector, line_of

# Rates and seconds may differ by so much, unless a vector allows more.
TOLERANCE = 1e-9
ALIGNED = frozenset({"alignment", "pairs"})
HEADINGS = ("area", "cases", "the same", "counts differ", "alignment differs", "not answered")


class AnswerError(ScoringError):
    """Raised if a program cannot be run, or its output does not consist of answers."""

    status = 2


class Difference(NamedTuple):
    """A member of an answer that differs from the expected member.

    `found` is None if the answer lacks the member.
    """

    vector: Vector
    member: str
    found: object

    def __str__(self) -> str:
        expected = self.vector["expected"][self.member]
        return (
            f"{self.vector['id']}: {self.member}: expected {_short(expected)}, "
            f"found {'none' if self.found is None else _short(self.found)}"
        )

    def texts(self) -> list[str]:
        """Return the inputs of the vector and its options as texts.

        The inputs are both sides, or the text for a normaliser.
        """
        names = ("reference", "hypothesis", "text", "options")
        given = {name: self.vector[name] for name in names if name in self.vector}
        return [
            f"  {name}: {text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)}"
            for name, text in given.items()
        ]


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:59]}…"


@dataclass(slots=True)
class AreaReport:
    """The numbers of answers of each kind in one area.

    `unsupported` has the number of unsupported vectors for each reason.
    """

    same: int = 0
    counts: int = 0
    alignments: int = 0
    unsupported: Counter[str] = field(default_factory=Counter)
    examples: list[Difference] = field(default_factory=list)

    def add(self, vector: Vector, answer: Answer) -> None:
        """Compare an answer with the expected answer; an empty answer counts as missing."""
        if answer.get("unsupported") is not None:
            self.unsupported[str(answer["unsupported"])] += 1
            return
        different = [
            Difference(vector, name, answer.get(name)) for name in _members(vector, answer)
        ]
        if not different:
            self.same += 1
        elif ALIGNED.issuperset(difference.member for difference in different):
            self.alignments += 1
        else:
            self.counts += 1
        self.examples += different[:1]

    def numbers(self) -> list[int]:
        """Return the number of all cases, then that of each kind in the order of `HEADINGS`."""
        kinds = [self.same, self.counts, self.alignments, self.unsupported.total()]
        return [sum(kinds), *kinds]


@dataclass(frozen=True, slots=True)
class ConformanceReport:
    """The report of a comparison: an `AreaReport` for each area, by name."""

    areas: Mapping[str, AreaReport]

    @property
    def differences(self) -> int:
        """The number of cases that differ."""
        return sum(area.counts + area.alignments for area in self.areas.values())

    def blocks(self, examples: int = 3) -> Iterator[Block]:
        """Yield a table of the areas, then up to `examples` differences of each area."""
        areas = self.areas.values()
        rows = {name: area.numbers() for name, area in self.areas.items()}
        rows["sum"] = list(map(sum, zip(*rows.values(), strict=True)))
        yield Table(HEADINGS, [(name, *map(str, numbers)) for name, numbers in rows.items()])
        reasons = sum((area.unsupported for area in areas), Counter[str]())
        lines = [f"not answered, {reason}: {number}" for reason, number in reasons.items()]
        for area in areas:
            for example in area.examples[:examples]:
                lines += (str(example), *example.texts())
        if lines:
            yield Items(lines)


def compare(vectors: Sequence[Vector], answers: Iterable[Answer]) -> ConformanceReport:
    """Compare answers with expected values; a vector without an answer counts as a difference.

    Raises
    ------
    AnswerError
        If an answer belongs to no vector, or a vector has several answers.
    """
    by_name: dict[str, Answer] = {}
    names = {vector["id"] for vector in vectors}
    for answer in answers:
        name = str(answer.get("id"))
        if name not in names:
            raise AnswerError(f"answer: unknown vector id {name!r}")
        if name in by_name:
            raise AnswerError(f"expected one answer to {name!r}, found several")
        by_name[name] = answer
    areas: dict[str, AreaReport] = {}
    for vector in vectors:
        areas.setdefault(vector["area"], AreaReport()).add(vector, by_name.get(vector["id"], {}))
    return ConformanceReport(areas)


def _members(vector: Vector, answer: Answer) -> Iterator[str]:
    """Yield the members of an answer that differ from the vector's expected members.

    A missing alignment is no difference.
    """
    tolerance = vector.get("tolerance", TOLERANCE)
    for name, expected in vector["expected"].items():
        if name in ALIGNED and answer and name not in answer:
            continue
        if not _is_same(expected, answer.get(name, ...), tolerance):
            yield name


def _is_same(expected: Any, found: Any, tolerance: float) -> bool:
    are_numbers = {type(value) in (int, float) for value in (expected, found)}
    if are_numbers == {True}:
        return bool(abs(expected - found) <= tolerance)
    return len(are_numbers) == 1 and bool(expected == found)


def answers_of(command: Sequence[str], vectors: Sequence[Vector]) -> Iterator[Answer]:
    """Run a command that gets the vectors on standard input, and yield the answers it writes.

    Raises
    ------
    AnswerError
        If the command cannot be run, fails, or writes lines that are no answers.
    """
    lines = ({key: value for key, value in v.items() if key != "expected"} for v in vectors)
    asked = b"".join(map(line_of, lines))
    try:
        done = subprocess.run(list(command), input=asked, stdout=subprocess.PIPE, check=False)
    except OSError as problem:
        raise AnswerError(f"{command[0]}: cannot be run: {problem.strerror}") from None
    if done.returncode:
        raise AnswerError(f"{command[0]}: expected exit status 0, found {done.returncode}")
    for number, line in enumerate(done.stdout.split(b"\n"), 1):
        if line.strip():
            yield record_of(line, f"{command[0]}:{number}: expected an answer")


def record_of(line: bytes, place: str) -> dict[str, Any]:
    """Return the JSON object in a line; raise AnswerError if the line has none."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise AnswerError(f"{place} as a JSON object, found {line[:60]!r}")
    return record
