"""A hint where much of what was counted is case or punctuation only."""

import json
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import scoring
from scoring.cli.scoring import main
from scoring.pages import hint_of
from scoring.pages.hint import differing_words, spelling_errors
from scoring.pages.messages import CASE
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.tables import table_of

WORD = st.sampled_from(["a", "A", "b", "B.", "b", "…", "-", "c,", "c", "d’s", "d's", "D'S"])
TEXTS = st.lists(st.tuples(st.lists(WORD, max_size=6), st.lists(WORD, max_size=6)), max_size=5)


@each_case(
    ("reference", "hypothesis", "found", "errors"),
    table_of(__file__, "errors_that_vanish_under_plain_are_counted"),
)
def test_errors_that_vanish_under_plain_are_counted(
    reference: str, hypothesis: str, found: int, errors: int
) -> None:
    rates = scoring.wer(reference, hypothesis)
    assert spelling_errors(differing_words(rates.aligned)) == found
    hint = hint_of(rates)
    assert hint is not None
    assert (hint.entry.key, hint.fields) == ("CASE", {"number": found, "errors": errors})
    assert hint.advice == (("normalize", "plain"),)
    assert hint.in_python in unescape(rates._repr_html_())


@each_case(
    ("reference", "hypothesis", "options"),
    table_of(__file__, "no_hint_where_next_to_nothing_vanishes"),
)
def test_no_hint_where_next_to_nothing_vanishes(
    reference: str, hypothesis: str, options: dict[str, Any]
) -> None:
    assert hint_of(scoring.wer(reference, hypothesis, **options)) is None


@pytest.mark.parametrize(
    ("word", "found"), [("Strasse", 0), ("STRASSE", 1), ("straße,", 1), ("Strassen", 0)]
)
def test_a_sharp_s_is_spelling_but_not_in_capitals(word: str, found: int) -> None:
    rates = scoring.wer("eine Straße", f"eine {word}")
    assert spelling_errors(differing_words(rates.aligned)) == found


def test_a_single_error_is_singular() -> None:
    hint = hint_of(scoring.wer("THE cat sat there", "the dog sat here"))
    assert hint is not None
    assert message_text(CASE[0], number=1, errors=3) == str(hint)
    assert "errors is case" in str(hint)
    assert "errors are case" in message_text(CASE[0], number=2, errors=3)


@settings(max_examples=40, deadline=None)
@given(TEXTS)
def test_as_many_vanish_as_the_pairs_of_the_alignment_say(
    texts: list[tuple[list[str], list[str]]],
) -> None:
    rates = scoring.wer([one for one, _ in texts], [other for _, other in texts])
    expected = 0
    for at in range(len(rates)):
        for pair in rates.alignment_at(at):
            if pair.edit.letter != "C":
                sides = [one or "" for one in (pair.reference, pair.hypothesis)]
                expected += scoring.wer(*sides, normalize="plain").counts.errors == 0
    assert spelling_errors(differing_words(rates.aligned)) == expected


def case_line(number: int, errors: int, path: str = "") -> str:
    """The hint that commands print, on a file if there are several."""
    place = path and f"{path}: "
    return f"hint: {place}{message_text(CASE[0], number=number, errors=errors)}"


