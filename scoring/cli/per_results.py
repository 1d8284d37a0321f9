"""Phoneme error rates for people and programs: text, JSON, CSV."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scoring.cli.per_corpus import PhonemeRates
from scoring.cli.results import interval_record
from scoring.model import Counts
from scoring.pages.kaldi_lines import percentage, scored_line, sentence_line, wer_line
from scoring.pages.rates import NO_SPEAKER, listed
from scoring.pages.terminal import alignment_lines, coloured, shown, table
from scoring.scored.record import CODES, counts_record
from scoring.sides.account import Input
from scoring.version import VERSION

if TYPE_CHECKING:
    from scoring.stats.comparison import ConfidenceInterval

SCHEMA = "sclite-kit/phoneme-error-rates"
SCHEMA_VERSION = 1
Json: TypeAlias = dict[str, Any]
HEADINGS = ("utterances", "phonemes", "correct", "sub", "del", "ins", "errors", "rate %")
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
    """The scores of a hypothesis, and everything that is reported with them."""

    rates: PhonemeRates
    reference: Input
    hypothesis: Input
    lexicon: Input
    interval: ConfidenceInterval | None = None


def summary_lines(result: Result) -> Iterator[str]:
    """Lines like Kaldi's, all counts, what was matched, the signature."""
    rates = result.rates
    counts, account, found = rates.scores.counts, rates.account, rates.found
    missing = account.reference_only.number
    yield wer_line(counts, partial=missing > 0).replace("%WER", "%PER", 1)
    yield sentence_line(rates.sentence_errors, len(rates.scores))
    yield scored_line(len(rates.scores), missing)
    yield (
        f"phonemes: {counts.reference_tokens} in the reference, {rates.scores.predicted} in the "
        f"hypothesis, {counts.correct} correct"
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
    yield f"signature: {rates.signature}"


def warnings_of(rates: PhonemeRates) -> Iterator[str]:
    """What may have been overlooked, one line each."""
    account, found, name = rates.account, rates.found, rates.hypothesis.name
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
            f"{rates.reference.name}: references with words that the lexicon does not have are "
            f"left out, {found.unknown} (words: {found.unknown_words})"
        )
    if found.foreign.number:
        yield (
            f"{name}: phonemes that no pronunciation of the lexicon has can only be wrong: "
            f"{found.foreign}"
        )
    if not rates.scores.counts.reference_tokens:
        yield f"{rates.reference.name}: no phonemes in the reference, so there is no error rate"


def speaker_lines(rates: PhonemeRates) -> list[str]:
    """A table of the speakers, in order of first appearance, and their sum."""
    rows: list[tuple[str, ...]] = [("speaker", *HEADINGS)]
    for speaker, positions in rates.per_speaker().items():
        name = NO_SPEAKER if speaker is None else speaker
        rows.append((name, *_cells(len(positions), _sum_of(rates, positions))))
    rows.append(("sum", *_cells(len(rates.scores), rates.scores.counts)))
    return table(rows)


def _cells(utterances: int, counts: Counts) -> tuple[str, ...]:
    numbers = (utterances, counts.reference_tokens, *counts, counts.errors)
    return (*map(str, numbers), percentage(counts.errors, counts.reference_tokens))


def _sum_of(rates: PhonemeRates, positions: Sequence[int]) -> Counts:
    return sum((rates.scores[at].counts for at in positions), Counts())


def utterance_lines(rates: PhonemeRates, columns: int, colour: bool) -> Iterator[str]:
    """Every utterance with its counts, its words and its alignment."""
    for at, (identifier, speaker) in enumerate(zip(rates.identifiers, rates.speakers, strict=True)):
        score = rates.scores[at]
        counts = score.counts
        name = shown(identifier) if speaker is None else f"{shown(identifier)} ({shown(speaker)})"
        errors = "1 error" if counts.errors == 1 else f"{counts.errors} errors"
        size = counts.reference_tokens
        phonemes = "1 phoneme" if size == 1 else f"{size} phonemes"
        rate = percentage(counts.errors, size)
        rate += "" if rate == "n/a" else " %"
        yield coloured(name, "1", colour) + f": {errors} in {phonemes}, {rate}"
        yield ("  words:       " + shown(" ".join(filter(None, _words(rates, at))))).rstrip()
        labels = ("  reference:", "  hypothesis:")
        yield from alignment_lines(score.alignment, labels, columns, colour)


