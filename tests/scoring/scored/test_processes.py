"""Several processes give what one gives, whatever the files are like."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

import scoring
from scoring.errors import InputError
from scoring.normalize.pipeline import Pipeline
from scoring.rates.record import document_lines
from scoring.scored import processes as jobs
from scoring.scored.rates import ErrorRates

WORDS = ["alpha", "beta", "gamma", "delta", "épsilon", "ζ"]


@pytest.fixture(autouse=True)
def small_files_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "LEAST_BYTES", 1)


def corpus(folder: Path, utterances: int = 300) -> tuple[Path, Path]:
    draw = random.Random(3)
    lines: tuple[list[str], list[str]] = ([], [])
    for number in range(utterances):
        name = f"spk{number // 20}-{number:04d}"
        reference = [draw.choice(WORDS) for _ in range(draw.randrange(9))]
        hypothesis = [draw.choice(WORDS) if draw.random() < 0.2 else word for word in reference]
        lines[0].append(f"{' '.join(reference)} ({name})\n")
        lines[1].append(f"{' '.join(hypothesis)} ({name})\n")
    paths = folder / "ref.trn", folder / "hyp.trn"
    for path, side in zip(paths, lines, strict=True):
        path.write_text("".join(side), "utf-8")
    return paths


def record(rates: ErrorRates) -> bytes:
    return b"".join(document_lines([rates]))


def both(paths: tuple[Path, Path], number: int, **options: str) -> tuple[ErrorRates, ErrorRates]:
    single, several = (
        scoring.wer(*paths, jobs=one, allow_unmatched=True, **options)  # type: ignore[arg-type]
        for one in (1, number)
    )
    return single, several


def used(
    paths: tuple[Path, Path], name: str | None = None, pipeline: Pipeline | None = None
) -> bool:
    """Whether processes take part."""
    from scoring.options import Rules
    from scoring.sides.side_files import Reading

    readings = Reading(name), Reading(name)
    return jobs.score_in_chunks(paths, readings, Rules(), 2, pipeline) is not None


@pytest.mark.parametrize("number", [2, 3, 7])
@pytest.mark.parametrize("profile", ["sclite", "kaldi"])
def test_same_bytes(tmp_path: Path, number: int, profile: str) -> None:
    paths = corpus(tmp_path)
    assert used(paths)
    single, several = both(paths, number, profile=profile)
    assert record(several) == record(single)


@pytest.mark.parametrize("steps", ["plain", "contractions", "fillers", "transliterate", "regex"])
def test_normalised_in_several_processes(tmp_path: Path, steps: str) -> None:
    from scoring.normalize.pipeline_files import as_pipeline

    paths = corpus(tmp_path)
    for path in paths:
        text = path.read_text("utf-8").replace("alpha ", "alpha’s uh ").replace("beta ", "BETA! ")
        path.write_text(text, "utf-8")
    name = "regex:search=a\\b,replace=o o" if steps == "regex" else steps
    single, several = both(paths, 3, normalize=name)
    assert record(several) == record(single)
    assert several.remarks == single.remarks
    pipeline = as_pipeline(name)
    assert used(paths, pipeline=pipeline) is (steps != "fillers")
    assert pipeline.counts is (steps == "fillers")


def test_utterances_that_normalisation_empties_are_told_by_one(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    single, several = both(paths, 2, normalize="regex:search=^(alpha|beta)$,replace=")
    assert record(several) == record(single)
    assert several.remarks == single.remarks != ()


def test_missing_and_unknown_utterances(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    lines = paths[1].read_text("utf-8").splitlines(keepends=True)
    del lines[3], lines[200:210]
    lines.insert(50, "more words (spk9-extra)\n")
    lines.append("at the end (spk9-last)\n")
    paths[1].write_text("".join(lines), "utf-8")
    for missing, unit in (("delete", "word"), ("skip", "word"), ("delete", "char")):
        single, several = both(paths, 2, missing=missing, unit=unit)
        assert record(several) == record(single)
    assert several.matching_summary.reference_only.number == 11
    assert several.matching_summary.hypothesis_only.number == 2


@pytest.mark.parametrize("change", ["shuffled", "one displaced", "CR LF", "gzip", "repeated"])
def test_files_that_cannot_be_cut_are_read_by_one(tmp_path: Path, change: str) -> None:
    import gzip

    paths = corpus(tmp_path)
    lines = paths[1].read_text("utf-8").splitlines(keepends=True)
    if change == "shuffled":
        random.Random(1).shuffle(lines)
    elif change == "one displaced":
        lines.append(lines.pop(5))
    elif change == "repeated":
        lines.append(lines[0])
    data = "".join(lines).encode()
    if change == "CR LF":
        data = data.replace(b"\n", b"\r\n")
    elif change == "gzip":
        data = gzip.compress(data)
    paths[1].write_bytes(data)
    assert not used(paths)
    single, several = both(paths, 2)
    assert record(several) == record(single)


def as_kaldi(paths: tuple[Path, Path]) -> tuple[Path, Path]:
    """The same as Kaldi's texts."""
    for path in paths:
        lines = []
        for line in path.read_text("utf-8").splitlines():
            words, _, name = line.rpartition("(")
            lines.append(f"{name.rstrip(')')} {words}\n")
        path.write_text("".join(lines), "utf-8")
    return paths


