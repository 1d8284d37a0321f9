"""Meetings on an engine: the sums are those of the same rows in two files."""

import json
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

import scoring
from scoring.cli.scoring import main
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError
from scoring.options import Options
from scoring.score.engines.meetings import SIDE, MeetingPlan
from scoring.score.engines.sessions import scored_by
from scoring.score.engines.summary import TableSums
from scoring.sides.matching import MatchingError
from tests.each_case import each_case


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


@each_case("meeting", ["cp", "tcp", "orc", "mimo", "dicp"])
def test_an_engine_scores_meetings_as_files(meeting: Any, tmp_path: Path) -> None:
    for seed in range(3):
        rng = Random(seed)
        skipped = 2 if seed == 2 else None
        sides = [random_side(rng, "ab", 4), random_side(rng, "xyz"[: seed + 1], 4, skipped)]
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


# Measures with other options, reports, and what is refused.
COMMANDS = (
    "--meeting cp --by recording --assignment assignment.json",
    "--meeting tcp --collar 1s --explain --csv errors.csv",
    "--meeting orc --measures loops --per-utterance --pairs pairs.jsonl",
    "--meeting mimo --greedy --confidence-interval --replications 50 --fail-above 10",
    "--meeting dicp --missing skip --per-speaker",
    "--meeting auto --html page.html",
    "--meeting cp --missing error",
)


def outcome(
    folder: Path, flags: str, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, list[Any], dict[str, bytes]]:
    """The status of `scoring wer`, its text, its remarks and its files."""
    for path in folder.glob("out/*"):
        path.unlink()
    capsys.readouterr()
    status = main(["wer", "../ref.stm", "../hyp.stm", *flags.split(), "--remarks=json"])
    text, errors = capsys.readouterr()
    # clusters write to standard error, too
    remarks = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    return status, text, remarks, {path.name: path.read_bytes() for path in folder.glob("out/*")}


def write_meetings(folder: Path) -> None:
    """Write both sides of seven meetings, and an empty folder; the hypothesis lacks a meeting."""
    for name, speakers, skipped in (("ref", "ab", None), ("hyp", "xyz", 3)):
        side = random_side(Random(4), speakers, 7, skipped)
        lines = (
            "{recording} 1 {speaker} {start} {end} {text}".format(**row) for row in side.to_pylist()
        )
        (folder / f"{name}.stm").write_text("\n".join(lines) + "\n")
    (folder / "out").mkdir()


@pytest.mark.parametrize("flags", COMMANDS)
def test_sessions_of_other_processes_give_the_same_result(
    flags: str, meetings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = outcome(meetings, flags, capsys)
    numbers: list[int] = []

    def run(work: Any, items: Any) -> Iterable[bytes]:
        numbers.append(len(items))
        return map(work, items)

    with scored_by(run):
        assert outcome(meetings, flags, capsys) == known
    assert sum(numbers) == (0 if "error" in flags else 6 if "skip" in flags else 7)
    assert outcome(meetings, f"{flags} --engine local --jobs 2", capsys) == known


def test_an_error_in_a_session_is_the_same_elsewhere(
    meetings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = "--meeting tcp --reference-times words"
    known = outcome(meetings, flags, capsys)
    assert known[0] == 2
    with scored_by(map):
        assert outcome(meetings, flags, capsys) == known


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ("--engine spark --shard 1/2 --shard-output x", "which deals sessions"),
        ("--engine ray --jobs 2", "--jobs does not apply"),
        ("--engine local --scored-table x.parquet", "which scores no rows"),
    ],
)
def test_options_that_sessions_do_not_have_are_refused(
    flags: str, reason: str, meetings: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["wer", "../ref.stm", "../hyp.stm", "--meeting", "cp", *flags.split()]) == 2
    assert reason in capsys.readouterr().err
