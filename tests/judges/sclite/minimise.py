"""Make a differing case smaller while it still differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from tests.judges.sclite.case import Case


class Budget:
    """How many runs the search may still make."""

    def __init__(self, runs: int, differs: Callable[[Case], bool]) -> None:
        self._left = runs
        self._differs = differs

    def accepts(self, case: Case) -> bool:
        """Whether a smaller case still differs; always false once the budget is spent."""
        if self._left <= 0:
            return False
        self._left -= 1
        return self._differs(case)


def minimised(case: Case, differs: Callable[[Case], bool], runs: int = 300) -> Case:
    """The smallest case found by dropping options, utterances, lines and words in this order."""
    budget = Budget(runs, differs)
    for candidates in (fewer_options, fewer_utterances, fewer_lines, fewer_words):
        case = descend(case, candidates, budget)
    return case


def descend(case: Case, candidates: Callable[[Case], Iterator[Case]], budget: Budget) -> Case:
    """Take the first smaller candidate that differs, again and again."""
    while True:
        for candidate in candidates(case):
            if budget.accepts(candidate):
                case = candidate
                break
        else:
            return case


def fewer_options(case: Case) -> Iterator[Case]:
    """The case without one option, or without one value of a list of reports."""
    systems = len(case.option_values("-h"))
    for position, option in enumerate(case.options):
        if option[0] in ("-r", "-i") or (option[0] == "-h" and systems == 1):
            continue  # without it there would be another fault
        rest = [*case.options[:position], *case.options[position + 1 :]]
        yield replace(case, options=tuple(rest))
        if option[0] in ("-o", "-C") and len(option) > 2:
            for value in range(1, len(option)):
                shorter = option[:value] + option[value + 1 :]
                changed = [*case.options[:position], shorter, *case.options[position + 1 :]]
                yield replace(case, options=tuple(changed))


def slices(length: int) -> Iterator[slice]:
    """Halves, quarters, … down to single elements."""
    size = length // 2
    while size >= 1:
        for start in range(0, length, size):
            yield slice(start, start + size)
        size //= 2


def utterance_key(line: bytes) -> bytes:
    """What lines of different files about the same utterance share."""
    if b"(" in line and line.rstrip().endswith(b")"):
        return line[line.rindex(b"(") :].strip().lower()
    return b" ".join(line.lower().split()[:2])


def fewer_utterances(case: Case) -> Iterator[Case]:
    """The case without some utterances, or channels, in all of its files."""
    lines = [line for content in case.files.values() for line in content.splitlines()]
    keys = sorted({utterance_key(line) for line in lines})
    for part in slices(len(keys)):
        gone = set(keys[part])
        files = {
            name: b"".join(
                line
                for line in content.splitlines(keepends=True)
                if utterance_key(line) not in gone
            )
            for name, content in case.files.items()
        }
        yield replace(case, files=files)


def fewer_lines(case: Case) -> Iterator[Case]:
    """The case without some lines of one file."""
    for name, content in case.files.items():
        lines = content.splitlines(keepends=True)
        for part in slices(len(lines)):
            kept = list(lines)
            del kept[part]
            yield replace(case, files={**case.files, name: b"".join(kept)})


STM_FIELDS = 5


def fewer_words(case: Case) -> Iterator[Case]:
    """The case without one word of one line; the fields of timed formats stay."""
    timed = case.kind != "trn" and not case.option_values("-i")
    for name, content in case.files.items():
        if timed and name != "ref.stm":
            continue
        lines = content.splitlines(keepends=True)
        for number, line in enumerate(lines):
            words = line.split(b" ")
            for position in range(STM_FIELDS if timed else 0, len(words) - 1):
                shorter = b" ".join([*words[:position], *words[position + 1 :]])
                changed = [*lines[:number], shorter, *lines[number + 1 :]]
                yield replace(case, files={**case.files, name: b"".join(changed)})
