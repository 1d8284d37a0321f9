"""Folders, patterns and archives as inputs of the commands: what is read, written and refused."""

import errno
import gzip
import io
import json
import os
import signal
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

import formats
from formats.cli.inputs import InputAccount, for_each, worst
from formats.cli.messages import JOBS_IDLE
from formats.io.archive import Archive
from formats.reading.inputs import expand
from formats.subtitles.messages import MICRODVD_RATE_OPEN
from tests.formats.checks import message_text

RunCommand = Callable[..., "tuple[int, str, str]"]
REPOSITORY = str(Path(formats.__file__).parents[1])
SRT = "1\n00:00:01,000 --> 00:00:02,000\nhello there\n\n"
STM = "f 1 anne 0 1 hello world\nf 1 bob 1 2 x\n"
TREE = {"a.srt": SRT, "b/c.stm": STM, "b/c.wav": "", ".hidden": "", "b/.d/e.stm": STM}
BLOCK = 512


@pytest.fixture
def tree(current_folder: Path) -> Path:
    """A folder `talks` of files, and one above it to work in."""
    for name, content in TREE.items():
        path = current_folder / "talks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return current_folder


def pack(name: str) -> str:
    """The tree as an archive."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as packed:
            for inner, content in TREE.items():
                packed.writestr(inner, content)
    else:
        with tarfile.open(name, "w:gz" if name.endswith("gz") else "w") as tar:
            tar.add("talks", ".")
    return name


def written(folder: str = "out") -> dict[str, str]:
    """All files below a folder, with what is in them."""
    files = sorted(path for path in Path(folder).rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in files}


@pytest.mark.share(3)
@pytest.mark.parametrize("name", ["talks", "t.zip", "t.tar", "t.tar.gz", "t.tgz"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_or_an_archive_becomes_a_folder(
    tree: Path, run_command: RunCommand, name: str, jobs: str
) -> None:
    if name != "talks":
        pack(name)
    status, output, errors = run_command("convert", name, "out/", "--to", "trn", "--jobs", jobs)
    assert (status, output) == (0, "")
    assert written() == {
        "a.trn": "hello there (a-0000)\n",
        "b/c.trn": "hello world (anne-000)\nx (bob-000)\n",
    }
    rows = [" ".join(line.split()) for line in errors.splitlines()]
    told = "recordings: 1; channels: 2; segment times: 2; utterance ids invented: 2 (written as numbers)"
    assert rows[0] == "file format not kept segments words"
    assert any(row.startswith(f"{name}/b/c.stm stm {told} 2 3") for row in rows)
    assert rows[-2].startswith("2 files 1 ")
    assert rows[-2].endswith(" 3 5")
    assert rows[-1].startswith("skipped: 1 ")
    assert "1 .wav" in rows[-1]


@pytest.mark.parametrize("name", ["talks", "t.zip", "t.tgz"])
def test_a_folder_or_an_archive_becomes_one_file(
    tree: Path, run_command: RunCommand, name: str
) -> None:
    if name != "talks":
        pack(name)
    status, _, errors = run_command("convert", name, "all.jsonl")
    assert status == 0, errors
    texts = [json.loads(line)["text"] for line in Path("all.jsonl").read_text().splitlines()]
    assert sorted(texts) == ["hello there", "hello world", "x"]
    assert "2 files" in errors


def test_patterns(tree: Path, run_command: RunCommand) -> None:
    (tree / "talks/b/d.stm").write_text(STM)
    assert run_command("detect", "talks/**/*.stm", "--quiet") == (
        0,
        "talks/b/c.stm: stm\ntalks/b/d.stm: stm\n",
        "",
    )
    assert run_command("convert", "talks/*/c.*", "out/", "--to", "txt", "--quiet")[0] == 0
    assert list(written()) == ["b/c.txt"]
    assert run_command("detect", "talks/*.xml") == (
        2, "", "formats: error: talks/*.xml: expected files of transcripts, found none\n",
    )  # fmt: skip
    (tree / "[x].stm").write_text(STM)
    assert run_command("detect", "[x].stm") == (0, "[x].stm: stm\n", "")


def test_a_pattern_goes_down_no_link_and_takes_nothing_twice(
    tree: Path, run_command: RunCommand
) -> None:
    os.symlink(tree / "talks", "talks/b/again")
    os.symlink(tree / "talks", "talks/b/once-more")
    data = tree / "talks/b/train"
    data.mkdir()
    (data / "text").write_text("anne-1 hello\n")
    for pattern in ("talks/**", "talks/**/*", "./talks/**/**"):
        found = [os.path.normpath(one.path) for one in expand([pattern]).files]
        assert found == ["talks/a.srt", "talks/b/c.stm", "talks/b/train"]
    assert [one.path for one in expand(["**/text"]).files] == ["talks/b/train/text"]
    assert [one.below for one in expand(["talks/b/train/**"]).files] == ["train"]
    assert [one.path for one in expand(["**/c.*"]).files] == ["talks/b/c.stm"]
    root = str(tree)
    assert [one.below for one in expand([f"{root}/talks/**/[c]*"]).files] == ["b/c.stm"]
    # Nor does the look for outputs that a pattern fits.
    status, _, errors = run_command("convert", "talks/**/*.stm", "talks/b/c.stm")
    assert (status, errors) == (
        2,
        "formats: error: talks/b/c.stm: cannot be written: it is one of the inputs\n",
    )


def test_a_folder_that_cannot_be_read_is_told_below_a_pattern(
    tree: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_folder = os.scandir

    def refused(folder: str = ".") -> object:
        if folder == "talks/b":
            raise PermissionError(errno.EACCES, "Permission denied", folder)
        return list_folder(folder)

    monkeypatch.setattr(os, "scandir", refused)
    for pattern in ("talks", "talks/**", "talks/**/*.stm"):
        assert run_command("detect", pattern, "--quiet") == (
            2, "", "formats: error: talks/b: cannot be read: permission denied\n",
        )  # fmt: skip


def test_a_name_is_one_line_of_what_is_told(tree: Path, run_command: RunCommand) -> None:
    Path("talks/x\ny.stm").write_text(STM)
    for command in ("detect", "info", "validate"):
        assert run_command(command, "talks/x\ny.stm")[1].startswith("talks/x\\u000ay.stm: stm")


def test_the_worst_file_decides_and_the_others_are_done(
    tree: Path, run_command: RunCommand
) -> None:
    (tree / "talks/bad.stm").write_text("f 1 anne\n")
    (tree / "talks/odd.ctm").write_text("f 1 1.0 0.5 b\nf 1 0.0 0.5 a\n")
    for jobs in ("1", "3"):
        status, output, errors = run_command("validate", "talks", "--jobs", jobs)
        assert status == 2
        assert [line.split(",")[0] for line in output.splitlines()] == [
            "talks/a.srt: srt", "talks/b/c.stm: stm", "talks/bad.stm: stm", "talks/odd.ctm: ctm",
        ]  # fmt: skip
        assert "formats: error: talks/bad.stm:1:" in errors
        status, _, errors = run_command("convert", "talks", f"out{jobs}/", "--to", "trn")
        assert status == 2
        assert list(written(f"out{jobs}")) == ["a.trn", "b/c.trn", "odd.trn"]
        assert "refused" in errors
    (tree / "talks/bad.stm").unlink()
    assert run_command("validate", "talks")[0] == 3


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_file_that_wants_an_option_costs_itself_alone(
    tree: Path, run_command: RunCommand, jobs: str
) -> None:
    (tree / "talks/a-film.sub").write_text("{0}{25}hello\n")
    wanted = f"talks/a-film.sub:1: {message_text(MICRODVD_RATE_OPEN, text='{0}{25}hello')}"
    given = ("--jobs", jobs)
    status, _, errors = run_command("convert", "talks", "out/", "--to", "txt", *given)
    assert (status, list(written())) == (2, ["a.txt", "b/c.txt"])
    assert errors.startswith(f"formats: error: {wanted}")
    status, output, errors = run_command("validate", "talks", *given)
    assert (status, len(output.splitlines())) == (2, 2)
    assert errors.startswith(f"formats: error: {wanted}")
    output = run_command("validate", "talks", "--json", "-", *given)[1]
    codes = [[d["code"] for d in one["remarks"]] for one in json.loads(output)["files"]]
    assert codes == [["OptionError"], [], []]
    # What holds for all files is told once.
    for wrong in (("--from", "nothing"), ("--encoding", "nothing")):
        errors = run_command("convert", "talks", "all/", "--to", "txt", *wrong, *given)[2]
        assert errors.count("formats: ") == 1
        assert not os.path.exists("all")


def test_files_that_would_be_written_twice(tree: Path, run_command: RunCommand) -> None:
    (tree / "talks/a.stm").write_text(STM)
    assert run_command("convert", "talks", "out/", "--to", "trn") == (
        2,
        "",
        "formats: error: talks/a.srt and talks/a.stm would both be written to out/a.trn\n",
    )
    assert not Path("out").exists()
    assert run_command("convert", "talks", "talks/", "--to", "stm")[0] == 2
    assert Path("talks/a.stm").read_text() == STM


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_recordings_get_files_of_their_own(tree: Path, run_command: RunCommand, jobs: str) -> None:
    for name, recordings in (("x", "pq"), ("y", "rs"), ("z", "qt")):
        lines = [f"{one} 1 anne 0 1 hello\n" for one in recordings]
        (tree / f"talks/b/{name}.stm").write_text("".join(lines))
    status, _, errors = run_command("convert", "talks/b", "out/", "--to", "srt", "--jobs", jobs)
    assert status == 2
    assert "two recordings would both be written to out/q.srt" in errors
    assert list(written()) == ["c.srt", "p.srt", "q.srt", "r.srt", "s.srt"]


def test_one_output_is_of_one_process(tree: Path, run_command: RunCommand) -> None:
    errors = run_command("convert", "talks", "all.trn", "--jobs", "2")[2]
    assert f"formats: note: {message_text(JOBS_IDLE)} [IDLE-OPTION]\n" in errors
    for wrong in ("0", "-1", "x", "257", "\u0663"):
        assert run_command("detect", "talks", "--jobs", wrong)[0] == 2


def test_info_of_a_folder(tree: Path, run_command: RunCommand) -> None:
    status, output, _ = run_command("info", "talks", "--json", "-", "--jobs", "2")
    assert status == 0
    assert [one["word_count"] for one in json.loads(output)["files"]] == [2, 3]


def test_a_folder_that_is_one_input_stays_one(tree: Path, run_command: RunCommand) -> None:
    data = tree / "talks/train"
    data.mkdir()
    (data / "text").write_text("anne-1 hello\n")
    (data / "utt2spk").write_text("anne-1 anne\n")
    assert run_command("detect", "talks/train") == (0, "talks/train: kaldi\n", "")
    status, output, _ = run_command("detect", "talks", "--quiet")
    assert (status, output.splitlines()[-1]) == (0, "talks/train: kaldi")
    assert run_command("convert", "talks", "out/", "--to", "trn", "--quiet")[0] == 0
    assert written()["train.trn"] == "hello (anne-1)\n"
    corpus = tree / "corpora/dev/84/121"
    corpus.mkdir(parents=True)
    (corpus / "84-121.trans.txt").write_text("84-121-0000 GO\n")
    assert run_command("detect", "corpora") == (0, "corpora: librispeech\n", "")


def test_nothing_is_read_for_ever(tree: Path) -> None:
    os.mkfifo("talks/pipe.stm")
    os.symlink(tree / "talks", "talks/b/again")
    inputs = expand(["talks"])
    assert [one.below for one in inputs.files] == ["a.srt", "b/c.stm"]
    assert inputs.left_out["pipes and devices"] == 1
    assert inputs.left_out["again/"] == 1


def test_transcripts_called_as_files_about_others_are_read(tree: Path) -> None:
    for name in ("authors-at-work.srt", "README_1.stm", "README.txt", "LICENSE", "Changelog.md"):
        Path("talks", name).write_text("")
    inputs = expand(["talks"])
    names = ["README_1.stm", "a.srt", "authors-at-work.srt", "b/c.stm"]
    assert [one.below for one in inputs.files] == names
    assert {"README.txt", "LICENSE", "Changelog.md"} < inputs.left_out.keys()


def test_a_folder_without_transcripts(tree: Path, run_command: RunCommand) -> None:
    Path("none").mkdir()
    Path("none/a.wav").touch()
    assert run_command("validate", "none") == (
        2, "", "formats: error: none: expected files of transcripts, found none, but 1 .wav\n",
    )  # fmt: skip


def test_a_process_that_is_killed_costs_its_files_alone(tree: Path) -> None:
    for name in "xyz":
        (tree / f"talks/{name}.stm").write_text(STM)

    def action(_: object, account: InputAccount) -> None:
        if account.input.below == "b/c.stm":
            assert account.is_elsewhere
            os.kill(os.getpid(), signal.SIGKILL)
        account.words = 1

    accounts = for_each(expand(["talks"]), action, 2)
    assert [(one.input.below, one.words, one.status) for one in accounts] == [
        ("a.srt", 1, 0), ("b/c.stm", 0, 2), ("x.stm", 1, 0), ("y.stm", 0, 2), ("z.stm", 1, 0),
    ]  # fmt: skip
    assert worst(accounts) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes")
def test_an_interrupted_run_leaves_whole_files_only(tree: Path) -> None:
    os.mkfifo("pipe.stm")
    started = subprocess.Popen(
        [sys.executable, "-m", "formats", "convert", "talks/b/c.stm", "pipe.stm", "out/",
         "--to", "trn", "--jobs", "2"],
        env={**os.environ, "PYTHONPATH": REPOSITORY},
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    with open("pipe.stm", "wb") as pipe:  # waits until it is being read
        pipe.write(STM.encode())
        pipe.flush()
        started.terminate()
        assert started.wait() == 128 + signal.SIGTERM
    whole = "hello world (anne-000)\nx (bob-000)\n"
    found = written() if Path("out").exists() else {}
    assert found in ({}, {"c.trn": whole})


def test_members_are_read_in_any_order_and_twice(tree: Path) -> None:
    for name in ("t.zip", "t.tgz"):
        with closing(Archive(pack(name))) as archive:
            assert set(archive.names) >= {"a.srt", "b/c.stm"}
            for inner in ("b/c.stm", "a.srt", "b/c.stm"):
                assert archive.open(inner).read() == TREE[inner].encode()


def tar_of(*members: tuple[str, dict[str, object]]) -> bytes:
    """A tar archive with members of such attributes, each with the same content."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for name, attributes in members:
            entry = tarfile.TarInfo(name)
            entry.size = 0 if "type" in attributes else len(STM)
            for attribute, value in attributes.items():
                setattr(entry, attribute, value)
            tar.addfile(entry, io.BytesIO(STM.encode()))
    return data.getvalue()


