"""Several processes normalise as one does."""

from __future__ import annotations

import os
import random
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.errors import InputError
from scoring.normalize import processes
from scoring.rates.record import document_lines
from scoring.scored.rates import ErrorRates

WORDS = ["alpha’s", "BETA!", "uh", "gamma", "delta", "épsilon", "ζ"]


@pytest.fixture(autouse=True)
def small_texts_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LEAST_WORDS", 1)


def corpus(folder: Path, ending: str, utterances: int = 300) -> tuple[Path, Path]:
    """Two files, the second in another order."""
    draw = random.Random(3)
    lines: tuple[list[str], list[str]] = [], []
    for number in range(utterances):
        name = f"spk{number // 20}-{number:04d}"
        for side in lines:
            words = " ".join(draw.choice(WORDS) for _ in range(draw.randrange(9)))
            side.append(f"{words} ({name})\n" if ending == "trn" else f"{name} {words}\n")
    draw.shuffle(lines[1])
    paths = folder / f"ref.{ending}", folder / f"hyp.{ending}"
    for path, side in zip(paths, lines, strict=True):
        path.write_text("".join(side), "utf-8")
    return paths


def record(rates: ErrorRates) -> bytes:
    return b"".join(document_lines([rates]))


@pytest.fixture
def pools(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the pools that were started."""
    sizes: list[int] = []

    class Pool(ProcessPoolExecutor):
        def __init__(self, *arguments: Any) -> None:
            sizes.append(arguments[0])
            super().__init__(*arguments)

    monkeypatch.setattr(processes, "ProcessPoolExecutor", Pool)
    return sizes


@pytest.mark.parametrize("ending", ["trn", "text"])
@pytest.mark.parametrize("steps", ["brackets", "whisper-english-safe", "whisper-english"])
def test_same_result(tmp_path: Path, pools: list[int], steps: str, ending: str) -> None:
    paths = corpus(tmp_path, ending)
    single, several = (scoring.wer(*paths, normalize=steps, jobs=jobs) for jobs in (1, 3))
    assert record(several) == record(single)
    assert several.remarks == single.remarks
    assert pools == [3, 3]


def test_alternatives_and_emptied_utterances(tmp_path: Path, pools: list[int]) -> None:
    paths = corpus(tmp_path, "trn")
    text = paths[0].read_text("utf-8").replace("gamma", "{ it's / it is / @ }")
    paths[0].write_text(text, "utf-8")
    steps = ["contractions", "brackets", "numbers"]
    single, several = (scoring.wer(*paths, normalize=steps, jobs=jobs) for jobs in (1, 2))
    assert record(several) == record(single)
    assert pools


def test_words_that_are_rewritten_once_need_no_processes(tmp_path: Path, pools: list[int]) -> None:
    scoring.wer(*corpus(tmp_path, "trn"), normalize="casefold", jobs=2)
    assert pools == []


def test_a_process_that_dies_leaves_the_work_to_this_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(steps: object) -> None:
        os._exit(9)

    paths = corpus(tmp_path, "trn")
    single = scoring.wer(*paths, normalize="brackets")
    monkeypatch.setattr(processes, "_keep_steps", die)
    assert record(scoring.wer(*paths, normalize="brackets", jobs=2)) == record(single)


@pytest.mark.parametrize("jobs", [1, 2])
def test_errors_have_their_places(tmp_path: Path, jobs: int) -> None:
    paths = corpus(tmp_path, "trn")
    lines = paths[0].read_text("utf-8").splitlines(keepends=True)
    lines[280] = "{ a / b } (spk14-0280)\n"
    paths[0].write_text("".join(lines), "utf-8")
    with pytest.raises(InputError, match=r"ref\.trn:281: expected plain words"):
        scoring.wer(*paths, profile="kaldi", jobs=jobs)
