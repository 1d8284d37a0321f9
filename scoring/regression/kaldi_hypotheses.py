"""Hypotheses of a decoding in Kaldi that are scored against a reference from elsewhere."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.errors import FormatError
from formats.schema.messages import Message
from scoring.drawing import percent
from scoring.drawing.blocks import Block, Heading, Table
from scoring.model.counts import CHARACTER_UNITS
from scoring.options import Options
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_directory import is_chosen, rates_of_weights, recorded_line
from scoring.regression.kaldi_files import (
    ScoringFiles,
    ascending,
    find_files,
    timed_words_of_weights,
)
from scoring.regression.kaldi_sweep import (
    Sweep,
    best_weights,
    has_numbers,
    hypothesis_of,
    note_of_table,
    sweep_of,
    word_table,
)
from scoring.regression.messages import BEST_WEIGHTS, CHOSEN_WEIGHTS, OTHER_WEIGHTS
from scoring.regression.toolkit_results import best_of, recorded_rates
from scoring.sides.corpus import Corpus
from scoring.sides.given import File
from scoring.sides.layouts import (
    KALDI_TEXT,
    cache_listings,
    has_weight_reports,
    has_words,
    hypotheses_folders,
)
from scoring.sides.matching import MatchingError

if TYPE_CHECKING:
    from scoring.score.rates import ErrorRates
    from scoring.sides.given import Given

# The scores of hypotheses against one reference, by one set of rules.
ScoreAll = Callable[[Sequence["Given"]], Sequence["ErrorRates"]]

# Codes of the errors if a reference has no times, so that no CTM fits it.
_WITHOUT_TIMES = frozenset({"NOTHING-IN-COMMON", "FORMAT-UNKNOWN"})


class FolderWeights(NamedTuple):
    """The best weights of a Kaldi folder, whose words are scored, and the rates of all weights.

    The weights are LMWT and the penalty where there is one.
    """

    path: str
    best: Sequence[str]
    rates: Mapping[tuple[str, ...], str]  # in percent; empty if unknown
    is_recorded: bool  # False if the rates are ours
    # The best weights by the reports of the folder, if the texts that were scored are not theirs
    best_of_reports: Sequence[str] = ()

    def title(self) -> str:
        """Return the path of the folder and the best weights."""
        pairs = zip(("LMWT", "penalty"), self.best, strict=False)
        return ", ".join([self.path, *(f"{name} {value}" for name, value in pairs)])

    def notes(self) -> Iterator[Message]:
        """Yield notes on the best weights and on all rates."""
        names = "_".join(("LMWT", "PENALTY")[: len(self.best)])
        fields = {"path": self.path, "weights": "_".join(self.best), "names": names}
        yield Message(BEST_WEIGHTS, fields)
        if not self.is_recorded:
            yield Message(CHOSEN_WEIGHTS, {"path": self.path})
        if self.best_of_reports and self.best_of_reports != self.best:
            compared = {
                "path": self.path,
                "best": fields["weights"],
                "names": names,
                "recorded": "_".join(self.best_of_reports),
                "folder": shlex.quote(self.path),
            }
            yield Message(OTHER_WEIGHTS, compared)

    def table(self) -> Iterator[Block]:
        """Yield a table of the rates of several weights, with a column for each penalty."""
        if len(self.rates) < 2:
            return
        penalties = list(dict.fromkeys(weights[1:] for weights in self.rates))
        rows = [
            (
                f"{lmwt} (best)" if self.best[:1] == (lmwt,) else lmwt,
                *(self.rates.get((lmwt, *penalty), "") for penalty in penalties),
            )
            for lmwt in dict.fromkeys(weights[0] for weights in self.rates)
        ]
        named = [f"penalty {penalty[0]}" if penalty else "rate %" for penalty in penalties]
        source = "recorded" if self.is_recorded else "by this program"
        yield Heading(f"Rates of all weights of {self.path} in % ({source})")
        yield Table(("LMWT", *named), rows)


class BestHypothesis(NamedTuple):
    """The hypotheses of the best weights, and the rates of all weights."""

    words: Corpus | File
    weights: FolderWeights


def has_choice(file: File, options: Options) -> bool:
    """Return True if a file is a decode folder whose best hypotheses a reference has to choose."""
    path = file.name
    if path is None or not os.path.isdir(path):
        return False
    # texts are read as files if their format is named
    is_named = file.format is not None or options.hypothesis_format is not None
    return bool(timed_words_of_weights(path)) or (not is_named and is_without_reference(path))


def chosen_hypothesis(
    file: File, options: Options, usual: Mapping[str, Any], score_all: ScoreAll
) -> BestHypothesis | None:
    """Return the best hypotheses of a decode folder without a reference of its own.

    `score_all` scores hypotheses against the reference. A folder with CTM files and texts has the
    files that fit the reference. The result is None for anything else.
    """
    with cache_listings():
        if not has_choice(file, options):
            return None
        path = file.name or ""
        if timed := timed_words_of_weights(path):
            has_texts = bool(hypotheses_folders(path))
            if (best := _best_of_files(file, timed, score_all, has_texts=has_texts)) is not None:
                return best
        if is_without_reference(path):
            return best_hypothesis(path, options, usual, score_all)
        return None


def _best_of_files(
    folder: File,
    files: Mapping[tuple[str, ...], str],
    score_all: ScoreAll,
    *,
    has_texts: bool,
) -> BestHypothesis | None:
    """Return the best of the CTM files of all weights.

    The result is None if the reference has no times, but the folder has texts that may fit it.
    """
    texts = {
        weights: File(name, format=folder.format, encoding=folder.encoding, options=folder.options)
        for weights, name in files.items()
    }
    try:
        best, rates = _best_of(texts, score_all)
    except (MatchingError, FormatError) as problem:
        if has_texts and problem.value is not None and problem.value.code in _WITHOUT_TIMES:
            return None
        raise
    path = folder.name or ""
    reports = recorded_rates(path) if has_weight_reports(path) else {}
    of_reports = best_of(reports) if reports else ()
    if reports.get(best) == reports.get(of_reports):  # of equal ones, any is the best
        of_reports = ()
    weights = FolderWeights(path, best, rates, False, of_reports)
    return BestHypothesis(texts[best], weights)


def weights_of_folder(path: str, options: Options) -> FolderWeights | None:
    """Return the weights of a Kaldi folder; None if the folder has no best weights."""
    if not has_words(path):
        if not has_weight_reports(path) or not (rates := recorded_rates(path)):
            return None
        return FolderWeights(path, best_of(rates), rates, is_recorded=True)
    of_characters = options.unit in CHARACTER_UNITS
    weights: Sequence[str] = ()
    with suppress(EvidenceError):  # characters are scored in texts without recorded rates, too
        weights, _ = recorded_line(path, of_characters=of_characters)
    if not weights:
        return None
    return FolderWeights(path, weights, *rates_of_weights(path, of_characters=of_characters))


def _best_of(
    texts: Mapping[tuple[str, ...], Given], score_all: ScoreAll
) -> tuple[tuple[str, ...], dict[tuple[str, ...], str]]:
    """Return the weights of the lowest rate, and the rates in percent in their order."""
    systems = score_all(list(texts.values()))
    rates = {
        weights: percent(system.corpus_rate)
        for weights, system in zip(texts, systems, strict=True)
        if system.corpus_rate is not None
    }
    best = best_of(rates) if rates else next(iter(texts))
    return best, {weights: rates[weights] for weights in sorted(rates, key=ascending)}


def is_without_reference(path: str) -> bool:
    """Return True if a path is a decode folder with hypotheses, and without their reference."""
    if not os.path.isdir(path) or not hypotheses_folders(path):
        return False
    if os.path.isfile(os.path.join(path, "text")):
        return False  # Kaldi's data
    files = find_files(path)
    if files.details or not files.texts:
        return False
    with suppress(EvidenceError):
        sweep_of(files, next(iter(files.texts)))
        return False
    return has_words(path) or _is_sweep(files)


def _is_sweep(files: ScoringFiles) -> bool:
    """Return True if texts have numbers or the folder of a recipe, or begin with equal words.

    Other files with such names are texts of different recordings.
    """
    if files.has_penalty_folders or any(name.endswith(".tra") for name in files.texts.values()):
        return True
    return len(set(map(_first_word, files.texts.values()))) == 1


def _first_word(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return "".join(file.readline().split()[:1])


def best_hypothesis(
    path: str, options: Options, usual: Mapping[str, Any], score_all: ScoreAll
) -> BestHypothesis:
    """Return the best hypotheses of a decode folder against a reference.

    The best weights are those that the folder records. Without recorded rates, the hypotheses of
    all weights are scored. Of equal rates, the first is the best, in the order of the recipe.
    """
    of_characters = (options.unit or usual.get("unit")) in CHARACTER_UNITS
    files = find_files(path, of_characters=of_characters)
    if not is_chosen(files):
        weights = best_weights(files)
        recorded = rates_of_weights(path, of_characters=of_characters)
        return BestHypothesis(_words(files, weights), FolderWeights(path, weights, *recorded))
    texts = {weights: _words(files, weights) for weights in files.ordered_weights()}
    best, rates = _best_of(texts, score_all)
    return BestHypothesis(texts[best], FolderWeights(path, best, rates, is_recorded=False))


def _words(files: ScoringFiles, weights: tuple[str, ...]) -> Corpus:
    return corpus_of(files.path, hypothesis_of(files, weights))


def words_of_numbers(path: str) -> Corpus | None:
    """Return the words of a `.tra` file; None without word numbers or without their table."""
    name = KALDI_TEXT.fullmatch(os.path.basename(path))
    if name is None or name["suffix"] != "tra" or not os.path.isfile(path):
        return None
    weights = tuple(filter(None, (name["lmwt"], name["wip"])))
    sweep = Sweep(os.path.dirname(path), weights, "", path, "", counts_missing=False)
    return corpus_of(path, sweep) if has_numbers(path) and word_table(sweep) else None


def corpus_of(name: str, sweep: Sweep) -> Corpus:
    """Return hypotheses as a side under a name; a note names the table of word numbers."""
    words = sweep.words()
    corpus = Corpus(
        name=name,
        format=None,
        identifiers=list(words),
        speakers=[None] * len(words),
        words=list(words.values()),
        lines=[None] * len(words),
        special={},
    )
    note = note_of_table(name, sweep)
    return corpus if note is None else corpus._replace(remarks=(note,))
