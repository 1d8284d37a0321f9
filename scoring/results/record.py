"""Results as JSON, for storage, merging and comparison; the schema is in resources/schemas.

msgspec encodes and validates the structs of this module. Equal results give equal text: members are
in the order of the fields, with one utterance per line. Structs with `omit_defaults` omit members
that have their default value. The default `()` is compared by identity: lists become tuples that
way, because in Python 3.10 an empty generator does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, zip_longest
from typing import TYPE_CHECKING, Any, Literal

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import astuple

from formats.schema.remarks import Remark
from formats.schema.value_records import to_builtins
from formats.schema.words import Words
from scoring.drawing.data import CODES as CODES
from scoring.drawing.data import CountsRecord, Members, head_of, json_file
from scoring.options import Rules
from scoring.results.stored import SideRecord, options_record, references_record, sources_record
from scoring.results.verdicts import Decision, VerdictCount
from scoring.sides.corpus import Account, InputFile
from scoring.sides.matching.outcome import SessionErrors

if TYPE_CHECKING:
    from scoring.model.aliases import Json
    from scoring.results import Rates
    from scoring.results.forgiven import Forgiven
    from scoring.results.groups import Group
    from scoring.results.measured import Measured

SCHEMA = "sclite-kit/error-rates"
SCHEMA_VERSION = 1


class Shard(Struct, frozen=True, omit_defaults=True):
    """A part of the utterances: part `number` (from 1) of `of` nearly equal parts."""

    number: int
    of: int
    # only its rows of a table were read: accounts and references are those of them
    own_rows: bool = False

    def check(self) -> None:
        """Raise ValueError if the number is not between 1 and the number of shards."""
        if not 1 <= self.number <= self.of:
            raise ValueError(f"expected a shard of {self.of}, found number {self.number}")

    def bounds(self, utterances: int) -> tuple[int, int]:
        """Return the range of utterances in the shard.

        >>> Shard(2, 3).bounds(10)
        (3, 6)
        """
        return (self.number - 1) * utterances // self.of, self.number * utterances // self.of

    def rows(self, groups: Sequence[int]) -> range:
        """Return the rows of the shard for a table, given the sizes of its row groups.

        A shard's border moves to the start of a row group if this moves it by at most a quarter of
        a shard.

        >>> [Shard(number, 2).rows([50, 60]) for number in (1, 2)]
        [range(0, 50), range(50, 110)]
        >>> [Shard(number, 3).rows([9]) for number in (1, 2, 3)]
        [range(0, 3), range(3, 6), range(6, 9)]
        """
        begins = [0, *accumulate(groups)]
        count = begins[-1]

        def border(row: int) -> int:
            nearest = min(begins, key=lambda begin: abs(begin - row))
            return nearest if abs(nearest - row) * 4 * self.of <= count else row

        return range(*map(border, self.bounds(count)))


class RateNumbers(Struct, frozen=True):
    """The rates by name, None without reference words. `headline` is set only with a recipe."""

    error_rate: float | None
    mean_of_utterances: float | None
    sentence_error_rate: float | None
    match_error_rate: float | None
    word_information_lost: float | None
    word_information_preserved: float | None
    headline: float | UnsetType | None = UNSET


class Sentences(Struct, frozen=True):
    """The number of utterances, and the number of utterances with at least one error."""

    scored: int
    with_errors: int


class SpeakerRecord(CountsRecord, frozen=True, kw_only=True):
    """The counts of a speaker."""

    speaker: str | None
    utterance_count: int


class GroupRecord(CountsRecord, frozen=True, kw_only=True, omit_defaults=True):
    """The counts of a group, its values in the grouping columns, and its figures of measures."""

    group: dict[str, str | None]
    utterance_count: int
    measures: dict[str, dict[str, float | None]] = field(default_factory=dict)


class MeasureRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The figures and sums of a measure. `version` is that of the package that counted."""

    title: str
    settings: str
    version: str = ""
    values: dict[str, float | None]
    counts: dict[str, int]
    intervals: dict[str, Any] = {}


class VerdictsRecord(Struct, frozen=True):
    """A verdicts file: its decisions, and the errors by verdict."""

    path: str
    sha256: str
    same: VerdictCount
    minor: VerdictCount
    error: VerdictCount
    undecided: VerdictCount
    errors: int
    error_rate: float | None
    error_rate_with_minor: float | None
    decisions: tuple[Decision, ...]


