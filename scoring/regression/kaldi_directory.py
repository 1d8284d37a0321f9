"""A Kaldi scoring directory: recompute its numbers from its words and compare them.

The words are from `wer_details/per_utt`, after the recipe's filters. Without this file, they are
the texts of `kaldi_sweep`. Both have the words of the best weights. `kaldi_inventory` compares all
other numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.messages import Message, expected_found
from scoring.options import Rules
from scoring.regression.evidence import Check, EvidenceError, ScoredVersion, rescored
from scoring.regression.kaldi_details import read_details, read_speaker_rows, speakers_by_prefix
from scoring.regression.kaldi_files import (
    UNITS,
    ScoringFiles,
    ascending,
    files_of,
    find_files,
    read_lines,
    read_texts,
)
from scoring.regression.kaldi_inventory import (
    details_checks,
    rate_checks,
    sweep_checks,
    text_checks,
    unchecked_files,
)
from scoring.regression.kaldi_lacks import lack_of
from scoring.regression.kaldi_sweep import (
    best_weights,
    computed_rates,
    find_sweep,
    note_of_table,
    rate_in,
)
from scoring.sides.corpus import Account, ListedNames, speakers_of
from scoring.sides.layouts import has_words, weights_of

if TYPE_CHECKING:
    from formats.schema.words import Words


CHOSEN = "no rate is recorded, and the texts with the lowest rate by our scoring are the best"
"""The remark on a folder without recorded rates."""


def open_directory(
    path: str, speakers: Mapping[str, str] | None = None, *, of_characters: bool = False
) -> ScoredVersion:
    """Read a scoring directory and score its words again; check every number recorded in it.

    The result is a word or a character error rate. The directory's numbers for the other rate are
    checked, too.
    """
    files = find_files(path, of_characters=of_characters)
    side = _open(files, speakers)
    rest = files_of(path, next(kind for kind in UNITS if kind != files.kind))
    checks = list(side.checks)
    if rest.details or rest.texts:
        try:
            checks += _open(rest, speakers).checks
        except EvidenceError as problem:
            checks += unchecked_files(rest, str(problem))
    else:
        checks += unchecked_files(rest, "the texts are not there")
    return side._replace(checks=tuple(checks))


def open_sides(
    path: str, speakers: Mapping[str, str] | None = None, *, of_characters: bool = False
) -> ScoredVersion:
    """Read a scoring directory and score its words again; only the best weights are checked."""
    return _open(find_files(path, of_characters=of_characters), speakers, is_whole=False)


def recorded_line(path: str, *, of_characters: bool = False) -> tuple[Sequence[str], str]:
    """Return the best weights of a scoring directory, and their recorded rate as text."""
    files = find_files(path, of_characters=of_characters)
    weights = files.weights_of_details() if files.details else best_weights(files)
    for name in filter(None, (files.best, files.rates.get(tuple(weights), ""))):
        line = read_lines(name, ("%WER",)).get("%WER", "")
        named = weights_of(line.rpartition(" ")[2]) or weights_of(name)
        if line:
            return named or (), line
    return weights, ""


def note_of_words(path: str, *, of_characters: bool = False) -> Message | None:
    """Return a note on the table of a directory's word numbers; None if its texts have words."""
    files = find_files(path, of_characters=of_characters)
    return None if files.details else note_of_table(path, find_sweep(files))


class WeightRates(NamedTuple):
    """The rates of all weights of a scoring directory, in percent, by ascending LMWT."""

    rates: Mapping[tuple[str, ...], str]  # by weights; empty if only the best weights are known
    is_recorded: bool = True  # False if this program scored the texts


def rates_of_weights(path: str, *, of_characters: bool = False) -> WeightRates:
    """Return the recorded rates of all weights, or our rates if no rates are recorded."""
    files = find_files(path, of_characters=of_characters)
    if is_chosen(files):
        return WeightRates(computed_rates(files), is_recorded=False)
    return WeightRates(
        {
            weights: rate
            for weights in sorted(files.rates, key=ascending)
            if (rate := rate_in(files.rates[weights]))
        }
    )


def is_chosen(files: ScoringFiles) -> bool:
    """Return True if the best weights were chosen by our rates of several texts."""
    is_recorded = files.details or files.best or any(map(rate_in, files.rates.values()))
    return not is_recorded and len(files.texts) > 1


