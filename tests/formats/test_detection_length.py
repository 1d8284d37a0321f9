"""A file is detected by what it is, however many records it has, and with or without its suffix."""

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError
from formats.detection import by_name
from tests.formats.case import Case
from tests.formats.conftest import Heads
from tests.formats.test_contract import CASES

LENGTHS = (5, 30, 1_000)
RECURRENT = {"speaker-text": 20, "markdown": 20}
"""Fewest records of a long file in which the evidence recurs, here the names of speakers."""
WHISPER = "start\tend\ttext\n"
TABLES = {
    "tsv": [
        Case("tsv", WHISPER, [], ".tsv", before=WHISPER,
             line=lambda n: f"{n * 1000}\t{n * 1000 + 900}\thello number {n}\n"),
        Case("tsv", WHISPER, [], ".tsv", before=WHISPER,
             line=lambda n: f"{n}.000\t{n}.900\thello number {n}\n"),
    ],
    "csv": [
        Case("csv", "Start (s),End (s),Segment\n", [], ".csv", before="Start (s),End (s),Segment\n",
             line=lambda n: f"{n}.0,{n}.9,hello number {n}\n"),
        Case("csv", "start;end;text\n", [], ".csv", before="start;end;text\n",
             line=lambda n: f"{n};{n}.9;hello number {n}\n"),
    ],
}  # fmt: skip


def detected(data: bytes, suffix: str) -> str:
    """The detected format, or the class of the error."""
    file = BytesIO(data)
    file.name = f"talk{suffix}"
    try:
        return formats.detect(file)
    except FormatError as error:
        return type(error).__name__


def lists_in(value: Any) -> Iterator[list[Any]]:
    """The lists of objects in a value, the outermost first."""
    if isinstance(value, list) and value and all(isinstance(e, dict) for e in value):
        yield value
    for inner in value.values() if isinstance(value, dict) else ():
        yield from lists_in(inner)


def repeated(case: Case, records: int) -> bytes:
    """The sample with so many records; of JSON, its first list grows."""
    assert case.line is not None
    try:
        top = json.loads(case.sample)
    except ValueError:
        return case.packed(case.line, records)
    first = next(lists_in(top), None)
    if first is None:
        return case.packed(case.line, records)
    first[:] = [first[number % len(first)] for number in range(records)]
    return case.pack(json.dumps(top))


def suffixes_of(case: Case) -> list[str]:
    """None, that of the case, and those of the format."""
    named = (suffix for suffix in by_name(case.name).suffixes if suffix.startswith("."))
    return list(dict.fromkeys(["", case.suffix or "", *named]))


@pytest.mark.share(6)
@pytest.mark.parametrize(
    "case", [case for case in CASES if case.line is not None], ids=lambda case: case.name
)
def test_the_format_does_not_depend_on_the_number_of_records(case: Case, heads: Heads) -> None:
    lengths = [n for n in LENGTHS if n >= RECURRENT.get(case.name, 0)]
    expected = {suffix: detected(case.sample_bytes, suffix) for suffix in suffixes_of(case)}
    for records in lengths:
        heads.clear()
        data = repeated(case, records)
        assert {suffix: detected(data, suffix) for suffix in expected} == expected, records


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("number", [0, 1])
def test_a_header_counts_more_than_the_lines_below_it(name: str, number: int) -> None:
    case = TABLES[name][number]
    for records in LENGTHS:
        assert case.line is not None
        assert detected(case.packed(case.line, records), f".{name}") == name
