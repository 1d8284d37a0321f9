"""Diarisation errors against those of four tools."""

import json
from pathlib import Path

import pytest

from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors
from scoring.tasks.speakers.der.score import der
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases

CASES = golden_cases("der")
COLLARS = {"0": 0.0, "0.25": 0.25, "0.5": 0.25}
# Where dscore unites, cuts or drops turns before it scores, and meeteval's does not.
OTHERWISE_IN_DSCORE = ("self-overlap-ref", "zero-length-ref", "uem")
OF_MD_EVAL = (
    "scored_speaker_time",
    "missed_speaker_time",
    "falarm_speaker_time",
    "speaker_error_time",
)
OF_PYANNOTE = ("total", "missed detection", "false alarm", "confusion")


def scored(folder: Path, like: str, setting: str) -> DiarisationErrors:
    region = folder / "region.uem"
    words = dict(part.split("=") for part in setting.split() if "=" in part)
    return der(
        folder / "reference.rttm",
        folder / "hypothesis.rttm",
        collar=COLLARS[words["collar"]],
        collar_is="each-side",
        skip_overlap=words.get("regions") == "nooverlap" or words.get("skip_overlap") == "True",
        region=region if region.exists() else None,
        like=like,  # type: ignore[arg-type]
    )


@each_case("case", CASES, ids=lambda case: case.name)
def test_results_are_those_of_the_tools(case: Golden, tmp_path: Path) -> None:
    results = json.loads(case.parts["expected/results.json"])
    assert results
    case.lay_out(tmp_path)
    for setting, expected in results.items():
        tool = setting.partition(" ")[0]
        likes = {"md_eval_22": ["md-eval"], "dscore": ["meeteval", "dscore"]}.get(tool, [tool])
        for like in likes:
            if like == "dscore" and case.name in OTHERWISE_IN_DSCORE:
                continue
            found = scored(tmp_path, like, setting)
            if setting.startswith("pyannote JER"):
                assert found.jaccard_error_rate == pytest.approx(expected, abs=1e-9), setting
                continue
            names, rate = (OF_PYANNOTE, 1e-9) if tool == "pyannote" else (OF_MD_EVAL, 5.001e-5)
            amounts = [value / 1e9 for value in found.amounts]
            assert amounts == pytest.approx([expected[name] for name in names], abs=1e-6), setting
            assert found.error_rate == pytest.approx(expected["error_rate"], abs=rate), setting
