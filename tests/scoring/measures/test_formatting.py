"""Punctuation and case: cases of NeMo and scikit-learn, and the rules of slots."""

import random
from typing import Any

import pytest

import scoring
from scoring.measures.punctuation import KINDS, marks_of
from scoring.results.counted import f1_of
from tests.each_case import each_case
from tests.scoring.measures.corpora import counted
from tests.scoring.measures.golden import cases

NEMO = [case for case in cases("punctuation-nemo") if "error" not in case[2]]


@each_case(("name", "given", "expected"), NEMO)
def test_nemo(name: str, given: Any, expected: Any) -> None:
    references, hypotheses = (
        list(map(str.split, side)) for side in zip(*given["pairs"], strict=True)
    )
    part = counted("nemo-per", references, hypotheses, **{"nemo-marks": given["marks"]})
    totals = part.columns.totals()
    amounts = expected["amounts"].values()
    for kind in ("correct", "deletions", "insertions", "substitutions"):
        assert totals[kind] == sum(amount[kind.capitalize()] for amount in amounts), kind
    if any(totals[kind] for kind in KINDS):
        assert part["nemo_per"] == pytest.approx(expected["punct_er"], rel=1e-12)
    else:
        assert (part["nemo_per"], expected["punct_er"]) == (None, 0)


@each_case(("name", "given", "expected"), cases("punctuation-slots"))
def test_slots_as_scikit_learn_counts_them(name: str, given: Any, expected: Any) -> None:
    sides = [
        [f"w{row}{marks[side]}" for row, marks in enumerate(given["slots"])] for side in (0, 1)
    ]
    part = counted("punctuation", [sides[0]], [sides[1]])
    totals = part.columns.totals()
    counts = dict(zip("HSDI", (totals[kind] for kind in KINDS), strict=True))
    assert {**counts, "N": sum(counts[key] for key in "HSD")} == expected["counts"]
    micro = [part["precision"], part["recall"], part["f1"]]
    assert [number or 0 for number in micro] == pytest.approx(expected["micro"])
    ours = marks_of(totals, "")
    for mark, numbers in expected["per_mark"].items():
        figures = f1_of(*ours.get(mark, (0, 0, 0)))
        # scikit-learn has 0 where there is nothing to divide by
        assert [figures[key] or 0 for key in ("precision", "recall", "f1")] == pytest.approx(
            [numbers[key] for key in ("precision", "recall", "f1")]
        )
    supported = [numbers["f1"] for numbers in expected["per_mark"].values() if numbers["support"]]
    mean = sum(supported) / len(supported) if supported else None
    assert part["macro_f1"] == (None if mean is None else pytest.approx(mean))
    assert part["right_ser"] == part["ser"], "all words are right"


def test_the_worked_example() -> None:
    part = counted("punctuation", ["Well, we came. Did you? Yes"], ["Well we came, Did you? Yes."])
    assert (part["ser"], part["per"]) == (1, 0.75)


@each_case(
    ("text", "mark"),
    [
        ("a?!", "?"),
        ("a!?", "?"),
        ("a...", "…"),
        ("a ...", "…"),
        ('a."', "."),
        ("a ,", ","),
        ("it's", ""),
        ("long-term", ""),
        ("a —", ""),
        ("a), b", ","),
        ("你好，", "，"),
        ("ինչո՞ւ", "՞"),
    ],
)
def test_marks_of_a_slot(text: str, mark: str) -> None:
    part = counted("punctuation", [text], [text])
    assert list(marks_of(part.columns.totals(), "")) == [mark] * bool(mark)
    assert part["ser"] == (0 if mark else None)
    bare = "".join(filter(lambda letter: letter.isalnum() or letter == " ", text))
    assert not mark or counted("punctuation", [text], [bare])["right_ser"] == 1


def test_marks_inside_text_without_blanks() -> None:
    part = counted("punctuation", [["你好，我来了。"]], [["你好我来了。"]])
    assert part["ser"] == 0.5
    assert part["f1"] == pytest.approx(2 / 3)


def test_opening_marks() -> None:
    part = counted("opening", ["¿Vienes? No. ¡Ven ya!"], ["Vienes? ¿No. ¡Ven ¡ya!"])
    totals = part.columns.totals()
    assert [totals[kind] for kind in KINDS] == [1, 0, 1, 2]
    assert (part["ser"], part["recall"]) == (3 / 2, 1 / 2)
    # a mark that is a word of its own, another mark, and marks of words that one side lacks
    part = counted("opening", ["¿ tú", "¡no", "a ¿b", ""], ["¿tú", "¿no", "a", "¡a"])
    assert [part.columns.totals()[kind] for kind in KINDS] == [1, 1, 1, 1]
    assert counted("punctuation", ["¿tú"], ["¡no"])["ser"] is None