def _open(
    files: ScoringFiles, speakers: Mapping[str, str] | None, *, is_whole: bool = True
) -> ScoredVersion:
    """Return the scores of the words in `per_utt`.

    Without this file, of the best weights' texts.
    """
    side = _open_details(files, speakers, is_whole=is_whole)
    return side or _open_texts(files, speakers, is_whole=is_whole)


def _open_details(
    files: ScoringFiles, speakers: Mapping[str, str] | None, *, is_whole: bool
) -> ScoredVersion | None:
    """Return the scores of the words in `per_utt`; None without this file."""
    if not files.details:
        return None
    unit, path = UNITS[files.kind], files.path
    details = read_details(files.per_utt)
    identifiers = [detail.identifier for detail in details]
    per_spk = files.detail("per_spk")
    rows = read_speaker_rows(per_spk) if per_spk else {}
    owners = _speakers(files.per_utt, identifiers, speakers, rows)
    references = [detail.reference for detail in details]
    hypotheses = [detail.hypothesis for detail in details]
    columns = (identifiers, owners, references, hypotheses)
    texts = read_texts(files.reference) if files.reference else {}
    absent = len(texts.keys() - set(identifiers))
    rules = Rules("kaldi", unit=unit)
    account = _account(texts, dict(zip(identifiers, hypotheses, strict=True))) if absent else None
    rates = rescored(path, *columns, rules._replace(missing="skip") if absent else rules, account)
    checks: list[Check] = []
    if is_whole:
        by_align_text = rescored(path, *columns, Rules("align-text", unit=unit))
        checks += details_checks(files, details, by_align_text, rows)
        weights = files.weights_of_details()
        checks += text_checks(files, weights, by_align_text)
        checks += rate_checks(files, weights, rates, absent)
        checks += sweep_checks(files, weights)
    return ScoredVersion(path, "Kaldi directory", rates, tuple(checks))


def _account(references: Mapping[str, Words], hypotheses: Mapping[str, Words]) -> Account:
    """Return the numbers of matched and unmatched utterances; unmatched ones are not scored."""
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


def _open_texts(
    files: ScoringFiles, speakers: Mapping[str, str] | None, *, is_whole: bool
) -> ScoredVersion:
    """Score the texts of the best weights like `compute-wer`."""
    if not files.texts or not has_words(files.path):
        scores = "wer_details/per_utt, cer_details/per_utt or hypotheses"
        problem = expected_found(f"Kaldi's scoring directory with {scores}", "none")
        raise EvidenceError(files.path, None, None, lack_of(files.path) or problem)
    sweep = find_sweep(files)
    references, hypotheses = read_texts(sweep.reference), sweep.words()
    absent = [name for name in references if name not in hypotheses]
    scored = [name for name in references if sweep.counts_missing or name in hypotheses]
    rules = Rules("kaldi", unit=UNITS[files.kind])
    rates = rescored(
        files.path,
        scored,
        _speakers(sweep.hypothesis, scored, speakers, {}),
        [references[name] for name in scored],
        [hypotheses.get(name, ()) for name in scored],
        rules if sweep.counts_missing or not absent else rules._replace(missing="skip"),
        _account(references, hypotheses),
    )
    checks = list(rate_checks(files, sweep.weights, rates, len(absent)))
    differences = [difference for check in checks for difference in check.differences]
    commands = list(sweep.filters()) if sweep.is_unfiltered else []
    if sweep.is_unfiltered and (differences or (commands and not checks)):
        # words are only known to be those that were scored if they give the recorded rate
        recorded = differences[0].recorded if differences else "a recorded rate"
        ours = differences[0].ours if differences else "none"
        filters = " ".join(f"(the recipe filters them: {text})" for text in commands)
        problem = expected_found(f"words with {recorded}", f"{ours} {filters}".strip())
        raise EvidenceError(sweep.hypothesis, None, None, problem)
    if is_whole:
        checks += sweep_checks(files, sweep.weights)
        if is_chosen(files):
            checks.append(Check(files.folder, 0, remark=CHOSEN))
    return ScoredVersion(files.path, "Kaldi directory", rates, tuple(checks))


def _speakers(
    path: str,
    identifiers: list[str],
    speakers: Mapping[str, str] | None,
    rows: Mapping[str, str],
) -> list[str | None]:
    if speakers is not None:
        return speakers_of(identifiers, speakers, path)
    names = dict.fromkeys(row.partition(" ")[0] for row in rows if not row.startswith("SUM "))
    owners = speakers_by_prefix(identifiers, names)
    return [None] * len(identifiers) if owners is None else owners
