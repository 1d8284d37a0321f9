import importlib.util
from statistics import NormalDist

import pytest

from scoring.tasks.kws.det import deviates, file_names, line_of_equal_value, set_files
from scoring.tasks.kws.drawings import OPEN_MARKS, DrawnSet, det_elements, value_elements
from scoring.tasks.kws.evaluation import score
from scoring.tasks.kws.measures import SetScores, curve
from tests.scoring.tasks.kws.cases import BASICS


@pytest.fixture
def overall() -> SetScores:
    return score(BASICS.excerpts, BASICS.keywords, BASICS.detections, BASICS.words).overall


def test_deviates_are_those_of_the_normal_distribution() -> None:
    probabilities = [0.001, 0.05, 0.079, 0.081, 0.3, 0.5, 0.919, 0.921, 0.9999]
    expected = [NormalDist().inv_cdf(p) for p in probabilities]
    assert deviates(probabilities).tolist() == pytest.approx(expected, abs=1e-6)
    assert float(deviates([0.0])[0]) == pytest.approx(-8.126360443956965, abs=1e-12)
    assert deviates([-0.5, 1.5]).tolist() == pytest.approx([-8.12636, 8.12636], abs=1e-4)


def test_names_of_files() -> None:
    long = "a rather long name of a group"
    assert file_names([long, long, "x:y/../z\n", "x"]) == [
        "a_rather_long_name_o", "a_rather_long_name_o_1", "x_y_.._z_", "x",
    ]  # fmt: skip


def test_marked_points(overall: SetScores) -> None:
    files = {file.ending: list(file.lines) for file in set_files(overall)}
    assert list(files) == [".dat.1", ".dat.2", ".isometriclines"]
    assert len(files[".isometriclines"]) == 201  # as docs/keyword-search.md says
    fields = files[".dat.2"][1].split()
    assert len(fields) == 6 + 3 * 5
    assert fields[0] == "0.7"
    assert [float(fields[i]) for i in (1, 6, 11, 16)] == pytest.approx(
        [0.22215921725, 0.11091088614, 0.22215921725, 0.41666666666]
    )


def test_curves_of_several_systems_mark_decisions_and_best_thresholds(overall: SetScores) -> None:
    sets = [DrawnSet(name, overall, curve(overall.trials)) for name in ("first", "second")]
    for elements in (det_elements, value_elements):
        page = "".join(elements(sets))
        # two marks and an entry of the legend that explains both
        assert [page.count(f"mark open system{number}") for number in (0, 1)] == [2, 1]
        assert page.count(OPEN_MARKS) == 1
    assert OPEN_MARKS not in "".join(det_elements(sets[:1]))


def test_the_line_of_equal_value() -> None:
    p_fa, p_miss = line_of_equal_value(999.9, 0.3)
    assert (1 - p_miss - 999.9 * p_fa).tolist() == pytest.approx([0.3] * len(p_fa))


def test_a_single_keyword_has_no_spread() -> None:
    scores = score(BASICS.excerpts, BASICS.keywords[:1], BASICS.detections[:5], BASICS.words)
    lines = [line for line in next(set_files(scores.overall)).lines if not line.startswith("#")]
    assert all(line.split()[6:] == ["NA"] * 8 for line in lines)


@pytest.mark.skipif(importlib.util.find_spec("matplotlib") is None, reason="no matplotlib")
@pytest.mark.share(2)
@pytest.mark.parametrize(("picture", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_pictures_are_the_same_every_time(overall: SetScores, picture: str, start: bytes) -> None:
    from scoring.tasks.kws.plots import det_picture

    first = det_picture(overall, "<title> $x$", picture)
    assert first.startswith(start)
    assert first == det_picture(overall, "<title> $x$", picture)
    if picture == "svg":
        assert b"Occurrence" in first
        assert b"P_miss (in %)" in first
