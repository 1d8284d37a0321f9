"""`scoring wer --html` and `scoring merge --html`."""

from __future__ import annotations

from pathlib import Path

import pytest

from scoring.cli.scoring import main

from .unpacking import of_page

DEMO = Path(__file__).resolve().parents[4] / "resources" / "demo"
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
    assert "percentile bootstrap" in text
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
        assert main(["wer", *FILES, "--shard", f"{number}/2", "--output", part]) == 0
    whole, merged = tmp_path / "whole.html", tmp_path / "merged.html"
    assert main(["wer", *FILES, "--html", str(whole)]) == 0
    assert main(["merge", *parts, "--html", str(merged)]) == 0
    texts = [of_page(path.read_text("utf-8")) for path in (whole, merged)]
    assert texts[0].column("system0.edits") == texts[1].column("system0.edits")
    assert texts[0].head["utterances"] == texts[1].head["utterances"]
    capsys.readouterr()
    flags = ["--shard", "1/2", "--output", parts[0], "--html", str(whole)]
    assert main(["wer", *FILES, *flags]) == 2
    assert "--html says nothing of a shard" in capsys.readouterr().err


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
