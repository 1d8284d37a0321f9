"""Outputs that would destroy an input or each other are refused before anything is read."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from formats import UnwritableFileError
from formats.cli.messages import REPLACED
from formats.console.outputs import check_outputs
from formats.io.messages import EXISTS
from tests.formats.checks import message_text

WriteFile = Callable[[str, "str | bytes"], str]
RunCommand = Callable[..., "tuple[int, str, str]"]

BROKEN = "no record of trn at all\n"


@pytest.fixture
def two_files(write_file: WriteFile) -> None:
    """Files of our own, and other names that mean the first of them."""
    write_file("a.trn", BROKEN)
    write_file("b.trn", BROKEN)
    os.symlink("a.trn", "link.trn")
    os.link("a.trn", "hard.trn")
    os.mkdir("folder")
    os.symlink("..", "folder/up")


@pytest.mark.usefixtures("two_files")
@pytest.mark.parametrize("output", ["a.trn", "./a.trn", "link.trn", "hard.trn", "folder/up/a.trn"])
@pytest.mark.parametrize("inputs", [["a.trn"], ["b.trn", "a.trn"]])
def test_an_output_that_is_an_input_is_refused_unread(
    run_command: RunCommand, output: str, inputs: list[str]
) -> None:
    status, shown, errors = run_command("convert", *inputs, output)
    assert (status, shown) == (2, "")
    assert errors.startswith(
        f"formats: error: {output}: cannot be written: it is one of the inputs"
    )
    assert errors.count("\n") == 1
    assert Path("a.trn").read_text() == BROKEN


def test_an_output_in_a_folder_that_is_the_input_is_refused(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.trn", "hello (x-1)\n")
    status, _, errors = run_command("convert", "a.trn", ".", "--to", "trn")
    assert (status, errors) == (
        2,
        "formats: error: ./a.trn: cannot be written: it is one of the inputs, as a.trn\n",
    )
    assert Path("a.trn").read_text() == "hello (x-1)\n"


def test_a_file_that_an_option_names_is_an_input_too(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.ctm", "u1 1 0 1 hello\n")
    write_file("segs.stm", "u1 r 0 1\n")
    status, _, errors = run_command("convert", "a.ctm", "segs.stm", "--segments", "segs.stm")
    assert (status, errors) == (
        2,
        "formats: error: segs.stm: cannot be written: it is one of the inputs\n",
    )
    assert Path("segs.stm").read_text() == "u1 r 0 1\n"


@pytest.mark.parametrize("output", ["data", "data/", "data/segments", "data/text"])
def test_a_folder_that_is_read_is_not_written_into(
    write_file: WriteFile, run_command: RunCommand, output: str
) -> None:
    os.mkdir(Path(write_file("a", "")).resolve().parent / "data")
    write_file("data/text", "u1 hello\n")
    write_file("data/segments", "u1 r 0 1\n")
    before = {name: Path("data", name).read_bytes() for name in os.listdir("data")}
    status, _, errors = run_command("convert", "data", output, "--to", "kaldi")
    assert status == 2
    assert "cannot be written: it is one of the inputs" in errors
    assert {name: Path("data", name).read_bytes() for name in os.listdir("data")} == before


def test_a_table_of_a_folder_that_is_the_input_is_not_written_over(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    os.mkdir(Path(write_file("a", "")).resolve().parent / "data")
    write_file("data/text", "u1 hello\n")
    status, _, errors = run_command("convert", "data/text", "data", "--to", "kaldi")
    assert status == 2
    assert errors.startswith(
        "formats: error: data/text: cannot be written: it is one of the inputs"
    )


def test_standard_input_is_an_input_as_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.trn"
    path.write_text("x")
    with path.open() as stream:
        monkeypatch.setattr("sys.stdin", stream)
        with pytest.raises(UnwritableFileError, match="one of the inputs, as <stdin>"):
            check_outputs([path], ["-"])


def test_two_outputs_are_two_files(tmp_path: Path) -> None:
    new = tmp_path / "new.json"
    with pytest.raises(UnwritableFileError, match="another of the outputs"):
        check_outputs([new, None, tmp_path / "." / "new.json"], [])
    check_outputs([new, tmp_path / "other.json"], [tmp_path / "missing.trn"])


def test_devices_may_be_named_often() -> None:
    check_outputs([os.devnull, os.devnull], [os.devnull])


def test_an_existing_file_is_written_over_as_cp_does(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.trn", "hello (x-1)\n")
    os.chmod(write_file("b.txt", "old\n"), 0o640)
    os.symlink("b.txt", "link.txt")
    assert run_command("convert", "a.trn", "link.txt")[0] == 0
    assert Path("b.txt").read_text() == "hello\n"
    assert Path("link.txt").is_symlink()
    assert os.stat("b.txt").st_mode & 0o777 == 0o640


def test_no_clobber_refuses_what_exists_before_anything_is_read(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.trn", BROKEN)
    write_file("b.txt", "old\n")
    assert run_command("convert", "--no-clobber", "a.trn", "b.txt") == (
        2,
        "",
        f"formats: error: b.txt: {message_text(EXISTS)} [EXISTS]\n",
    )
    assert Path("b.txt").read_text() == "old\n"
    write_file("a.trn", "hello (x-1)\n")
    assert run_command("convert", "--no-clobber", "a.trn", "new.txt")[0] == 0
    assert run_command("convert", "--no-clobber", "a.trn", "-", "--to", "txt")[1] == "hello\n"


def test_no_clobber_refuses_a_folder_that_holds_something(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    os.mkdir(Path(write_file("a.trn", "hello (x-1)\n")).resolve().parent / "data")
    arguments = ("convert", "--no-clobber", "a.trn", "data", "--to", "kaldi")
    assert run_command(*arguments)[0] == 0
    assert run_command(*arguments)[2] == (
        f"formats: error: data: {message_text(EXISTS)} [EXISTS]\n"
    )


def test_a_file_that_is_replaced_is_named(tmp_path: Path, run_command: RunCommand) -> None:
    source, output, folder = tmp_path / "a.trn", tmp_path / "b.txt", tmp_path / "c"
    source.write_text("a b (u-1)\n")
    folder.mkdir()
    for target, written in ((output, output), (folder, folder / "a.txt")):
        first = run_command("convert", str(source), str(target), "--to", "txt")
        assert first[0] == 0
        remark = message_text(REPLACED, path=str(written))
        assert remark not in first[2]
        again = run_command("convert", str(source), str(target), "--to", "txt")
        assert f"formats: note: {remark} [REPLACED]\n" in again[2]
        assert run_command("convert", str(source), str(target), "--to", "txt", "--quiet")[2] == ""
