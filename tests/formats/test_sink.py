"""Outputs: all or nothing, gzip, refusals."""

from __future__ import annotations

import errno
import gzip
import os
from io import BytesIO, StringIO
from pathlib import Path

import pytest

import formats
from formats import LossError, OptionError, UnwritableFileError
from formats.io.sink import open_sink
from scoring.model.outputs import write_file
from tests.each_case import each_case


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "out.trn"
    with open_sink(path) as sink:
        sink.write("é (a)\n")
        assert not path.exists()
    assert path.read_bytes() == "é (a)\n".encode()
    assert os.listdir(tmp_path) == ["out.trn"]


@pytest.mark.parametrize("trouble", [ValueError, KeyboardInterrupt, SystemExit])
def test_trouble_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, trouble: type[BaseException]
) -> None:
    path = tmp_path / "out.trn"
    path.write_text("old")

    def write_and_fail() -> None:
        with open_sink(path) as sink:
            sink.write("new" * 100_000)
            raise trouble

    with pytest.raises(trouble):
        write_and_fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["out.trn"]


@pytest.mark.parametrize("name", ["open", "chmod", "mkdir"])
def test_an_interruption_while_the_file_is_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    path = tmp_path / "out.trn"
    path.write_text("old")
    make = getattr(os, name)

    def interrupted(path: str, *given: object) -> object:
        make(path, *given)
        assert os.path.exists(path)
        raise SystemExit(143)

    def begin() -> None:
        if name == "mkdir":
            open_sink(f"{tmp_path}/folder/").beside("text")
        else:
            open_sink(path)

    with monkeypatch.context() as patch:
        patch.setattr(os, name, interrupted)
        with pytest.raises(SystemExit):
            begin()
    assert (os.listdir(tmp_path), path.read_text()) == (["out.trn"], "old")


@pytest.mark.parametrize("name", ["out.trn", "out.trn.gz"])
@pytest.mark.parametrize("size", [10, 1 << 20])
def test_a_full_disk_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    class FullDisk(BytesIO):
        def write(self, _: object, /) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    real_open = open

    def open_full(file: int, mode: str) -> FullDisk:
        real_open(file, mode).close()
        return FullDisk()

    monkeypatch.setattr("builtins.open", open_full)
    with pytest.raises(UnwritableFileError) as caught, open_sink(tmp_path / name) as sink:
        sink.write(os.urandom(size).hex())
    assert str(caught.value) == f"{tmp_path / name}: cannot be written: no space left on device"
    assert os.listdir(tmp_path) == []


def test_gzip_output_is_reproducible(tmp_path: Path) -> None:
    for name in ("a.trn.gz", "b.TRN.GZ"):
        with open_sink(tmp_path / name) as sink:
            sink.write("hello\n")
    first, second = ((tmp_path / n).read_bytes() for n in ("a.trn.gz", "b.TRN.GZ"))
    assert first == second
    assert gzip.decompress(first) == b"hello\n"


def test_permissions_of_an_old_file_stay(tmp_path: Path) -> None:
    path = tmp_path / "out.trn"
    path.write_text("old")
    path.chmod(0o640)
    with open_sink(path) as sink:
        sink.write("new")
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real.trn").write_text("old")
    (tmp_path / "link.trn").symlink_to("real.trn")
    with open_sink(tmp_path / "link.trn") as sink:
        sink.write("new")
    assert (tmp_path / "link.trn").is_symlink()
    assert (tmp_path / "real.trn").read_text() == "new"


def test_devices_are_written_directly() -> None:
    with open_sink(os.devnull) as sink:
        sink.write("x")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize(
    ("name", "reason"), [("", "is a directory"), ("none/out.trn", "its folder does not exist")]
)
def test_places_that_cannot_be_written(tmp_path: Path, name: str, reason: str) -> None:
    path = tmp_path / name
    with pytest.raises(UnwritableFileError) as caught, open_sink(path) as sink:
        sink.write("x")
    assert str(caught.value) == f"{path}: cannot be written: {reason}"


def test_a_folder_without_files_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnwritableFileError) as caught, open_sink(tmp_path):
        pass
    assert str(caught.value) == f"{tmp_path}: cannot be written: is a directory"


