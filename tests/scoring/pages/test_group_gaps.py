"""Gaps between groups in text, JSON and exit statuses."""

import json
from pathlib import Path

import pytest

import scoring
from scoring.cli.scoring import main

GOOD, BAD = "a b c d e f g h i j", "a b c d e f g h x y"


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Six speakers with 100 words each, three of them with 20 % of errors."""
    monkeypatch.chdir(tmp_path)
    names = [f"s{speaker}-{n}" for speaker in range(6) for n in range(10)]
    Path("ref.txt").write_text("".join(f"{name} {GOOD}\n" for name in names), "utf-8")
    lines = [f"{name} {BAD if name < 's3' else GOOD}\n" for name in names]
    Path("hyp.txt").write_text("".join(lines), "utf-8")
    Path("utt2spk").write_text("".join(f"{name} {name[:2]}\n" for name in names), "utf-8")
    rows = [f"s{n},{'north' if n < 3 else 'south'},{'old' if n % 2 else 'young'}" for n in range(6)]
    Path("facts.csv").write_text("\n".join(["id,region,age", *rows]), "utf-8")


def run(capsys: pytest.CaptureFixture[str], *flags: str, status: int = 0) -> tuple[str, str]:
    kaldi = ("--reference-format", "kaldi", "--hypothesis-format", "kaldi", "--utt2spk", "utt2spk")
    assert main(["wer", "ref.txt", "hyp.txt", *kaldi, "--metadata", "facts.csv", *flags]) == status
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_text(capsys: pytest.CaptureFixture[str]) -> None:
    text, _ = run(capsys, "--by", "region", "--compare-groups")
    assert text.endswith("""\
Groups by region
region  units  words  rate %  difference       p  corrected
north       3    300   20.00      +20.00  0.1000     0.1000
south       3    300    0.00      -20.00  0.1000     0.1000
gap: 20.00 points, north 20.00 % against south 0.00 %, p = 0.1000
  of these two groups: 18.77 to 20.00 points (only 3 speakers) \