@pytest.mark.parametrize("name", ["kaldi", "kaldi-text"])
@pytest.mark.parametrize("order", ["kept", "shuffled"])
def test_kaldi_texts(tmp_path: Path, order: str, name: str) -> None:
    paths = as_kaldi(corpus(tmp_path))
    if order == "shuffled":
        lines = paths[1].read_text("utf-8").splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        paths[1].write_text("".join(lines), "utf-8")
    formats = {"reference_format": name, "hypothesis_format": name}
    single, several = both(paths, 3, **formats)
    assert record(several) == record(single)
    assert used(paths, name) == (order == "kept")


def test_a_misleading_suffix_is_remarked_by_any_number(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    other = paths[1].rename(tmp_path / "hyp.ctm")
    single, several = both((paths[0], other), 2)
    assert len(single.remarks) == 1
    assert several.remarks == single.remarks


def test_characters(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    assert used(paths)
    single, several = both(paths, 2, unit="char", profile="kaldi")
    assert record(several) == record(single)


def test_alternatives(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    text = paths[0].read_text("utf-8").replace("alpha", "{ alpha / gamma delta / @ }")
    paths[0].write_text(text, "utf-8")
    assert used(paths)
    single, several = both(paths, 2)
    assert record(several) == record(single)


def test_errors_are_told_as_by_one(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    lines = paths[1].read_text("utf-8").splitlines(keepends=True)
    lines[250] = lines[250].replace("(", "")
    paths[1].write_text("".join(lines), "utf-8")
    told = []
    for number in (1, 2):
        with pytest.raises(Exception) as refused:
            scoring.wer(reference=paths[0], hypothesis=paths[1], jobs=number)
        told.append((type(refused.value), str(refused.value)))
    assert told[0] == told[1]
    assert "hyp.trn:251:" in told[0][1]


def test_alternatives_refused_as_by_one(tmp_path: Path) -> None:
    paths = corpus(tmp_path)
    lines = paths[0].read_text("utf-8").splitlines(keepends=True)
    lines[280] = "{ a / b } (spk14-0280)\n"
    paths[0].write_text("".join(lines), "utf-8")
    for number in (1, 2):
        with pytest.raises(InputError, match=r"ref\.trn:281: expected plain words"):
            scoring.wer(reference=paths[0], hypothesis=paths[1], profile="kaldi", jobs=number)


def test_a_process_that_dies_is_no_result() -> None:
    import os

    def die() -> int:
        os._exit(9)

    with pytest.raises(jobs.UnfitError):
        jobs.in_processes([lambda: 1, die])


@pytest.mark.parametrize("arguments", ["", ", normalize='plain'", ", unit='char'"])
def test_a_forked_process_imports_nothing(tmp_path: Path, arguments: str) -> None:
    """A thread of this process may be in that import, and the other would wait for it for ever."""
    code = f"""
import sys
from pathlib import Path
import scoring
from scoring.scored import processes as jobs
jobs.LEAST_BYTES = 1
seen = []
def fork(task):
    before = set(sys.modules)
    task()
    seen.append(sorted(set(sys.modules) - before))
    raise jobs.UnfitError
jobs._fork = fork
scoring.wer(*map(Path, sys.argv[1:]), jobs=2{arguments})
print(seen)
"""
    left, right = corpus(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", code, left, right], capture_output=True, text=True, check=True
    )
    assert done.stdout == "[[]]\n"
