"""Parts of a diarisation score: a machine writes each, and merged they are the whole."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, fields
from typing import Any

import msgspec

from formats.schema.messages import Message
from scoring.drawing.data import check_head, head_of, json_file
from scoring.model.errors import InputError
from scoring.results.messages import PART_OF_ANOTHER, SHARD_TWICE, SHARDS_MISSING
from scoring.results.record import Shard
from scoring.sides.remarks import Remark
from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors, RecordingErrors
from scoring.tasks.speakers.der.rules import DiarisationRules

SCHEMA, SCHEMA_VERSION = "sclite-kit/diarisation-shard", 1


class DiarisationPart(msgspec.Struct, frozen=True):
    """The errors of a part of the recordings, with all that they are sums of."""

    shard: Shard
    reference: str
    hypothesis: str
    like: str | None
    by: str | None
    rules: list[Any]  # of `DiarisationRules`, in their order
    remarks: tuple[Remark, ...]
    recordings: tuple[RecordingErrors, ...]

    @property
    def run(self) -> tuple[object, ...]:
        """What all parts of a run have in common."""
        return self.shard.of, self.reference, self.hypothesis, self.like, self.by, self.rules

    def errors(self, recordings: tuple[RecordingErrors, ...]) -> DiarisationErrors:
        """Return the errors of recordings that were scored by the same rules."""
        names = [item.name for item in fields(DiarisationRules)]
        rules = msgspec.convert(dict(zip(names, self.rules, strict=True)), DiarisationRules)
        remarks = tuple(remark.message for remark in self.remarks)
        return DiarisationErrors(rules, self.like, recordings, remarks, self.by)


def part_lines(
    errors: DiarisationErrors, shard: Shard, reference: str, hypothesis: str
) -> Iterator[bytes]:
    """Return the JSON text of a part of the recordings."""
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
    return json_file({**head_of(SCHEMA, SCHEMA_VERSION), **msgspec.to_builtins(part, enc_hook=str)})


def read_part(path: str, data: bytes) -> DiarisationPart:
    """Read what `part_lines` wrote; InputError if it is something else."""
    try:
        content = json.loads(data)
        check_head(content, SCHEMA, SCHEMA_VERSION)
        part = msgspec.convert(content, DiarisationPart)
        part.shard.check()
        part.errors(())
    except (ValueError, RecursionError) as problem:
        raise InputError(path, None, None, str(problem)) from None
    return part


def merged(parts: Sequence[tuple[str, DiarisationPart]]) -> DiarisationErrors:
    """Return the errors of all recordings; InputError if the parts are not those of one run."""
    (first_path, first), *_ = parts
    by_number: dict[int, tuple[str, DiarisationPart]] = {}
    for path, part in parts:
        number = part.shard.number
        if part.run != first.run:
            message = Message(PART_OF_ANOTHER, {"other": first_path})
        elif number in by_number:
            other, _ = by_number[number]
            message = Message(
                SHARD_TWICE, {"shard": number, "table": part.reference, "other": other}
            )
        else:
            by_number[number] = path, part
            continue
        raise InputError(path, None, None, message)
    lacking = [number for number in range(1, first.shard.of + 1) if number not in by_number]
    if lacking:
        message = Message(
            SHARDS_MISSING,
            {"shards": first.shard.of, "table": first.reference, "missing": lacking},
        )
        raise InputError(first_path, None, None, message)
    recordings = [
        recording for number in sorted(by_number) for recording in by_number[number][1].recordings
    ]
    return first.errors(tuple(recordings))
