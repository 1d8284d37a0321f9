"""Times of words, borders and drift: against mir_eval, NumPy and plain computations."""

import json
import random
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import scoring
from scoring.measures.spans import covered, matched_borders
from scoring.model.errors import InputError
from scoring.results.measured import Measured
from scoring.score.rates import ErrorRates
from tests.each_case import each_case
from tests.scoring.measures.golden import name_of, records

Word = tuple[str, float, float]


def ctm(path: Path, words: Sequence[Word]) -> Path:
    lines = (f"talk 1 {begin:.3f} {end - begin:.3f} {word}\n" for word, begin, end in words)
    path.write_text("".join(lines))
    return path


def wer(folder: Path, left: Sequence[Word], right: Sequence[Word], **choices: Any) -> ErrorRates:
    """Two recordings of timed words, of which the reference is one segment."""
    paths = []
    for name, words in (("reference", left), ("hypothesis", right)):
        path = folder / f"{name}.jsonl"
        items = [[word, begin, round(end - begin, 6), 1.0] for word, begin, end in words]
        record = {
            "id": "u", "recording_id": "talk", "start": 0.0, "duration": 60.0, "channel": 0,
            "text": " ".join(word for word, *_ in words), "alignment": {"word": items},
        }  # fmt: skip
        path.write_text(json.dumps(record) + "\n")
        paths.append(path)
    return scoring.wer(*paths, **{"measures": ["timing", "timing-aligned"], **choices})


def timing(folder: Path, *sides: Sequence[Word], **choices: Any) -> Measured:
    return wer(folder, *sides, **choices).measured["timing"]


