"""Results as JSON, to be kept, merged from shards and compared later; schema in resources/schemas.

The text is the same for the same result: keys in a fixed order, an utterance a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from scoring.drawing.data import CODES as CODES
from scoring.drawing.data import Members, counts_record, head_of, json_file
from scoring.options import RARE_RULES

if TYPE_CHECKING:
    from scoring.results.forgiven import Forgiven
    from scoring.results.groups import Group
    from scoring.results.result import Rates

SCHEMA = "sclite-kit/error-rates"
SCHEMA_VERSION = 1
Json: TypeAlias = dict[str, Any]


class Shard(NamedTuple):
    """A part of the utterances: number `number`, from 1, of `of` nearly equal ones."""

    number: int
    of: int

    def bounds(self, utterances: int) -> tuple[int, int]:
        """The range of utterances in the shard.

        >>> Shard(2, 3).bounds(10)
        (3, 6)
        """
        return (self.number - 1) * utterances // self.of, self.number * utterances // self.of


def document_lines(
    systems: Sequence[Rates],
    shard: Shard | None = None,
    intervals: Sequence[Json | None] = (),
    ranking: Json | None = None,
    gaps: Sequence[Sequence[Json]] = (),
) -> Iterator[bytes]:
    """The JSON text of results of one or more systems, all or a shard, in pieces."""
    members: Json = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "shard": None if shard is None else shard._asdict(),
        **({} if ranking is None else {"ranking": ranking}),
        "systems": (
            Members(
                {
                    **summary(rates),
                    **_basis(rates, shard),
                    "confidence_interval": interval,
                    **({"group_gaps": between} if between else {}),
                    "utterances": _utterances(rates),
                }
            )
            for rates, interval, between in zip_longest(systems, intervals, gaps)
        ),
    }
    return json_file(members)


def system_record(rates: Rates) -> Json:
    """The record of one system, as a dictionary."""
    return {**summary(rates), **_basis(rates), "utterances": list(_utterances(rates))}


def _basis(rates: Rates, shard: Shard | None = None) -> Json:
    """The basis for scoring another hypothesis; the first of several shards has the references."""
    if rates.basis is None:
        return {}
    from scoring.results.stored import options_record, references_record

    is_later = shard is not None and shard.number > 1
    references = None if is_later else references_record(rates)
    return {
        "options": options_record(rates.basis),
        **({} if references is None else {"references": references}),
    }


def summary(rates: Rates) -> Json:
    """Everything but the utterances."""
    account = rates.matching_summary
    record: Json = {
        "signature": rates.signature,
        "rules": {
            name: value
            for name, value in rates.rules._asdict().items()
            if name not in RARE_RULES or value
        },
        "reference": rates.reference._asdict(),
        "hypothesis": rates.hypothesis._asdict(),
        "account": {
            **account._asdict(),
            "reference_only": account.reference_only._asdict(),
            "hypothesis_only": account.hypothesis_only._asdict(),
        },
        "remarks": rates.remarks,
        "counts": counts_record(rates.counts, rates.length),
        "rates": _rates(rates),
        "sentences": {"scored": len(rates), "with_errors": rates.sentence_errors},
        "speakers": [
            {
                "speaker": speaker,
                "utterances": len(positions),
                **counts_record(
                    rates.sum_of(positions), rates.length_of(rates.sum_of(positions), positions)
                ),
            }
            for speaker, positions in rates.per_speaker().items()
        ],
    }
    if rates.measured:
        record["measures"] = {name: item.record() for name, item in rates.measured.items()}
    if rates.verdicts is not None:
        record["verdicts"] = _verdicts(rates)
    if rates.rules.compounds:
        without = counts_record(rates.counts_without_merges)
        record["compounds"] = {"merged": rates.merges, "without": without}
    if rates.forgiven_by_row:
        from scoring.results.forgiven import counts_by_kind

        record["forgiven"] = counts_by_kind(rates.forgiven)
    if rates.sessions:
        record["sessions"] = [session._asdict() for session in rates.sessions]
    if rates.groups:
        record["groups"] = [
            {
                "by": dict(zip(rates.groups, group.values, strict=True)),
                "utterances": len(group.positions),
                **counts_record(group.counts, rates.length_of(group.counts, group.positions)),
                **_of_measures(rates, group),
            }
            for group in rates.per_group()
        ]
    if rates.choices is not None:
        record["choices"] = {
            "references": [file._asdict() for file in rates.choices.inputs],
            "wildcard_words": rates.choices.wildcard_words,
        }
    return record


def _rates(rates: Rates) -> Json:
    """The rates by name."""
    return {
        "corpus": rates.corpus_rate,
        "mean_of_utterances": rates.mean_of_utterances,
        "sentence": rates.sentence_error_rate,
        "match": rates.match_error_rate,
        "word_information_lost": rates.word_information_lost,
        "word_information_preserved": rates.word_information_preserved,
        **({"headline": rates.headline} if rates.rules.like else {}),
    }


def _of_measures(rates: Rates, group: Group) -> Json:
    """The numbers of the measures of a group."""
    items = rates.measured.items()
    values = {name: dict(item.select(group.positions).values) for name, item in items}
    return {"measures": values} if values else {}


def _verdicts(rates: Rates) -> Json | None:
    """The errors by verdict, and the decisions, so that the record can be merged."""
    import msgspec

    sums, verdicts = rates.adjudication, rates.verdicts
    if sums is None or verdicts is None:
        return None
    return {
        "path": verdicts.path,
        "sha256": verdicts.sha256,
        **{name: getattr(sums, name)._asdict() for name in sums._fields[:4]},
        "errors": sums.errors,
        "rate": sums.rate,
        "rate_with_minor": sums.rate_with_minor,
        "decisions": msgspec.to_builtins(verdicts.decisions),
    }


def _forgiven_record(place: Forgiven) -> Json:
    """A place where another path than the written one was chosen."""
    return {name: value for name, value in place._asdict().items() if name != "utterance"}


def _utterances(rates: Rates) -> Iterator[Json]:
    aligned, groups, measured = rates.aligned, rates.groups.items(), rates.measured.items()
    choices, forgiven = rates.choices, rates.forgiven_by_row
    for row, (identifier, speaker, counts) in enumerate(rates):
        edits = aligned.edits_of(row)
        yield {
            "identifier": identifier,
            "speaker": speaker,
            **({"session": rates.session_of[row]} if rates.session_of else {}),
            **({"groups": {name: column[row] for name, column in groups}} if groups else {}),
            **counts._asdict(),
            "rate": rates.rate_at(row),
            **({} if choices is None else {"references": choices.chosen[row]}),
            **({"length": rates.lengths[row]} if rates.lengths else {}),
            "edits": "".join([CODES[edit] for edit in edits]),
            "reference": aligned.references[row],
            "hypothesis": aligned.hypotheses[row],
            **(
                {"forgiven": [_forgiven_record(place) for place in forgiven[row]]}
                if row in forgiven
                else {}
            ),
            **(
                {"measures": {name: part.columns.row(row) for name, part in measured}}
                if measured
                else {}
            ),
        }
