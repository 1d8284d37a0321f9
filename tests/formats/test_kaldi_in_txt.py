"""Kaldi's text in a file ``.txt``: one detector for `formats` and `scoring`."""

from pathlib import Path

import pytest

import formats
from formats.meetings.turns.choice import may_have_turns
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


def test_identifiers_without_signs(tmp_path: Path) -> None:
    text = "PN00F02U001 one two\nPN00F02U002 three \nPN00F03U001 four\n"
    transcript = formats.read(written(tmp_path / "13.txt", text))
    assert (transcript.format, transcript.word_count) == ("kaldi", 4)
    assert [segment.utterance for segment in transcript][:2] == ["PN00F02U001", "PN00F02U002"]


def test_files_without_a_known_suffix(tmp_path: Path) -> None:
    lines = "s1-u1 hello world\ns1-u2 good morning\ns2-u1 bye now\n"
    assert formats.detect(written(tmp_path / "dev.trans", lines)) == "kaldi"
    assert formats.detect(written(tmp_path / "PROMPTS", lines.replace("s", "*/s"))) == "kaldi"
    for table in (
        "s1-u1 s1\ns1-u2 s1\ns2-u1 s2\n",
        "s1-u1 /a/b.wav A\ns1-u2 /a/c.wav A\ns2-u1 /a/d.wav A\n",
        "s1-u1 sox /a/b.wav -t wav - |\ns1-u2 sox /a/c.wav -t wav - |\ns2-u1 sox /d.wav -t wav - |\n",
    ):
        with pytest.raises(formats.UnknownFormatError):
            formats.detect(written(tmp_path / "table", table))


def test_other_lines_stay_plain_text(tmp_path: Path) -> None:
    for text in (
        "covid-19 is here\ncovid-19 again\nand more\n",
        "2020-01-02 a\n2020-01-03 b\n2020-01-04 c\n",
        "Lines2 of prose\nSome words\nand more\n",
        "0.01\tlow\n0.02\tmid\n0.03\thigh\n",
    ):
        assert formats.detect(written(tmp_path / "talk.txt", text)) == "txt"


def test_utterances_with_different_identifiers_are_no_turns() -> None:
    """Such a text is long as a rule, and to try the names of turns took half a second."""
    lines = [f"ann-{number:04d} it's so" for number in range(9)]
    assert not may_have_turns(lines)
    assert not may_have_turns(["ann_talk-01-00012", "", "bob_talk-01-00013 NO"])
    for other in ("ann-0001 well", "ann-12 so", "12:30 so", "ann-9999 so: no", "ANN: so"):
        assert may_have_turns([*lines, other])
