"""Groups side by side: against scipy's exact tests, by enumeration, and by their laws."""

import json
import tracemalloc
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.stats import group_tests
from scoring.stats.group_gaps import GroupComparison, compare_groups
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import adjusted
from tests.each_case import each_case

GOLDENS = Path(__file__).parents[2] / "golden" / "measures"
FEW = Resampling(200)


def cases(name: str) -> list[Any]:
    """The cases of a golden file, each with its name."""
    records = json.loads((GOLDENS / f"{name}.json").read_text("utf-8"))["cases"]
    return [pytest.param(case["input"], case["output"], id=case["id"]) for case in records]


def compare(
    rows: Sequence[Sequence[Any]], speakers: Sequence[str | None] | None = None, **more: Any
) -> GroupComparison:
    """Rows of group, errors and words, however few they are."""
    small: dict[str, Any] = {"least_words": 1, "least_units": 1, "resampling": FEW} | more
    return compare_groups([row[1:] for row in rows], [(row[0],) for row in rows], speakers, **small)


@each_case(("given_rows", "expected"), cases("slices"))
def test_exact_as_scipy(given_rows: dict[str, Any], expected: dict[str, Any]) -> None:
    found = compare(given_rows["rows"])
    by_name = {group.name: group for group in found.groups}
    assert {name: group.rate for name, group in by_name.items()} == pytest.approx(
        {name: expected["rate"][name] for name in by_name}
    )
    assert found.gap == pytest.approx(expected["gap"])
    assert found.ratio == (expected["ratio"] and pytest.approx(expected["ratio"]))
    assert found.mean_of_groups == pytest.approx(expected["mean_of_groups"])
    for name, difference in expected["difference_from_rest"].items():
        assert by_name[name].difference == pytest.approx(difference)
    p_values = expected["p_exact_two_sided"]
    for name, group in by_name.items():
        assert group.p_value == (p_values[name] and pytest.approx(p_values[name]))
    for correction in ("holm", "bonferroni", "fdr_bh") if "p_holm" in expected else ():
        theirs = expected[f"p_{correction}"]
        assert adjusted(list(p_values.values()), correction) == pytest.approx(list(theirs.values()))
        groups = compare(given_rows["rows"], correction=correction).groups
        # two groups are one comparison; the tool corrects for two
        wanted = p_values if len(by_name) == 2 else theirs
        assert {group.name: group.adjusted for group in groups} == pytest.approx(
            {name: wanted[name] for name in by_name}
        )


@pytest.mark.parametrize(("given_rows", "expected"), cases("slices-bootstrap"))
def test_interval_near_the_enumerated_one(
    given_rows: dict[str, Any], expected: dict[str, Any]
) -> None:
    interval = compare(given_rows["rows"], resampling=Resampling(20_000)).interval
    assert interval is not None
    assert interval.mean == pytest.approx(expected["mean"], abs=0.003)
    assert interval.percentile.low == pytest.approx(expected["percentile_2.5"], abs=0.01)
    assert interval.percentile.high == pytest.approx(expected["percentile_97.5"], abs=0.012)


ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(0, 4), st.integers(1, 6), st.sampled_from("xyz")),
    min_size=4,
    max_size=6,
)


def plain_gap(labels: Sequence[str], rows: Sequence[Sequence[Any]]) -> float:
    rates: list[float] = [
        sum(row[1] for row, other in zip(rows, labels, strict=True) if other == label)
        / sum(row[2] for row, other in zip(rows, labels, strict=True) if other == label)
        for label in set(labels)
    ]
    return max(rates) - min(rates)


@given(ROWS)
@settings(max_examples=30, deadline=None)
def test_permutation_by_enumeration(rows: list[tuple[str, int, int, str]]) -> None:
    """Of utterances; within speakers where the group varies within one."""
    labels = [row[0] for row in rows]
    owners: dict[str, set[str]] = {}
    for row in rows:
        owners.setdefault(row[3], set()).add(row[0])
    varies = any(len(groups) > 1 for groups in owners.values())
    for speakers in (None, [row[3] for row in rows]) if varies else (None,):
        found = compare([row[:3] for row in rows], speakers)
        if found.gap is None or found.p_value is None:
            continue
        orders = [
            order
            for order in permutations(range(len(rows)))
            if speakers is None or all(speakers[a] == speakers[b] for a, b in enumerate(order))
        ]
        gaps = [plain_gap([labels[place] for place in order], rows) for order in orders]
        extreme = sum(gap >= found.gap - 1e-12 for gap in gaps)
        assert found.exact
        assert found.p_value == pytest.approx(extreme / len(gaps))
        assert found.gap == pytest.approx(plain_gap(labels, rows))


