"""Hypotheses of a decoding in Kaldi that are scored against a reference from elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema import lazy_pattern
from scoring.drawing.numbers import percent
from scoring.model.counts import CHARACTER_UNITS
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_directory import is_chosen, rates_of_weights
from scoring.regression.kaldi_files import ScoringFiles, ascending, find_files
from scoring.regression.kaldi_sweep import (
    Sweep,
    best_weights,
    has_numbers,
    hypothesis_of,
    note_of_table,
    sweep_of,
    word_table,
)
from scoring.regression.layouts import KALDI_TEXT, has_words, hypotheses_folders, names_in
from scoring.regression.result_folders import FolderWeights
from scoring.score.score import score_systems
from scoring.sides.corpus import Corpus
from scoring.sides.given import File

if TYPE_CHECKING:
    from scoring.options import Options
    from scoring.sides.given import Given


_FOLDER_OF_WEIGHTS = lazy_pattern(r"score_([0-9.]{1,9})(?:_([0-9.]{1,9}))?\Z")


class BestHypothesis(NamedTuple):
    """The hypotheses of the best weights, and the rates of all weights."""

    words: Corpus | File
    weights: FolderWeights


def timed_words_of_weights(path: str) -> dict[tuple[str, ...], str]:
    """Return the CTM file of each weight, as in ``score_7/dev.ctm``.

    The result is empty unless several folders of weights have one CTM file of the same name each.
    """
    found = {}
    for name in names_in(path):
        folder = os.path.join(path, name)
        match = _FOLDER_OF_WEIGHTS.fullmatch(name)
        if match is None or not os.path.isdir(folder):
            continue
        files = [file for file in names_in(folder) if file.endswith(".ctm")]
        if len(files) != 1:
            return {}
        found[tuple(filter(None, match.groups()))] = os.path.join(folder, files[0])
    if len(found) < 2 or len({os.path.basename(file) for file in found.values()}) > 1:
        return {}
    return {weights: found[weights] for weights in sorted(found, key=ascending)}


def best_timed_words(
    path: str, reference: Given, options: Options, usual: Mapping[str, Any]
) -> BestHypothesis | None:
    """Return the CTM file of the weights with the lowest rate; None for any other folder."""
    files = {weights: File(file) for weights, file in timed_words_of_weights(path).items()}
    if not files:
        return None
    best, rates = _best_of(reference, files, options, usual)
    return BestHypothesis(files[best], FolderWeights(path, best, rates, is_recorded=False))


def _best_of(
    reference: Given,
    texts: Mapping[tuple[str, ...], Corpus | File],
    options: Options,
    usual: Mapping[str, Any],
) -> tuple[tuple[str, ...], dict[tuple[str, ...], str]]:
    """Return the weights of the lowest rate, and the rates in percent in their order."""
    systems = score_systems(reference, list(texts.values()), options, usual)
    rates = {
        weights: percent(system.corpus_rate)
        for weights, system in zip(texts, systems, strict=True)
        if system.corpus_rate is not None
    }
    best = min(rates or texts, key=lambda weights: float(rates.get(weights, 0)))
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
    path: str, reference: Given, options: Options, usual: Mapping[str, Any]
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
    best, rates = _best_of(reference, texts, options, usual)
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
