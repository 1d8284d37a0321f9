"""`sclite -S` as a command, where files alone cannot make a golden; truths from sclite 2.4.10."""

import socket
from pathlib import Path

import pytest

from scoring.cli.nist.sclite import main
from tests.tables import table_of

UNOPENABLE = "\nError: load_TEXT_LIST open of 'lex' failed\nError: Can't load lexicon file 'lex'\n"


@pytest.fixture
def folder(current_folder: Path) -> Path:
    """The working directory, with transcripts."""
    (current_folder / "ref.trn").write_text("ab c (s1)\nd (t2)\n")
    (current_folder / "hyp.trn").write_text("a b c (s1)\nd (t2)\n")
    return current_folder


def run(capfdbinary: pytest.CaptureFixture[bytes], *more: str) -> tuple[int, str, str]:
    """Status, standard output and error output."""
    status = main(["-r", "ref.trn", "-h", "hyp.trn", "-i", "swb", "-S", "algo1", "lex", *more])
    output, errors = capfdbinary.readouterr()
    return status, output.decode("latin-1"), errors.decode("latin-1")


def test_a_lexicon_that_cannot_be_opened_ends_the_run_at_its_first_utterance(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    with socket.socket(socket.AF_UNIX) as unopenable:
        unopenable.bind("lex")
        status, output, errors = run(capfdbinary)
    assert status == 0
    assert output.endswith("\r    Alignment# 1 for speaker           ")
    # of the second identifier nothing is said any more
    assert errors == "Error: extract_speaker can't locate SWB id (s1)\n" + UNOPENABLE
    assert not (folder / "hyp.trn.sys").exists()


def test_without_utterances_the_lexicon_is_not_read(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (folder / "hyp.trn").write_text(";; nothing\n")
    with socket.socket(socket.AF_UNIX) as unopenable:
        unopenable.bind("lex")
        status, _, errors = run(capfdbinary, "-o", "sgml")
    assert status == 0
    assert "Error" not in errors


@pytest.mark.parametrize(
    ("lexicon", "status", "error"),
    table_of(__file__, "bytes_that_are_no_character_count_in_the_first_column_only"),
)
def test_bytes_that_are_no_character_count_in_the_first_column_only(
    lexicon: bytes, status: int, error: str, folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (folder / "ref.trn").write_text("ab c (s-1)\n")
    (folder / "hyp.trn").write_text("a b c (s-1)\n")
    (folder / "lex").write_bytes(lexicon)
    assert run(capfdbinary, "-e", "utf-8")[::2] == (status, error)


def test_a_word_sclite_would_crash_on_is_named_with_its_place(
    folder: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    (folder / "lex").write_text("ab\n")
    (folder / "ref.stm").write_text("f 1 s 0 2 a b\n")
    (folder / "hyp.ctm").write_text(";; comment\nf 1 0 0.5 a\nf 1 1 0.5 a{b\n")
    timed = ["-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm", "-S", "algo1", "lex", "ASCIITOO"]
    assert main(timed) == 1
    assert capfdbinary.readouterr().err == (
        b"sclite: hyp.ctm:3:11: the word 'a{b' cannot be split: expected a closing brace, found none\n"
    )