def test_unit_is_the_speaker_if_the_group_is_constant() -> None:
    rows = [["a", 1, 60], ["a", 2, 60], ["b", 5, 60], ["b", 4, 60]] * 2
    speakers = ["p", "q", "r", "s"] * 2
    found = compare(rows, speakers)
    assert (found.unit, [group.units for group in found.groups]) == ("speaker", [2, 2])
    # six arrangements of four speakers, the two extreme ones
    assert found.groups[0].p_value == pytest.approx(2 / 6)
    assert compare(rows).unit == "utterance"
    assert compare(rows, ["p"] * 8).unit == "utterance within speaker"
    # an utterance without speaker is a unit of its own
    assert [g.units for g in compare(rows, [*speakers[:7], None]).groups] == [2, 3]


def test_small_groups_take_no_part() -> None:
    names, errors, words = "aabbcd", (1, 1, 9, 8, 50, 9), (60, 60, 60, 60, 50, 900)
    found = compare(list(zip(names, errors, words, strict=True)), least_words=100, least_units=2)
    assert [group.is_small for group in found.groups] == [False, False, True, True]
    assert found.gap == pytest.approx(15 / 120)
    assert (found.worst, found.best) == (1, 0)
    assert [group.p_value is None for group in found.groups] == [False, False, True, True]
    lone = compare_groups([[1, 60], [1, 60]], [("a",), (None,)], resampling=FEW)
    assert (lone.gap, lone.p_value, lone.interval, lone.worst) == (None, None, None, None)
    assert lone.groups[1].name is None


def test_drawn_arrangements_come_near_the_exact_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.random.default_rng(5)
    rows = [["ab"[n % 2], int(numbers.integers(0, 5)) + n % 2, 10] for n in range(14)]
    for speakers in (None, ["pq"[n // 7] for n in range(14)]):
        exact = compare(rows, speakers)
        monkeypatch.setattr(group_tests, "MOST_ARRANGEMENTS", 1)
        drawn, again = (compare(rows, speakers) for _ in range(2))
        monkeypatch.undo()
        assert (exact.exact, drawn.exact) == (True, False)
        assert drawn.p_value == pytest.approx(exact.p_value, abs=0.02)
        assert drawn.groups[0].p_value == pytest.approx(exact.groups[0].p_value, abs=0.02)
        assert drawn == again


def test_dealing_alike_units_comes_near_permuting_them(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [["ab"[n % 2], int(n % 7 == 0 and n % 2), 10] for n in range(400)]
    found = []
    for alike in (0, 1 << 30):
        monkeypatch.setattr(group_tests, "_ALIKE", alike)
        found.append(compare(rows))
    assert found[0].p_value == pytest.approx(found[1].p_value, abs=0.02)
    assert found[0].groups[0].p_value == pytest.approx(found[1].groups[0].p_value, abs=0.02)


def test_an_utterance_may_be_in_several_groups() -> None:
    statistics = [[1, 60], [0, 60], [5, 60], [6, 60]]
    groups = [("o", "f"), ("o", "f"), ("o", "m"), ("o", "m")]
    found = compare_groups(statistics, groups, resampling=FEW)
    assert [(group.name, group.units) for group in found.groups] == [("o", 4), ("f", 2), ("m", 2)]
    assert found.groups[0].p_value is None  # there is no rest
    assert found.groups[1].p_value == pytest.approx(2 / 6)
    assert found.groups[1].difference == pytest.approx(-10 / 120)


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="correction: expected holm, bonferroni, fdr_bh"):
        compare_groups([[1, 2]], [("a",)], correction="sidak")
    with pytest.raises(ValueError, match="statistics: expected 2 rows"):
        compare_groups([[1, 2]], [("a",), ("b",)])


@pytest.mark.release
def test_memory_of_many_groups_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    number = 1500
    draw = np.random.default_rng(3)
    errors = draw.integers(0, 4, 2 * number)
    statistics = np.column_stack([errors, np.full(2 * number, 20)])
    groups = [(f"speaker {row // 2}",) for row in range(2 * number)]

    def peak() -> int:
        tracemalloc.start()
        try:
            compare_groups(statistics, groups, least_words=1, least_units=1, resampling=FEW)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    whole = 9_999 * number * 2 * 8  # errors and words of every group in every permutation
    assert peak() < whole // 3
    monkeypatch.setattr(group_tests, "_CHUNK", group_tests._CHUNK // 8)
    assert peak() < whole // 10  # it follows the block of permutations, not the groups
