"""Diarisation errors of turns as they are given, and of files."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import scoring
from formats import Segment
from scoring.drawing.text import text_lines
from scoring.model.errors import InputError, StatisticsError
from scoring.tasks.messages import NOT_IN_BOTH
from scoring.tasks.speakers.der.diarisation_errors import MAPPING_FREE, SpeakerTime
from scoring.tasks.speakers.der.explain import explained
from scoring.tasks.speakers.der.mapping import best_mapping
from scoring.tasks.speakers.der.pieces import TimesTooFarError
from scoring.tasks.speakers.der.rules import LIKE, Tool, rules_like
from scoring.tasks.speakers.der.score import OneSidedError, der, read, score
from scoring.tasks.speakers.der.speaker_turns import SpeakerError
from scoring.tasks.speakers.page import page_of
from tests.remarks import pattern_of, said
from tests.tables import table_of

REFERENCE = {"talk": [("anne", 0.0, 10.0), ("bob", 10.0, 20.0)]}
HYPOTHESIS = {"talk": [("x", 0.0, 12.0), ("y", 12.0, 24.0)]}
SECOND = 10**9

turns = st.lists(
    st.tuples(st.sampled_from("ABC"), st.integers(0, 20), st.integers(0, 8)), min_size=1, max_size=8
).map(lambda rows: [(name, begin / 4, (begin + length) / 4) for name, begin, length in rows])


def test_figures_of_a_talk() -> None:
    errors = scoring.der(REFERENCE, HYPOTHESIS)
    [one] = errors.recordings
    assert one.amounts == SpeakerTime(20 * SECOND, 0, 4 * SECOND, 2 * SECOND) == errors.amounts
    assert errors.error_rate == 0.3
    assert one.mapping == {"anne": "x", "bob": "y"}
    assert errors.jaccard_error_rate == pytest.approx((2 / 12 + 6 / 14) / 2)
    assert errors.record()["confusion_seconds"] == 2.0
    assert errors.signature.startswith("der|like:sclite-kit|collar:0s each-side|")


def test_a_result_prints_as_a_short_table_and_counts_as_its_rate() -> None:
    errors = scoring.der(REFERENCE, HYPOTHESIS)
    lines = str(errors).splitlines()
    assert lines[0] == "30.00 % of the speaker time is wrong: false alarm 4.0 s, confusion 2.0 s"
    assert [line.split()[0] for line in lines[1:]] == ["recording", "talk", "sum", "signature:"]
    assert lines[4] == f"signature: {errors.signature}"
    assert (float(errors), f"{errors:.2%}", f"{errors}") == (0.3, "30.00%", str(errors))
    assert (
        '<td style="text-align:left">talk</td><td style="text-align:right">20.000</td>'
        in errors._repr_html_()
    )
    many = {f"r{number:02}": REFERENCE["talk"] for number in range(25)}
    lines = str(scoring.der(many, many)).splitlines()
    assert lines[0] == "No errors: 0.00 % of the speaker time"
    assert (lines[-3].split()[0], lines[-2]) == ("sum", "and 5 more recordings")
    with pytest.raises(scoring.NoReferenceError, match="no speech to score"):
        float(scoring.der({"talk": []}, HYPOTHESIS))


def test_rates_that_need_no_mapping() -> None:
    errors = scoring.der(REFERENCE, HYPOTHESIS)
    assert (errors.purity, errors.coverage) == (18 / 24, 18 / 20)
    assert errors.detection_accuracy == 20 / 24
    assert errors.detection_cost == 0.25  # all of the silence is called speech
    assert errors.recordings[0].record()["purity"] == 0.75
    region = {"talk": [(2.0, 12.0)]}
    inside = scoring.der(REFERENCE, HYPOTHESIS, region=region)
    assert (inside.purity, inside.coverage, inside.detection_cost) == (0.8, 1.0, 0.0)
    collar = scoring.der(REFERENCE, HYPOTHESIS, region=region, collar=1, like="pyannote")
    assert (collar.purity, collar.agreement.evaluated) == (0.8, 9 * SECOND)
    nothing = scoring.der({"talk": []}, {"talk": []})
    assert {getattr(nothing, name) for name in MAPPING_FREE} == {None}
    both = {"talk": [("anne", 0, 4), ("bob", 0, 4)], "call": [("anne", 0, 2)]}
    overlap = scoring.der(both, {"talk": [("x", 0, 4)], "call": [("x", 0, 1), ("y", 1, 2)]})
    assert (overlap.purity, overlap.coverage) == (1.0, 9 / 10)
    page = "\n".join(text_lines(page_of(errors)))
    assert "talk          75.00       90.00                 83.33          0.2500" in page


def test_a_file_a_transcript_and_segments_are_the_same(tmp_path: Path) -> None:
    segments = [Segment.of("talk", speaker=who, start=a, end=b) for who, a, b in REFERENCE["talk"]]
    path = tmp_path / "talk.stm"
    path.write_text("talk 1 anne 0 10 hello\ntalk 1 bob 10 20 yes\n")
    expected = scoring.der(REFERENCE, HYPOTHESIS).recordings
    for reference in (segments, path, str(path), scoring.File(path, format="stm")):
        assert scoring.der(reference, HYPOTHESIS).recordings == expected


@pytest.mark.parametrize("like", [None, *LIKE])
@given(reference=turns, hypothesis=turns)
def test_the_kinds_of_error_add_up(
    like: Tool | None,
    reference: list[tuple[str, float, float]],
    hypothesis: list[tuple[str, float, float]],
) -> None:
    errors = der({"r": reference}, {"r": hypothesis}, like=like)
    amounts = errors.amounts
    assert min(amounts) >= 0
    assert amounts.missed + amounts.confusion <= amounts.scored
    assert der({"r": reference}, {"r": reference}, like=like).amounts.wrong == 0
    renamed = [(name.lower(), begin, end) for name, begin, end in hypothesis]
    assert der({"r": reference}, {"r": renamed}, like=like).amounts == amounts
    assert all(0 <= one.jaccard_error <= 1 for one in errors.speakers)


@given(reference=turns, hypothesis=turns)
def test_steps_add_up_to_the_difference(
    reference: list[tuple[str, float, float]], hypothesis: list[tuple[str, float, float]]
) -> None:
    given = read({"r": reference}, {"r": hypothesis})
    found = explained(given, SECOND // 4, skip_overlap=True)
    for tool, steps in found.steps.items():
        total = found.results["md-eval"].amounts
        for step in steps:
            total = total.plus(step.moved)
        assert total == found.results[tool].amounts
    assert found.steps["md-eval"] == ()


@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(1, 3)))
@example({(0, 0): 3, (0, 1): 2, (1, 0): 1})
def test_the_mapping_is_the_first_of_the_best_with_most_pairs(
    overlaps: dict[tuple[int, int], int],
) -> None:
    from itertools import permutations

    nobody = [4 + at for at in range(4)]
    best = max(
        (
            sum(overlaps.get((left, right), 0) for left, right in enumerate(chosen)),
            sum((left, right) in overlaps for left, right in enumerate(chosen)),
            [-right if (left, right) in overlaps else -9 for left, right in enumerate(chosen)],
        )
        for chosen in permutations([0, 1, 2, 3, *nobody], 4)
    )
    found = best_mapping(overlaps)
    assert [-found[left] if left in found else -9 for left in range(4)] == best[2]


def test_collars_mean_two_things() -> None:
    amounts = [
        der(REFERENCE, HYPOTHESIS, collar=0.5, like=like, collar_is=meant).amounts.scored / SECOND  # type: ignore[arg-type]
        for like, meant in ((None, None), ("pyannote", None), ("pyannote", "each-side"))
    ]
    assert amounts == [18.0, 19.0, 18.0]
    assert (
        der(REFERENCE, HYPOTHESIS, collar=1e-9, collar_is="total").amounts.scored == 20 * SECOND - 4
    )


def test_regions_by_name_and_by_time() -> None:
    assert der(REFERENCE, HYPOTHESIS, region="reference").false_alarm_seconds == 0
    errors = der(REFERENCE, HYPOTHESIS, region={"talk": [(5, 15)], "other": [(0, 1)]})
    assert errors.scored_seconds == 10
    assert said(errors.remarks) == [("REGION.unknown", {"number": 1, "names": ["other"]})]
    with pytest.raises(InputError, match="expected regions of talk, found other"):
        der(REFERENCE, HYPOTHESIS, region={"other": [(0, 1)]})


def test_recordings_of_one_side_are_named() -> None:
    reference = {**REFERENCE, "second": [("anne", 0.0, 1.0)], "silent": []}
    hypothesis = {**HYPOTHESIS, "third": [("x", 0.0, 2.0)], "silent": []}
    with pytest.raises(
        OneSidedError, match=pattern_of(NOT_IN_BOTH, side="hypothesis", names="second")
    ):
        der(reference, hypothesis)
    errors = der(reference, hypothesis, missing="score")
    assert [(one.recording, one.sides) for one in errors.recordings] == [
        ("talk", "both"),
        ("second", "reference"),
        ("silent", "both"),
        ("third", "hypothesis"),
    ]
    assert said(errors.remarks) == [
        ("ONE-SIDED", {"side": "reference", "number": 1, "names": ["second"]}),
        ("ONE-SIDED", {"side": "hypothesis", "number": 1, "names": ["third"]}),
        ("SILENT", {"number": 1, "names": ["silent"]}),
    ]
    assert (errors.missed_seconds, errors.false_alarm_seconds) == (1, 6)
    left = {
        like: len(der(reference, hypothesis, missing="score", like=like).recordings)
        for like in LIKE
    }
    assert left == {"md-eval": 3, "dscore": 4, "pyannote": 4, "meeteval": 2, "spyder": 3}
    silent = errors.recordings[2]
    assert (silent.error_rate, silent.jaccard_error_rate) == (None, None)


def test_marks_of_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "r.rttm"
    path.write_text(
        "SPEAKER talk 1 0 10 <NA> <NA> anne <NA>\nSPEAKER talk 1 10 10 <NA> <NA> bob <NA>\n"
        "NOSCORE talk 1 4 2 <NA> <NA> <NA> <NA>\nNON-LEX talk 1 14 1 <NA> cough bob <NA>\n"
    )
    seconds = {
        like: der(path, HYPOTHESIS, like=like).amounts.scored / SECOND for like in (None, *LIKE)
    }
    assert seconds.pop("md-eval") == pytest.approx(16)
    assert seconds == {None: 18, "dscore": 20, "pyannote": 20, "meeteval": 20, "spyder": 20}


@pytest.mark.parametrize(
    ("name", "text", "told"), table_of(__file__, "files_that_do_not_say_who_speaks_when")
)
def test_files_that_do_not_say_who_speaks_when(
    name: str, text: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(text)
    with pytest.raises(SpeakerError, match=f"^{name}(:1)?: {told}"):
        der(Path(name), HYPOTHESIS)


def test_words_outside_of_turns_say_nothing(tmp_path: Path) -> None:
    path = tmp_path / "r.rttm"
    path.write_text(
        "SPEAKER talk 1 0 10 <NA> <NA> anne <NA>\nLEXEME talk 1 12 1 yes lex bob <NA>\n"
    )
    errors = der(path, HYPOTHESIS)
    assert errors.scored_seconds == 10
    assert said(errors.remarks) == [("LOOSE-WORDS", {"path": str(path), "words": 1})]


def test_arguments_out_of_range() -> None:
    for changes, told in (
        (
            {"like": "sclite"},
            "like: expected one of md-eval, dscore, pyannote, meeteval, spyder, found",
        ),
        ({"collar": -1.0}, "collar: expected seconds from 0, found less"),
        ({"collar_is": "half"}, "collar_is: expected each-side or total, found 'half'"),
        ({"missing": "no"}, "missing: expected error or score, found 'no'"),
    ):
        with pytest.raises(ValueError, match=told):
            der(REFERENCE, HYPOTHESIS, **changes)
    with pytest.raises(
        ValueError, match="expected an end not before the begin, found 2 to 1 of 'a'"
    ):
        der({"talk": [("a", 2, 1)]}, HYPOTHESIS)
    with pytest.raises(ValueError, match="region: expected reference or both, found 'uem'"):
        rules_like(None, region="uem")


def test_an_interval_is_over_recordings() -> None:
    given = read(
        {f"t{at}": REFERENCE["talk"] for at in range(12)},
        {f"t{at}": HYPOTHESIS["talk"][: 1 + at % 2] for at in range(12)},
    )
    errors = score(given, rules_like(None))
    found = errors.interval(replications=200)
    assert found.units == 12
    assert found.percentile.low <= found.estimate <= found.percentile.high
    assert found.estimate == errors.error_rate
    with pytest.raises(StatisticsError):
        der(REFERENCE, HYPOTHESIS).interval()


def test_times_too_far_apart_are_refused() -> None:
    with pytest.raises(TimesTooFarError, match="within 104 days"):
        der({"talk": [("a", 0, 1), ("b", 1e7, 1e7 + 1)]}, HYPOTHESIS)


def test_dscore_cuts_turns_at_the_region() -> None:
    sides = [("a", 0, 10), ("b", 10, 20)], [("x", 0, 12), ("y", 12, 20)]
    reference, hypothesis = ({"talk": side} for side in sides)
    regions = {"talk": [(5, 15)]}, {"talk": [(5, 15), (16, 18)]}
    # of md-eval with the turns cut before, collars at 5, 10, 15, 16 and 18, or at 10 only
    expected = {"dscore": (9.0, 10.5), "meeteval": (9.5, 11.5)}
    for like, scored in expected.items():
        for region, seconds in zip(regions, scored, strict=True):
            found = der(reference, hypothesis, collar=0.25, region=region, like=like)  # type: ignore[arg-type]
            assert (found.scored_seconds, found.confusion_seconds) == (seconds, 1.75)


def test_dscore_maps_speakers_once_more_for_the_jaccard_error() -> None:
    reference = {"talk": [("a", 0, 10), ("b", 10, 11)]}
    hypothesis = {"talk": [("x", 8.5, 11)]}
    # x has most time in common with a, 1.5 s of 11, but is most like b, 1 s of 2.5
    for like, jaccard in (("dscore", (1 + 0.6) / 2), ("meeteval", (1 - 1.5 / 11 + 1) / 2)):
        found = der(reference, hypothesis, like=like)  # type: ignore[arg-type]
        assert found.recordings[0].mapping == {"a": "x", "b": None}
        assert found.jaccard_error_rate == pytest.approx(jaccard)


@pytest.mark.parametrize(
    ("turns", "choices", "problem"),
    [
        ({"talk": [("ann", 0.0, 2.0)]}, {"boundary_collar": 1}, "; did you mean 'collar'?"),
        ({"talk": [("ann", 0.0, 2.0)]}, {"uem": "a.uem"}, "; did you mean 'region'?"),
        ([("ann", 0.0, 2.0)], {}, "turns by recording, such as {'talk': [('anne', 0.0, 2.5)]}, "),
    ],
)
def test_a_wrong_call_says_what_to_write(turns: Any, choices: Any, problem: str) -> None:
    with pytest.raises(TypeError, match=re.escape(problem)):
        scoring.der(turns, turns, **choices)


def test_a_result_is_a_table_with_a_row_per_recording() -> None:
    errors = scoring.der({"talk": [("ann", 0.0, 2.0)]}, {"talk": [("x", 0.0, 1.0)]})
    table = errors.to_pandas()
    assert list(table["recording"]) == [part.recording for part in errors.recordings]
    assert table["error_rate"][0] == errors.recordings[0].error_rate == 0.5
    assert table["missed_seconds"].sum() == errors.missed_seconds
    assert table["overlap_f1"].isna().all()
    for value, attribute, meant in [
        (errors, "der", "error_rate"),
        (errors, "to_panda", "to_pandas"),
        (errors.recordings[0], "missed", "missed_seconds"),
    ]:
        with pytest.raises(AttributeError, match=rf"'{attribute}'; did you mean '{meant}'\?$"):
            getattr(value, attribute)


def test_a_result_has_a_short_repr() -> None:
    errors = scoring.der({"talk": [("ann", 0.0, 2.0)]}, {"talk": [("x", 0.0, 1.0)]})
    text = "50.00 % of the speaker time is wrong: missed 1.0 s"
    assert repr(errors) == f"<DiarisationErrors of 1 recording: {text}>"
