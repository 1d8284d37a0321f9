"""Differences as running text: wrapping, widths, directions; and the reports of `scoring diff`."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.console.terminal import begins_right_to_left, isolated, width
from scoring.alignment.sequences import align
from scoring.drawing.running import inline_lines, runs
from scoring.model.counts import Alignment
from scoring.pages.differences import Look, pieces_of
from scoring.score import wer
from scoring.score.rates import ErrorRates

RLI, FSI, PDI = "\u2067", "\u2068", "\u2069"


def aligned(reference: str, hypothesis: str) -> Alignment:
    return align(reference.split(), hypothesis.split())


def lines(reference: str, hypothesis: str, columns: int = 80, **options: object) -> list[str]:
    given = {"colour": False, **options}
    return list(inline_lines(aligned(reference, hypothesis), columns, **given))  # type: ignore[arg-type]


def test_marks() -> None:
    assert lines("a b c d", "a x c d e") == ["a [-b-] {+x+} c d {+e+}"]


def test_a_stretch_is_marked_once() -> None:
    assert lines("a b c d", "a x y d") == ["a [-b c-] {+x y+} d"]


def test_marks_are_closed_and_opened_at_line_ends() -> None:
    found = lines("one two three four five six", "", 20)
    assert found == ["[-one two three-]", "[-four five six-]"]
    assert all(width(line) <= 20 for line in lines("a b c d e f g h i j", "k l m n", 20))


@given(
    st.lists(st.sampled_from(["a", "日本", "e\u0301", "שלום", "word"]), max_size=30),
    st.lists(st.sampled_from(["a", "日本", "e\u0301", "שלום", "word"]), max_size=30),
    st.integers(20, 60),
)
def test_no_line_is_wider_than_asked(old: list[str], new: list[str], columns: int) -> None:
    found = list(inline_lines(align(old, new), columns, False, indent="  "))
    assert all(width(line) <= columns for line in found)
    shown = " ".join(found)
    for mark in (*RLI, *FSI, *PDI, "[-", "-]", "{+", "+}"):
        shown = shown.replace(mark, "")
    expected = [word for run in runs(align(old, new)) for word in run.words]
    assert shown.split() == expected


def test_a_word_wider_than_the_line_stands_alone() -> None:
    long = "x" * 50
    assert lines(f"a {long} b", f"a {long} b", 30) == ["a", long, "b"]


def test_colours_begin_and_end_in_a_line() -> None:
    found = lines("one two three four five six", "", 20, colour=True)
    assert all(line.startswith("\x1b[31m") and line.endswith("\x1b[0m") for line in found)
    assert lines("a", "b", colour=True) == ["\x1b[31ma\x1b[0m \x1b[32mb\x1b[0m"]


def test_control_characters_cannot_leave_the_text() -> None:
    assert lines("a\x1b[2J", "a") == ["[-a\\x1b[2J-] {+a+}"]


def test_right_to_left() -> None:
    (line,) = lines("שלום עולם", "שלום לך")
    assert line == f"{RLI}{FSI}שלום{PDI} [-{FSI}עולם{PDI}-] {{+{FSI}לך{PDI}+}}{PDI}"


def test_a_foreign_word_does_not_turn_the_line() -> None:
    (line,) = lines("we say שלום today", "we say today")
    assert line == f"we say [-{FSI}שלום{PDI}-] today"


@pytest.mark.parametrize(("text", "leftwards"), [("", False), ("1 א", True), ("a א", False)])
def test_the_first_letter_decides(text: str, leftwards: bool) -> None:
    assert begins_right_to_left(text) is leftwards


def test_isolates_stand_around_what_needs_them() -> None:
    assert (isolated("abc"), isolated("日")) == ("abc", "日")
    assert isolated("عربي") == f"{FSI}عربي{PDI}"


def test_context() -> None:
    reference = "a b c d e f g h i j"
    assert lines(reference, reference.replace("e", "x"), context=1) == ["… d [-e-] {+x+} f …"]
    assert lines(reference, reference.replace("e", "x"), context=0) == ["… [-e-] {+x+} …"]
    assert lines("a b c", "a x c", context=1) == ["a [-b-] {+x+} c"]
    assert lines(reference, reference, context=2) == [reference]


def test_nothing_to_show() -> None:
    assert lines("", "") == []


@pytest.fixture
def rates() -> ErrorRates:
    return wer(
        reference={"u1": "a *b* c", "u2": "same words", "u3": "1. x"},
        hypothesis={"u1": "a <b> c", "u2": "same words", "u3": "1. y"},
    )


def drawn(rates: ErrorRates, form: str, look: Look) -> list[str]:
    return b"".join(pieces_of(rates, form, look)).decode().splitlines()


def test_terminal(rates: ErrorRates) -> None:
    found = drawn(rates, "terminal", Look())
    assert found[:2] == ["u1: 1 error in 3 words, 33.33 %", "  a [-*b*-] {+<b>+} c"]
    assert found[4].startswith("2 of 3 utterances differ: 2 substitutions, 0 deletions, 0")
    assert found[5].startswith("signature: wer|unit:word|")
    assert "  same words" in drawn(rates, "terminal", Look(everything=True))
    rows = drawn(rates, "terminal", Look(layout="rows"))
    assert rows[1:4] == ["  reference:   a *b* c", "  hypothesis:  a <b> c", " " * 17 + "S"]


def test_markdown_is_escaped(rates: ErrorRates) -> None:
    found = drawn(rates, "markdown", Look())
    assert r"a ~~\*b\*~~ **\<b\>** c" in found
    assert r"1\. ~~x~~ **y**" in found


def test_restructured_text_is_escaped_and_defines_its_roles(rates: ErrorRates) -> None:
    found = drawn(rates, "restructuredtext", Look())
    assert r"a :diffdelete:`\*b\*` :diffinsert:`<b>` c" in found
    assert r"\1. :diffdelete:`x` :diffinsert:`y`" in found
    assert ".. role:: diffdelete" in found


def test_json(rates: ErrorRates) -> None:
    document = json.loads("\n".join(drawn(rates, "json", Look())))
    [found] = document["systems"]
    assert (document["schema"], document["version"]) == ("sclite-kit/differences", 1)
    assert found["counts"]["substitutions"] == 2
    assert [one["id"] for one in found["utterances"]] == ["u1", "u3"]
    assert found["utterances"][1]["words"] == [
        {"edit": "equal", "reference": "1.", "hypothesis": "1."},
        {"edit": "replace", "reference": "x", "hypothesis": "y"},
    ]
    [everything] = json.loads("\n".join(drawn(rates, "json", Look(everything=True))))["systems"]
    assert len(everything["utterances"]) == 3


def test_json_without_differences() -> None:
    same = wer(reference={"u1": "a"}, hypothesis={"u1": "a"})
    assert json.loads("\n".join(drawn(same, "json", Look())))["systems"][0]["utterances"] == []
