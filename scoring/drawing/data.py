"""Results for programs as JSON and CSV, in pieces of UTF-8.

Equal results give equal bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct, convert
from msgspec.structs import asdict

from formats.schema import head_of as head_of
from scoring.model.counts import Counts

# Distinct for every edit, unlike letters of reports: K, L for skipped words, J, H for compounds.
CODES = "CSDIKLMTJH"


class DocumentHead(Struct, frozen=True):
    """The first members of a JSON document that this package can read again."""

    schema: str
    version: int


def check_head(content: object, schema: str, version: int) -> None:
    """Check that a document has the given schema, and no later version than the given one.

    Raises
    ------
    ValueError
        If the document is of another kind, or was written by a newer release.
    """
    head = convert(content, DocumentHead)
    if head.schema != schema:
        raise ValueError(f"expected a document {schema}, found {head.schema}")
    if not 1 <= head.version <= version:
        newer = ", which a newer release of sclite-kit wrote" if head.version > version else ""
        raise ValueError(f"expected {schema} of version {version}, found {head.version}{newer}")


class CountsRecord(Struct, frozen=True):
    """Counts, and numbers computed from them; `error_rate` is None without reference words."""

    correct: int
    substitutions: int
    deletions: int
    insertions: int
    errors: int
    reference_count: int
    hypothesis_count: int
    error_rate: float | None

    @classmethod
    def of(cls, counts: Counts, length: int | None = None) -> CountsRecord:
        """Return the record of counts with their rate.

        `length` replaces the number of reference words in the rate.
        """
        words = counts.reference_tokens if length is None else length
        return CountsRecord(
            *counts,
            counts.errors,
            counts.reference_tokens,
            counts.hypothesis_tokens,
            counts.errors / words if words else None,
        )


def counts_record(counts: Counts, length: int | None = None) -> dict[str, Any]:
    """Return the members of `CountsRecord.of` as a dictionary."""
    return asdict(CountsRecord.of(counts, length))


def json_text(value: object, indent: int | None = None) -> str:
    """Return a value as JSON.

    A lone surrogate, which stands for bytes that are not text, becomes a JSON escape.
    """
    return _encoded(value, _JSON if indent is None else _encoder(indent)).decode("utf-8")


def _encoder(indent: int | None = None) -> json.JSONEncoder:
    return json.JSONEncoder(ensure_ascii=False, allow_nan=False, indent=indent)


_JSON = _encoder()


def _encoded(value: object, encoder: json.JSONEncoder = _JSON) -> bytes:
    return encoder.encode(value).encode("utf-8", "backslashreplace")


class Members(NamedTuple):
    """An object that is written with each member on its own line."""

    values: Mapping[str, object]


def json_file(members: Mapping[str, object]) -> Iterator[bytes]:
    """Yield a JSON file with an object; each member is on a line of its own.

    An iterator becomes an array with each element on a line of its own. `Members` may occur
    anywhere in the object.

    >>> print(b"".join(json_file({"a": [1], "b": iter([2, Members({"c": 3})])})).decode())
    {
    "a": [1],
    "b": [
    2,
    {
    "c": 3
    }
    ]
    }
    <BLANKLINE>
    """
    yield from _pieces(Members(members))
    yield b"\n"


def _pieces(value: object) -> Iterator[bytes]:
    if isinstance(value, Members):
        lead = b"{\n"
        for name, member in value.values.items():
            yield lead + _encoded(name) + b": "
            yield from _pieces(member)
            lead = b",\n"
        yield b"\n}"
    elif isinstance(value, Iterator):
        lead = b"[\n"
        for element in value:
            if isinstance(element, Members):
                yield lead
                yield from _pieces(element)
            else:
                yield lead + _encoded(element)
            lead = b",\n"
        yield b"[\n]" if lead == b"[\n" else b"\n]"
    else:
        yield _encoded(value)


def csv_rows(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, safe: bool = False
) -> Iterator[bytes]:
    """Yield the rows of texts and numbers under a header; None is an empty field.

    With `safe`, texts that a spreadsheet would evaluate as formulas begin with an apostrophe.
    """
    if safe:
        from formats.writing.out import guarded

        rows = (list(map(guarded, row)) for row in rows)
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > 1 << 16:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "surrogateescape")
