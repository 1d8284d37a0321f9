"""Several hypotheses end in a ranking; texts of several lines are told how they were read."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.cli.scoring import main
from scoring.regression.comparing import compare
from scoring.regression.messages import NEW_MATCHED_OTHERWISE
from scoring.regression.ranking import rank
from scoring.score.messages import AS_TEXTS, LINE_BY_LINE, LINES_DIFFER
from scoring.sides import side_files
from scoring.stats.paired_tests import holm
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import says
from tests.tables import table_of

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"


@pytest.fixture
def trn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A reference, and systems that are bad, good, almost as good, and as good as the good one."""
    monkeypatch.chdir(tmp_path)
    words = [f"w{number} x y z" for number in range(40)]
    systems = {
        "reference.trn": words,
        "bad.trn": [text.replace("x y", "q r") for text in words],
        "good.trn": [*words[:-2], "w38 x y q", "w39 x q z"],
        "almost.trn": [*words[:-3], "w37 q y z", "w38 x y q", "w39 x q z"],
        "twin.trn": ["q x y z", "w1 q y z", *words[2:]],
    }
    for name, texts in systems.items():
        lines = [f"{text} (u-{number:02})\n" for number, text in enumerate(texts)]
        Path(name).write_text("".join(lines))
    return list(systems)


def ranking(output: str) -> list[list[str]]:
    """The rows of the ranking, each with the systems that do not clearly differ as last cell."""
    rows, alike = (
        [line.split(maxsplit=columns) for line in part.splitlines()[1:] if ".trn" in line]
        for columns, part in zip(
            (6, 1), output[output.index("\nRanking\n") + 9 :].split("\n\n")[:2], strict=True
        )
    )
    others = dict(alike)
    return [[*row[:6], *row[6:], others.get(row[0], "")] for row in rows]


