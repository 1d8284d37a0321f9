"""Read the sums of tables from JSON, as baselines or for merging."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import msgspec

from formats.schema.messages import Message, expected_found
from formats.schema.remarks import Remark, distinct
from formats.schema.value_records import convert
from scoring.drawing.data import check_head
from scoring.model.counts import Counts
from scoring.results.messages import SHARD_TWICE, SHARDS_MISSING
from scoring.results.record import Shard
from scoring.score.engines import messages
from scoring.score.engines.groups import GroupSum, greatest_columns, sum_of, sums_by_values
from scoring.score.engines.summary import Drawn, TableSums
from scoring.score.engines.sums_files import SCHEMA, SCHEMA_VERSION
from scoring.score.record_reader import RecordError, content_of, member_problem
from scoring.stats.limits import IntervalName

# What the members of rows are called in the file.
NAMES = {
    "failed": "failed_rows",
    "missing": "rows_without_hypothesis",
    "extra": "rows_without_reference",
    "by": "group",
}


class GroupSumsRecord(msgspec.Struct, frozen=True, rename=NAMES):
    """The sums of a group, or of all rows."""

    rows: int
    failed: int
    with_errors: int
    correct: int
    substitutions: int
    deletions: int
    insertions: int
    by: dict[str, str | None] = {}
    missing: int = 0
    extra: int = 0
    sums: dict[str, int] = {}

    def group(self, by: Sequence[str]) -> GroupSum:
        """Return the group with its values of the given columns."""
        counts = Counts(self.correct, self.substitutions, self.deletions, self.insertions)
        values = tuple(self.by.get(name) for name in by)
        numbers = self.rows, self.failed, self.with_errors, self.missing, self.extra
        return GroupSum(values, *numbers, counts, self.sums)


class DrawnRecord(
    msgspec.Struct,
    frozen=True,
    rename={"words": "reference_counts", "interval": "method", "rows": "row_counts"},
):
    """The sums of bootstrap replications, and the settings by which the replications were drawn."""

    errors: list[int]
    words: list[int]
    seed: int
    level: float
    interval: IntervalName
    block: str
    rows: list[int] = []


class SumsRecord(msgspec.Struct, frozen=True, rename=NAMES):
    """The record that `TableSums.json_lines` writes."""

    signature: str
    rows: int
    failed: int
    with_errors: int
    counts: dict[str, Any]
    groups: list[GroupSumsRecord]
    name: str = ""
    missing: int = 0
    extra: int = 0
    sums: dict[str, int] = {}
    measures: dict[str, Any] = {}
    drawn: DrawnRecord | None = None
    shard: Shard | None = None
    remarks: list[Remark] = []


class NamedSums(NamedTuple):
    """Sums of tables, with the name of their file."""

    path: str
    sums: TableSums


def read_sums(path: str) -> NamedSums:
    """Read the sums that `scoring wer --engine --json` wrote; raise RecordError for other files."""
    return NamedSums(path, read_text(path, content_of(path)))


def read_text(path: str, text: str | bytes) -> TableSums:
    """Parse the content of a file of sums; raise RecordError for other content."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        expected = "the sums of an engine as JSON"
        raise RecordError(path, None, None, expected_found(expected, "no JSON")) from None
    try:
        check_head(content, SCHEMA, SCHEMA_VERSION)
        return _sums_of(convert(content, SumsRecord))
    except msgspec.ValidationError as problem:
        raise RecordError(path, None, None, member_problem(problem)) from None
    except (ValueError, RecursionError) as problem:
        raise RecordError(path, None, None, str(problem)) from None