@each_case("case", records("timing-shift")[:-1], ids=name_of)
def test_shifts_are_those_of_mir_eval_and_numpy(case: Any, tmp_path: Path) -> None:
    sides = [
        [(f"w{place}", begin, begin + 0.01) for place, begin in enumerate(case["input"][name])]
        for name in ("reference_starts", "hypothesis_starts")
    ]
    part, output = timing(tmp_path, *sides), case["output"]
    median, mean = output["mir_eval.alignment.absolute_error (median, mean)"]
    for side in ("begin", "end"):
        expected = {
            "median_abs": median,
            "mean_abs": mean,
            "mean": output["mean signed"],
            "sd": output["population standard deviation"],
            "p90_abs": output["numpy.percentile(abs,90)"],
            "p95_abs": output["numpy.percentile(abs,95)"],
        }
        for name, seconds in expected.items():
            assert part[f"{side}_{name}_ms"] == pytest.approx(1000 * seconds, abs=1e-9), name
        for limit in (50, 100, 200):
            share = output[f"mir_eval.alignment.percentage_correct(window={limit / 1000:g})"]
            if case["id"] == "on-the-border-50ms" and limit < 200:
                # 1.05 - 1.00 is more than 0.05 in floating point, as is 2.0 - 1.9 than 0.1
                assert share == (limit // 50) / 3
                share += 1 / 3
            assert part[f"{side}_within_{limit}ms"] == pytest.approx(share)


def test_without_shifts_there_are_no_figures(tmp_path: Path) -> None:
    part = timing(tmp_path, [("a", 0, 1)], [("b", 0, 1)])
    assert part["begin_mean_ms"] is part["offset_ms"] is part["mean_iou"] is None
    assert (part["boundary_precision"], part["coverage_f1"]) == (0, 1)
    part = timing(tmp_path, [("a", 0, 1)], [("b", 0.5, 1)], measure_options={"timing": "all"})
    assert part["begin_mean_ms"] == 500


@each_case("case", records("word-times"), ids=name_of)
def test_worked_examples(case: Any, tmp_path: Path) -> None:
    given, output = case["input"], case["output"]
    sides = []
    for side, other in (("reference", 60.0), ("hypothesis", 61.0)):
        times = given[f"matched_{side}_ms"]
        words = [(f"w{n}", begin / 1000, end / 1000) for n, (begin, end) in enumerate(times)]
        extra = given[f"{side}_words"] - len(words)
        sides.append([*words, *((f"{side}{n}", other + n, other + n + 0.1) for n in range(extra))])
    part = timing(tmp_path, *sides, measure_options={"timing_collar": given["collar_ms"]})
    assert part["mean_iou"] == pytest.approx(output["mean_iou"], abs=1e-11)
    assert part.columns.totals()["boundary_hits"] == output["within_collar"]
    for name in ("precision", "recall", "f1"):
        assert part[f"boundary_{name}"] == pytest.approx(output[name])


def test_a_constant_shift_is_an_offset(tmp_path: Path) -> None:
    left = [(f"w{n}", n / 2, n / 2 + 0.3) for n in range(5)]
    right = [(word, begin + 0.25, end + 0.25) for word, begin, end in left]
    measured = wer(tmp_path, left, right).measured
    assert measured["timing"]["offset_ms"] == 250
    assert measured["timing"]["begin_within_200ms"] == 0
    aligned = measured["timing-aligned"]
    assert aligned["aligned_begin_mean_abs_ms"] == aligned["aligned_end_p95_abs_ms"] == 0
    assert aligned["aligned_begin_within_20ms"] == 1


def test_a_word_as_read_counts_once(tmp_path: Path) -> None:
    left = [("ice-cream", 1.0, 2.0), ("now", 2.0, 2.4)]
    right = [("ice", 1.1, 1.5), ("cream", 1.5, 2.1), ("now", 2.0, 2.5)]
    part = timing(tmp_path, left, right, normalize=lambda text: text.replace("-", " "))
    # the whole word pairs with `ice`, the first word made of it
    assert part.columns.totals()["pairs"] == 2
    assert part["begin_mean_ms"] == pytest.approx(50)
    sizes = part.columns.totals()
    assert (sizes["reference_words"], sizes["hypothesis_words"]) == (2, 3)


def test_interpolated_times_are_dropped_and_counted(tmp_path: Path) -> None:
    reference = tmp_path / "talk.ctm"
    ctm(reference, [("good", 0.0, 0.4), ("day", 0.5, 1.0)])
    hypothesis = tmp_path / "talk.stm"
    hypothesis.write_text("talk 1 a 0 1 good day\n")
    choices: dict[str, Any] = {"measures": ["timing"], "interpolate": "uniform"}
    part = scoring.wer(reference, hypothesis, **choices).measured["timing"]
    assert (part.columns.totals()["interpolated"], part["begin_mean_ms"]) == (2, None)
    settings = {"timing_interpolated": "use"}
    rates = scoring.wer(reference, hypothesis, measure_options=settings, **choices)
    assert rates.measured["timing"]["begin_mean_ms"] == 0
    assert rates.measured["timing"].signature == "timing(timing_interpolated:use)"


def test_times_are_required(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected times of words on both sides"):
        scoring.wer("a b", "a b", measures=["timing"])
    with pytest.raises(ValueError, match="timing_collar: expected milliseconds"):
        timing(tmp_path, [("a", 0, 1)], [("a", 0, 1)], measure_options={"timing_collar": "-1"})


@each_case("case", records("timing-boundaries"), ids=name_of)
def test_borders_are_those_of_mir_eval(case: Any) -> None:
    sides = [
        {round(time * 1000) for pair in case["input"][side] for time in pair}
        for side in ("reference", "hypothesis")
    ]
    for key, (precision, recall, f1) in case["output"].items():
        window = round(float(key.partition("=")[2].partition(")")[0]) * 1000)
        hits = len(list(matched_borders(sides[0], sides[1], window)))
        sizes = [len(side) for side in sides]
        assert hits == round(recall * sizes[0])
        if sizes[1]:  # no border is no precision for us, 0 for mir_eval
            assert hits == round(precision * sizes[1])
            assert 2 * hits / sum(sizes) == pytest.approx(f1)


def largest(left: Sequence[int], right: Sequence[int], window: int) -> int:
    """The size of the largest matching, by augmenting paths."""
    partner: dict[int, int] = {}

    def augment(border: int, seen: set[int]) -> bool:
        for facing in right:
            if abs(border - facing) <= window and facing not in seen:
                seen.add(facing)
                if facing not in partner or augment(partner[facing], seen):
                    partner[facing] = border
                    return True
        return False

    return sum(augment(border, set()) for border in left)


def test_matchings_are_largest_and_grow_with_the_window() -> None:
    draw = random.Random(7)
    for _ in range(200):
        left, right = (draw.sample(range(40), draw.randrange(9)) for _ in range(2))
        sizes = [len(list(matched_borders(left, right, window))) for window in (0, 2, 5, 40)]
        assert sizes == [largest(left, right, window) for window in (0, 2, 5, 40)]
        assert sizes == sorted(sizes)


def test_segments_of_recordings_have_borders(tmp_path: Path) -> None:
    reference = tmp_path / "talk.stm"
    reference.write_text("talk 1 a 0 1.5 good day\ntalk 1 a 1.5 3 bye\n")
    hypothesis = tmp_path / "hyp.stm"
    hypothesis.write_text("talk 1 a 0 1.4 good day\ntalk 1 a 1.4 1.6 er\ntalk 1 a 1.6 3 bye\n")
    for kinds, numbers in (("both", (0.75, 1)), ("begin", (2 / 3, 1)), ("end", (2 / 3, 1))):
        rates = scoring.wer(
            reference, hypothesis, cut="plain-alignment", measures=["boundaries"],
            measure_options={"boundaries": kinds},
        )  # fmt: skip
        part = rates.measured["boundaries"]
        assert (part["borders_precision"], part["borders_recall"]) == pytest.approx(numbers)
    hypothesis.write_text("")
    part = scoring.wer(reference, hypothesis, measures=["boundaries"]).measured["boundaries"]
    assert (part["borders_precision"], part["borders_recall"]) == (None, 0)


def test_covered_time_is_that_of_every_nanosecond() -> None:
    draw = random.Random(3)
    for _ in range(50):
        spans = [(draw.randrange(30), draw.randrange(30), draw.randrange(3)) for _ in range(9)]
        expected = [
            len({t for begin, end, group in spans if group == row for t in range(begin, end)})
            for row in range(3)
        ]
        begins, ends, groups = ([span[n] for span in spans] for n in range(3))
        assert covered(begins, ends, groups, 3).tolist() == expected


def test_drift_shows_where_errors_and_shifts_are(tmp_path: Path) -> None:
    words = [f"w{n}" for n in range(40)]
    left = [(word, n / 2, n / 2 + 0.3) for n, word in enumerate(words)]
    # the clock of the hypothesis runs one per cent too slow, and the last words are wrong
    right = [
        (word if n < 36 else f"x{n}", begin * 1.01, end * 1.01)
        for n, (word, begin, end) in enumerate(left)
    ]
    part = wer(tmp_path, left, right, measures=["drift"]).measured["drift"]
    assert [part[f"rate_{tenth}"] for tenth in range(1, 11)] == [0] * 9 + [1]
    assert part["rate_change"] == 1
    assert part["shift_1_ms"] == pytest.approx(np.mean([0, 5, 10, 15]))
    assert part["shift_9_ms"] == pytest.approx(np.mean([160, 165, 170, 175]))
    assert part["shift_10_ms"] is None
    # utterances without times are recordings of their own
    texts = {name: " ".join(words[:10]) for name in "uv"}
    answers = {name: text[:-1] + "x" for name, text in texts.items()}
    part = scoring.wer(texts, answers, measures=["drift"]).measured["drift"]
    assert [part[f"rate_{tenth}"] for tenth in (5, 9, 10)] == [0, 0, 1]


def test_more_collar_never_lowers_f1(tmp_path: Path) -> None:
    draw = random.Random(5)
    left = [(f"w{n}", n / 2, n / 2 + 0.3) for n in range(12)]
    right = [
        (word, begin + draw.random() / 8, end + draw.random() / 8) for word, begin, end in left
    ]
    scores = []
    for collar in (0, 20, 50, 100, 200):
        part = timing(tmp_path, left, right, measure_options={"timing_collar": collar})
        number = part["boundary_f1"]
        assert number is not None
        scores.append(number)
    assert all(low <= high for low, high in combinations(scores, 2))
    assert scores[-1] == 1


@each_case("case", records("rates-jiwer"), ids=name_of)
def test_information_rates_are_those_of_jiwer(case: Any) -> None:
    sides = [
        side if isinstance(side, list) else [side]
        for side in (case["input"]["reference"], case["input"]["hypothesis"])
    ]
    rates, output = scoring.wer(*sides), case["output"]
    counts = rates.counts
    assert (counts.correct, counts.errors) == (
        output["hits"],
        output["substitutions"] + output["insertions"] + output["deletions"],
    )
    numbers = rates.corpus_rate, rates.mer, rates.wil, rates.wip
    expected = tuple(output[name] for name in ("wer", "mer", "wil", "wip"))
    if case["id"] in ("empty-reference", "both-empty"):
        # where jiwer has conventions there is no rate; one side's words are all errors
        assert numbers == (None, 1.0 if counts.errors else None, None, None)
    else:
        assert numbers == pytest.approx(expected)
