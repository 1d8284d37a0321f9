"""Kaldi's text in a file ``.txt``: one detector for `formats` and `scoring`."""

from pathlib import Path

import formats
from scoring import wer

LINES = "s1-u1 hello world\ns1-u2 good morning\ns2-u1 bye now\n"


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def test_lines_of_identifiers_are_of_kaldi(tmp_path: Path) -> None:
    path = written(tmp_path / "hyp.txt", LINES)
    transcript = formats.read(path)
    assert transcript.format == "kaldi"
    assert [segment.utterance for segment in transcript] == ["s1-u1", "s1-u2", "s2-u1"]
    assert [d.code for d in transcript.diagnostics] == ["FORMAT-KALDI"]
    assert formats.read(path, "txt").word_count == 9


def test_scoring_sees_the_same(tmp_path: Path) -> None:
    hypothesis = written(tmp_path / "hyp.txt", LINES.replace("bye", "by"))
    reference = written(tmp_path / "ref.trn", "".join(
        f"{text} ({name})\n" for name, _, text in (line.partition(" ") for line in LINES.splitlines())
    ))  # fmt: skip
    assert wer(reference, hypothesis).corpus_rate == 1 / 6


def test_other_lines_stay_plain_text(tmp_path: Path) -> None:
    for text in (
        "covid-19 is here\ncovid-19 again\nand more\n",
        "2020-01-02 a\n2020-01-03 b\n2020-01-04 c\n",
    ):
        assert formats.detect(written(tmp_path / "talk.txt", text)) == "txt"