def _words(rates: PhonemeRates, at: int) -> list[str]:
    paths = rates.scores[at].pronunciations
    return [slot.said(path) for slot, path in zip(rates.slots[at], paths, strict=True)]


def document_lines(results: Sequence[Result]) -> Iterator[bytes]:
    """Everything as JSON, in pieces; an utterance a line."""
    yield b"{\n"
    yield _line("schema", SCHEMA)
    yield _line("version", SCHEMA_VERSION)
    yield _line("generator", f"sclite-kit {VERSION}")
    yield b'"systems": ['
    for number, result in enumerate(results):
        yield b",\n{\n" if number else b"\n{\n"
        for name, value in _summary(result).items():
            yield _line(name, value)
        yield b'"utterances": ['
        for at in range(len(result.rates.scores)):
            yield (b",\n" if at else b"\n") + _encoded(_utterance(result.rates, at))
        yield b"\n]\n}"
    yield b"\n]\n}\n"


def _line(name: str, value: object) -> bytes:
    return _encoded(name) + b": " + _encoded(value) + b",\n"


def _encoded(value: object) -> bytes:
    # a lone surrogate, from bytes that are no text, becomes the escape JSON has for it
    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "backslashreplace"
    )


def _summary(result: Result) -> Json:
    rates = result.rates
    account, found, counts = rates.account, rates.found, rates.scores.counts
    utterances = len(rates.scores)
    return {
        "signature": rates.signature,
        "rules": rates.rules._asdict(),
        "reference": result.reference._asdict(),
        "hypothesis": result.hypothesis._asdict(),
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
        "counts": _counts(rates, range(utterances)),
        "rates": {
            "corpus": counts.error_rate,
            "sentence": rates.sentence_errors / utterances if utterances else None,
        },
        "sentences": {"scored": utterances, "with_errors": rates.sentence_errors},
        "speakers": [
            {
                "speaker": speaker,
                "utterances": len(positions),
                **_counts(rates, positions),
            }
            for speaker, positions in rates.per_speaker().items()
        ],
        "confidence_interval": interval_record(result.interval),
    }


def _counts(rates: PhonemeRates, positions: Sequence[int]) -> Json:
    predicted = sum(rates.scores[at].predicted for at in positions)
    # the method of columns has epsilons in the reference that stand for no token
    return {**counts_record(_sum_of(rates, positions)), "hypothesis_tokens": predicted}


def _utterance(rates: PhonemeRates, at: int) -> Json:
    score = rates.scores[at]
    return {
        "identifier": rates.identifiers[at],
        "speaker": rates.speakers[at],
        **score.counts._asdict(),
        "rate": score.counts.error_rate,
        "edits": "".join([CODES[edit] for edit in score.alignment.edits]),
        "words": _words(rates, at),
        "pronunciations": score.pronunciations,
        "hypothesis": score.alignment.hypothesis,
    }


def utterance_rows(results: Sequence[Result]) -> Iterator[bytes]:
    """CSV, a row for each utterance; the rate is a ratio, empty without reference phonemes."""
    import csv
    import io

    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(COLUMNS)
    for result in results:
        for row in _rows(result.rates):
            writer.writerow(row)
            yield buffer.getvalue().encode("utf-8", "surrogateescape")
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode("utf-8", "surrogateescape")


def _rows(rates: PhonemeRates) -> Iterator[Sequence[object]]:
    for at, score in enumerate(rates.scores):
        counts = score.counts
        yield (
            rates.hypothesis.name,
            rates.identifiers[at],
            rates.speakers[at],
            *counts,
            counts.reference_tokens,
            counts.errors,
            counts.error_rate,
            score.alignment.letters,
            " ".join(filter(None, _words(rates, at))),
            " | ".join(" ".join(path) for path in score.pronunciations),
            " ".join(score.alignment.hypothesis),
        )
