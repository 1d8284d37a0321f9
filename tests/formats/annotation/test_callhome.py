"""callhome: turns, further lines, marks of languages, what is refused."""

from io import BytesIO

import pytest

import formats
from formats import FormatError
from formats.annotation import callhome
from formats.detection.spec import Sniff
from formats.nist.callhome_text import CallhomeText, TangledError
from tests.each_case import each_case
from tests.formats.conftest import ReadText
from tests.formats.json.reading import refusal
from tests.tables import table_of


def words(read_text: ReadText, text: str, **options: object) -> list[str]:
    (segment,) = read_text(f"0.00 1.00 A: {text}\n", "callhome", **options)
    return list(segment.words)


@each_case(("text", "expected"), table_of(__file__, "marks"))
def test_marks(read_text: ReadText, text: str, expected: str) -> None:
    assert words(read_text, text) == expected.split()


def test_optional_words_have_no_parentheses_and_are_marked(read_text: ReadText) -> None:
    text = "0.00 1.00 B2: ((a b)) uh c- <French d> e\n"
    (segment,) = read_text(text, "callhome", optional_marks=True)
    assert segment.words == ("a", "b", "%HESITATION", "c-", "d", "e")
    assert segment.optional == (True, True, True, True, True, False)
    assert (segment.channel, segment.speaker) == ("B", "B2")


def test_languages(read_text: ReadText) -> None:
    assert words(read_text, "äh Äh %mm &Müller", callhome_language="german") == [
        *("äh", "%HESITATION", "%HESITATION", "Müller")
    ]
    assert words(read_text, "¿qué? %eh sí", callhome_language="spanish") == [
        *("qué", "%HESITATION", "sí")
    ]
    assert words(read_text, "%أه نعم %ضحك x", callhome_language="arabic")[1:] == ["نعم", "x"]
    assert words(read_text, "@好@ *很* 嗯", callhome_language="mandarin")[:2] == ["好", "很"]
    assert words(read_text, "はい、 そう。", callhome_language="japanese") == ["はい", "そう"]
    with pytest.raises(FormatError, match="characters of latin-1, in which german is read"):
        words(read_text, "好", callhome_language="german")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello\n", "1:1: expected a turn: begin, end, A or B with a colon, text"),
        ("1.0 0.5 A: x\n", '1:5: expected an end time of 1.0 or after, found "0.5"'),
    ],
)
def test_what_is_refused(read_text: ReadText, text: str, message: str) -> None:
    assert message in refusal(text, "callhome")
    kept = read_text(text + "2.0 3.0 B: y\n", "callhome", tolerance="lenient")
    assert [segment.words for segment in kept] == [("y",)]


def test_it_is_recognised() -> None:
    assert formats.detect(BytesIO(b"# x\n\n0.00 1.00 A1: hello\n")) == "callhome"


def test_letters_that_end_nowhere_are_refused() -> None:
    with pytest.raises(TangledError):
        CallhomeText(is_mississippi=True).words_of(b"a ~ b")


def test_chords_with_times_are_no_turns() -> None:
    chords = ["0.25 0.75 B:min", "0.75 1.5 G:maj", "1.5 2.0 D:maj"]
    assert callhome.sniff(chords) is Sniff.NO
    assert callhome.sniff(["0.25 0.75 B: so", "it was", "0.8 1.0 A: well"]) is Sniff.SURE
