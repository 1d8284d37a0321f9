"""Results as JSON, to be kept, merged from shards and compared later; schema in resources/schemas.

The text is the same for the same result: keys in a fixed order, an utterance a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scoring.drawing.data import CODES as CODES
from scoring.drawing.data import Members, counts_record, head_of, json_file
from scoring.errors import InputError, ScoringError

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates

SCHEMA = "sclite-kit/error-rates"
SCHEMA_VERSION = 1
Json: TypeAlias = dict[str, Any]


class RecordError(InputError):
    """A file that is no record of results, or records that do not belong together."""

    status = 2


class Shard(NamedTuple):
    """A part of the utterances: number `number`, from 1, of `of` nearly equal ones."""

    number: int
    of: int

    def bounds(self, utterances: int) -> tuple[int, int]:
        """Which utterances it holds.

        >>> Shard(2, 3).bounds(10)
        (3, 6)
        """
        return (self.number - 1) * utterances // self.of, self.number * utterances // self.of


class Document(NamedTuple):
    """What a file holds: results of one or more systems, all or a shard, and their ranking."""

    systems: Sequence[ErrorRates]
    shard: Shard | None = None
    intervals: Sequence[Json | None] = ()
    ranking: Json | None = None


def document_lines(document: Document) -> Iterator[bytes]:
    """The JSON text, in pieces."""
    intervals = document.intervals or [None] * len(document.systems)
    members: Json = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "shard": None if document.shard is None else document.shard._asdict(),
        **({} if document.ranking is None else {"ranking": document.ranking}),
        "systems": (
            Members(
                {
                    **summary(rates),
                    "confidence_interval": interval,
                    "utterances": _utterances(rates),
                }
            )
            for rates, interval in zip(document.systems, intervals, strict=False)
        ),
    }
    return json_file(members)


def system_record(rates: ErrorRates) -> Json:
    """What the file holds of one system, as a dictionary."""
    return {**summary(rates), "utterances": list(_utterances(rates))}


def summary(rates: ErrorRates) -> Json:
    """Everything but the utterances."""
    account = rates.matching_summary
    made: Json = {
        "signature": rates.signature,
        "rules": {
            name: value
            for name, value in rates.rules._asdict().items()
            if name != "measure" or value
        },
        "reference": rates.reference._asdict(),
        "hypothesis": rates.hypothesis._asdict(),
        "account": {
            **account._asdict(),
            "reference_only": account.reference_only._asdict(),
            "hypothesis_only": account.hypothesis_only._asdict(),
        },
        "remarks": rates.remarks,
        "counts": counts_record(rates.counts),
        "rates": {
            "corpus": rates.corpus_rate,
            "mean_of_utterances": rates.mean_of_utterances,
            "sentence": rates.sentence_error_rate,
            "match": rates.match_error_rate,
            "word_information_lost": rates.word_information_lost,
            "word_information_preserved": rates.word_information_preserved,
        },
        "sentences": {"scored": len(rates), "with_errors": rates.sentence_errors},
        "speakers": [
            {
                "speaker": speaker,
                "utterances": len(positions),
                **counts_record(rates.sum_of(positions)),
            }
            for speaker, positions in rates.per_speaker().items()
        ],
    }
    if rates.sessions:
        made["sessions"] = [
            {**one._asdict(), "others": [other._asdict() for other in one.others]}
            for one in rates.sessions
        ]
    if rates.groups:
        made["groups"] = [
            {
                "by": dict(zip(rates.groups, group.values, strict=True)),
                "utterances": len(group.positions),
                **counts_record(group.counts),
            }
            for group in rates.per_group()
        ]
    return made


def _utterances(rates: ErrorRates) -> Iterator[Json]:
    aligned, groups = rates.aligned, rates.groups.items()
    for at, (identifier, speaker, counts) in enumerate(rates):
        edits = aligned.edits_of(at)
        yield {
            "identifier": identifier,
            "speaker": speaker,
            **({"session": rates.session_of[at]} if rates.session_of else {}),
            **({"groups": {name: column[at] for name, column in groups}} if groups else {}),
            **counts._asdict(),
            "rate": counts.error_rate,
            "edits": "".join([CODES[edit] for edit in edits]),
            "reference": aligned.references[at],
            "hypothesis": aligned.hypotheses[at],
        }


def merged(parts: Sequence[tuple[str, Document]]) -> Document:
    """All shards of a run put together: what a single run would have given.

    Parameters
    ----------
    parts
        Documents with the names of their files, in any order.

    Raises
    ------
    RecordError
        If a shard is missing, is there twice, or belongs to another run.
    """
    first_path, first = parts[0]
    if first.shard is None:
        raise RecordError(first_path, None, None, "expected a shard, found a whole result")
    known: dict[int, tuple[str, Document]] = {}
    for path, document in parts:
        shard = document.shard
        if shard is None or shard.of != first.shard.of:
            found = "a whole result" if shard is None else f"one of {shard.of}"
            expected = f"one of {first.shard.of} shards as {first_path}"
            raise RecordError(path, None, None, f"expected {expected}, found {found}")
        if shard.number in known:
            earlier = known[shard.number][0]
            raise RecordError(
                path,
                None,
                None,
                f"expected another shard than {shard.number}, which {earlier} holds already",
            )
        known[shard.number] = (path, document)
        if _heads(document) != _heads(first):
            raise RecordError(
                path, None, None, f"expected a shard of the same run as {first_path}, found another"
            )
    missing = [number for number in range(1, first.shard.of + 1) if number not in known]
    if missing:
        raise ScoringInputError(
            f"expected all {first.shard.of} shards, missing {', '.join(map(str, missing))}"
        )
    ordered = [known[number][1] for number in range(1, first.shard.of + 1)]
    return Document(
        [
            column[0].merge_shards(column)
            for column in zip(*(one.systems for one in ordered), strict=True)
        ]
    )


class ScoringInputError(ScoringError):
    """Input that cannot be scored, and no single file is to blame."""

    status = 2


def _heads(document: Document) -> list[object]:
    return [
        (one.reference, one.hypothesis, one.rules, one.matching_summary) for one in document.systems
    ]
