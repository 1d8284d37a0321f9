"""Phoneme error rates for people and programs: text, JSON, CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple

from formats.schema.messages import Message
from formats.schema.remarks import AnyMessage, remark_records
from formats.schema.value_records import to_builtins
from scoring.drawing.data import CODES, Members, counts_record, head_of, json_file
from scoring.model.aliases import Json
from scoring.model.counts import Alignment
from scoring.pages import (
    account_lines,
    counts_of,
    listed,
    rates_line,
)
from scoring.pages import warnings_of as overlooked_in
from scoring.pages.spreadsheet import cells_of, columns_of
from scoring.results import Rates
from scoring.results.record import summary
from scoring.sides.corpus import InputFile
from scoring.stats.intervals import ConfidenceInterval
from scoring.tasks.phonemes.messages import OTHER_PHONEMES, UNKNOWN_WORDS
from scoring.tasks.phonemes.scorer import PhonemeRates

SCHEMA = "sclite-kit/phoneme-error-rates"
SCHEMA_VERSION = 1
# Members of the account of words that count phonemes here.
PHONEMES = {"unscored_words": "unscored_phonemes", "ignored_words": "ignored_phonemes"}


class Result(NamedTuple):
    """The scores of a hypothesis, with the lexicon, the interval and the remarks for reports."""

    scores: PhonemeRates
    lexicon: InputFile
    interval: ConfidenceInterval | None = None
    remarks: Sequence[AnyMessage] = ()


def summary_lines(result: Result) -> Iterator[str]:
    """Yield lines like Kaldi's, all counts, the matched utterances and the signature."""
    rates, found = result.scores.rates, result.scores.found
    yield from counts_of(rates)
    # the method of columns has epsilons, which count as words here and not elsewhere
    if result.scores.rules.method == "exact":
        yield rates_line(rates)
    if result.interval is not None:
        yield result.interval.line
    yield from account_lines(rates, [(found.unknown.number, "with unknown words")])
    if found.unknown.number:
        yield f"  with unknown words, skipped: {listed(found.unknown.identifiers)}"
    if found.dropped:
        yield f"  dropped: {found.dropped} predicted phonemes"
    yield f"signature: {result.scores.signature}"


def warnings_of(scores: PhonemeRates) -> Iterator[Message]:
    """Yield the warnings of likely mistakes."""
    rates, found = scores.rates, scores.found
    yield from overlooked_in(rates)
    if found.unknown.number:
        words = found.unknown_words.fields
        fields = {
            **found.unknown.fields,
            "words": words["number"],
            "different": words["different"],
            "unknown": words["names"],
        }
        yield Message(UNKNOWN_WORDS, {"path": rates.reference.path, **fields})
    if found.foreign.number:
        yield Message(OTHER_PHONEMES, {"path": rates.hypothesis.path, **found.foreign.fields})


def document_lines(results: Sequence[Result]) -> Iterator[bytes]:
    """Yield the JSON of the results, one utterance per line."""
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), "systems": map(_system, results)})


def _system(result: Result) -> Members:
    return Members({**_summary(result), "utterances": _utterances(result.scores)})


def _summary(result: Result) -> Json:
    rates, found, rules = result.scores.rates, result.scores.found, result.scores.rules
    record = summary(rates)
    groups = (
        [
            {**group, **_counts(rates, part.positions)}
            for group, part in zip(record["groups"], rates.per_group(), strict=True)
        ]
        if rates.groups
        else []
    )
    return {
        "signature": result.scores.signature,
        "rules": rules._asdict(),
        "reference": record["reference"],
        "hypothesis": record["hypothesis"],
        "lexicon": result.lexicon._asdict(),
        "remarks": remark_records(result.remarks),
        "account": {
            **{PHONEMES.get(name, name): value for name, value in record["account"].items()},
            "utterances_with_unknown_words": to_builtins(found.unknown),
            "unknown_words": found.unknown_words.record(),
            "foreign_phonemes": found.foreign.record(),
            "dropped_phonemes": found.dropped,
        },
        "counts": _counts(rates, range(len(rates))),
        "rates": {name: record["rates"][name] for name in ("error_rate", "sentence_error_rate")},
        "sentences": record["sentences"],
        "speakers": [
            {"speaker": speaker, "utterance_count": len(positions), **_counts(rates, positions)}
            for speaker, positions in rates.per_speaker().items()
        ],
        **({"groups": groups} if groups else {}),
        "interval": result.interval and result.interval.record(),
    }


def _counts(rates: Rates, positions: Sequence[int]) -> Json:
    predicted = sum(len(rates.aligned.hypotheses[at]) for at in positions)
    # the method of columns has epsilons in the reference that stand for no token
    return {**counts_record(rates.sum_of(positions)), "hypothesis_count": predicted}


def _utterances(scores: PhonemeRates) -> Iterator[Json]:
    for at, (identifier, speaker, counts) in enumerate(scores.rates):
        alignment = scores.rates.alignment_at(at)
        yield {
            "id": identifier,
            "speaker": speaker,
            **counts._asdict(),
            "error_rate": counts.error_rate,
            "edits": "".join([CODES[edit] for edit in alignment.edits]),
            "words": scores.words[at],
            "pronunciations": scores.pronunciations[at],
            "hypothesis": alignment.hypothesis,
        }


def utterance_table(
    results: Sequence[Result],
) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    """Return the column names, and a row for each utterance; the rate is a ratio or None."""
    groups = [name for one in results[:1] for name in one.scores.rates.groups if name != "speaker"]
    columns = columns_of("phoneme", groups, "words", "pronunciations", "hypothesis")
    rows = (cells_of(one.scores.rates, partial(_texts, one.scores), groups) for one in results)
    return columns, chain.from_iterable(rows)


def _texts(scores: PhonemeRates, position: int, alignment: Alignment) -> tuple[str, ...]:
    return (
        " ".join(filter(None, scores.words[position])),
        " | ".join(" ".join(path) for path in scores.pronunciations[position]),
        " ".join(alignment.hypothesis),
    )
