"""A table of folders with results: our scores and the recorded numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.errors import located
from formats.schema.messages import Message, message_of
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Heading, Items, Note, Table
from scoring.model.counts import CHARACTER_UNITS
from scoring.model.errors import InputError
from scoring.options import Options
from scoring.regression.evidence import (
    DIFFERS,
    EQUAL,
    NOT_CHECKED,
    Check,
    EvidenceError,
    inventory_lines,
)
from scoring.regression.kaldi_directory import CHOSEN, recorded_line
from scoring.regression.messages import (
    FOLDER_SKIPPED,
    OTHER_RECORDED_NUMBER,
    OTHER_RECORDED_NUMBERS,
)
from scoring.regression.opening import open_version, words_of
from scoring.regression.toolkit_results import (
    ResultPair,
    best_of,
    open_result,
    recorded_rates,
)
from scoring.score import score_systems
from scoring.sides.layouts import has_weight_reports, has_words

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates
    from scoring.sides.given import Given

HEADINGS = (
    "folder",
    "weights",
    "errors",
    "words",
    "ins",
    "del",
    "sub",
    "rate %",
    "recorded %",
    "compared",
)
# What a narrow terminal drops.
SPARE = (("ins", "del", "sub"), ("words",), ("compared",), ("errors",), ("recorded %",))
NOTHING_RECORDED = "none"
OTHER_RULES = "not compared: scored by other rules"
_MOST = 3  # numbers that a warning lists


class Inventory(NamedTuple):
    """The recorded numbers of a folder, compared with our numbers by the folder's rules."""

    weights: str = ""  # of the best hypotheses of Kaldi's sweep
    rate: str = ""  # in percent; empty if it is not recorded
    checks: tuple[Check, ...] = ()
    is_of_score: bool = True  # whether the score has the counts that were compared

    @property
    def state(self) -> str:
        """The outcome as a short text."""
        if not self.is_of_score:
            return OTHER_RULES
        if all(check.remark == CHOSEN for check in self.checks):
            return ""
        unequal, unknown = (
            sum(check.state == state for check in self.checks) for state in (DIFFERS, NOT_CHECKED)
        )
        number = len(self.checks)
        if unequal:
            return f"{DIFFERS} ({unequal} of {number} records)"
        if unknown == number:
            return NOT_CHECKED
        return f"{EQUAL}, {NOT_CHECKED} {unknown} of {number} records" if unknown else EQUAL


class FolderScore(NamedTuple):
    """The score of a folder, and its recorded numbers."""

    path: str
    rates: ErrorRates
    inventory: Inventory

    def row(self) -> tuple[str, ...]:
        """Return the row of the table of folders."""
        counts = self.rates.counts
        numbers = counts.errors, self.rates.length, counts.insertions, counts.deletions
        return (
            self.path,
            self.inventory.weights,
            *map(str, (*numbers, counts.substitutions)),
            percent(self.rates.corpus_rate),
            self.inventory.rate or NOTHING_RECORDED,
            self.inventory.state,
        )


class FolderWords(NamedTuple):
    """The reference and hypothesis words of a folder."""

    path: str
    reference: Given
    hypothesis: Given


def open_folders(paths: Sequence[str], options: Options) -> tuple[list[FolderWords], list[Message]]:
    """Return the words in folders of results, and notes on folders without words of both sides."""
    folders: list[FolderWords] = []
    notes: list[Message] = []
    for path in paths:
        try:
            folders.append(FolderWords(path, *words_of(path, options)))
        except InputError as problem:
            is_folder = problem.path == path
            place = "" if is_folder else located(problem.path, problem.line, problem.column, "")
            fields = {"path": path, "place": place, "problem": message_of(problem)}
            notes.append(Message(FOLDER_SKIPPED, fields))
    return folders, notes


def score_folders(
    folders: Iterable[FolderWords], options: Options, usual: Mapping[str, Any]
) -> list[FolderScore]:
    """Return the score of each folder, scored by its own rules."""
    scores: list[FolderScore] = []
    for path, reference, hypothesis in folders:
        [rates] = score_systems(reference, [hypothesis], options, usual)
        scores.append(FolderScore(path, rates, inventory_of(path, options, rates)))
    return scores


def inventory_of(path: str, options: Options, rates: ErrorRates) -> Inventory:
    """Compare the recorded numbers of a folder with our numbers by the folder's rules."""
    of_characters = has_words(path) and options.unit in CHARACTER_UNITS
    own = Options(encoding=options.encoding, speakers=options.speakers)
    try:
        side = open_version(path, own.changed(unit=options.unit) if of_characters else own)
        weights, recorded = _recorded_rate(path, options, of_characters)
    except EvidenceError as problem:
        # the words were read, so that only a record is in the way
        return Inventory(checks=(Check(path, 0, remark=str(problem)),))
    is_of_score = side.rates.counts == rates.counts
    return Inventory(weights, recorded, side.checks, is_of_score)


def _recorded_rate(path: str, options: Options, of_characters: bool) -> tuple[str, str]:
    """Return the best weights of a Kaldi folder, and the rate recorded for them in percent."""
    if has_words(path):
        weights, line = recorded_line(path, of_characters=of_characters)
        return "_".join(weights), "".join(line.split()[1:2])
    if has_weight_reports(path) and (rates := recorded_rates(path, options.encoding)):
        best = best_of(rates)
        return "_".join(best), rates[best]
    result = open_result(path, options.encoding)
    totals = result.recorded if isinstance(result, ResultPair) else None
    return "", "" if totals is None else percent(totals.counts.error_rate)


def remarks_on_record(path: str, options: Options, rates: ErrorRates) -> Iterator[Message]:
    """Yield a warning for each recorded number of a folder that differs from ours."""
    inventory = inventory_of(path, options, rates)
    unequal = [check for check in inventory.checks if not check.equal]
    if not unequal or not inventory.is_of_score:
        return
    every = [(check.what, difference) for check in unequal for difference in check.differences]
    for name, (where, recorded, ours) in every[:_MOST]:
        fields = {"path": name, "where": where, "recorded": recorded, "ours": ours}
        yield Message(OTHER_RECORDED_NUMBER, fields)
    number = sum(check.unequal for check in unequal)
    yield Message(OTHER_RECORDED_NUMBERS, {"path": path, "number": number})


def folder_blocks(scores: Iterable[FolderScore]) -> Iterator[Block]:
    """Yield the table of folders, the signatures, and the recorded numbers that differ."""
    scores = list(scores)
    yield Table(HEADINGS, [score.row() for score in scores], 2, spare=SPARE)
    for signature in dict.fromkeys(score.rates.signature for score in scores):
        yield Note(f"signature: {signature}")
    if any(check.remark == CHOSEN for score in scores for check in score.inventory.checks):
        yield Note("where no rate is recorded, the texts with the lowest rate are scored")
    for score in scores:
        checks = (check for check in score.inventory.checks if check.remark != CHOSEN)
        if rest := [check for check in checks if check.state != EQUAL]:
            yield Heading(f"Recorded in {score.path}")
            yield Items(list(inventory_lines(rest)))
