"""A table of folders that hold both sides of a score, beside the numbers recorded in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.errors import located
from formats.schema.messages import Message, message_of
from scoring.drawing.blocks import Block, Note, Table
from scoring.drawing.kaldi_lines import wer_line
from scoring.drawing.numbers import percent
from scoring.model.counts import CHARACTER_UNITS
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_directory import recorded_line
from scoring.regression.layouts import has_words
from scoring.regression.messages import FOLDER_SKIPPED, RECORDED_DIFFERS
from scoring.regression.opening import words_of
from scoring.regression.toolkit_results import ResultPair, open_result
from scoring.score.score import score_systems

if TYPE_CHECKING:
    from scoring.options import Options
    from scoring.score.rates import ErrorRates
    from scoring.sides.given import Given

HEADINGS = ("folder", "weights", "errors", "words", "ins", "del", "sub", "rate %", "recorded %", "")
_KALDI = re.compile(r"%\wER +(?P<rate>\S+) +\[(?P<numbers>[^]]*)\]")


class FolderScore(NamedTuple):
    """The score of a folder, and what is recorded of it."""

    path: str
    rates: ErrorRates
    weights: str  # of the best hypotheses of Kaldi's sweep
    recorded: str  # the rate, in percent; empty without one
    is_equal: bool  # the recorded numbers are those of the score

    def row(self) -> tuple[str, ...]:
        """Return the row of the table."""
        counts, state = self.rates.counts, "equal" if self.is_equal else "differs"
        numbers = counts.errors, self.rates.length, counts.insertions, counts.deletions
        return (
            self.path,
            self.weights,
            *map(str, (*numbers, counts.substitutions)),
            percent(self.rates.corpus_rate),
            self.recorded or "not recorded",
            state if self.recorded else "",
        )


class FolderWords(NamedTuple):
    """The words of both sides of a folder."""

    path: str
    reference: Given
    hypothesis: Given


def open_folders(paths: Sequence[str], options: Options) -> tuple[list[FolderWords], list[Message]]:
    """Open folders; notes on those without the words of both sides."""
    folders: list[FolderWords] = []
    notes: list[Message] = []
    for path in paths:
        try:
            folders.append(FolderWords(path, *words_of(path, options)))
        except EvidenceError as problem:
            place = located(problem.path, problem.line, problem.column, "")
            fields = {"path": path, "place": place, "problem": message_of(problem)}
            notes.append(Message(FOLDER_SKIPPED, fields))
    return folders, notes


def score_folders(
    folders: Iterable[FolderWords], options: Options, usual: Mapping[str, Any]
) -> list[FolderScore]:
    """Score each folder by its own rules."""
    scores: list[FolderScore] = []
    for path, reference, hypothesis in folders:
        [rates] = score_systems(reference, [hypothesis], options, usual)
        scores.append(FolderScore(path, rates, *_recorded(path, options, rates)))
    return scores


def _recorded(path: str, options: Options, rates: ErrorRates) -> tuple[str, str, bool]:
    """Return the weights, the recorded rate, and whether it is that of these counts."""
    counts = rates.counts
    if has_words(path):
        weights, line = recorded_line(path, of_characters=options.unit in CHARACTER_UNITS)
        match = _KALDI.match(line)
        if match is None:
            return "_".join(weights), "", False
        # every number of the line, the rate among them
        ours = _KALDI.match(wer_line(counts))
        is_equal = ours is not None and match[0].split()[1:] == ours[0].split()[1:]
        return "_".join(weights), match["rate"], is_equal
    result = open_result(path, options.encoding)
    totals = result.recorded if isinstance(result, ResultPair) else None
    if totals is None:
        return "", "", False
    pairs = [(totals.counts.errors, counts.errors)]
    pairs.append((totals.counts.reference_tokens, counts.reference_tokens))
    return "", percent(totals.counts.error_rate), all(old == new for old, new in pairs)


def remark_on_record(path: str, options: Options, rates: ErrorRates) -> Message | None:
    """Return a warning if a folder, scored by its own rules, has a record of other numbers."""
    if rates.rules.normalization != "none" or options.profile is not None:
        return None
    _, recorded, is_equal = _recorded(path, options, rates)
    if is_equal or not recorded:
        return None
    return Message(RECORDED_DIFFERS, {"path": path, "recorded": recorded})


def folder_blocks(scores: Iterable[FolderScore]) -> Iterator[Block]:
    """Yield the table of folders, and the signatures of their scores."""
    scores = list(scores)
    yield Table(HEADINGS, [score.row() for score in scores], 2)
    for signature in dict.fromkeys(score.rates.signature for score in scores):
        yield Note(f"signature: {signature}")
