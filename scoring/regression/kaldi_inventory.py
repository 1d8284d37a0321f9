"""Compare every number that a Kaldi scoring directory records: equal, differs, not checked.

| recorded in | how it is computed |
|---|---|
| `per_utt` | its words, aligned as `align-text` does |
| `per_spk` | sums of these alignments by speaker |
| `ops` | pairs of words in these alignments, counted |
| `wer_bootci`, `cer_bootci` | Kaldi's bootstrap with its own random numbers |
| `test_filt.txt` and the text of the best weights | must hold the words of `per_utt` |
| `best_wer` | the line of the best weights, whose rate is the least of the sweep |
| `wer_LMWT_PENALTY` | the texts of these weights, scored as `compute-wer` does |
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from scoring.drawing import TableScore, decimals, speaker_rows
from scoring.model.counts import edit_of
from scoring.model.errors import InputError
from scoring.regression.evidence import Check, Difference, compare_all
from scoring.regression.kaldi_files import ScoringFiles, file_in, lines_of, read_lines, read_texts
from scoring.regression.kaldi_sweep import best_rate, sweep_of

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.regression.kaldi_details import Detail
    from scoring.score.rates import ErrorRates

_RATE_LINES = ("%WER", "%SER", "Scored")
NOT_RECORDED = "(not recorded)"
NOT_OURS = "(none)"
_EMPTY = "***"  # the recipe's mark of a word without partner
_ALIGNED, _SCORED = "aligned again as align-text does", "scored again as compute-wer does"
_COLUMNS = 8  # of per_spk
_NUMBERS = ("per_utt", "per_spk", "ops", "wer_bootci", "cer_bootci")
_OWN = (*_NUMBERS, "lmwt", "wip")


def details_checks(
    files: ScoringFiles, details: Sequence[Detail], ours: ErrorRates, rows: Mapping[str, str]
) -> Iterator[Check]:
    """Yield the checks of the other files in the folder of `per_utt`.

    `ours` has the scores of the words in `per_utt`, aligned by Kaldi's rules. `rows` has the rows
    of `per_spk`.
    """
    entries = []
    marks = Counter(mark for detail in details for mark in detail.marks)
    mark = next((name for name, _ in marks.most_common(1)), "")
    for index, (detail, score) in enumerate(zip(details, ours, strict=True)):
        correct, substitutions, deletions, insertions = score.counts
        letters = ours.alignment_at(index).letters
        counts = f"{letters} {correct} {substitutions} {insertions} {deletions}"
        recorded = f"{detail.operations} {detail.counts}"
        if wrong := sorted(detail.marks - {mark}):
            # a word where the mark of a missing one has to be
            recorded, counts = f"{recorded} {' '.join(wrong)}", f"{counts} {mark}"
        entries.append(Difference(detail.identifier, recorded.lstrip(), counts.lstrip()))
    yield compare_all(files.per_utt, entries, _ALIGNED)
    if per_spk := files.detail("per_spk"):
        yield _speakers_check(per_spk, rows, ours)
    if operations := files.detail("ops"):
        yield _operations_check(operations, ours)
    if interval := files.detail(f"{files.kind}_bootci"):
        yield _interval_check(interval, ours)
    for name in sorted(os.listdir(files.details)):
        path = file_in(files.details, name)
        if path and name not in _OWN:
            yield Check(path, 0, remark="it is no file of Kaldi's recipe")


def _speakers_check(path: str, rows: Mapping[str, str], rates: ErrorRates) -> Check:
    ours: dict[str, str] = {}
    if None not in rates.speakers:
        for speaker, positions in rates.per_speaker().items():
            ours.update(_rows_of(str(speaker), rates, positions))
    ours.update(_rows_of("SUM", rates, range(len(rates))))
    how = "sums of the utterances of each speaker"
    if None in rates.speakers:
        # whose utterances are whose is not known: --utt2spk would tell
        how = "sums of all utterances; rows of speakers must add up to them"
        rows, ours = _consistent_rows(rows, ours)
    absent = {name: NOT_RECORDED for name in ours if name not in rows}
    return _lines_check(path, {**rows, **absent}, ours, how)


def _rows_of(name: str, rates: ErrorRates, positions: Sequence[int]) -> Iterator[tuple[str, str]]:
    for kind, fields in speaker_rows([rates.per_utterance[index] for index in positions]):
        yield f"{name} {kind}", " ".join(map(str, fields))


def _consistent_rows(
    rows: Mapping[str, str], ours: Mapping[str, str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the recorded rows of `per_spk`, and the rows that they should be.

    Rates and sums are computed again from the recorded rows `raw`, which have counts of words.
    """
    recorded, computed = dict(rows), dict(ours)
    total = [0] * _COLUMNS
    for name, row in rows.items():
        speaker, _, kind = name.rpartition(" ")
        fields = row.split()
        if speaker == "SUM" or len(fields) != _COLUMNS or kind != "raw":
            continue
        computed[name] = row
        if not all(field.isdecimal() for field in fields):
            computed[name] = NOT_OURS
            continue
        sentences, words, *numbers = map(int, fields)
        total = [old + int(field) for old, field in zip(total, fields, strict=True)]
        rates = [f"{100 * number / words:.2f}" for number in numbers[:-1]] if words else []
        rates.append(f"{100 * numbers[-1] / sentences:.2f}" if sentences else "")
        computed[f"{speaker} sys"] = " ".join((*fields[:2], *rates))
    recorded["rows of speakers"] = " ".join(map(str, total))
    computed["rows of speakers"] = ours.get("SUM raw", NOT_OURS)
    return recorded, computed


