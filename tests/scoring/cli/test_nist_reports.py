"""`scoring wer -o`: sclite's reports of any two files, and sclite's own bytes where it has any."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.cli.sclite import main as sclite
from scoring.cli.scoring import main as scoring_command

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REPORTS = ["all", "prf", "sgml", "nl.sgml", "snt", "spk", "dtl", "lur"]
DATE = re.compile(rb'(Creation date: |creation_date=)"[^"]*"')
WORDS = ["a", "b", "c", "dd", "ee", "fff", "Ab", "cD", "the", "lighthouse"]
LABELS = ';; LABEL "o" "Overall" "All of it"\n;; LABEL "f" "Female" "Women"\n'


def said(draw: random.Random, words: list[str]) -> list[str]:
    """What a recogniser might make of words."""
    heard = []
    for word in words:
        chance = draw.random()
        if chance < 0.7:
            heard.append(word)
        elif chance < 0.85:
            heard.append(draw.choice(WORDS))
        if chance > 0.9:
            heard.append(draw.choice(WORDS))
    return heard


def some_words(draw: random.Random, most: int) -> list[str]:
    return [draw.choice(WORDS) for _ in range(draw.randint(0, most))]


def trn_corpus(draw: random.Random) -> tuple[str, str]:
    names = [f"s{draw.randint(1, 3)}_{number:03d}" for number in range(draw.randint(1, 8))]
    lines: tuple[list[str], list[str]] = ([], [])
    for name in names:
        words = some_words(draw, 12)
        for side, texts in zip(lines, (words, said(draw, words)), strict=True):
            side.append(f"{' '.join(texts)} ({name})\n".lstrip())
    return "".join(lines[0]), "".join(lines[1])


def ctm_lines(draw: random.Random, name: str, words: list[str], at: int, confident: bool) -> str:
    """Words from a time in eighths of a second on, which a double holds exactly."""
    lines = []
    for word in words:
        at += draw.randint(1, 4)
        confidence = f" 0.{draw.randint(10, 99)}" if confident else ""
        lines.append(f"{name} {at / 8} 0.0625 {word}{confidence}\n")
    return "".join(lines)


def stm_corpus(draw: random.Random) -> tuple[str, str]:
    reference, hypothesis = [LABELS], []
    confident = draw.random() < 0.5
    for recording in range(draw.randint(1, 3)):
        for channel in "AB"[: draw.randint(1, 2)]:
            for number in range(draw.randint(1, 4)):
                name = f"rec{recording} {channel}"
                words = some_words(draw, 6)
                label = draw.choice(["<o,f>", "<o,>"])
                speaker = f"spk{draw.randint(1, 3)}"
                begin = number * 10
                reference.append(
                    f"{name} {speaker} {begin}.0 {begin + 10}.0 {label} {' '.join(words)}\n"
                )
                heard = said(draw, words) or ["a"]
                hypothesis.append(ctm_lines(draw, name, heard, 8 * begin, confident))
    return "".join(reference), "".join(hypothesis)


def ctm_corpus(draw: random.Random) -> tuple[str, str]:
    reference, hypothesis = [], []
    confident = draw.random() < 0.5
    for recording in range(draw.randint(1, 3)):
        for channel in "AB"[: draw.randint(1, 2)]:
            name = f"rec{recording} {channel}"
            words = [draw.choice(WORDS) for _ in range(draw.randint(1, 140))]
            # a channel that ends in words of the hypothesis alone has no name in sclite
            end = f"{name} 900.0 0.5 end"
            reference.append(ctm_lines(draw, name, words, 0, False) + f"{end}\n")
            heard = ctm_lines(draw, name, said(draw, words), 0, confident)
            hypothesis.append(heard + f"{end}{' 0.5' if confident else ''}\n")
    return "".join(reference), "".join(hypothesis)


CORPORA: dict[str, tuple[tuple[str, str], Callable[[random.Random], tuple[str, str]]]] = {
    "trn": (("trn", "trn"), trn_corpus),
    "stm": (("stm", "ctm"), stm_corpus),
    "ctm": (("ctm", "ctm"), ctm_corpus),
}


def files_in(folder: Path) -> dict[str, bytes]:
    return {
        path.name: DATE.sub(rb'\1"DATE"', path.read_bytes()) for path in sorted(folder.iterdir())
    }


@pytest.mark.parametrize("kind", CORPORA)
@pytest.mark.parametrize("ignore_case", [False, True], ids=["case", "no-case"])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_the_reports_of_nists_formats_are_those_of_sclite(
    kind: str, ignore_case: bool, seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    forms, corpus = CORPORA[kind]
    folder = tmp_path_factory.mktemp("run")
    ours, theirs = folder / "ours", folder / "theirs"
    theirs.mkdir()
    files = [str(folder / f"{side}.{form}") for side, form in zip("rh", forms, strict=True)]
    for path, text in zip(files, corpus(random.Random(seed)), strict=True):
        Path(path).write_text(text)
    case = ["--ignore-case"] if ignore_case else []
    formats = ["--reference-format", forms[0], "--hypothesis-format", forms[1], "--allow-empty"]
    assert scoring_command(["wer", *files, *formats, *case, "-o", *REPORTS, "-O", str(ours)]) == 0
    sides = ["-r", files[0], forms[0], "-h", files[1], forms[1]]
    case = [] if ignore_case else ["-s"]
    reports = ["-o", *REPORTS, "-O", str(theirs), "-f", "0"]
    assert sclite([*sides, *case, "-i", "spu_id", *reports]) == 0
    found, expected = files_in(ours), files_in(theirs)
    assert sorted(found) == sorted(expected)
    for name, content in expected.items():
        assert found[name] == content, f"{name} of {folder}"