class CompoundsRecord(Struct, frozen=True):
    """The number of merged compounds, and the counts without merging."""

    merged: int
    without: CountsRecord


class ChoicesRecord(Struct, frozen=True):
    """The references that could be chosen, and the number of words that wildcards match."""

    references: tuple[InputFile, ...]
    wildcard_words: int


class ForgivenPlace(Struct, frozen=True):
    """A place of an utterance where the chosen alternative is not the written one."""

    kind: str
    side: Literal["reference", "hypothesis"]
    written: Words
    chosen: Words
    place: int
    word_count: int


class UtteranceRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The alignment of an utterance.

    `references` and `length` are set only with several references.
    """

    id: str
    speaker: str | None
    session: str | None = None
    group: dict[str, str | None] = {}
    correct: int
    substitutions: int
    deletions: int
    insertions: int
    error_rate: float | None
    references: tuple[int, ...] = field(default=(), name="chosen_references")
    length: int | None = None
    edits: str  # of `CODES`
    reference: Words
    hypothesis: Words
    forgiven: tuple[ForgivenPlace, ...] = ()
    measures: dict[str, dict[str, int | list[tuple[float, int]]]] = {}


class ResultSummary(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A result without its utterances."""

    signature: str
    rules: Rules
    reference: InputFile
    hypothesis: InputFile
    account: Account
    remarks: tuple[Remark, ...]
    counts: CountsRecord
    rates: RateNumbers
    sentences: Sentences
    speakers: tuple[SpeakerRecord, ...]
    measures: dict[str, MeasureRecord] = {}
    verdicts: VerdictsRecord | None = field(default=None, name="adjudication")
    compounds: CompoundsRecord | None = field(default=None, name="merged_compounds")
    forgiven: dict[str, int] = field(default_factory=dict, name="forgiven_counts")
    sessions: tuple[SessionErrors, ...] = ()
    groups: tuple[GroupRecord, ...] = ()
    choices: ChoicesRecord | None = None


class SystemRecord(ResultSummary, frozen=True, kw_only=True, omit_defaults=True):
    """The result of one system, with the options and references for scoring another hypothesis."""

    options: dict[str, Any] | None = None
    sources: dict[str, str] = {}
    references: tuple[SideRecord, ...] | None = field(default=None, name="reference_sides")
    confidence_interval: dict[str, Any] | None = None
    group_gaps: tuple[dict[str, Any], ...] = ()
    utterances: tuple[UtteranceRecord, ...] = ()


class RunRecord(Struct, frozen=True, kw_only=True):
    """The content of a result file without its header: systems with the same references.

    It has all utterances or only a shard.
    """

    shard: Shard | None
    ranking: dict[str, Any] | None = None
    systems: tuple[SystemRecord, ...]


def document_lines(
    systems: Sequence[Rates],
    shard: Shard | None = None,
    intervals: Sequence[Json | None] = (),
    ranking: Json | None = None,
    gaps: Sequence[Sequence[Json]] = (),
) -> Iterator[bytes]:
    """Yield the JSON text of the results of one or more systems.

    `shard` is None for complete results.
    """
    members: Json = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "shard": to_builtins(shard),
        **({} if ranking is None else {"ranking": ranking}),
        "systems": (
            Members(
                {
                    **summary(rates),
                    **_basis(rates, shard),
                    "interval": interval,
                    **({"group_gaps": between} if between else {}),
                    "utterances": map(to_builtins, _utterances(rates)),
                }
            )
            for rates, interval, between in zip_longest(systems, intervals, gaps)
        ),
    }
    return json_file(members)


def head_document(rates: Rates, whole: Json) -> Json:
    """Return the JSON document of a result without its utterances; `whole` is its summary."""
    system = {**whole, **_basis(rates), "interval": None}
    return {**head_of(SCHEMA, SCHEMA_VERSION), "shard": None, "systems": [system]}


def system_record(rates: Rates) -> Json:
    """Return the record of one system, as a dictionary."""
    utterances = list(map(to_builtins, _utterances(rates)))
    return {**summary(rates), **_basis(rates), "utterances": utterances}


def _basis(rates: Rates, shard: Shard | None = None) -> Json:
    """Return the data for scoring another hypothesis; only the first shard has the references."""
    if rates.basis is None:
        return {}
    is_later = shard is not None and shard.number > 1 and not shard.own_rows
    references = None if is_later else references_record(rates)
    return {
        "options": options_record(rates.basis),
        "sources": sources_record(rates.basis),
        **({} if references is None else {"reference_sides": to_builtins(references)}),
    }