def _operations_check(path: str, rates: ErrorRates) -> Check:
    """Compare the counts in `ops` with the pairs of words in our alignments."""
    pairs: Counter[tuple[str, str]] = Counter()
    for index in range(len(rates)):
        pairs.update(
            (
                _EMPTY if pair.reference is None else str(pair.reference),
                _EMPTY if pair.hypothesis is None else str(pair.hypothesis),
            )
            for pair in rates.alignment_at(index)
        )
    ours = {
        " ".join((edit_of(*pair, _EMPTY).name.lower(), *pair)): str(count)
        for pair, count in pairs.items()
    }
    recorded: dict[str, str] = {}
    for _, fields in lines_of(path):
        # the same pair again has no place in it
        name = " ".join(fields[:-1])
        recorded[name] = f"{recorded[name]} {fields[-1]}" if name in recorded else fields[-1]
    absent = {name: NOT_RECORDED for name in ours if name not in recorded}
    return _lines_check(path, {**recorded, **absent}, ours, "pairs of words, counted")


def _interval_check(path: str, rates: ErrorRates) -> Check:
    """Compare the interval of `compute-wer-bootci`, computed with Kaldi's random numbers."""
    # late, because a browser has no numpy
    from scoring.stats.kaldi import kaldi_bootstrap

    counts = rates.per_utterance
    words = [score.reference_tokens for score in counts]
    if not words:
        return Check(path, 0, remark="there are no utterances")
    bootstrap = kaldi_bootstrap([score.errors for score in counts], words, allow_undefined=True)
    mean, low, high = (
        decimals(math.nan if number is None else number) for number in bootstrap.first.percentages()
    )
    line = f"Set1: %WER {mean} 95% Conf Interval [ {low}, {high} ]"
    recorded = read_lines(path, ("Set1:",))
    return _lines_check(path, recorded, {"Set1:": line}, "Kaldi's bootstrap")