def _sums_of(record: SumsRecord) -> TableSums:
    whole = convert(
        {
            **{
                NAMES.get(name, name): getattr(record, name)
                for name in ("rows", "failed", "with_errors", "missing", "extra", "sums")
            },
            **{name: record.counts[name] for name in Counts._fields if name in record.counts},
        },
        GroupSumsRecord,
    )
    by = list(record.groups[0].by) if record.groups else []
    groups = [group.group(by) for group in record.groups] or [whole.group(())]
    if any(list(group.by) != by for group in record.groups):
        raise ValueError("groups: expected the same columns in `by` of all groups")
    # without their columns, the numbers of measures cannot be summed
    measures = list(record.measures) if record.sums or not record.measures else []
    ours, theirs = sum_of(groups, (), greatest_columns(measures)), whole.group(())
    if ours != theirs:
        raise ValueError("groups: expected groups whose sums are those of all rows, found others")
    drawn = None
    if record.drawn is not None:
        written = record.drawn
        if len(written.errors) != len(written.words):
            raise ValueError("drawn: expected as many sums of errors as of words")
        pairs = list(zip(written.errors, written.words, strict=True))
        if written.rows and len(written.rows) != len(pairs):
            raise ValueError("drawn: expected as many sums of rows as of words")
        choices = written.seed, written.level, written.interval, written.block
        drawn = Drawn(pairs, *choices, written.rows)
    shard = record.shard
    if shard is not None:
        shard.check()
    name = record.name
    remarks = [remark.message for remark in record.remarks]
    sums = TableSums(
        record.signature, by, groups, measures=measures, name=name, shard=shard, remarks=remarks
    )
    return sums if drawn is None else sums.with_drawn(drawn)


def merged(parts: Sequence[NamedSums]) -> TableSums:
    """Merge the sums of all parts of a run; RecordError if the parts do not belong together."""
    name = _checked_tables(parts)
    remarks = distinct(remark for part in parts for remark in part.sums.remarks)
    # a shard without rows has no groups that name the columns
    parts = [part for part in parts if part.sums.total.rows] or parts[:1]
    first = parts[0]
    for part in parts:
        for rule, expected, actual in (
            ("rules", first.sums.signature, part.sums.signature),
            ("hypothesis", first.sums.hypothesis, part.sums.hypothesis),
            ("columns", list(first.sums.by), list(part.sums.by)),
            ("measures", list(first.sums.measures), list(part.sums.measures)),
            ("replications", first.sums.way, part.sums.way),
        ):
            if expected != actual:
                entry = messages.APART[rule]
                unlike = {"other": first.path, "expected": expected, "found": actual}
                raise RecordError(part.path, None, None, Message(entry, unlike))
    every = chain.from_iterable(part.sums.groups for part in parts)
    groups = sums_by_values(((group.values, group) for group in every), first.sums.measures)
    sums = replace(
        first.sums,
        groups=groups,
        name=name,
        shard=None,
        interval=None,
        reason=None,
        drawn=None,
        remarks=remarks,
    )
    drawn = [part.sums.drawn for part in parts if part.sums.drawn is not None]
    if not drawn:
        return sums
    return sums.with_drawn(drawn[0].added(drawn[1:]))


def _checked_tables(parts: Sequence[NamedSums]) -> str:
    """Return the name of the table, after checking that each of its shards occurs exactly once.

    Raise RecordError if a table or a shard occurs twice, or if a shard is missing.
    """
    tables: dict[str, dict[int, NamedSums]] = {}
    for part in parts:
        name, shard = part.sums.name, part.sums.shard
        if not name:  # several tables, merged before
            continue
        shards = tables.setdefault(name, {})
        number, of = (1, 1) if shard is None else (shard.number, shard.of)
        earlier = next(iter(shards.values()), part)
        is_alike = (
            earlier.sums.shard is not None and shard is not None and earlier.sums.shard.of == of
        )
        if number in shards or (shards and not is_alike):
            earlier = shards.get(number, earlier)
            twice = {"other": earlier.path, "table": name}
            if shard is None or number not in shards:
                raise RecordError(part.path, None, None, Message(messages.TWICE, twice))
            entry = SHARD_TWICE
            raise RecordError(part.path, None, None, Message(entry, {**twice, "shard": number}))
        shards[number] = part
    for name, shards in tables.items():
        part = next(iter(shards.values()))
        of = 1 if part.sums.shard is None else part.sums.shard.of
        lacking = [number for number in range(1, of + 1) if number not in shards]
        if lacking:
            fields = {"table": name, "shards": of, "missing": lacking}
            raise RecordError(part.path, None, None, Message(SHARDS_MISSING, fields))
    is_one = len(tables) == 1 and all(part.sums.name for part in parts)
    return next(iter(tables)) if is_one else ""
