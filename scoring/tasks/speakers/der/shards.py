"""Shards of a diarisation score: each machine writes a shard, and the shards are merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, fields
from typing import Any

from formats.schema.remarks import Remark, distinct
from formats.schema.value_records import convert, to_builtins
from scoring.drawing.data import head_of, json_file
from scoring.results import shards
from scoring.results.record import Shard
from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors, RecordingErrors
from scoring.tasks.speakers.der.rules import DiarisationRules

SCHEMA, SCHEMA_VERSION = "sclite-kit/diarisation-shard", 1


class DiarisationPart(shards.ShardPart, frozen=True):
    """The errors of a shard of the recordings, with the data for merging."""

    reference: str
    hypothesis: str
    like: str | None
    by: str | None
    rules: list[Any]  # of `DiarisationRules`, in their order
    remarks: tuple[Remark, ...]
    recordings: tuple[RecordingErrors, ...]

    @property
    def table(self) -> str:
        """The name of the file in messages."""
        return self.reference

    @property
    def run(self) -> tuple[object, ...]:
        """The data that all shards of a run have in common."""
        return self.reference, self.hypothesis, self.like, self.by, self.rules

    def check(self) -> None:
        """Raise ValueError if values are outside their ranges."""
        self.shard.check()
        self.errors((), ())

    def errors(
        self, recordings: tuple[RecordingErrors, ...], remarks: Iterable[Remark]
    ) -> DiarisationErrors:
        """Return the errors of recordings that were scored by the same rules."""
        names = [item.name for item in fields(DiarisationRules)]
        rules = convert(dict(zip(names, self.rules, strict=True)), DiarisationRules)
        messages = tuple(remark.message for remark in remarks)
        return DiarisationErrors(rules, self.like, recordings, messages, self.by)


def part_lines(
    errors: DiarisationErrors, shard: Shard, reference: str, hypothesis: str
) -> Iterator[bytes]:
    """Return the JSON text of a shard of the recordings."""
    part = DiarisationPart(
        shard,
        reference,
        hypothesis,
        errors.like,
        errors.by,
        list(astuple(errors.rules)),
        tuple(map(Remark.of, errors.remarks)),
        errors.recordings,
    )
    head = {**head_of(SCHEMA, SCHEMA_VERSION), "signature": errors.signature}
    return json_file({**head, **to_builtins(part)})


def read_part(path: str, data: bytes) -> DiarisationPart:
    """Read the JSON text of `part_lines`; raises InputError for any other text."""
    return shards.read_part(path, data, DiarisationPart, SCHEMA, SCHEMA_VERSION)


def merged(parts: Sequence[tuple[str, DiarisationPart]]) -> DiarisationErrors:
    """Merge the errors of all shards; raises InputError if the shards are not of one run."""
    ordered = shards.parts_in_order(parts)
    recordings = tuple(item for part in ordered for item in part.recordings)
    return ordered[0].errors(
        recordings, distinct(each for part in ordered for each in part.remarks)
    )