def summary(rates: Rates) -> Json:
    """Return the record of a result without its utterances, as a dictionary."""
    record: Json = to_builtins(summary_record(rates))
    return record


def summary_record(rates: Rates) -> ResultSummary:
    """Return the record of a result without its utterances, as a struct."""
    choices, kinds = rates.choices, dict(rates.forgiven_kinds)
    return ResultSummary(
        signature=rates.signature,
        rules=rates.rules,
        reference=rates.reference,
        hypothesis=rates.hypothesis,
        account=rates.matching_summary,
        remarks=tuple(map(Remark.of, rates.remarks)),
        counts=CountsRecord.of(rates.counts, rates.length),
        rates=RateNumbers(
            rates.corpus_rate,
            rates.mean_of_utterances,
            rates.sentence_error_rate,
            rates.match_error_rate,
            rates.word_information_lost,
            rates.word_information_preserved,
            rates.headline if rates.rules.like else UNSET,
        ),
        sentences=Sentences(len(rates), rates.sentence_errors),
        speakers=tuple(_speakers(rates)),
        measures={name: measure_record(item) for name, item in rates.measured.items()},
        verdicts=_verdicts(rates),
        compounds=CompoundsRecord(rates.merges, CountsRecord.of(rates.counts_without_merges))
        if rates.rules.compounds
        else None,
        forgiven=kinds,
        sessions=tuple(rates.sessions),
        groups=tuple(_group(rates, group) for group in rates.per_group()) if rates.groups else (),
        choices=choices and ChoicesRecord(tuple(choices.inputs), choices.wildcard_words),
    )


def measure_record(item: Measured) -> MeasureRecord:
    """Return the numbers and sums of a measure."""
    totals = item.totals()
    return MeasureRecord(
        title=item.measure.title,
        settings=item.settings,
        version=item.measure.version,
        values=dict(item.measure.value(totals)),
        counts={name: totals[name] for name in sorted(totals)},
        intervals={name: interval.record() for name, interval in item.intervals.items()},
    )


def _speakers(rates: Rates) -> Iterator[SpeakerRecord]:
    for speaker, positions in rates.per_speaker().items():
        counts = rates.sum_of(positions)
        numbers = CountsRecord.of(counts, rates.length_of(counts, positions))
        yield SpeakerRecord(*astuple(numbers), speaker=speaker, utterance_count=len(positions))


def _group(rates: Rates, group: Group) -> GroupRecord:
    numbers = CountsRecord.of(group.counts, rates.length_of(group.counts, group.positions))
    items = rates.measured.items()
    return GroupRecord(
        *astuple(numbers),
        group=dict(zip(rates.groups, group.values, strict=True)),
        utterance_count=len(group.positions),
        measures={name: dict(item.select(group.positions).values) for name, item in items},
    )


def _verdicts(rates: Rates) -> VerdictsRecord | None:
    """Return the errors by verdict, and the decisions, which are needed to merge records."""
    sums, verdicts = rates.adjudication, rates.verdicts
    if sums is None or verdicts is None:
        return None
    numbers = sums.errors, sums.rate, sums.rate_with_minor
    decisions = tuple(verdicts.decisions)
    return VerdictsRecord(verdicts.path, verdicts.sha256, *sums[:4], *numbers, decisions)


def _utterances(rates: Rates) -> Iterator[UtteranceRecord]:
    aligned, groups, measured = rates.aligned, rates.groups.items(), rates.measured.items()
    choices, forgiven = rates.choices, rates.forgiven_by_row
    for row, (identifier, speaker, counts) in enumerate(rates):
        yield UtteranceRecord(
            id=identifier,
            speaker=speaker,
            session=rates.session_of[row] if rates.session_of else None,
            group={name: column[row] for name, column in groups},
            **counts._asdict(),
            error_rate=rates.rate_at(row),
            references=() if choices is None else choices.chosen[row],
            length=rates.lengths[row] if rates.lengths else None,
            edits="".join([CODES[edit] for edit in aligned.edits_of(row)]),
            reference=aligned.references[row],
            hypothesis=aligned.hypotheses[row],
            forgiven=(*map(_place, forgiven.get(row, ())),),
            measures={name: part.columns.row(row) for name, part in measured},
        )


def _place(forgiven: Forgiven) -> ForgivenPlace:
    members: tuple[Any, ...] = forgiven[1:]
    return ForgivenPlace(*members)