FILE: dict[str, object] = {}
GOOD = tar_of(("a.stm", FILE), ("b.stm", FILE))
ONLY = "expected an archive that holds only files and folders, found "
SEVERAL = "expected one archive: unpack it, found several, one after another"
WHOLE = "expected a whole zip or tar archive (plain or of gzip), found damage"


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (tar_of(("a.stm", FILE), ("b", {"type": tarfile.SYMTYPE, "linkname": "/etc/passwd"})),
         f'{ONLY}a link or device: "b"'),
        (tar_of(("a.stm", FILE), ("b", {"type": tarfile.LNKTYPE, "linkname": "a.stm"})),
         f'{ONLY}a link or device: "b"'),
        (tar_of(("b", {"type": tarfile.CHRTYPE})), f'{ONLY}a link or device: "b"'),
        (tar_of(("b", {"type": tarfile.FIFOTYPE})), f'{ONLY}a link or device: "b"'),
        (tar_of(("x/../../b.stm", FILE)), f'{ONLY}a name that leads out of the archive: "x/../../b.stm"'),
        (tar_of(("/b.stm", FILE)), f'{ONLY}a name that leads out of the archive: "/b.stm"'),
        (tar_of(("C:b.stm", FILE)), f'{ONLY}a name that leads out of the archive: "C:b.stm"'),
        (tar_of(("..\\b.stm", FILE)), f'{ONLY}a name that leads out of the archive: "..\\b.stm"'),
        (tar_of(("a.stm", FILE), ("./a.stm", FILE)), f'{ONLY}the same name twice: "./a.stm"'),
        (tar_of(("x/a.stm", FILE), ("x/.//a.stm", FILE)), f'{ONLY}the same name twice: "x/.//a.stm"'),
        (tar_of(("././C:b.stm", FILE)), f'{ONLY}a name that leads out of the archive: "././C:b.stm"'),
        (tar_of((".", FILE)), f'{ONLY}a name that leads out of the archive: "."'),
        (GOOD[: 2 * BLOCK], f"{WHOLE} (no end of the archive)"),
        (GOOD[: 2 * BLOCK] + b"?" * BLOCK + GOOD[3 * BLOCK :], f"{WHOLE} (no end of the archive)"),
        (GOOD[: BLOCK + 5], f"{WHOLE} (unexpected end of data)"),
        (gzip.compress(GOOD)[:-20], f"{WHOLE} (Compressed file ended"),
        (GOOD + tar_of(("c.stm", FILE)), SEVERAL),
        (gzip.compress(GOOD) + gzip.compress(tar_of(("c.stm", FILE))), SEVERAL),
        (b"hello" * 200, f"{WHOLE} (invalid header)"),
        (b"", f"{WHOLE} (empty file)"),
    ],
    ids=[
        "symbolic link", "hard link", "device", "pipe", "dots", "root", "drive", "backslash", "twice",
        "twice in folders", "drive after points", "no name",
        "cut", "damaged", "cut in a file", "cut gzip", "concatenated", "concatenated gzip", "text",
        "nothing",
    ],
)  # fmt: skip
def test_tars_that_are_refused(tree: Path, run_command: RunCommand, data: bytes, told: str) -> None:
    Path("t.tar").write_bytes(data)
    status, output, errors = run_command("validate", "t.tar")
    assert (status, output) == (2, "")
    assert errors.startswith(f"formats: error: t.tar: {told}")
    assert errors.count("\n") == 1


