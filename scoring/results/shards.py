"""Shards of tasks: check and order the outputs of all parts of a run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar

import msgspec

from formats.schema.messages import Message
from formats.schema.value_records import convert
from scoring.drawing.data import check_head
from scoring.model.errors import InputError
from scoring.results.messages import PART_OF_ANOTHER, SHARD_TWICE, SHARDS_MISSING
from scoring.results.record import Shard


class ShardPart(msgspec.Struct, frozen=True):
    """The output of one part of a run that was split into shards."""

    shard: Shard

    @property
    def table(self) -> str:
        """The name of the part's file, for messages."""
        raise NotImplementedError

    @property
    def run(self) -> tuple[object, ...]:
        """The members of the record that must be equal in all parts of a run."""
        raise NotImplementedError

    def check(self) -> None:
        """Raise ValueError if a value is outside its range."""
        self.shard.check()


AnyPart = TypeVar("AnyPart", bound=ShardPart)


def read_part(path: str, data: bytes, kind: type[AnyPart], schema: str, version: int) -> AnyPart:
    """Read a part from JSON; InputError if the file is not a part."""
    try:
        content = json.loads(data)
        check_head(content, schema, version)
        part = convert(content, kind)
        part.check()
    except (ValueError, RecursionError) as problem:
        raise InputError(path, None, None, str(problem)) from None
    return part


def parts_in_order(parts: Sequence[tuple[str, AnyPart]]) -> list[AnyPart]:
    """Sort all parts of a run by number; InputError if parts are missing or of different runs."""
    (first_path, first), *_ = parts
    by_number: dict[int, tuple[str, AnyPart]] = {}
    for path, part in parts:
        number = part.shard.number
        if part.shard.of != first.shard.of or part.run != first.run:
            message = Message(PART_OF_ANOTHER, {"other": first_path})
        elif number in by_number:
            other, _ = by_number[number]
            message = Message(SHARD_TWICE, {"shard": number, "table": part.table, "other": other})
        else:
            by_number[number] = path, part
            continue
        raise InputError(path, None, None, message)
    lacking = [number for number in range(1, first.shard.of + 1) if number not in by_number]
    if lacking:
        message = Message(
            SHARDS_MISSING,
            {"shards": first.shard.of, "table": first.table, "missing": lacking},
        )
        raise InputError(first_path, None, None, message)
    return [by_number[number][1] for number in sorted(by_number)]