(95 % Student's t of the log rate and exact Poisson limits, 3 units by speaker)
ratio: n/a; mean of groups: 10.00 %
(quote the p of the gap (do the groups differ at all?) or corrected (does a group differ from all other groups together?); the interval excludes 0 too often, because the data choose its two groups)
(unit:speaker|exact|correction:holm)
""")


def test_python_prints_the_tables_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    text, _ = run(capsys, "--by", "region", "--compare-groups")
    sides = [
        dict(line.split(" ", 1) for line in Path(name).read_text("utf-8").splitlines())
        for name in ("ref.txt", "hyp.txt")
    ]
    facts = {name: {"region": "north" if name < "s3" else "south"} for name in sides[0]}
    speakers = {name: name[:2] for name in sides[0]}
    gaps = scoring.group_gaps(
        scoring.wer(sides[0], sides[1], metadata=facts, by=["region"], speakers=speakers)
    )
    assert str(gaps).startswith("Groups by region\n")
    assert text.endswith(f"{gaps}\n")
    assert repr(gaps) == str(gaps) == str(gaps[0])
    assert ">north</td>" in gaps._repr_html_()
    assert gaps[0]._repr_html_() == gaps._repr_html_()


def test_json_and_cross(capsys: pytest.CaptureFixture[str]) -> None:
    text, _ = run(capsys, "--by", "region,age", "--compare-groups", "--json", "-")
    gaps = json.loads(text)["systems"][0]["group_gaps"]
    assert [gap["by"] for gap in gaps] == [["region"], ["age"], ["region", "age"]]
    assert (gaps[0]["gap"], gaps[0]["worst"], gaps[0]["ratio"]) == (0.2, "north", None)
    # one speaker alone is too small a group
    assert {group["name"]: group["is_small"] for group in gaps[2]["groups"]} == {
        "north / young": False,
        "north / old": True,
        "south / old": False,
        "south / young": True,
    }
    plain, _ = run(capsys, "--by", "region,age", "--json", "-")
    assert "group_gaps" not in json.loads(plain)["systems"][0]


def test_a_missing_value_has_the_name_it_has_in_the_table_of_groups() -> None:
    rates = scoring.wer(["a"] * 4, ["a"] * 4)._replace(
        groups={"accent": ["north", None] * 2, "device": ["phone"] * 4},
    )
    names = {group.name for group in scoring.group_gaps(rates)[-1].comparison.groups}
    assert names == {"north / phone", "(no accent) / phone"}


def test_a_tab_of_the_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    run(capsys, "--by", "region", "--html", str(page))
    assert "Who is recognised worse?" not in page.read_text("utf-8")
    run(capsys, "--by", "region", "--compare-groups", "--html", str(page))
    text = page.read_text("utf-8")
    assert text.count('data-title="Who is recognised worse?"') == 1
    assert "gap: 20.00 points, north 20.00&nbsp;% against south 0.00&nbsp;%, p = 0.1000" in text


@pytest.mark.parametrize(
    ("by", "limit", "status"),
    [
        *(("region", "5", 3), ("region", "19.99", 3), ("region", "20", 0), ("region", "25", 0)),
        # speakers as groups: the units are utterances
        *(("region", "5:significant", 0), ("speaker", "5:significant", 3)),
    ],
)
def test_gate(capsys: pytest.CaptureFixture[str], by: str, limit: str, status: int) -> None:
    _, err = run(capsys, "--by", by, "--fail-gap-above", limit, status=status)
    expected = f"hyp.txt: gap of 20.00 points by {by} is above {limit.partition(':')[0]} points"
    assert (expected in err) == (status == 3)


def test_gate_without_a_gap(capsys: pytest.CaptureFixture[str]) -> None:
    Path("facts.csv").write_text("id,region\ns0,north\n", "utf-8")
    _, err = run(capsys, "--by", "region", "--fail-gap-above", "5", status=2)
    assert "no gap: fewer than two groups have 100 words and 2 speakers" in err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            ["--by", "region", "--fail-gap-above", "5:often"],
            "expected percentage points such as 5, 5pt or 5:sig",
        ),
        (["--by", "region", "--bins", "3,1"], "expected ascending numbers, as in 0,2,5,10"),
        (["--metadata-key", "room"], "expected utterance, recording or speaker, found 'room'"),
    ],
)
def test_usage_errors(capsys: pytest.CaptureFixture[str], flags: list[str], message: str) -> None:
    assert message in run(capsys, *flags, status=2)[1]
    assert main(["wer", "ref.txt", "hyp.txt", "--compare-groups"]) == 2
    assert "--compare-groups and --fail-gap-above need --by" in capsys.readouterr().err


def test_groups_survive_shards_and_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """The table of utterances has the columns that a regression needs elsewhere."""
    for number in (1, 2):
        flags = ["--shard", f"{number}/2", "--shard-output", f"part{number}.json"]
        run(capsys, "--by", "region", *flags)
    assert main(["merge", "part1.json", "part2.json", "--by", "region", "--compare-groups"]) == 0
    merged = capsys.readouterr().out
    whole, _ = run(capsys, "--by", "region", "--compare-groups")
    assert merged.partition("Groups by")[2] == whole.partition("Groups by")[2] != ""
    rows, _ = run(capsys, "--by", "region", "--csv", "-")
    head, first = [line.split(",") for line in rows.splitlines()[:2]]
    cells = dict(zip(head, first, strict=False))
    names = ("utterance", "speaker", "region", "errors", "reference_words")
    assert [cells[name] for name in names] == ["s0-0", "s0", "north", "2", "10"]


def test_several_labels() -> None:
    rates = scoring.wer([GOOD] * 40, [BAD, GOOD] * 20)
    rates.groups = {"label": ["o,f", "o,m"] * 20}
    [gap] = scoring.group_gaps(rates)
    assert [group.name for group in gap.comparison.groups] == ["o", "f", "m"]
    assert gap.comparison.groups[1].difference == pytest.approx(0.2)
    with pytest.raises(ValueError, match="by: expected a result with groups"):
        scoring.group_gaps(scoring.wer("a", "a"))