def zip_of(name: str, data: bytes = STM.encode(), attributes: int = 0, flags: int = 0) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        entry = zipfile.ZipInfo(name)
        entry.external_attr = attributes << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
        entry.flag_bits |= flags
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (zip_of("a.stm") + zip_of("b.stm"), f": {SEVERAL}"),
        (zip_of("b", attributes=0o120777), f': {ONLY}a link or device: "b"'),
        (zip_of("../b.stm"), f': {ONLY}a name that leads out of the archive: "../b.stm"'),
        (zip_of("b.stm", flags=1), f': {ONLY}an encrypted file: "b.stm"'),
        (b"hello", f": {WHOLE} (File is not a zip file)"),
        (zip_of("b.stm")[:-30], f": {WHOLE} (File is not a zip file)"),
        (zip_of("b.stm").replace(b"\x08\x00", b"\x63\x00"), f"/b.stm: {WHOLE} (That compression"),
    ],
    ids=["concatenated", "link", "dots", "encrypted", "text", "cut", "another compression"],
)
def test_zips_that_are_refused(tree: Path, run_command: RunCommand, data: bytes, told: str) -> None:
    Path("t.zip").write_bytes(data)
    status, output, errors = run_command("validate", "t.zip", "--quiet")
    assert (status, output) == (2, "")
    assert errors.startswith(f"formats: error: t.zip{told}")


