"""Phoneme error rates for people and programs: text, JSON, CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from scoring.pages.data import CODES, Members, counts_record, csv_rows, head_of, json_file
from scoring.pages.kaldi_lines import scored_line, sentence_line, wer_line
from scoring.pages.rates import listed
from scoring.phonemes.scorer import PhonemeRates
from scoring.scored.rates import ErrorRates
from scoring.sides.account import Input
from scoring.stats.comparison import ConfidenceInterval

SCHEMA = "sclite-kit/phoneme-error-rates"
SCHEMA_VERSION = 1
Json: TypeAlias = dict[str, Any]
COLUMNS = (
    "hypothesis_file",
    "utterance",
    "speaker",
    "correct",
    "substitutions",
    "deletions",
    "insertions",
    "reference_phonemes",
    "errors",
    "rate",
    "edits",
    "words",
    "pronunciations",
    "hypothesis",
)


class Result(NamedTuple):
    """The scores of a hypothesis, and what is reported with them."""

    scores: PhonemeRates
    lexicon: Input
    interval: ConfidenceInterval | None = None
    interval_record: Json | None = None


def summary_lines(result: Result) -> Iterator[str]:
    """Lines like Kaldi's, all counts, what was matched, the signature."""
    rates, found = result.scores.rates, result.scores.found
    counts, account = rates.counts, rates.account
    missing = account.reference_only.number
    yield wer_line(counts, partial=missing > 0).replace("%WER", "%PER", 1)
    yield sentence_line(rates.sentence_errors, len(rates))
    yield scored_line(len(rates), missing)
    predicted = sum(map(len, rates.aligned.hypotheses))
    yield (
        f"phonemes: {counts.reference_tokens} in the reference, {predicted} in the hypothesis, "
        f"{counts.correct} correct"
    )
    if result.interval is not None:
        yield str(result.interval)
    yield (
        f"utterances: {account.matched} matched by {account.matched_by}, {missing} in the "
        f"reference only, {account.hypothesis_only.number} in the hypothesis only, "
        f"{found.unknown.number} with unknown words, {account.repeated} repeated"
    )
    if missing:
        fate = "deleted" if rates.rules.missing == "delete" else "skipped"
        yield f"  in the reference only, {fate}: {listed(account.reference_only.identifiers)}"
    if account.hypothesis_only.number:
        yield (
            f"  in the hypothesis only, not scored ({account.unscored_words} phonemes): "
            f"{listed(account.hypothesis_only.identifiers)}"
        )
    if found.unknown.number:
        yield f"  with unknown words, skipped: {listed(found.unknown.identifiers)}"
    if account.ignored_words:
        yield f"  in segments not to be scored: {account.ignored_words} phonemes"
    if found.dropped:
        yield f"  dropped: {found.dropped} predicted phonemes"
    yield f"signature: {result.scores.signature}"


def warnings_of(scores: PhonemeRates) -> Iterator[str]:
    """What may have been overlooked, one line each."""
    rates, found = scores.rates, scores.found
    account, name = rates.account, rates.hypothesis.path
    if account.reference_only.number:
        fate = "their phonemes count as deleted"
        if rates.rules.missing == "skip":
            fate = f"they are left out with their {account.skipped_words} words"
        yield f"{name}: references without hypothesis, {fate}: {account.reference_only}"
    if account.hypothesis_only.number:
        yield (
            f"{name}: hypotheses without reference are not scored, {account.unscored_words} "
            f"phonemes: {account.hypothesis_only}"
        )
    if found.unknown.number:
        yield (
            f"{rates.reference.path}: references with words that the lexicon does not have are "
            f"left out, {found.unknown} (words: {found.unknown_words})"
        )
    if found.foreign.number:
        yield (
            f"{name}: phonemes that no pronunciation of the lexicon has can only be wrong: "
            f"{found.foreign}"
        )
    if not rates.counts.reference_tokens:
        yield f"{rates.reference.path}: no phonemes in the reference, so there is no error rate"


def document_lines(results: Sequence[Result]) -> Iterator[bytes]:
    """Everything as JSON, in pieces; an utterance a line."""
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), "systems": map(_system, results)})


def _system(result: Result) -> Members:
    return Members({**_summary(result), "utterances": _utterances(result.scores)})


def _summary(result: Result) -> Json:
    rates, found, rules = result.scores.rates, result.scores.found, result.scores.rules
    account = rates.account
    return {
        "signature": result.scores.signature,
        "rules": rules._asdict(),
        "reference": rates.reference._asdict(),
        "hypothesis": rates.hypothesis._asdict(),
        "lexicon": result.lexicon._asdict(),
        "account": {
            "matched_by": account.matched_by,
            "references": account.references,
            "hypotheses": account.hypotheses,
            "matched": account.matched,
            "reference_only": account.reference_only._asdict(),
            "hypothesis_only": account.hypothesis_only._asdict(),
            "unscored_phonemes": account.unscored_words,
            "skipped_words": account.skipped_words,
            "ignored_phonemes": account.ignored_words,
            "repeated": account.repeated,
            "unknown": found.unknown._asdict(),
            "unknown_words": found.unknown_words._asdict(),
            "foreign_phonemes": found.foreign._asdict(),
            "dropped_phonemes": found.dropped,
        },
        "counts": _counts(rates, range(len(rates))),
        "rates": {
            "corpus": rates.corpus,
            "sentence": rates.sentence_error_rate,
        },
        "sentences": {"scored": len(rates), "with_errors": rates.sentence_errors},
        "speakers": [
            {
                "speaker": speaker,
                "utterances": len(positions),
                **_counts(rates, positions),
            }
            for speaker, positions in rates.per_speaker().items()
        ],
        "confidence_interval": result.interval_record,
    }


def _counts(rates: ErrorRates, positions: Sequence[int]) -> Json:
    predicted = sum(len(rates.aligned.hypotheses[at]) for at in positions)
    # the method of columns has epsilons in the reference that stand for no token
    return {**counts_record(rates.sum_of(positions)), "hypothesis_tokens": predicted}


def _utterances(scores: PhonemeRates) -> Iterator[Json]:
    for at, (identifier, speaker, counts) in enumerate(scores.rates):
        alignment = scores.rates.alignment_at(at)
        yield {
            "identifier": identifier,
            "speaker": speaker,
            **counts._asdict(),
            "rate": counts.error_rate,
            "edits": "".join([CODES[edit] for edit in alignment.edits]),
            "words": scores.words[at],
            "pronunciations": scores.pronunciations[at],
            "hypothesis": alignment.hypothesis,
        }


def utterance_rows(results: Sequence[Result]) -> Iterator[bytes]:
    """CSV, a row for each utterance; the rate is a ratio, empty without reference phonemes."""
    return csv_rows(COLUMNS, (row for one in results for row in _rows(one.scores)))


def _rows(scores: PhonemeRates) -> Iterator[Sequence[object]]:
    for at, (identifier, speaker, counts) in enumerate(scores.rates):
        alignment = scores.rates.alignment_at(at)
        yield (
            scores.rates.hypothesis.path,
            identifier,
            speaker,
            *counts,
            counts.reference_tokens,
            counts.errors,
            counts.error_rate,
            alignment.letters,
            " ".join(filter(None, scores.words[at])),
            " | ".join(" ".join(path) for path in scores.pronunciations[at]),
            " ".join(alignment.hypothesis),
        )