@pytest.mark.parametrize("command", [["wer"], ["diff"]], ids=lambda one: one[0])
def test_the_hint_is_one_line_and_gone_once_it_was_followed(
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.trn").write_text("".join(f"THE CAT (x-{at})\n" for at in range(2000)))
    Path("h.trn").write_text("".join(f"the dog, (x-{at})\n" for at in range(2000)))
    Path("i.trn").write_text("".join(f"the cat (x-{at})\n" for at in range(2000)))
    assert main([*command, "r.trn", "h.trn"]) == 0
    line = "scoring: " + case_line(2000, 4000) + f" [{CASE[0].code}]\n"
    assert capsys.readouterr().err == line
    assert main([*command, "r.trn", "h.trn", "--normalize", "plain"]) == 0
    assert capsys.readouterr().err == ""
    if command == ["wer"]:
        assert main([*command, "r.trn", "h.trn", "i.trn", "--html", "page.html"]) == 0
        assert capsys.readouterr().err == (
            f"scoring: {case_line(2000, 4000, 'h.trn')} [{CASE[0].code}]\n"
            f"scoring: {case_line(4000, 4000, 'i.trn')} [{CASE[0].code}]\n"
        )
        assert case_line(4000, 4000) in Path("page.html").read_text()


def test_compare_hints_for_each_side(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in (("r", "THE CAT"), ("h", "the dog"), ("i", "the cat")):
        Path(f"{name}.trn").write_text(f"{text} (x-1)\n")
    assert main(["compare", "h.trn", "i.trn", "--reference", "r.trn"]) == 0
    assert capsys.readouterr().err == (
        f"scoring: {case_line(1, 2, 'h.trn')} [{CASE[0].code}]\nscoring: {case_line(2, 2, 'i.trn')} [{CASE[0].code}]\n"
    )


@each_case(
    ("reference", "hypothesis", "steps"),
    table_of(__file__, "errors_that_nobody_sees_name_the_steps_that_remove_them"),
)
def test_errors_that_nobody_sees_name_the_steps_that_remove_them(
    reference: str, hypothesis: str, steps: list[str]
) -> None:
    others = " ".join("abcdefghijklmn")  # far less than a tenth of the errors
    rates = scoring.wer(f"{reference} {others}", f"{hypothesis} {'z ' * 14}")
    hint = hint_of(rates)
    assert hint is not None
    assert (hint.code, hint.fields) == ("UNSEEN", {"number": 1, "errors": 15})
    assert hint.advice == tuple(("normalize", step) for step in steps)
    assert scoring.wer(reference, hypothesis, normalize=steps).counts.errors == 0


def test_case_that_is_ignored_hides_no_form_of_unicode() -> None:
    rates = scoring.wer("CAF\xc9", "cafe\u0301", ignore_case=True)
    hint = hint_of(rates)
    assert hint is not None
    assert (hint.entry.key, hint.advice) == ("UNSEEN.unicode", (("normalize", "unicode"),))


@pytest.mark.parametrize(
    ("reference", "hypothesis", "number", "steps"),
    [
        ("the cat sat", "the\u00a0cat sat", "2 of 2", ["whitespace"]),
        ("the cat\u3000sat", "the cat sat", "2 of 2", ["whitespace"]),
        ("coop is the cat", "co\u00adop is the\u2009cat", "3 of 3", ["controls", "whitespace"]),
        ("the cat sat", "the\u00a0cat mat", "2 of 3", ["whitespace"]),
    ],
)
def test_blanks_that_join_words_name_the_step_that_cuts_there(
    reference: str, hypothesis: str, number: str, steps: list[str]
) -> None:
    hint = hint_of(scoring.wer(reference, hypothesis))
    assert hint is not None
    assert f"{hint.fields['number']} of {hint.fields['errors']}" == number
    assert hint.entry.key == f"UNSEEN.{'-'.join(steps)}"
    assert hint.advice == tuple(("normalize", step) for step in steps)
    again = scoring.wer(reference, hypothesis, normalize=steps).counts.errors
    assert int(number.split()[2]) - int(number.split()[0]) == again


def test_a_blank_on_both_sides_is_no_error() -> None:
    assert hint_of(scoring.wer("the\u00a0cat sat", "the\u00a0cat mat")) is None


def test_a_pipeline_of_whisper_leaves_marks_on_purpose() -> None:
    pytest.importorskip("whisper_normalizer")
    sides = ["Five percent: 5%"], ["five percent 5"]
    assert hint_of(scoring.wer(*sides)) is not None
    rates = scoring.wer(*sides, normalize="whisper-english")
    assert (rates.counts.errors > 0, hint_of(rates)) == (True, None)


def test_displayed_forms_are_offered_where_a_file_has_them(tmp_path: Path) -> None:
    answer = {
        "metadata": {"request_id": "1"},
        "results": {"channels": [{"alternatives": [{
            "transcript": "good morning",
            "words": [
                {"word": "good", "punctuated_word": "Good", "start": 0.1, "end": 0.4},
                {"word": "morning", "punctuated_word": "morning.", "start": 0.5, "end": 0.9},
            ],
        }]}]},
    }  # fmt: skip
    hypothesis, reference = tmp_path / "h.json", tmp_path / "r.txt"
    hypothesis.write_text(json.dumps(answer))
    reference.write_text("Good morning.\n")
    hint = hint_of(scoring.wer(reference, hypothesis))
    assert hint is not None
    assert hint.advice == (("normalize", "plain"), ("text_view", "display"))
    assert hint.in_python.endswith("; see normalize='plain' or text_view='display'")
    assert hint_of(scoring.wer(reference, hypothesis, text_view="display")) is None
