"""The test vectors: inputs, options, and what the tested program printed for them."""

from __future__ import annotations

import json
from bz2 import decompress
from collections.abc import Callable, Collection, Iterator, Sequence
from importlib.resources import files
from itertools import groupby
from typing import Any, TypeAlias

Vector: TypeAlias = dict[str, Any]
Answer: TypeAlias = dict[str, Any]
# Answers to vectors, in any order.
Program: TypeAlias = Callable[[Sequence[Vector]], Iterator[Answer]]

SCHEMA = "vector.schema.json"
_FOLDER = files(__package__)
_RULES = json.loads((_FOLDER / SCHEMA).read_bytes())
AREAS: tuple[str, ...] = tuple(_RULES["properties"]["area"]["enum"])


def read_vectors(areas: Collection[str] = AREAS) -> list[Vector]:
    """Return the vectors of the given areas."""
    text = decompress((_FOLDER / "vectors.jsonl.bz2").read_bytes()).decode("utf-8")
    vectors = map(json.loads, text.splitlines())
    return [vector for vector in vectors if vector["area"] in areas]


def exported_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of each exported file.

    The first is the schema; each other file has the vectors of an area as JSON lines.
    """
    yield SCHEMA, (_FOLDER / SCHEMA).read_bytes()
    for area, vectors in groupby(read_vectors(), key=lambda vector: str(vector["area"])):
        yield f"{area}.jsonl", b"".join(map(line_of, vectors))


def line_of(record: Vector | Answer) -> bytes:
    """Return a record as one line of JSON."""
    return json.dumps(record, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"
