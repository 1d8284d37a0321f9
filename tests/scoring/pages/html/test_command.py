"""`scoring wer --html` and `scoring merge --html`."""

import json
from pathlib import Path

import pytest

from scoring.cli.scoring import main
from tests.programs import apart

from .conftest import DEMO, Browser
from .unpacking import of_page

FILES = [str(DEMO / name) for name in ("reference.stm", "baseline.ctm", "improved.ctm")]


def test_several_systems_in_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    flags = ["--confidence-interval", "--normalize", "lowercase", "--html", str(target)]
    assert main(["wer", *FILES, *flags]) == 0
    assert "%WER" in capsys.readouterr().out
    text = target.read_text("utf-8")
    found = of_page(text).head
    assert [one["name"] for one in found["systems"]] == ["baseline.ctm", "improved.ctm"]
    assert found["sides"][1]["timed"]
    assert found["sides"][1]["confident"]
    assert "exact Poisson limits" in text or "Student" in text
    assert '<th scope="col">95\N{NO-BREAK SPACE}% interval</th>' in text
    assert text.count("sha256 <code>") == 4


def test_standard_output_takes_the_page_alone(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["wer", *FILES, "--html", "-"]) == 0
    page = capfdbinary.readouterr().out
    assert page.startswith(b"<!doctype html>")
    assert page.rstrip().endswith(b"</html>")


def test_two_reports_do_not_share_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["wer", *FILES, "--html", "-", "--json", "-"]) == 2
    assert "standard output takes one report only" in capsys.readouterr().err


def test_a_page_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "missing" / "page.html"
    assert main(["wer", *FILES, "--html", str(target)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_shards_make_their_page_when_merged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [str(tmp_path / f"part{number}.json") for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        assert main(["wer", *FILES, "--shard", f"{number}/2", "--shard-output", part]) == 0
    whole, merged = tmp_path / "whole.html", tmp_path / "merged.html"
    assert main(["wer", *FILES, "--html", str(whole)]) == 0
    assert main(["merge", *parts, "--html", str(merged)]) == 0
    texts = [of_page(path.read_text("utf-8")) for path in (whole, merged)]
    assert texts[0].column("system0.edits") == texts[1].column("system0.edits")
    assert texts[0].head["utterances"] == texts[1].head["utterances"]
    capsys.readouterr()
    flags = ["--shard", "1/2", "--shard-output", parts[0], "--html", str(whole)]
    assert main(["wer", *FILES, *flags]) == 2
    assert apart(html="--html", shard="--shard") in capsys.readouterr().err


def test_overlapping_reference_segments_make_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    reference, hypothesis = tmp_path / "r.stm", tmp_path / "h.ctm"
    reference.write_text("t 1 A 0.0 5.0 a b\nt 1 B 1.0 3.0 c d\nt 1 A 6 8 f\n")
    hypothesis.write_text("t 1 3.5 0.2 a\nt 1 6.5 0.2 f 0.5\n")
    target = tmp_path / "page.html"
    assert main(["wer", str(reference), str(hypothesis), "--html", str(target)]) == 0
    assert "%WER 60.00" in capsys.readouterr().out
    page = of_page(target.read_text("utf-8"))
    assert page.head["sides"][1]["timed"]
    assert len(page.head["utterances"]) == 3


def test_the_ranking_stands_in_page_and_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], screen: Browser
) -> None:
    third = tmp_path / "third <script>'&amp;.ctm"
    third.write_text((DEMO / "baseline.ctm").read_text().replace(" the ", " a "))
    target, told = tmp_path / "page.html", tmp_path / "rates.json"
    flags = ["--normalize", "lowercase", "--html", str(target), "--json", str(told)]
    assert main(["wer", *FILES, str(third), *flags]) == 0
    table = capsys.readouterr().out.partition("\nRanking\n")[2].splitlines()[1:4]
    ranking = json.loads(told.read_text())["ranking"]
    screen.open(target)
    rows = screen.rows("#ranking")
    for line, one, row in zip(table, ranking["systems"], rows, strict=True):
        assert Path(one["hypothesis"]).name in line
        assert row[:4] == [
            Path(one["hypothesis"]).name,
            str(one["rank"]),
            str(one["errors"]),
            f"{100 * one['error_rate']:.2f}",
        ]
        assert f"{100 * one['error_rate']:.2f}" in line
        interval = one["interval"]
        bounds = f"{100 * interval['low']:.2f} – {100 * interval['high']:.2f}"
        assert row[4] == f"{bounds} ({interval['flag']})"
    names = [row[0] for row in rows]
    matrix = {row[0]: dict(zip(names, row[1:], strict=True)) for row in screen.rows("#pairs")}
    rates = {Path(one["hypothesis"]).name: one["error_rate"] for one in ranking["systems"]}
    assert len(ranking["pairs"]) == 3
    for pair in ranking["pairs"]:
        better, worse = (Path(pair[name]).name for name in ("better", "worse"))
        change, told_p = matrix[better][worse].split("\n")
        assert float(change.replace("−", "-")) == round(100 * (rates[better] - rates[worse]), 2)
        assert float(matrix[worse][better].split("\n")[0]) == -float(change.replace("−", "-"))
        assert told_p in (f"p = {pair['adjusted_p_value']:.4f}", "p < 0.0001")
    framed = "return document.querySelectorAll('#pairs .better').length"
    assert screen.run(framed) == sum(pair["adjusted_p_value"] <= 0.05 for pair in ranking["pairs"])
    for view in screen.views():
        screen.show(view)
    assert screen.complaints() == []


def test_one_system_has_no_ranking(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target, told = tmp_path / "page.html", tmp_path / "rates.json"
    assert main(["wer", *FILES[:2], "--html", str(target), "--json", str(told)]) == 0
    assert "ranking" not in json.loads(told.read_text())
    assert '<table class="numbers" id="ranking">' not in target.read_text("utf-8")
