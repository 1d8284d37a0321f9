"""The report `prn`: aligned texts of all systems, for the utterances that all systems have."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.alignment.system import CASE_SENSITIVE, System
from scoring.model.counts import Edit
from scoring.nist.report.alignments import label_lines
from scoring.nist.report.blocks import renderer, texts_of, times_of
from scoring.nist.report.comparison.ensemble import Ensemble
from scoring.nist.report.comparison.layout import AlignedLines, decimal, longest
from scoring.nist.report.rounding import single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say
    from scoring.nist.report.blocks import BlockRenderer


_LEAST_LINE_WIDTH = 80
_MOST_STARS = 40


class _Item(NamedTuple):
    """A slot in the alignment of one system: the edit, and the words as text."""

    edit: int
    reference: str
    hypothesis: str


def render(ensemble: Ensemble, line_width: int, warn: Say) -> Iterator[bytes]:
    """Yield the report."""
    yield _head(ensemble).encode("latin-1")
    report = _Utterances(ensemble, max(_LEAST_LINE_WIDTH, line_width))
    for name, groups in _common(ensemble, warn):
        for utterances in groups:
            yield f"Speaker: {name}\n".encode("latin-1")
            yield report.utterance(utterances)
    yield report.summary().encode("latin-1")


def _head(ensemble: Ensemble) -> str:
    parts = ["Common scoring speakers and segments\nVersion 0.1\n\nRepresented Systems\n"]
    for system in ensemble.systems:
        reference = "(null)" if system.reference_name is None else system.reference_name
        hypothesis = "(null)" if system.hypothesis_name is None else system.hypothesis_name
        parts.append(f"    name: {system.title}   Ref: {reference}   Hyp: {hypothesis}\n")
    parts.append("    End of Represented Systems\n\n")
    first = ensemble.systems[0]
    if first.labels or first.categories:
        parts.append("Utterance Label Definitions:\n")
        parts.append(label_lines(first))
    parts.append("    End of Utterance Label Definitions\n\n\n")
    return "".join(parts)


def _common(ensemble: Ensemble, warn: Say) -> Iterator[tuple[str, list[list[int]]]]:
    """Yield each speaker with the utterances that all systems have.

    An utterance is a list of its positions in the systems. As in sc_stats, the report ends at the
    first speaker that a system lacks.
    """
    systems = ensemble.systems
    named = [
        {name: number for number, name in enumerate(ensemble_system.speakers)}
        for ensemble_system in systems
    ]
    speakers: list[str] = []
    for name in systems[0].speakers:
        if not all(name in numbers for numbers in named):
            break
        speakers.append(name)
    for system in systems:
        left = [name for name in system.speakers if name not in speakers]
        if left:
            names = "".join(f" {name}" for name in left)
            warn(f"Warning: system {system.title} has non-unique speakers:{names}\n")
    for name in speakers:
        groups = [
            system.utterances_of[numbers[name]]
            for system, numbers in zip(systems, named, strict=True)
        ]
        yield name, _common_utterances(systems, name, groups, warn)


def _common_utterances(
    systems: Sequence[System], speaker: str, groups: Sequence[Sequence[int]], warn: Say
) -> list[list[int]]:
    positions: list[dict[str, int]] = []
    for system, group in zip(systems, groups, strict=True):
        numbers: dict[str, int] = {}
        for utterance in group:
            numbers.setdefault(system.utterances.identifiers[utterance], utterance)
        positions.append(numbers)
    first = systems[0].utterances.identifiers
    common = []
    for utterance in groups[0]:
        if all(first[utterance] in numbers for numbers in positions[1:]):
            others = [numbers[first[utterance]] for numbers in positions[1:]]
            common.append([utterance, *others])
    for number, (system, group) in enumerate(zip(systems, groups, strict=True)):
        matched = {utterances[number] for utterances in common}
        left = [one for one in group if one not in matched]
        if left:
            names = "".join(f" {system.utterances.identifiers[one]}" for one in left)
            warn(f"Warning: system {system.title}, speaker {speaker} has non-unique path:{names}\n")
    return common


class _MissedWords:
    """Counts of the reference words that no system recognised, with the mistakes of sc_stats.

    When a known word occurs again, sc_stats increments a wrong entry: it takes the word's position
    in alphabetical order as the position in order of first appearance. Therefore, only the sum is
    correct. This class does the same.
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._counts: list[int] = []
        self._sorted: list[str] = []
        self._known: set[str] = set()

    def add(self, word: str) -> None:
        """Count a word."""
        if word in self._known:
            self._counts[bisect_left(self._sorted, word)] += 1
            return
        self._known.add(word)
        insort(self._sorted, word)
        self._words.append(word)
        self._counts.append(1)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the list, the most frequent word first."""
        pairs = sorted(
            zip(self._counts, self._words, strict=True), key=lambda pair: (-pair[0], pair[1])
        )
        yield f"List of not correct reference words   Total                 ({len(pairs)})\n"
        yield f"{'':33}With >=  1 occurrences ({len(pairs)})\n\n"
        for rank, (count, word) in enumerate(pairs, 1):
            yield f"{rank:4d}: {count:4d}  ->  {word}\n"
        yield f"     -------\n     {sum(self._counts):5d}\n\n"


class _Utterances:
    """Draws utterances, and sums their counts."""

    def __init__(self, ensemble: Ensemble, line_width: int) -> None:
        self._ensemble = ensemble
        self._systems = ensemble.systems
        self._line_width = line_width
        self._renderers: list[BlockRenderer] = [renderer(system) for system in self._systems]
        self._missed = _MissedWords()
        self._words = self._missed_words = 0
        # of the last utterance that was drawn; counted once more for one that is not
        self._last = 0, 0

    def utterance(self, positions: Sequence[int]) -> bytes:
        """Return the text of one utterance, given by its position in every system."""
        if len(self._systems) == 1:
            return self._alone(0, positions[0])
        items = [
            list(_items(system, position))
            for system, position in zip(self._systems, positions, strict=True)
        ]
        # references are compared up to the end of the shorter one
        first, *others = map(_references, items)
        if any(a != b for edits in others for a, b in zip(first, edits, strict=False)):
            text = b";; Reference strings not identical, dumping individual paths\n"
            parts = [self._alone(number, one) for number, one in enumerate(positions)]
            self._total()
            return text + b"".join(parts)
        missed = _missed(items)
        for word in missed:
            self._missed.add(word)
        self._last = sum(item.edit != Edit.INSERTION for item in items[0]), len(missed)
        self._total()
        lines = [self._details(positions[0]), *self._aligned(items, positions)]
        return "".join(lines).encode("latin-1")

    def _total(self) -> None:
        self._words += self._last[0]
        self._missed_words += self._last[1]

    def _alone(self, system: int, position: int) -> bytes:
        return self._renderers[system].block(position, self._line_width, True)

    def _details(self, position: int) -> str:
        utterances = self._systems[0].utterances
        parts = [f"Id:     {utterances.identifiers[position]}\n"]
        parts += (f"{name}: {text}\n" for name, text in texts_of(utterances, position))
        parts += times_of(utterances, position)
        words, missed = self._last
        parts.append(f"Lattice Analysis: #refWords {words} #refErrWords {missed}\n\n\n")
        return "".join(parts)

    def _aligned(self, items: Sequence[Sequence[_Item]], positions: Sequence[int]) -> Iterator[str]:
        """Yield the aligned words of all systems, broken into lines."""
        lines = AlignedLines(self._ensemble.titles, self._line_width)
        uppers = [
            str
            if system.utterances.attributes[position] & CASE_SENSITIVE
            else system.vocabulary.upper
            for system, position in zip(self._systems, positions, strict=True)
        ]
        reached = [0] * len(items)
        while any(index < len(row) for index, row in zip(reached, items, strict=True)):
            current = [
                row[index] if index < len(row) else None
                for index, row in zip(reached, items, strict=True)
            ]
            inserting = any(item and item.edit == Edit.INSERTION for item in current)
            texts = ["" if inserting or current[0] is None else current[0].reference]
            for item in current:
                is_taken = item is not None and (item.edit == Edit.INSERTION) == inserting
                texts.append(item.hypothesis if item is not None and is_taken else "")
            width = longest(texts)
            cells: list[str | None] = [*texts]
            for number, item in enumerate(current):
                if item is None and not inserting:
                    cells[number + 1] = None
                if item is None or (item.edit == Edit.INSERTION) != inserting:
                    continue
                reached[number] += 1
                if item.edit == Edit.DELETION:
                    cells[number + 1] = "*" * min(_MOST_STARS, width)
                elif item.edit != Edit.CORRECT:
                    cells[number + 1] = uppers[number](item.hypothesis)
            yield from lines.add(cells, width)
        yield from lines.flush()

    def summary(self) -> str:
        """Return the text of the totals and the list of missed words."""
        accuracy = float("nan")
        if self._words:
            accuracy = single((self._words - self._missed_words) / self._words) * 100
        head = (
            f"Lattice Summary: #TotRefWords {self._words} #TotRefErrWords {self._missed_words} "
            f"Accuracy {decimal(accuracy, 5, 2)}\n\n"
        )
        return head + "".join(self._missed.lines())


def _items(system: System, utterance: int) -> Iterator[_Item]:
    types = system.vocabulary.types
    left, right = system.reference.types, system.hypothesis.types
    for edit, reference, hypothesis in system.slots(utterance):
        yield _Item(
            edit,
            "" if reference is None else types[left[reference]].text,
            "" if hypothesis is None else types[right[hypothesis]].text,
        )


def _references(items: Sequence[_Item]) -> list[str]:
    return [item.reference for item in items if item.edit != Edit.INSERTION]


def _missed(items: Sequence[Sequence[_Item]]) -> list[str]:
    """Return the reference words that no system recognised correctly."""
    right: set[int] = set()
    for row in items:
        edits = [item.edit for item in row if item.edit != Edit.INSERTION]
        right.update(number for number, edit in enumerate(edits) if edit == Edit.CORRECT)
    return [word for number, word in enumerate(_references(items[0])) if number not in right]