def test_points_in_names_hide_nothing(tree: Path) -> None:
    for name, data in (("t.tar", tar_of(("x/./a.stm", FILE))), ("t.zip", zip_of("x/./a.stm"))):
        Path(name).write_bytes(data)
        found = expand([name])
        assert ([one.below for one in found.files], found.left_out) == (["x/a.stm"], {})


def test_a_damaged_member_costs_itself_alone(tree: Path, run_command: RunCommand) -> None:
    with zipfile.ZipFile("t.zip", "w") as packed:
        packed.writestr("a.stm", STM)
        packed.writestr("b.stm", STM)
    data = Path("t.zip").read_bytes()
    Path("t.zip").write_bytes(data.replace(b"world", b"w0rld", 1))
    status, output, errors = run_command("validate", "t.zip", "--quiet")
    assert (status, output) == (2, "t.zip/b.stm: stm, 2 segments, 3 words\n")
    assert errors.startswith(f"formats: error: t.zip/a.stm: {WHOLE} (Bad CRC-32")


@pytest.mark.parametrize("name", ["bomb.zip", "bomb.tgz"])
def test_bombs(
    tree: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("formats.io.archive.RATIO_COUNTS_FROM", 1 << 16)
    zeros = bytes(1 << 20)
    if name == "bomb.zip":
        Path(name).write_bytes(zip_of("a.stm", zeros))
    else:
        with tarfile.open(name, "w:gz") as tar:
            entry = tarfile.TarInfo("a.stm")
            entry.size = len(zeros)
            tar.addfile(entry, io.BytesIO(zeros))
    told = f"formats: error: {name}: expands more than 200-fold, which no archive of transcripts does\n"
    assert run_command("validate", name) == (2, "", told)


def test_headers_that_claim_much_are_not_taken_into_memory(
    tree: Path, run_command: RunCommand
) -> None:
    entry = tarfile.TarInfo("a")
    entry.type, entry.size = tarfile.GNUTYPE_LONGNAME, 1 << 30
    Path("t.tar").write_bytes(entry.tobuf(tarfile.GNU_FORMAT) + bytes(4 * BLOCK))
    assert run_command("validate", "t.tar") == (
        2, "", "formats: error: t.tar: a header of more than 4194304 bytes\n",
    )  # fmt: skip


def test_archives_of_too_many_members(
    tree: Path, run_command: RunCommand, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formats.io.archive.MOST_MEMBERS", 1)
    assert run_command("validate", pack("t.zip")) == (
        2, "", "formats: error: t.zip: more than 1 members: unpack it\n",
    )  # fmt: skip
