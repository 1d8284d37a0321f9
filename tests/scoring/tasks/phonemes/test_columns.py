"""The older method, by columns: its documented numbers, defects included."""

import random

import pytest

from scoring.alignment.sequences import edit_distance
from scoring.model.counts import UNIT_COSTS, Edit
from scoring.tasks.phonemes import PhonemeErrorRate
from scoring.tasks.phonemes.columns import columns_of, edit_operations
from tests.each_case import each_case
from tests.tables import table_of


def by_columns(x: str, y: str = "") -> PhonemeErrorRate:
    lexicon = {"x": [list(path) for path in x.split()], "y": [list(path) for path in y.split()]}
    return PhonemeErrorRate(lexicon, method="columns")


@each_case(("x", "predicted", "errors", "total"), table_of(__file__, "documented_defects"))
def test_documented_defects(x: str, predicted: str, errors: int, total: int) -> None:
    assert by_columns(x).compute_measures(["x"], list(predicted)) == {
        "errors": errors,
        "total": total,
    }


@each_case(
    ("x", "y", "predicted", "errors", "total"), table_of(__file__, "numbers_of_the_original")
)
def test_numbers_of_the_original(x: str, y: str, predicted: str, errors: int, total: int) -> None:
    rate = by_columns(x, y)
    assert rate.compute_measures(["x", "y"], list(predicted)) == {"errors": errors, "total": total}


def test_scores_do_not_depend_on_earlier_ones() -> None:
    # the original says 3 first, and 5 from then on
    rate = by_columns("ddbaa ccdd aca")
    for _ in range(3):
        assert rate.compute_measures(["x"], list("acabd")) == {"errors": 3, "total": 7}


def test_an_answer_where_the_original_crashes() -> None:
    columns = columns_of((tuple("cadbd"), ("b",), tuple("abcb")))
    assert len(columns.symbols) == len(columns.reference)
    assert by_columns("cadbd b abcb").compute_measures(["x"], list("cadbd"))["total"] == len(
        columns.reference
    )


def test_forgiven_places_show_in_the_alignment() -> None:
    score = by_columns("abd abcd").score(["x"], list("abd"))
    assert (score.errors, score.total, score.predicted) == (0, 4, 3)
    assert Edit.SKIPPED_REFERENCE in score.alignment.edits
    mixed = by_columns("abc dbe").score(["x"], list("abe"))
    assert [pair.edit for pair in mixed.alignment] == [Edit.CORRECT] * 3
    assert mixed.alignment.pairs()[2].hypothesis == "e"


def test_another_epsilon() -> None:
    rate = PhonemeErrorRate({"x": [["a"], ["a", "b"]]}, epsilon_token="-", method="columns")
    assert rate.build_pronunciation_stack(["x"]) == [{"a"}, {"b", "-"}]
    assert rate.epsilon_token == "-"


def test_nothing_to_say() -> None:
    rate = PhonemeErrorRate({"x": [[]], "none": []}, method="columns")
    assert rate([["x"]], [[]]) is None
    assert rate([["x"]], [["a"]]) is None
    with pytest.raises(ValueError, match="found none"):
        rate([["none"]], [[]])
    with pytest.raises(ValueError, match="found none"):
        columns_of(())


def test_an_exact_pronunciation_is_punished_by_columns_only() -> None:
    draw = random.Random(7)
    punished = 0
    for _ in range(500):
        paths = [
            [draw.choice("abcd") for _ in range(draw.randint(1, 5))]
            for _ in range(draw.randint(2, 3))
        ]
        predicted = draw.choice(paths)
        assert PhonemeErrorRate({"x": paths}).score(["x"], predicted).errors == 0
        punished += (
            PhonemeErrorRate({"x": paths}, method="columns").score(["x"], predicted).errors > 0
        )
    assert 0 < punished < 500


def test_edit_operations_are_fewest_and_lead_there() -> None:
    draw = random.Random(11)
    for _ in range(500):
        left = [draw.choice("abc") for _ in range(draw.randint(0, 70))]
        right = [draw.choice("abc") for _ in range(draw.randint(0, 70))]
        operations = edit_operations(left, right)
        assert len(operations) == edit_distance(left, right, costs=UNIT_COSTS).errors
        edited = list(left)
        for tag, source, destination in reversed(operations):
            if tag == "delete":
                del edited[source]
            elif tag == "insert":
                edited.insert(source, right[destination])
            else:
                edited[source] = right[destination]
        assert edited == right


def test_edit_operations_of_rapidfuzz() -> None:
    levenshtein = pytest.importorskip("rapidfuzz.distance").Levenshtein
    draw = random.Random(13)
    for _ in range(300):
        length = draw.choice([4, 8, 90])
        left = [draw.choice("abcd") for _ in range(draw.randint(0, length))]
        right = [draw.choice("abcd") for _ in range(draw.randint(0, length))]
        theirs = [
            (operation.tag, operation.src_pos, operation.dest_pos)
            for operation in levenshtein.editops(left, right)
        ]
        assert [tuple(operation) for operation in edit_operations(left, right)] == theirs
