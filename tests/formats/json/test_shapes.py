"""Words as formats declare them."""

from io import StringIO

import pytest

from formats import FormatError
from formats.io.source import open_source
from formats.json.messages import JSON_UNKNOWN
from formats.json.numbers import confidence, nanoseconds
from formats.json.shapes import Names
from formats.json.spoken_words import SpokenWord
from formats.json.value import JsonDocument
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.tables import table_of

WORD = Names(
    "text|word", "from", "end", speaker="speaker", confidence="confidence", display="shown",
    others="note",
)  # fmt: skip
LENGTH = Names("text", "at", length="for", confidence="confidence", others="", per_second=1000)


def document(text: str) -> JsonDocument:
    return JsonDocument(open_source(StringIO(text)))


@each_case(
    ("word", "at", "message"),
    table_of(__file__, "errors_name_the_place_of_a_member"),
)  # fmt: skip
def test_errors_name_the_place_of_a_member(word: str, at: str, message: str) -> None:
    text = f'{{"turns": [{{"words": [{{"text": "b"}}, {word}]}}]}}'
    turn = next(document(text).values[0].elements("turns"))
    with pytest.raises(FormatError) as caught:
        WORD.read_all(turn.get("words"))
    column = text.index(at, text.index('"b"}, ')) + 1
    assert str(caught.value) == f"<stream>:1:{column}: $.turns[0].words[1]{message}"


def test_invalid_words_of_a_list_are_given_to_reject() -> None:
    value = document('{"words": [{"text": "a"}, {"text": 5}, {"text": "c"}]}').values[0]
    errors: list[FormatError] = []
    words = WORD.read_all(value.get("words"), errors.append)
    assert [word.text for word in words] == ["a", "c"]
    assert [error.column for error in errors] == [36]
    assert WORD.read_all(None) == WORD.read_all(document("[]").values[0]) == []


VALID = [
    '{"text": "a", "from": 0, "end": 1.5, "confidence": 0.5, "speaker": "A", "shown": "A."}',
    '{"word": "b", "from": 1.5, "end": 2, "confidence": 1, "speaker": 7}',
    '{"text": "c", "from": "2.25", "end": "2.5", "confidence": "0.75", "note": 1}',
    '{"text": "d", "more": {}, "note": 2}',
    '{"text": "e", "more": 5, "from": null}',
]


def test_words_have_times_confidences_and_names() -> None:
    whole = document(f"[{', '.join(VALID)}]")
    words = WORD.read_all(whole.values[0])
    assert words[1] == SpokenWord("b", 1_500_000_000, 2_000_000_000, 1.0, speaker="7")
    assert (words[0].display, words[2].confidence, words[4].start_ns) == ("A.", 0.75, None)
    whole.note_unknown()
    (entry,) = whole.source.log.entries()
    assert entry.message == message_text(JSON_UNKNOWN, members=2, name="more", path="$[3]")


def test_an_end_is_the_start_and_the_length() -> None:
    for text in (
        '{"text": "a", "at": 1500, "for": 250}',
        '{"text": "a", "at": 1500.0, "for": "250"}',
    ):
        (word,) = LENGTH.read_all(document(f"[{text}]").values[0])
        assert (word.start_ns, word.end_ns) == (1_500_000_000, 1_750_000_000)
    (word,) = LENGTH.read_all(document('[{"text": "a", "for": 250}]').values[0])
    assert (word.start_ns, word.end_ns) == (None, None)


def test_numbers_are_read_from_texts_too() -> None:
    assert (nanoseconds("1.5"), nanoseconds(1.5), nanoseconds("1500", 1000)) == (1_500_000_000,) * 3
    assert (confidence("0.5"), confidence("1e-1"), confidence(1)) == (0.5, 0.1, 1.0)
    assert confidence(float("nan")) is confidence(10**400) is None
    for text in ("", "x", "1_0", " 1", "nan", "0x1"):
        for read in (nanoseconds, confidence):
            with pytest.raises(ValueError, match="a number"):
                read(text)