def text_checks(
    files: ScoringFiles, weights: tuple[str, ...], details: ErrorRates
) -> Iterator[Check]:
    """Yield the checks of the recorded texts against the words of `per_utt`."""
    sides = details.aligned.references, details.aligned.hypotheses
    texts = files.reference, files.texts.get(weights, "")
    for side, path in zip(sides, texts, strict=True):
        ours = dict(zip(details.identifiers, side, strict=True))
        if not path or path.endswith(".tra"):
            continue  # numbers of words are scored with the sweep
        recorded = read_texts(path)
        entries = [
            Difference(name, _text(recorded.get(name)), " ".join(map(str, words)))
            for name, words in ours.items()
        ]
        yield compare_all(path, entries, "the words in per_utt")


def _text(words: Words | None) -> str:
    return NOT_RECORDED if words is None else " ".join(map(str, words))


def rate_checks(
    files: ScoringFiles, weights: tuple[str, ...], rates: ErrorRates, absent: int
) -> Iterator[Check]:
    """Yield the checks of the lines that record the rate of the best weights."""
    score = TableScore(rates.counts, len(rates), rates.sentence_errors, absent)
    ours = _lines_of(score)
    if files.best:
        recorded = read_lines(files.best, ("%WER",))
        # the file that had the line stands at its end
        recorded = {name: line.rpartition(" ")[0] for name, line in recorded.items()}
        if least := _least_of_sweep(files, weights):
            recorded, ours = {**recorded, "least": least[0]}, {**ours, "least": least[1]}
        yield _lines_check(files.best, recorded, ours, _SCORED)
    if path := files.rates.get(weights):
        yield _lines_check(path, read_lines(path, _RATE_LINES), _lines_of(score), _SCORED)


def _least_of_sweep(files: ScoringFiles, weights: tuple[str, ...]) -> tuple[str, str] | None:
    """Return the rate in `best_wer`, and the lowest rate of the sweep.

    None if the sweep is missing.
    """
    alike = [name for each, name in files.rates.items() if len(each) == len(weights)]
    best = best_rate(files.root, list(map(os.path.basename, alike)))
    chosen = files.rates.get(weights)
    if not best or not chosen:
        return None
    rates = [
        read_lines(name, ("%WER",)).get("%WER", "").split()[1:2]
        for name in (chosen, os.path.join(files.root, best))
    ]
    texts = ["".join(rate) for rate in rates]
    return texts[0], texts[1]


def _lines_of(score: TableScore) -> dict[str, str]:
    return {line.partition(" ")[0]: line for line in score.text().splitlines()}


def sweep_checks(files: ScoringFiles, best: tuple[str, ...]) -> Iterator[Check]:
    """Yield the checks of the rates of all weights but the best, each from its texts."""
    for weights, path in files.rates.items():
        if weights != best:
            yield _sweep_check(files, weights, path)
    if not best and not files.rates and files.best:
        yield Check(files.best, 0, remark="the weights it names have no rate here")


def _sweep_check(files: ScoringFiles, weights: tuple[str, ...], path: str) -> Check:
    if weights not in files.texts:
        return Check(path, 0, remark="the text of these weights is not there")
    try:
        sweep = sweep_of(files, weights)
        score = sweep.score()
    except InputError as problem:
        return Check(path, 0, remark=str(problem))
    check = _lines_check(path, read_lines(path, _RATE_LINES), _lines_of(score), _SCORED)
    filters = " ".join(sweep.filters()) if check.unequal and sweep.is_unfiltered else ""
    return Check(path, 0, remark=f"the recipe filters the words: {filters}") if filters else check


def unchecked_files(files: ScoringFiles, why: str) -> Iterator[Check]:
    """Yield a check with the state "not checked" for each file of a rate; `why` is the reason."""
    names = [files.detail(name) for name in _NUMBERS]
    for path in (*names, files.best, *files.rates.values()):
        if path:
            yield Check(path, 0, remark=why)


def _lines_check(
    path: str, recorded: Mapping[str, str], ours: Mapping[str, str], how: str
) -> Check:
    entries = (Difference(name, line, ours.get(name, NOT_OURS)) for name, line in recorded.items())
    return compare_all(path, entries, how)