def test_a_ranking_ends_the_report(trn: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", *trn]) == 0
    rows = ranking(capsys.readouterr().out)
    assert [row[:4] for row in rows] == [
        ["good.trn", "1", "2", "1.25"],
        ["twin.trn", "1", "2", "1.25"],
        ["almost.trn", "3", "3", "1.88"],
        ["bad.trn", "4", "80", "50.00"],
    ]
    alike = [re.findall(r"(\w+\.trn) \(p = 1\.0000\)", row[-1]) for row in rows[:3]]
    assert alike == [
        ["twin.trn", "almost.trn"],
        ["good.trn", "almost.trn"],
        ["good.trn", "twin.trn"],
    ]
    assert rows[3][-1] == ""


def test_systems_with_segments_of_their_own_are_not_tested(tmp_path: Path) -> None:
    for name, parts in {"r": ["a b c d"], "h": ["a b", "c d"], "k": ["a b c", "q"]}.items():
        lines = [f"talk 1 a {place} {place + 1} {part}\n" for place, part in enumerate(parts)]
        (tmp_path / f"{name}.stm").write_text("".join(lines))
    sides = [tmp_path / f"{name}.stm" for name in "rhk"]
    ranked = rank([scoring.wer(sides[0], side, cut="hypothesis") for side in sides[1:]])
    assert (ranked.tests.number, ranked.tests.remark) == (
        0,
        "each system is cut at its own segments",
    )
    assert main(["wer", *map(str, sides), "--cut", "hypothesis", "--meeting", "cp"]) == 2


def test_the_marks_are_those_of_pairwise_tests() -> None:
    reference = DEMO / "reference.trn"
    systems = [scoring.wer(reference, DEMO / f"{name}.trn") for name in ("baseline", "improved")]
    systems.append(scoring.wer(reference, reference))
    found = rank(systems)
    assert [one.rates.counts.errors for one in found.systems] == [0, 79, 116]
    p_values = [
        compare(found.systems[a].rates, found.systems[b].rates, tests=["matched-pairs"]).tests[0]
        for a, b in ((0, 1), (0, 2), (1, 2))
    ]
    adjusted = holm([test.p_value for test in p_values])
    assert all(value is not None and value <= 0.05 for value in adjusted)
    assert [one.alike for one in found.systems] == [(), (), ()]
    assert (found.tests.number, found.tests.level) == (3, 0.05)
    assert found.systems[1].interval == scoring.confidence_interval(systems[1]).bootstrap


def test_what_cannot_be_tested_is_not_told_to_differ() -> None:
    one = scoring.wer({"u1": "a b", "u2": "c"}, {"u1": "a b", "u2": "d"})
    other = scoring.wer({"u1": "a b"}, {"u1": "x y"})
    found = rank([scoring.wer({"u1": ""}, {"u1": "x"}), other, one])
    assert [ranked.rank for ranked in found.systems] == [1, 2, None]
    assert [ranked.alike for ranked in found.systems] == [(1, 2), (0, 2), (0, 1)]
    assert found.tests.number == 0
    assert found.tests.remark


def test_order_and_best(trn: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    def shown(*flags: str) -> list[str]:
        assert main(["wer", *trn, *flags, "--csv", "all.csv"]) == 0
        out = capsys.readouterr().out
        assert len(ranking(out)) == 4
        rows = Path("all.csv").read_text().splitlines()[1:]
        files = list(dict.fromkeys(row.partition(",")[0] for row in rows))
        headings = [line[3:] for line in out.splitlines() if line.startswith("== ")]
        assert headings == (files if len(files) > 1 else [])
        return files

    assert shown() == trn[1:]
    assert shown("--sort-systems", "rate") == ["good.trn", "twin.trn", "almost.trn", "bad.trn"]
    assert shown("--sort-systems", "name") == sorted(trn[1:])
    assert shown("--best") == shown("--best", "--sort-systems", "name") == ["good.trn"]
    # a limit is that of what is shown
    assert main(["wer", *trn, "--best", "--fail-above", "2"]) == 0
    assert main(["wer", *trn, "--fail-above", "2"]) == 3
    assert main(["wer", *trn, "--markdown", "-"]) == 0
    assert "\n## Ranking\n" in capsys.readouterr().out
    assert main(["wer", *trn[:2]]) == 0
    assert "Ranking" not in capsys.readouterr().out
    assert main(["wer", *trn, "--best", "--shard", "1/2", "--shard-output", "x"]) == 2


@each_case(("reference", "hypothesis", "flags", "told"), table_of(__file__, "texts_of_lines"))
def test_texts_of_lines(
    reference: str,
    hypothesis: str,
    flags: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.txt").write_text(reference)
    Path("b.txt").write_text(hypothesis)
    assert main(["wer", "a.txt", "b.txt", *flags]) == 0
    said = capsys.readouterr().err
    entries = {entry.variant: entry for entry in (LINE_BY_LINE, AS_TEXTS)}
    fields = {"path": "a.txt", "partner": "b.txt", "lines": 2, "partner_lines": 3}
    notes = [message_text(entries[told], **fields)] if told else []
    assert said.splitlines() == [f"scoring: note: {note} [READ-AS]" for note in notes]


@pytest.mark.parametrize("more", [[], ["--utt2spk", "utt2spk"], ["--unit", "grapheme"]])
def test_the_reference_is_read_once(
    current_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
) -> None:
    (current_folder / "utt2spk").write_text("s-1 anne\ns-2 bob\n")
    (current_folder / "ref.trn").write_text("a b (s-1)\nc (s-2)\n")
    systems = {"one.trn": "a b (s-1)\nd (s-2)\n", "two.trn": "a (s-1)\nc (s-2)\n"}
    for name, text in systems.items():
        (current_folder / name).write_text(text)
    read: list[str] = []
    real = side_files.read_detected

    def counted(path: Any, *arguments: Any) -> Any:
        read.append(str(getattr(path, "name", path)))
        return real(path, *arguments)

    monkeypatch.setattr(side_files, "read_detected", counted)
    found = current_folder / "all.json"
    common = ["wer", "ref.trn", "--normalize", "lowercase", "--by", "speaker", "--json", str(found)]
    common += more
    assert main([*common, *systems]) == 0
    assert sorted(read) == ["one.trn", "ref.trn", "two.trn"]
    together = json.loads(found.read_text())["systems"]
    for name, one in zip(systems, together, strict=True):
        assert main([*common, name]) == 0
        assert json.loads(found.read_text())["systems"] == [one]
    capsys.readouterr()


def test_the_speakers_have_the_encoding_of_the_inputs(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (current_folder / "utt2spk").write_text("s-1 J\xf6rg\n", "latin-1")
    (current_folder / "a.trn").write_text("a b (s-1)\n")
    flags = ["--utt2spk", "utt2spk", "--by", "speaker", "--encoding", "latin-1"]
    assert main(["wer", "a.trn", "a.trn", *flags]) == 0
    assert "Jörg" in capsys.readouterr().out


def test_a_few_of_many_lines_are_missing(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["so it was" + " again" * (number % 3) + "\n" for number in range(40)]
    Path("a.txt").write_text("".join(lines))
    for missing, entry in ((2, LINES_DIFFER), (3, AS_TEXTS)):
        Path("b.txt").write_text("".join(lines[missing:]))
        assert main(["wer", "a.txt", "b.txt"]) == 0
        output, errors = capsys.readouterr()
        fields = {"path": "a.txt", "partner": "b.txt", "lines": 40, "partner_lines": 40 - missing}
        assert says(errors, entry, **fields)
        assert "[ 1 / 1 ]" in output
    Path("c.txt").write_text("".join(lines))
    assert main(["compare", "a.txt", "c.txt", "b.txt"]) == 2
    fields = {"path": "b.txt", "baseline": "position", "new": "file"}
    assert says(capsys.readouterr().err, NEW_MATCHED_OTHERWISE, **fields)


def test_a_ranking_of_many_systems_lists_the_nearest(
    current_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"ref.trn": "a b c (s-1)\nd e f (s-2)\n"}
    for number in range(8):
        words = ["a", "b", "c"][: 3 - number % 3]
        texts[f"{number}.trn"] = f"{' '.join(words)} (s-1)\nd e f (s-2)\n"
    for name, text in texts.items():
        Path(name).write_text(text)
    assert main(["wer", *texts]) == 0
    ranking = capsys.readouterr().out.partition("no clear difference from\n")[2]
    rows = [line for line in ranking.splitlines() if ".trn" in line]
    assert len(rows) == 8
    assert all(row.count(" (p = ") == 5 and row.endswith(" and 2 more") for row in rows)
