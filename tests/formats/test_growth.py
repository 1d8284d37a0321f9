"""How the time of reading grows with the words of one member: four times of them take four times.

Judged is the growth of processor time, the least of several runs: what compares each word with each
other one takes sixteen times as long.
"""

import gc
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from time import process_time

import pytest

import formats
from formats import FormatError
from tests.formats.case import Case
from tests.formats.test_contract import CASES

WORDS = 250
STEEPEST = 8.0
GLANCE = 0.01
"""Seconds of the longer file below which its growth shows nothing: what compares each of its words
with each other one takes several times as long."""
TRIES = 5
MEMBERS = re.compile(
    r"""(?<=")[^"\\<>]*[^\W\d][^"\\<>]*(?=")"""  # a string of JSON, a value of XML or a table
    r"""|(?<=>)[^<>\n]*\w[^<>\n]*(?=<)"""  # text of XML
    r"""|(?<![^\s,;|:])[^\W\d][\w'-]*(?![^\s,;|:])"""  # a field or a word of a text
)


def members(sample: str) -> Iterator[tuple[int, int]]:
    """Where a sample has members that hold text: from, to."""
    return (match.span() for match in MEMBERS.finditer(sample))


def seconds(case: Case, data: bytes) -> float:
    """The processor time of reading a file, or of rejecting it."""
    begin = process_time()
    with suppress(FormatError):
        formats.read(BytesIO(data), case.name, recording="rec", **case.read_options)
    return process_time() - begin


def growth(case: Case, begin: int, end: int) -> float:
    """How many times as long four times the words take in a member; 1 if they take no time."""
    small, large = (
        case.pack(case.sample[:begin] + "hello " * words + "you" + case.sample[end:])
        for words in (WORDS, 4 * WORDS)
    )
    shorter = longer = float("inf")
    for _ in range(TRIES):
        longer = min(longer, seconds(case, large))
        if longer < GLANCE:
            return 1.0
        shorter = min(shorter, seconds(case, small))
        if longer <= STEEPEST * shorter:
            break
    return longer / shorter


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Keep the garbage collector, whose time grows with what tests hold, out of the times."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.release
@pytest.mark.usefixtures("no_collection")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_time_grows_no_faster_than_the_words_of_a_member(case: Case) -> None:
    steep = {}
    for begin, end in members(case.sample):
        with suppress(ValueError):  # a binary format has no room for so many words
            times = growth(case, begin, end)
            if times > STEEPEST:
                steep[case.sample[max(0, begin - 20) : end + 5]] = times
    assert not steep


def test_members_of_samples_are_found() -> None:
    text = '{"words": [{"word": "a b", "n": 1}]}'
    assert [text[slice(*span)] for span in members(text)] == ["words", "word", "a b", "n"]
    assert [slice(*span) for span in members("<a b='1'>x y</a>")] == [slice(9, 12)]
    assert len(list(members("rec 1 0.0 0.5 hello"))) == 2


@pytest.mark.release
@pytest.mark.usefixtures("no_collection")
def test_time_grows_with_the_words_of_a_list_of_no_format() -> None:
    shorter = longer = float("inf")
    for _ in range(TRIES):
        for count in (1000, 4000):
            words = [{"text": "so", "start": n / 2, "speaker": "A"} for n in range(count)]
            data = json.dumps(words).encode()
            begin = process_time()
            formats.read(BytesIO(data), "json", recording="rec")
            taken = process_time() - begin
            if count == 1000:
                shorter = min(shorter, taken)
            else:
                longer = min(longer, taken)
        if longer <= STEEPEST * shorter:
            return
    pytest.fail(f"{longer / shorter:.1f} times the time for four times the words")