def test_files_of_a_new_folder_appear_together(tmp_path: Path) -> None:
    path = tmp_path / "train"
    with open_sink(f"{path}/") as sink:
        assert sink.folder == str(path)
        sink.beside("text").write("é\n")
        file = sink.beside("segments")
        file.write("x\n")
        assert file.name == f"{path}/segments"
        assert not path.exists()
    assert sorted(os.listdir(path)) == ["segments", "text"]
    assert (path / "text").read_bytes() == "é\n".encode()
    assert os.listdir(tmp_path) == ["train"]


def test_files_replace_those_of_an_old_folder(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("old")
    (tmp_path / "other").write_text("stays")
    with open_sink(tmp_path) as sink:
        sink.beside("text").write("new")
        assert (tmp_path / "text").read_text() == "old"
    assert (tmp_path / "text").read_text() == "new"
    assert sorted(os.listdir(tmp_path)) == ["other", "text"]


@pytest.mark.parametrize("is_new", [True, False])
def test_trouble_with_one_file_leaves_all_as_they_were(tmp_path: Path, is_new: bool) -> None:
    folder = tmp_path / "train"
    if not is_new:
        folder.mkdir()
        (folder / "text").write_text("old")

    def write_and_fail() -> None:
        with open_sink(f"{folder}/", encoding="latin-1") as sink:
            sink.beside("text").write("new" * 100_000)
            sink.beside("segments").write("a\nb中\n")

    with pytest.raises(LossError) as caught:
        write_and_fail()
    assert str(caught.value) == (
        f"{folder}/segments:2:2: expected a character of latin-1, found U+4E2D"
    )
    assert os.listdir(tmp_path) == ([] if is_new else ["train"])
    if not is_new:
        assert os.listdir(folder) == ["text"]
        assert (folder / "text").read_text() == "old"


def test_a_folder_in_a_missing_folder(tmp_path: Path) -> None:
    folder = tmp_path / "none" / "train"
    with pytest.raises(UnwritableFileError) as caught, open_sink(f"{folder}/") as sink:
        sink.beside("text")
    assert str(caught.value) == f"{folder}/: cannot be written: its folder does not exist"


def test_streams_are_written_and_stay_open() -> None:
    text, data = StringIO(), BytesIO()
    for stream in (text, data):
        with open_sink(stream) as sink:
            sink.write("é\n")
            assert sink.name == "<stream>"
    assert (text.getvalue(), data.getvalue()) == ("é\n", "é\n".encode())


def test_standard_output(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    with open_sink("-") as sink:
        sink.write("é\n")
        assert sink.name == "<stdout>"
    assert capsysbinary.readouterr().out == "é\n".encode()


def test_encodings() -> None:
    data = BytesIO()
    with open_sink(data, encoding="utf-16") as sink:
        sink.write("a" * 100_000)
        sink.write("b")
    assert data.getvalue().decode("utf-16") == "a" * 100_000 + "b"
    with pytest.raises(OptionError, match='the name of an encoding of text, found "klingon"'):
        open_sink(data, encoding="klingon")


def test_a_character_that_the_encoding_lacks_is_named() -> None:
    sink = open_sink(BytesIO(), encoding="latin-1")
    sink.write("a\n" * 50_000)
    sink.write("b\nc中\n")
    with pytest.raises(LossError) as caught:
        sink.close()
    assert str(caught.value) == ("<stream>:50002:2: expected a character of latin-1, found U+4E2D")


@each_case("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@each_case("mark", [False, True])
def test_a_mark_that_is_text_stays_text(encoding: str, mark: bool) -> None:
    for first in ("\ufeff", "\ufeffa", "a"):
        output = BytesIO()
        with open_sink(output, encoding=encoding, mark=mark) as sink:
            sink.write("")
            sink.write(f"{first} b\n")
        assert formats.read(BytesIO(output.getvalue()), "txt")[0].words == (first, "b")


@pytest.mark.skipif(not os.path.isdir("/dev/fd"), reason="streams have no paths here")
def test_a_stream_that_a_path_names_is_written_where_it_stands(tmp_path: Path) -> None:
    path = tmp_path / "all.txt"
    with path.open("wb", buffering=0) as file:
        file.write(b"first\n")
        with open_sink(f"/dev/fd/{file.fileno()}") as sink:
            sink.write("second\n")
        write_file(f"/dev/fd/{file.fileno()}", [b"third\n"])
        file.write(b"last\n")
    assert path.read_text().split() == ["first", "second", "third", "last"]
    assert os.listdir(tmp_path) == ["all.txt"]
