"""`scoring kws --shard`: merged, parts of the recordings are the whole."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.cli.scoring import EXCEEDED, main
from scoring.results.messages import PART_OF_ANOTHER, SHARD_TWICE, SHARDS_MISSING
from scoring.results.record import Shard
from scoring.tasks.kws import conditions
from scoring.tasks.kws.det import set_files
from scoring.tasks.kws.evaluation import align, score
from scoring.tasks.kws.parameters import F4DE, SOUND, Parameters
from scoring.tasks.kws.record import document_lines
from scoring.tasks.kws.reports import alignment_lines
from scoring.tasks.kws.shards import SearchFiles, merged, part_lines, read_part
from scoring.tasks.kws.word_table import SpeakerTurn
from tests.each_case import each_case
from tests.remarks import says
from tests.scoring.tasks.kws.test_random_searches import search

ROOT = Path(__file__).resolve().parents[4]
DEMO = ROOT / "resources" / "demo" / "keyword_search"
FILES = SearchFiles("e", "k", "r", "s")


@each_case("seed", range(20))
def test_merged_shards_are_the_whole(seed: int) -> None:
    """Every number, group, curve and line of the alignment, whatever the number of shards."""
    rng = Random(seed)
    excerpts, keywords, words, detections = search(rng)
    turns = [SpeakerTurn(word.file, word.channel, word.begin, 3, word.speaker) for word in words]
    parameters = Parameters(
        prior=rng.choice([0.0001, 0.2]),
        segments=rng.random() < 0.5,
        with_untargeted=rng.random() < 0.5,
        searched_only=rng.random() < 0.3,
        pooled=rng.random() < 0.2,
        consistent=False,
        rules=rng.choice([SOUND, F4DE]),
    )
    only = rng.choice([(), (f"{excerpts[0].file.partition('.')[0]}/.*",)])
    given: dict[str, Any] = {"turns": turns, "parameters": parameters, "only": only}
    whole = score(excerpts, keywords, detections, words, **given)
    count = rng.choice([1, 2, 3, 7])
    parts = []
    for number in range(1, count + 1):
        shard = Shard(number, count)
        part = align(excerpts, keywords, detections, words, shard=shard, **given)
        text = b"".join(part_lines(part, shard, FILES, excerpts, only))
        parts.append((f"{number}.json", read_part(f"{number}.json", text)))
    rng.shuffle(parts)
    again = merged(parts).scores()
    by_type = conditions.by_source_type(["cts", "talk:bnews,splitcts"])
    groups = [scores.groups(by_type) for scores in (whole, again)]
    texts = [
        [
            *document_lines(scores, *each),
            *(text.encode() for text in alignment_lines(scores)),
            *(line.encode() for file in set_files(scores.overall) for line in file.lines),
        ]
        for scores, each in zip((whole, again), groups, strict=True)
    ]
    assert texts[0] == texts[1]


def test_the_command_merges_its_shards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ("ecf.xml", "kwlist.xml", "rttm", "kwslist.xml")
    command = ["kws", *(str(DEMO / f"demo.{kind}") for kind in kinds), "--cost", "0.2"]
    parts = [str(tmp_path / f"{number}.json") for number in range(3)]
    for number, path in enumerate(parts, 1):
        assert main([*command, "--shard", f"{number}/3", "--shard-output", path]) == 0
    assert capsys.readouterr() == ("", "")
    for flags in (
        [],
        ["--json", "-", "--by-targets"],
        ["--alignment", "--summary", "--keywords", "K:KW-.*", "--conditional-summary"],
        ["--fail-measure", "kws.atwv=0.9"],
    ):
        status = main([*command, *flags])
        assert status == (EXCEEDED if "--fail-measure" in flags else 0)
        shown = capsys.readouterr()
        assert main(["merge", *reversed(parts), *flags]) == status
        assert capsys.readouterr() == shown
    other = str(tmp_path / "other.json")
    assert main([*command, "--pooled", "--shard", "2/3", "--shard-output", other]) == 0
    capsys.readouterr()
    for files, entry in (
        (parts[:2], SHARDS_MISSING),
        ([*parts, parts[0]], SHARD_TWICE),
        ([parts[0], other], PART_OF_ANOTHER),
    ):
        assert main(["merge", *files]) == 2
        assert says(capsys.readouterr().err, entry)
    text = Path(parts[0]).read_text()
    for changed in (text[:300], text.replace('"references": [[', '"references": [[-9, 1], [')):
        Path(other).write_text(changed)
        assert main(["merge", other]) == 2
        shown = capsys.readouterr()
        assert f"{other}: " in shown.err
        assert shown.err.count("\n") == 1
    for flags in (["--json", "-"], ["--summary"]):
        assert main([*command, *flags, "--shard", "1/3", "--shard-output", other]) == 2
        assert "scoring merge" in capsys.readouterr().err
