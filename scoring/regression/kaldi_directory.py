"""A Kaldi scoring directory: what it says is computed again from the words in it, and compared.

The words are those of `wer_details/per_utt`, which went through the recipe's filters. They are of
the best weights: files `wer_LMWT_WIP` of other weights are not checked.

Recipes that score characters write the same files with `cer` for `wer` and `.chars.txt` for `.txt`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence

from scoring.compat.kaldi.details import speaker_rows
from scoring.drawing.kaldi_lines import TableScore
from scoring.options import Rules
from scoring.regression.evidence import (
    Check,
    Difference,
    Evidence,
    EvidenceError,
    compare_all,
    rescored,
)
from scoring.regression.kaldi_files import (
    read_details,
    read_lines,
    read_speaker_rows,
    read_texts,
    speakers_by_prefix,
)
from scoring.regression.layouts import weights_of
from scoring.scored.rates import ErrorRates

_RATE_LINES = ("%WER", "%SER", "Scored")
NOT_RECORDED = "(not recorded)"
NOT_OURS = "(none)"


def open_directory(
    path: str, speakers: Mapping[str, str] | None = None, *, of_characters: bool = False
) -> Evidence:
    """Read a scoring directory and score its words again."""
    places = _Places(path, of_characters)
    unit = places.unit
    details = read_details(places.per_utt)
    identifiers = [detail.identifier for detail in details]
    rows = read_speaker_rows(places.per_spk) if places.per_spk else {}
    owners = _speakers(places.per_utt, identifiers, speakers, rows)
    references = [detail.reference for detail in details]
    hypotheses = [detail.hypothesis for detail in details]
    rates = rescored(path, identifiers, owners, references, hypotheses, Rules("kaldi", unit=unit))
    by_align_text = rescored(
        path, identifiers, owners, references, hypotheses, Rules("align-text", unit=unit)
    )
    entries = []
    for index, (detail, score) in enumerate(zip(details, by_align_text, strict=True)):
        correct, substitutions, deletions, insertions = score.counts
        letters = by_align_text.alignment_at(index).letters
        ours = f"{letters} {correct} {substitutions} {insertions} {deletions}"
        recorded = f"{detail.operations} {detail.counts}"
        entries.append(Difference(detail.identifier, recorded.lstrip(), ours.lstrip()))
    checks = [compare_all(places.per_utt, entries)]
    if places.per_spk:
        checks.append(_speakers_check(places.per_spk, rows, by_align_text))
    checks += _rate_checks(places, rates)
    return Evidence(path, "Kaldi directory", rates, tuple(checks))


class _Places:
    """Where the files of a scoring directory are; empty where there is none."""

    def __init__(self, path: str, of_characters: bool) -> None:
        self.scoring = _directory(path, "scoring_kaldi") or path
        folder = os.path.basename(os.path.normpath(path))
        kinds = ("cer", "wer") if of_characters else ("wer", "cer")
        present = [kind for kind in kinds if _directory(self.scoring, f"{kind}_details")]
        if folder in ("wer_details", "cer_details"):
            present = [folder[:3]]
        kind = present[0] if present else "wer"
        self.unit = "char" if kind == "cer" else "word"
        details = _directory(self.scoring, f"{kind}_details") or path
        if folder == f"{kind}_details":
            details, self.scoring = path, os.path.join(path, os.pardir)
        self.per_utt = os.path.join(details, "per_utt")
        if not os.path.isfile(self.per_utt):
            expected = "expected Kaldi's scoring directory with wer_details/per_utt or "
            raise EvidenceError(path, None, None, f"{expected}cer_details/per_utt, found none")
        self.per_spk = _file(details, "per_spk")
        suffix = ".chars.txt" if kind == "cer" else ".txt"
        self.reference = _file(self.scoring, "test_filt" + suffix)
        self.best = _file(self.scoring, f"best_{kind}")
        # beside scoring_kaldi, or where the path leads
        name = "_".join((kind, *_best_weights(details, self.best)))
        folders = (path, os.path.join(self.scoring, os.pardir)) if name != kind else ()
        self.rates = next(filter(None, (_file(folder, name) for folder in folders)), "")


def _directory(path: str, name: str) -> str:
    joined = os.path.join(path, name)
    return joined if os.path.isdir(joined) else ""


def _file(path: str, name: str) -> str:
    joined = os.path.join(path, name)
    return joined if os.path.isfile(joined) else ""


def _best_weights(details: str, best: str) -> Sequence[str]:
    numbers = []
    for name in ("lmwt", "wip"):
        if _file(details, name):
            with open(_file(details, name), encoding="utf-8", errors="replace") as file:
                numbers.append(file.read().strip())
    if len(numbers) == 2:
        return numbers
    line = read_lines(best, ("%WER",)).get("%WER", "") if best else ""
    return weights_of(line.rpartition(" ")[2]) or ()


def _speakers(
    path: str,
    identifiers: list[str],
    speakers: Mapping[str, str] | None,
    rows: Mapping[str, str],
) -> list[str | None]:
    if speakers is not None:
        for identifier in identifiers:
            if identifier not in speakers:
                problem = f"expected a speaker of {identifier!r}, found none"
                raise EvidenceError(path, None, None, problem)
        return [speakers[identifier] for identifier in identifiers]
    names = dict.fromkeys(row.partition(" ")[0] for row in rows if not row.startswith("SUM "))
    owners = speakers_by_prefix(identifiers, names)
    return [None] * len(identifiers) if owners is None else owners


def _speakers_check(path: str, rows: Mapping[str, str], rates: ErrorRates) -> Check:
    ours: dict[str, str] = {}
    if None not in rates.speakers:
        for speaker, positions in rates.per_speaker().items():
            ours.update(_rows_of(str(speaker), rates, positions))
    ours.update(_rows_of("SUM", rates, range(len(rates))))
    if None in rates.speakers:
        # whose utterances are whose is not known: --utt2spk would tell
        rows = {name: row for name, row in rows.items() if name.startswith("SUM ")}
    return _lines_check(path, {**rows, **_unrecorded(ours, rows)}, ours)


def _rows_of(name: str, rates: ErrorRates, positions: Sequence[int]) -> Iterator[tuple[str, str]]:
    for kind, fields in speaker_rows([rates.per_utterance[index] for index in positions]):
        yield f"{name} {kind}", " ".join(map(str, fields))


def _rate_checks(places: _Places, rates: ErrorRates) -> Iterator[Check]:
    """The lines of the best weights, whose words are those of per_utt."""
    texts = read_texts(places.reference) if places.reference else {}
    absent = len(texts.keys() - set(rates.identifiers))
    score = TableScore(rates.counts, len(rates), rates.sentence_errors, absent)
    ours = {line.partition(" ")[0]: line for line in score.text().splitlines()}
    if places.best:
        recorded = read_lines(places.best, ("%WER",))
        # the file that had the line stands at its end
        recorded = {name: line.rpartition(" ")[0] for name, line in recorded.items()}
        yield _lines_check(places.best, recorded, ours)
    if places.rates:
        yield _lines_check(places.rates, read_lines(places.rates, _RATE_LINES), ours)


def _unrecorded(ours: Mapping[str, str], recorded: Mapping[str, str]) -> dict[str, str]:
    return {name: NOT_RECORDED for name in ours if name not in recorded}


def _lines_check(path: str, recorded: Mapping[str, str], ours: Mapping[str, str]) -> Check:
    return compare_all(
        path, (Difference(name, line, ours.get(name, NOT_OURS)) for name, line in recorded.items())
    )
