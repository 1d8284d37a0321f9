"""A Kaldi scoring directory: what it says is computed again from the words in it, and compared.

The words are those of `wer_details/per_utt`, which went through the recipe's filters, or without
details the texts of `kaldi_sweep`. They are of the best weights: files `wer_LMWT_WIP` of other
weights are not checked.

Recipes that score characters write the same files with `cer` for `wer` and `.chars.txt` for `.txt`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from scoring.drawing.kaldi_lines import TableScore, speaker_rows
from scoring.options import Rules
from scoring.regression.evidence import (
    Check,
    Difference,
    EvidenceError,
    ScoredVersion,
    compare_all,
    rescored,
)
from scoring.regression.kaldi_files import (
    file_in,
    lines_of,
    read_lines,
    read_texts,
    subdirectory,
)
from scoring.regression.kaldi_sweep import UNITS, Sweep, find_sweep, unit_of_texts
from scoring.regression.layouts import weights_of
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Account, ListedNames
from scoring.sides.matching.identifier import first_repeated

if TYPE_CHECKING:
    from formats.schema.words import Words

_ROWS = ("ref", "hyp", "op", "#csid")
_RATE_LINES = ("%WER", "%SER", "Scored")
NOT_RECORDED = "(not recorded)"
NOT_OURS = "(none)"


def open_directory(
    path: str, speakers: Mapping[str, str] | None = None, *, of_characters: bool = False
) -> ScoredVersion:
    """Read a scoring directory and score its words again."""
    places = _Places(path, of_characters)
    unit = "char" if of_characters else "word"
    texts_only = places.unit != unit == unit_of_texts(path, of_characters)
    if texts_only or not os.path.isfile(places.per_utt):
        return _open_texts(path, speakers, find_sweep(path, of_characters))
    return _open_details(path, speakers, places)


def recorded_line(path: str, *, of_characters: bool = False) -> tuple[Sequence[str], str]:
    """Return the best weights of a scoring directory, and the rate that is recorded of them."""
    places = _Places(path, of_characters)
    best, rates = places.best, places.rates
    if not os.path.isfile(places.per_utt):
        sweep = find_sweep(path, of_characters)
        best, rates = sweep.best, sweep.rates
    for name in filter(None, (best, rates)):
        line = read_lines(name, ("%WER",)).get("%WER", "")
        weights = weights_of(line.rpartition(" ")[2]) or weights_of(name)
        if line:
            return weights or (), line
    return (), ""


def _open_details(path: str, speakers: Mapping[str, str] | None, places: _Places) -> ScoredVersion:
    unit = places.unit
    details = read_details(places.per_utt)
    identifiers = [detail.identifier for detail in details]
    rows = read_speaker_rows(places.per_spk) if places.per_spk else {}
    owners = _speakers(places.per_utt, identifiers, speakers, rows)
    references = [detail.reference for detail in details]
    hypotheses = [detail.hypothesis for detail in details]
    columns = (identifiers, owners, references, hypotheses)
    texts = read_texts(places.reference) if places.reference else {}
    absent = len(texts.keys() - set(identifiers))
    rules = Rules("kaldi", unit=unit)
    account = _account(texts, dict(zip(identifiers, hypotheses, strict=True))) if absent else None
    rates = rescored(path, *columns, replace(rules, missing="skip") if absent else rules, account)
    by_align_text = rescored(path, *columns, Rules("align-text", unit=unit))
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
    checks += _rate_checks(places.best, places.rates, rates, absent)
    return ScoredVersion(path, "Kaldi directory", rates, tuple(checks))


def _account(references: Mapping[str, Words], hypotheses: Mapping[str, Words]) -> Account:
    """Return the account of the utterances; the words of missing ones are skipped or deleted."""
    absent = [name for name in references if name not in hypotheses]
    extra = [name for name in hypotheses if name not in references]
    return Account(
        "identifier",
        len(references),
        len(hypotheses),
        len(references) - len(absent),
        ListedNames.of(absent),
        ListedNames.of(extra),
        unscored_words=sum(len(hypotheses[name]) for name in extra),
        skipped_words=sum(len(references[name]) for name in absent),
    )


def _open_texts(path: str, speakers: Mapping[str, str] | None, sweep: Sweep) -> ScoredVersion:
    """Score the texts of the best weights as `compute-wer` did."""
    references, hypotheses = sweep.texts()
    absent = [name for name in references if name not in hypotheses]
    scored = [name for name in references if sweep.counts_missing or name in hypotheses]
    rules = Rules("kaldi", unit=UNITS[sweep.kind])
    rates = rescored(
        path,
        scored,
        _speakers(sweep.hypothesis, scored, speakers, {}),
        [references[name] for name in scored],
        [hypotheses.get(name, ()) for name in scored],
        rules if sweep.counts_missing or not absent else replace(rules, missing="skip"),
        _account(references, hypotheses),
    )
    checks = tuple(_rate_checks(sweep.best, sweep.rates, rates, len(absent)))
    differences = [difference for check in checks for difference in check.differences]
    if sweep.has_numbers and (differences or not checks):
        # words are only known to be those that were scored if they give the recorded rate
        recorded = differences[0].recorded if differences else "a recorded rate"
        ours = differences[0].ours if differences else "none"
        filters = " ".join(f"(the recipe filters them: {text})" for text in sweep.filters())
        problem = f"expected words with {recorded}, found {ours} {filters}".strip()
        raise EvidenceError(sweep.hypothesis, None, None, problem)
    return ScoredVersion(path, "Kaldi directory", rates, checks)


class _Places:
    """The paths of the files of a scoring directory; empty if a file is absent."""

    def __init__(self, path: str, of_characters: bool) -> None:
        self.scoring = subdirectory(path, "scoring_kaldi") or path
        folder = os.path.basename(os.path.normpath(path))
        kinds = ("cer", "wer") if of_characters else ("wer", "cer")
        present = [kind for kind in kinds if subdirectory(self.scoring, f"{kind}_details")]
        if folder in ("wer_details", "cer_details"):
            present = [folder[:3]]
        kind = present[0] if present else "wer"
        self.unit = UNITS[kind]
        details = subdirectory(self.scoring, f"{kind}_details") or path
        if folder == f"{kind}_details":
            details, self.scoring = path, os.path.join(path, os.pardir)
        self.per_utt = os.path.join(details, "per_utt")
        self.per_spk = file_in(details, "per_spk")
        suffix = ".chars.txt" if kind == "cer" else ".txt"
        self.reference = file_in(self.scoring, "test_filt" + suffix)
        self.best = file_in(self.scoring, f"best_{kind}")
        # beside scoring_kaldi, or where the path leads
        name = "_".join((kind, *_best_weights(details, self.best)))
        folders = (path, os.path.join(self.scoring, os.pardir)) if name != kind else ()
        self.rates = next(filter(None, (file_in(folder, name) for folder in folders)), "")


def _best_weights(details: str, best: str) -> Sequence[str]:
    numbers = []
    for name in ("lmwt", "wip"):
        if file_in(details, name):
            with open(file_in(details, name), encoding="utf-8", errors="replace") as file:
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


def _rate_checks(best: str, recorded_rates: str, rates: ErrorRates, absent: int) -> Iterator[Check]:
    """Yield the lines of the best weights, whose words are those that were scored again."""
    score = TableScore(rates.counts, len(rates), rates.sentence_errors, absent)
    ours = {line.partition(" ")[0]: line for line in score.text().splitlines()}
    if best:
        recorded = read_lines(best, ("%WER",))
        # the file that had the line stands at its end
        recorded = {name: line.rpartition(" ")[0] for name, line in recorded.items()}
        yield _lines_check(best, recorded, ours)
    if recorded_rates:
        yield _lines_check(recorded_rates, read_lines(recorded_rates, _RATE_LINES), ours)


def _unrecorded(ours: Mapping[str, str], recorded: Mapping[str, str]) -> dict[str, str]:
    return {name: NOT_RECORDED for name in ours if name not in recorded}


def _lines_check(path: str, recorded: Mapping[str, str], ours: Mapping[str, str]) -> Check:
    return compare_all(
        path, (Difference(name, line, ours.get(name, NOT_OURS)) for name, line in recorded.items())
    )


class Detail(NamedTuple):
    """An utterance of per_utt."""

    identifier: str
    reference: Words
    hypothesis: Words
    operations: str  # a letter for each place: C, S, I, D
    counts: str  # correct, substitutions, insertions, deletions, as they stand there


def read_details(path: str) -> list[Detail]:
    """Read per_utt."""
    rows: list[tuple[int, tuple[str, ...]]] = []
    details: list[Detail] = []
    for number, fields in lines_of(path):
        expected = _ROWS[len(rows)]
        if len(fields) < 2 or fields[1] != expected or (rows and fields[0] != rows[0][1][0]):
            of = f" of {rows[0][1][0]!r}" if rows else " of an utterance"
            start = " ".join(fields[:2])
            raise EvidenceError(path, number, 1, f"expected row {expected!r}{of}, found {start!r}")
        rows.append((number, fields))
        if len(rows) == len(_ROWS):
            details.append(_detail(path, rows))
            rows = []
    if rows:
        number, fields = rows[-1]
        expected = _ROWS[len(rows)]
        problem = f"expected row {expected!r} of {fields[0]!r}, found the end"
        raise EvidenceError(path, number, None, problem)
    repeated = first_repeated([detail.identifier for detail in details])
    if repeated is not None:
        name = details[repeated[1]].identifier
        line = len(_ROWS) * repeated[1] + 1
        raise EvidenceError(path, line, 1, f"expected each utterance once, found {name!r} again")
    return details


def _detail(path: str, rows: list[tuple[int, tuple[str, ...]]]) -> Detail:
    reference, hypothesis, operations, counts = (fields[2:] for _, fields in rows)
    number = rows[2][0]
    if not len(reference) == len(hypothesis) == len(operations):
        problem = (
            f"expected as many words as operations, found {len(reference)} in the reference, "
            f"{len(hypothesis)} in the hypothesis and {len(operations)} operations"
        )
        raise EvidenceError(path, number, None, problem)
    unknown = set(operations) - set("CSDI")
    if unknown:
        problem = f"expected operations C, S, D and I, found {min(unknown)!r}"
        raise EvidenceError(path, number, None, problem)
    return Detail(
        rows[0][1][0],
        tuple(w for w, op in zip(reference, operations, strict=True) if op != "I"),
        tuple(w for w, op in zip(hypothesis, operations, strict=True) if op != "D"),
        "".join(operations),
        " ".join(counts),
    )


def read_speaker_rows(path: str) -> dict[str, str]:
    """Rows of per_spk, blanks squeezed, by speaker and kind of row: `anna raw`."""
    rows: dict[str, str] = {}
    for number, fields in lines_of(path):
        if fields[0] == "SPEAKER":
            continue
        if len(fields) != 10 or fields[1] not in ("raw", "sys"):
            problem = "expected a speaker, raw or sys, and 8 numbers, found "
            raise EvidenceError(path, number, 1, problem + " ".join(fields[:3]))
        rows[" ".join(fields[:2])] = " ".join(fields[2:])
    return rows


def speakers_by_prefix(
    identifiers: list[str], names: Mapping[str, object]
) -> list[str | None] | None:
    """The speaker each identifier begins with, the longest that does; None if one has none."""
    ordered = sorted(names, key=len, reverse=True)
    speakers: list[str | None] = [
        next((name for name in ordered if identifier.startswith(name)), None)
        for identifier in identifiers
    ]
    return None if None in speakers else speakers
