"""Laying words and the text that shows them side by side."""

from io import StringIO

from hypothesis import given
from hypothesis import strategies as st

from formats import Segment
from formats.detection import by_name
from formats.io.source import open_source
from formats.json.displays import displays_along
from formats.json.spoken_words import SpokenWord, WordRun, single_words
from formats.json.words_to_segments import Reading
from formats.schema.loss import Losses
from formats.schema.transcript import Transcript
from formats.writing.convert import ConvertOptions, convert
from tests.each_case import each_case

SOME = st.lists(st.sampled_from(["a", "b", "c", "d", "25", "um"]), min_size=1, max_size=12)


@each_case(
    ("words", "text", "forms"),
    [
        ("hello world", "Hello, world.", ["Hello,", "world."]),
        ("hello world", "hello world", [None, None]),
        ("so um yes", "So yes.", ["So", "", "yes."]),
        ("um yes", "Yes.", ["", "Yes."]),
        ("yes um", "Yes.", ["Yes.", ""]),
        ("yes no", "Oh well yes – no", ["Oh well yes –", None]),
        ("may twenty two thousand one", "May 20, 2001", ["May", "20,", "", "2001", ""]),
        ("cannot go", "can not go", ["can not", None]),
        ("a", "", None),
        ("a " * 30, "b " * 30, None),
    ],
)
def test_forms_of_words(words: str, text: str, forms: list[str | None] | None) -> None:
    assert displays_along(words.split(), text) == forms


@given(words=SOME, shown=SOME)
def test_all_forms_are_there_in_order(words: list[str], shown: list[str]) -> None:
    text = " ".join(shown)
    forms = displays_along(words, text)
    if forms is None:
        return
    assert len(forms) == len(words)
    seen = [w if f is None else f for w, f in zip(words, forms, strict=True)]
    assert " ".join(filter(None, seen)) == text


def test_a_mark_is_added_to_what_shows_the_last_word() -> None:
    items = WordRun()
    items.extend([SpokenWord("twenty", display="22"), SpokenWord("two", display="")])
    assert items.show(".")
    assert [item.display for item in items] == ["22.", ""]


def test_an_item_of_several_words_is_shown_by_the_first() -> None:
    parts = single_words([SpokenWord("new york", 0, 8, display="NYC")])
    assert [(p.text, p.display) for p in parts] == [("new", "NYC"), ("york", "")]


def test_words_shown_together_are_one_word_for_people() -> None:
    segment = Segment.of(
        "rec", ["um", "twenty", "two", "yes"], starts=[0, 1, 2, 3], ends=[1, 2, 3, 4],
        displays=["", "22", "", None],
    )  # fmt: skip
    options = ConvertOptions(text_view="display")
    (made,) = convert(Transcript([segment]), by_name("ctm"), Losses(), options)
    assert (made.words, made.starts, made.ends) == (("22", "yes"), (1.0, 3.0), (3.0, 4.0))


@each_case("sign", ["!", "X", "#", "*", "[A", "<A", "["])
def test_a_long_run_of_signs_takes_no_longer_than_it_is(sign: str) -> None:
    word = sign * 2**18 + "a"
    with open_source(StringIO("")) as source:
        reading = Reading(source)
        reading.segment([SpokenWord(word)])
        reading.report()
        assert [d.code for d in source.log.entries()] == (["MASKED"] if sign in "#*" else [])
    assert displays_along([word, "b"], f"{word}! B.") == [word + "!", "B."]
