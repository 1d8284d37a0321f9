"""Typed records: what a member may be, and the path of one that is something else."""

from __future__ import annotations

from io import StringIO

import pytest

from formats import FormatError
from formats.json.document import JsonDocument
from formats.json.record import Name, Number, Record, WrongError, confidence, nanoseconds
from formats.source import open_source


class Word(Record, rename={"begin": "from"}):
    """A word."""

    unread = frozenset({"note"})

    text: str
    begin: Number = None
    end: Number = None
    sure: Number = None
    speaker: Name = None
    is_final: bool | None = None

    def place(self) -> tuple[int | None, int | None]:
        """Start and end."""
        return self.span("begin", "end")


class Turn(Record):
    """Words of one speaker."""

    words: list[Word] | None = None
    first: Word | None = None

    def places(self) -> list[tuple[int | None, int | None]]:
        """Start and end of each word."""
        inner = [self.first] if self.first is not None else []
        return [word.place() for word in [*inner, *(self.words or ())]]


def document(text: str) -> JsonDocument:
    return JsonDocument(open_source(StringIO(text)))


def refusal(text: str) -> str:
    with pytest.raises(FormatError) as caught:
        document(text).values[0].taken("turns", Turn, Turn.places)
    return str(caught.value)


@pytest.mark.parametrize(
    ("word", "at", "message"),
    [
        ('{"end": 1}', "{", ': expected a member "text", found none'),
        ('{"text": null}', "{", ': expected a member "text", found none'),
        ('{"text": 5}', "5", ".text: expected a text, found 5"),
        (
            '{"text": "a", "speaker": 1.5}',
            "1.5",
            ".speaker: expected a text or a whole number, found 1.5",
        ),
        ('{"text": "a", "is_final": 1}', "1", ".is_final: expected true or false, found 1"),
        ('{"text": "a", "from": []}', "[", ".from: expected a number, found an empty list"),
        ('{"text": "a", "from": "x"}', '"x"', '.from: expected a number, found "x"'),
        ('{"text": "a", "from": -1}', "-1", ".from: expected a time of 0 or more, found -1"),
        (
            '{"text": "a", "from": 2, "end": 1}',
            "1",
            ".end: expected an end not before its start 2, found 1",
        ),
        ("[]", "[", ": expected an object, found an empty list"),
    ],
)
def test_errors_name_the_path_of_a_member_however_deep(word: str, at: str, message: str) -> None:
    before = '{"turns": [{"words": []}, {"words": ['
    column = len(before) + word.index(at) + 1
    assert refusal(before + word + "]}]}") == f"<stream>:1:{column}: $.turns[1].words[0]{message}"


def test_errors_of_a_record_that_is_a_member_have_its_path() -> None:
    text = '{"turns": [{"first": {"text": "a", "from": "x"}}]}'
    assert refusal(text) == ('<stream>:1:44: $.turns[0].first.from: expected a number, found "x"')


def test_lists_are_read_record_by_record_where_one_is_wrong() -> None:
    text = '{"words": [{"text": "a"}, {"text": 1}, {"text": "b", "end": -1}, {"text": "c"}]}'
    taken: list[str] = []
    refused: list[str] = []

    def take(word: Word) -> None:
        word.place()
        taken.append(word.text)

    document(text).values[0].each_record(Word, take, lambda e: refused.append(str(e)), "words")
    assert taken == ["a", "c"]
    assert refused == [
        "<stream>:1:36: $.words[1].text: expected a text, found 1",
        "<stream>:1:61: $.words[2].end: expected a time of 0 or more, found -1",
    ]


def test_members_that_no_record_knows_are_counted() -> None:
    found = document('{"words": [{"text": "a", "note": 1, "x": 2}, {"text": "b", "x": 3}]}')
    found.values[0].taken("words", Word, Word.place)
    found.note_unknown()
    assert [d.message for d in found.source.log.entries()] == [
        '2 members "x" are not read, first in $.words[0]'
    ]


def test_numbers_are_taken_as_texts_too() -> None:
    assert nanoseconds("1.5") == nanoseconds(1.5) == nanoseconds(1500, 1000) == 1_500_000_000
    assert nanoseconds(9_223_372_036.0) == 9_223_372_036 * 10**9
    assert (confidence("0.25"), confidence(1), confidence(float("nan"))) == (0.25, 1.0, None)
    for text in ("x", "1_0", " 1", "nan"):
        with pytest.raises(ValueError, match="a number"):
            confidence(text)


def test_what_a_reader_finds_wrong_itself_is_told_of_the_record() -> None:
    def refuse(word: Word) -> None:
        raise WrongError(None, "another word", word.text)

    with pytest.raises(FormatError, match=r"1:12: \$\.words\[0\]: expected another word, found a"):
        document('{"words": [{"text": "a"}]}').values[0].taken("words", Word, refuse)
