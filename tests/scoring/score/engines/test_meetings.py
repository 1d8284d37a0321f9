"""Meetings on an engine: the sums are those of the same rows in two files."""

from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError
from scoring.options import Options
from scoring.score.engines.meetings import SIDE, MeetingPlan
from scoring.score.engines.summary import TableSums
from scoring.sides.matching.identifier import MatchingError


def random_side(rng: Random, speakers: str, meetings: int, skipped: int | None = None) -> Any:
    """Segments of all meetings, those of one mixed with those of the others."""
    rows = [
        {
            "recording": f"m{meeting}",
            "speaker": rng.choice(speakers),
            "text": " ".join(rng.choices("abc", k=rng.randint(1, 4))),
            "start": float(at),
            "end": at + rng.choice([0.5, 1.0, 1.5]),
        }
        for at in range(5)
        for meeting in range(meetings)
        if meeting != skipped
    ]
    return pa.Table.from_pylist(rows)


def sums_here(plan: MeetingPlan, sides: list[Any], parts: int) -> TableSums:
    """As an engine does it, with meetings spread over several parts."""
    names = ("reference", "hypothesis")
    rows = pa.concat_tables(
        side.append_column(SIDE, pa.array([name] * len(side)))
        for name, side in zip(names, sides, strict=True)
    ).to_pylist()
    dealt = [
        [row for row in rows if int(row["recording"][1:]) % parts == part] for part in range(parts)
    ]
    batches = [
        sums
        for part in dealt
        if part
        for sums in plan.summing.partial(
            plan.scored_each(pa.Table.from_pylist(part[::-1]).to_batches())
        )
    ]
    return plan.checked(plan.summing.merged(batches, plan.signature()))


def assert_equal(sums: TableSums, sides: list[Any], folder: Path, options: Options) -> None:
    """Totals, the errors of each meeting, the signature: as of two files."""
    paths = [str(folder / f"{number}.parquet") for number in range(2)]
    for path, side in zip(paths, sides, strict=True):
        parquet.write_table(side, path)
    for jobs in (1, 3):
        rates = scoring.wer(*map(scoring.File, paths), options=options.changed(jobs=jobs))
        assert sums.signature == rates.signature
        assert sums.total.counts == rates.counts
        assert {str(group.values[0]): group.counts.errors for group in sums.groups} == {
            session.session: session.errors for session in rates.sessions
        }
        assert sums.total.missing == sum(each.state == "missing" for each in rates.sessions)


@pytest.mark.parametrize("meeting", ["cp", "tcp", "orc", "mimo", "dicp"])
def test_an_engine_scores_meetings_as_files(meeting: Any, tmp_path: Path) -> None:
    for seed in range(3):
        rng = Random(seed)
        skipped = 2 if seed == 2 else None
        sides = [random_side(rng, "ab", 5), random_side(rng, "xyz"[: seed + 1], 5, skipped)]
        options = Options(meeting=meeting, collar="1s")
        plan = MeetingPlan.of("recording", "start", options)
        assert_equal(sums_here(plan, sides, seed + 1), sides, tmp_path, options)


def test_meetings_of_one_side_are_judged_as_in_files() -> None:
    rng = Random(1)
    whole, lacking = random_side(rng, "ab", 3), random_side(rng, "xy", 3, 1)
    strict = MeetingPlan.of("recording", "start", Options(meeting="cp", missing="error"))
    with pytest.raises(MatchingError, match="m1"):
        sums_here(strict, [whole, lacking], 2)
    plan = MeetingPlan.of("recording", "start", Options(meeting="cp"))
    with pytest.raises(MatchingError, match="m1"):
        sums_here(plan, [lacking, whole], 2)
    allowed = MeetingPlan.of("recording", "start", Options(meeting="cp", allow_unmatched=True))
    sums = sums_here(allowed, [lacking, whole], 2)
    assert (sums.total.rows, sums.total.extra, sums.total.failed) == (3, 1, 1)
    skipping = MeetingPlan.of("recording", "start", Options(meeting="cp", missing="skip"))
    assert [group.counts for group in sums_here(skipping, [whole, lacking], 1).groups][
        1
    ] == Counts()


def test_a_measure_that_depends_on_all_meetings_is_refused() -> None:
    for options in (Options(), Options(meeting="auto")):
        with pytest.raises(OptionValueError, match="meeting"):
            MeetingPlan.of("recording", "start", options)
    with pytest.raises(OptionValueError, match=r"order: .*'start'"):
        MeetingPlan.of("recording", "start", Options(meeting="cp")).check(["recording", "text"])
