"""Results for programs: JSON and CSV, in pieces of UTF-8, the same for the same result."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from scoring.version import VERSION


def head_of(schema: str, version: int) -> dict[str, object]:
    """What every document of ours begins with: its schema and who wrote it."""
    return {"schema": schema, "version": version, "generator": f"sclite-kit {VERSION}"}


def json_text(value: object, indent: int | None = None) -> str:
    """A value as JSON.

    A lone surrogate, from bytes that are no text, becomes the escape JSON has for it.

    Raises
    ------
    ValueError
        If there is an infinite number in it, or one that is none.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode("utf-8")


def json_file(members: Mapping[str, object]) -> Iterator[bytes]:
    """A file that holds one document."""
    yield from json_document(members)
    yield b"\n"


def json_document(members: Mapping[str, object]) -> Iterator[bytes]:
    """An object, a member a line.

    What is an iterator becomes an array, an element a line; an element that is an iterator itself
    holds the pieces of a document.

    Examples
    --------
    >>> print(b"".join(json_document({"a": [1], "b": iter([2, json_document({"c": 3})])})).decode())
    {
    "a": [1],
    "b": [
    2,
    {
    "c": 3
    }
    ]
    }
    """
    yield b"{"
    for number, (name, value) in enumerate(members.items()):
        lead = f"{',' if number else ''}\n{json_text(name)}: "
        if not isinstance(value, Iterator):
            yield (lead + json_text(value)).encode()
            continue
        yield (lead + "[").encode()
        end = b"\n"
        for element in value:
            yield end
            end = b",\n"
            if isinstance(element, Iterator):
                yield from element
            else:
                yield json_text(element).encode()
        yield b"\n]"
    yield b"\n}"


def csv_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Rows of texts and numbers under a header; None is an empty field."""
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
