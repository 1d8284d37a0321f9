"""`scoring der --shard`: merged, parts of the recordings print what all of them do."""

import random
from pathlib import Path

import pytest

from scoring.cli.scoring import EXCEEDED, main
from scoring.results.messages import PART_OF_ANOTHER, SHARD_TWICE, SHARDS_MISSING
from tests.remarks import says


def write(path: Path, seed: int, recordings: int = 5) -> str:
    chosen = random.Random(seed)
    turns = [
        f"SPEAKER m{number} 1 {at} {chosen.randint(1, 9) / 10} <NA> <NA> {chosen.choice('abc')} "
        "<NA> <NA>\n"
        for number in range(recordings)
        for at in range(9)
    ]
    path.write_text("".join(turns))
    return str(path)


def test_shards_are_the_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also with more of them than recordings, of one side only and with rules of a tool."""
    reference = write(tmp_path / "r.rttm", 1)
    command = ["der", reference, write(tmp_path / "h.rttm", 2, 6), "--unpaired", "score"]
    command += ["--boundary-collar", "0.1", "--subtotals", "speakers"]
    parts = [str(tmp_path / f"{number}.json") for number in range(8)]
    for of in (2, 8):
        for number, path in enumerate(parts[:of], 1):
            assert main([*command, "--shard", f"{number}/{of}", "--shard-output", path]) == 0
        capsys.readouterr()
        for flags in (
            ["--all-rates", "--speaker-confusions", "--confidence-interval"],
            ["--json", "-"],
            ["--csv", "-", "--fail-above", "1"],
            ["--seed", "1"],
        ):
            status = main([*command, *flags])
            assert status == (EXCEEDED if "--fail-above" in flags else 0)
            shown = capsys.readouterr()
            assert main(["merge", *reversed(parts[:of]), *flags]) == status
            assert capsys.readouterr() == shown
    other = str(tmp_path / "other.json")
    assert main([*command, "--like", "pyannote", "--shard", "2/8", "--shard-output", other]) == 0
    capsys.readouterr()
    for files, entry in (
        (parts[:7], SHARDS_MISSING),
        ([*parts, parts[0]], SHARD_TWICE),
        ([parts[0], other], PART_OF_ANOTHER),
    ):
        assert main(["merge", *files]) == 2
        assert says(capsys.readouterr().err, entry)
    # a shard that there is not, beside all that there are
    text = Path(parts[0]).read_text()
    Path(other).write_text(text.replace('"number": 1', '"number": 9'))
    assert main(["merge", *parts, other]) == 2
    assert f"{other}: expected a shard of 8, found number 9" in capsys.readouterr().err
    (tmp_path / "0.json").write_text('{"schema": "sclite-kit/diarisation-shard"}')
    assert main(["merge", parts[0]]) == 2
    told = capsys.readouterr().err
    assert f"{parts[0]}: " in told
    assert told.count("\n") == 1