def test_settings() -> None:
    sides = [["a?! b。"], ["a! b."]]
    assert counted("punctuation", *sides)["ser"] == 1
    assert counted("punctuation", *sides, **{"punctuation-fold": "yes"})["ser"] == 0.5
    other = [["a; b…"], ["a： b;"]]
    assert counted("punctuation", *other, **{"punctuation-fold": "yes"})["ser"] == 0
    assert counted("punctuation", *sides, **{"punctuation-slot": "last"})["ser"] == 0.5
    assert counted("punctuation", *sides, **{"punctuation-marks": "."})["ser"] is None
    part = counted("punctuation", *sides, **{"punctuation-slot": "last"})
    assert part.signature == "punctuation(align:stripped,punctuation-slot:last)"
    assert counted("case", *sides).signature == "case(align:stripped)"
    invalid = (("punctuation-slot", "middle"), ("punctuation-marks", "a"), ("punctuation-marks", 5))
    for name, value in invalid:
        with pytest.raises(ValueError, match=f"{name}: expected"):
            counted("punctuation", *sides, **{name: value})


def test_scope_of_right_words() -> None:
    """A mark after a wrong word, and one before a wrong word, are not comparable."""
    part = counted("punctuation", ["one, two. three? four."], ["one, two. tree? four."])
    totals = part.columns.totals()
    assert (totals["correct"], totals["right_correct"]) == (4, 2)
    part = counted("punctuation", ["one two, three"], ["one three,"])
    assert (part["ser"], part["right_ser"]) == (2, None)


def plain_slots(reference: str, hypothesis: str) -> list[int]:
    """Hits, substitutions, deletions and insertions of marks, from an alignment of words."""
    words = [
        [word.strip(",.").lower() for word in side.split()] for side in (reference, hypothesis)
    ]
    marks = [
        [word[-1] if word[-1] in ",." else "" for word in side.split()]
        for side in (reference, hypothesis)
    ]
    numbers = [0, 0, 0, 0]
    places = [iter(side) for side in marks]
    for pair in scoring.align(*words):
        left = "" if pair.reference is None else next(places[0])
        right = "" if pair.hypothesis is None else next(places[1])
        if left or right:
            numbers[3 if not left else 2 if not right else int(left != right)] += 1
    return numbers


def test_random_texts_against_a_plain_computation() -> None:
    draw = random.Random(4)
    for _ in range(150):
        sides = [
            " ".join(
                draw.choice("ab") + draw.choice(["", ",", "."]) for _ in range(draw.randrange(9))
            )
            for _ in range(2)
        ]
        totals = counted("punctuation", [sides[0]], [sides[1]]).columns.totals()
        assert [totals[kind] for kind in KINDS] == plain_slots(*sides), sides


def test_case() -> None:
    part = counted("case", ["Anna went to NASA. Then I left"], ["anna went To Nasa. then I Left"])
    totals = part.columns.totals()
    # I; Anna, NASA and Then are missed; To, Nasa and Left are false alarms
    assert [totals[key] for key in ("hits", "reference", "hypothesis")] == [1, 4, 4]
    assert (part["f1"], part["start_f1"]) == (0.25, 0)
    assert part["inside_f1"] == pytest.approx(2 / 6)
    assert part["case_error_rate"] == 5 / 7
    assert counted("case", ["12 us"], ["12 us"])["f1"] is None
    part = counted("case", ["Anna left"], ["Anne left"])
    assert (part["f1"], part["all_f1"]) == (None, 1)


def test_what_formatting_costs() -> None:
    part = counted("formatting", ["Well, we came."], ["well we came"])
    assert list(part.values.values()) == [0, 1 / 3, 2 / 5, 3 / 5]


def test_the_pipeline_of_the_score_does_not_matter() -> None:
    sides = {"u": "Well, we came."}, {"u": "well we came"}
    names = ["punctuation", "case", "formatting"]
    raw = scoring.wer(*sides, measures=names)
    plain = scoring.wer(*sides, normalize="plain", measures=names)
    assert plain == 0
    for name in names:
        assert raw.measured[name].values == plain.measured[name].values
