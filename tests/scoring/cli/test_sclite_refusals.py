"""Odd input and output: one clear line or what the original does, never a traceback or half a file."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.judges.sclite.programs import Ours, run_in, shared_ours
from tests.programs import forked, python

ROOT = Path(__file__).resolve().parents[3]
TRN = ["-r", "ref", "-h", "hyp", "-i", "spu_id", "-f", "0", "-o", "sgml"]
TIMED = ["-r", "ref", "stm", "-h", "hyp", "ctm", "-f", "0", "-o", "sgml"]
STM = b"f 1 s 0 1 a b\n"
CTM = b"f 1 0.1 0.2 a\nf 1 0.4 0.2 b\n"


@pytest.fixture(scope="module")
def ours() -> Ours:
    return shared_ours()


def sclite(
    folder: Path, *arguments: str, preexec_fn: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    if preexec_fn is None:
        return forked(folder, "scoring.cli.nist.sclite", *arguments)
    return python(
        "-m scoring.cli.nist.sclite", *arguments, cwd=folder, timeout=300, preexec_fn=preexec_fn
    )


def scored(
    folder: Path, reference: bytes, hypothesis: bytes, *arguments: str
) -> tuple[int, bytes, str]:
    """Status, standard output and error text of a run on two files."""
    (folder / "ref").write_bytes(reference)
    (folder / "hyp").write_bytes(hypothesis)
    done = sclite(folder, *arguments)
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout, done.stderr.decode("latin-1")


def slots(folder: Path) -> list[str]:
    lines = (folder / "hyp.sgml").read_text("latin-1").splitlines()
    return [lines[at + 1] for at, line in enumerate(lines) if line.startswith("<PATH")]


@each_case(
    ("reference", "hypothesis", "arguments", "status", "error"),
    [
        # --- trn ---
        (b"a (s-1)\n", b"", TRN, 0, "sclite: warning: ref: 1 of 1 references have no hypothesis and are not scored: (s-1)\n"),
        (b"", b"a (s-1)\n", TRN, 1, "sclite: warning: hyp:1:1: expected an identifier of ref, found '(s-1)'\nError: Not enough Reference files loaded\nMissing:\n"),
        (b"a (s-1)\n", b"\x7fELF\x00\x01\x02(", TRN, 0, "sclite: warning: hyp:1:5: found a NUL byte, the rest of the line is not read (1 in the file)\nsclite: warning: hyp:1:1: the last line does not end in a newline and is not read\nsclite: warning: ref: 1 of 1 references have no hypothesis and are not scored: (s-1)\n"),
        (b"a (s-1)\n", b"a (s-1\n", TRN, 1, "Error: Unparsable utterance id a (s-1\n\n"),
        (b"a\nb (s-1)\n", b"b\n", TRN, 0, "sclite: warning: ref: 1 of 2 references have no hypothesis and are not scored: (s-1)\nError: extract_speaker can't locate SPU_ID id \n"),
        (b"a (s-1)\n", b"a (s-1)\nb (s-1)\n", TRN, 1, "sclite: warning: hyp:2:1: expected a new identifier, found '(s-1)' of line 1\nError: Not enough Reference files loaded\nMissing:\n    (s-1)\n"),
        (b"a (s-1)\nb (s-1)\n", b"a (s-1)\n", TRN, 1, "Error: double reference text for id '(s-1)'\n"),
        (b"a (s-1)\n", b"a (s-1)\nb (s-2)\n", TRN, 1, "sclite: warning: hyp:2:1: expected an identifier of ref, found '(s-2)'\nError: Not enough Reference files loaded\nMissing:\n"),
        (b"a (s-1)\n", b"f 1 0 1 a\nf 1 1 1 b\n", TRN, 1, "".join(f'sclite: warning: hyp:{line}:1: expected "(id)" at the end of the line, found none; not a trn? Name its format after it\n' for line in (1, 2)) + "Error: Not enough Reference files loaded\nMissing:\n"),
        (b"x { a / b (s-1)\n", b"x a (s-1)\n", TRN, 0, "sclite: warning: ref:1:3: expected a closing brace, found none; the rest of the text is dropped\n"),
        (b"a { } (s-1)\n", b"x a (s-1)\n", TRN, 1, "sclite: ref:1:3: expected alternatives, found '{ }'\n"),
        (b"b (s-2)\na x{a/b} (s-1)\n", b"x a (s-1)\nb (s-2)\n", TRN, 1, "sclite: ref:2:4: found a brace inside the word 'x{a/b}'\n"),
        # --- stm and ctm ---
        (b"f 1 s 0 1 a b\n;;", CTM, TIMED, 0, "sclite: warning: ref:2:1: found a comment without line feed, which sclite reads as a segment\n"),
        (STM, b"", TIMED, 0, "align_ctm_to_stm: Hyp files ends before ref but continuing for ref file/channel 'f' '1'.\n"),
        (STM, b"f 1 0.1 a\n", TIMED, 1, "sclite: hyp:1:10: expected at least five fields (file, channel, begin, duration, word), found 4\n"),
        (STM, b"f 1 0.1 zero a\n", TIMED, 0, "sclite: warning: hyp:1: expected begin and duration in seconds, found something else, which counts as 0; not a ctm? Name its format after it\n"),
        (STM, b"f 1 0.4 0.2 b\nf 1 0.1 0.2 a\n", TIMED, 0, ""),
        (STM, b"f 1 -0.4 0.2 b\n", TIMED, 0, ""),
        (STM, CTM.replace(b"\n", b"\r\n"), TIMED, 0, "sclite: warning: hyp:1: found a carriage return, which becomes part of the last field (2 in the file)\n"),
        (b"f 1 s 2 1 a b\n", CTM, TIMED, 0, ""),
        (b"f 1 s 0\n", CTM, TIMED, 1, "sclite: ref:1:8: expected at least five fields (file, channel, speaker, begin, end), found 4\n"),
        (b"f 1 s 0 1 {a / b\n", CTM, TIMED, 0, "sclite: warning: ref:1:11: expected a closing brace, found none; the rest of the text is dropped\n"),
        (b"f 1 s 0 1 <unk> b\nf 1 s 1 2 c\n", CTM, TIMED, 0, "sclite: warning: ref: 1 texts begin with a word in angle brackets that counts as labels and is not scored: <unk>\n"),
        (STM, b"g 1 0.1 0.2 a\n", TIMED, 1, "align_ctm_to_stm: File identifiers do not match but continuing. ref file/channel 'f' '1', next hyp 'g' '1'.\nalign_ctm_to_stm: Error: Hyp file has more data than ref file, beginning at hyp file/channel 'g' '1'.\nsclite: Alignment failed.  Exiting.\n"),
        (STM, CTM + b"f 1 * * <ALT_BEGIN>\nf 1 0.7 0.1 c\n", TIMED, 0, "sclite: warning: hyp: an alternation is not closed by <ALT_END>\n"),
    ],
)  # fmt: skip
def test_odd_input(
    ours: Ours,
    tmp_path: Path,
    reference: bytes,
    hypothesis: bytes,
    arguments: list[str],
    status: int,
    error: str,
) -> None:
    work, streams = tmp_path / "work", tmp_path / "streams"
    for folder in (work, streams):
        folder.mkdir()
    (work / "ref").write_bytes(reference)
    (work / "hyp").write_bytes(hypothesis)
    done = run_in(ours, arguments, work, streams)
    assert (done.status, done.stdout, done.stderr.decode("latin-1")) == (status, b"", error)
    assert sorted(path.name for path in work.iterdir()) == (
        ["hyp", "hyp.sgml", "ref"] if status == 0 else ["hyp", "ref"]
    )


@each_case(
    ("reference", "hypothesis", "arguments", "said"),
    [
        (STM, b"f 1 0.4 0.2 b\nf 1 0.1 0.2 a\n", TIMED, "hyp:2: found a word that begins before"),
        (STM, b"f 1 -0.4 0.2 b\n", TIMED, "hyp:1: found a negative begin or duration"),
        (STM, b"", TIMED, "hyp: the file is empty"),
        (b"f 1 s 2 1 a b\n", CTM, TIMED, "ref:1: expected an end after the begin"),
        (STM, b"a b\n;; c", ["-r", "ref", "stm", "-h", "hyp", "txt"], "hyp:2:1: a comment without"),
    ],
)
def test_what_loses_nothing_is_told_only_if_asked_for(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    reference: bytes,
    hypothesis: bytes,
    arguments: list[str],
    said: str,
) -> None:
    """Scripts compare the error stream with the original's, SCTK's own suite does."""
    *_, quiet = scored(tmp_path, reference, hypothesis, *arguments)
    monkeypatch.setenv("SCLITE_WARNINGS", "1")
    *_, asked = scored(tmp_path, reference, hypothesis, *arguments)
    assert "warning" not in quiet
    assert f"sclite: warning: {said}" in asked


LATE = b"f 1 0.1 0.2 a\n" + b"g 1 0.1 0.2 a\n" * 6000 + b"h 1 0.1 0.2 a\n\n"


@each_case(
    ("reference", "hypothesis", "blamed"),
    [
        (b"\n", b"\n", "hyp"), (b"\n" + CTM, CTM + b"\n", "hyp"), (CTM + b"\n", CTM, "ref"),
        (b"\n", LATE, "ref"), (LATE, LATE, "hyp"),
    ],
)  # fmt: skip
def test_of_two_ctm_files_with_empty_lines_the_one_read_first_is_blamed(
    tmp_path: Path, reference: bytes, hypothesis: bytes, blamed: str
) -> None:
    """The original fills its memory from the hypothesis, then from the reference, and so on."""
    arguments = ["-r", "ref", "ctm", "-h", "hyp", "ctm", "-f", "0", "-o", "sgml"]
    status, output, said = scored(tmp_path, reference, hypothesis, *arguments)
    assert status == 1
    assert output.endswith(b"; *Err: Error detected in ctm file '" + blamed.encode() + b"'\n")
    assert said.startswith(f"sclite: warning: {blamed}:")
    assert said.count("\n") == 1


@pytest.mark.parametrize("begin", [b"nan", b"inf", b"-inf"])
def test_times_that_are_no_numbers_have_no_distance(tmp_path: Path, begin: bytes) -> None:
    """The original aligns nothing then, and ends with status 0."""
    hypothesis, files = b"f a %b 1 x\nf a 1 1 y\n" % begin, ["-r", "ref", "ctm", "-h", "hyp", "ctm"]
    reference = b"f a 0 1 x\nf a 1 1 y\n"
    status, _, said = scored(tmp_path, reference, hypothesis, *files, "-T", "-o", "sgml")
    assert (status, said) == (
        1,
        "sclite: time-mediated alignment: expected times that are finite numbers\n",
    )
    assert not (tmp_path / "hyp.sgml").exists()


def test_empty_line_in_a_ctm(tmp_path: Path) -> None:
    status, output, said = scored(tmp_path, STM, b"f 1 0.1 0.2 a\n\n", *TIMED)
    assert status == 1
    assert output == (
        b"; *ERR: Conversation is empty ''.\n; *Err: Error detected in ctm file 'hyp'\n"
    )
    assert said == "sclite: warning: hyp:2:1: expected a word, found an empty line\n"


@pytest.mark.parametrize(
    ("text", "slot"),
    [
        (b"\xff\xfe a (s-1)\n", 'C,"\xff\xfe","\xff\xfe":C,"a","a"'),
        (b"a\r\nb (s-1)\r\n", None),
        (b"\xc3\xa9\xa0x (s-1)\r\n", 'C,"\xc3\xa9\xa0x","\xc3\xa9\xa0x"'),
    ],
)
def test_bytes_are_bytes(tmp_path: Path, text: bytes, slot: str | None) -> None:
    status, _, said = scored(tmp_path, text, text, *TRN)
    assert status == 0
    if slot is not None:
        assert slots(tmp_path) == [slot]
        assert said == ""


def test_byte_order_mark_is_told(tmp_path: Path) -> None:
    status, _, said = scored(tmp_path, b"a (s-1)\n", b"\xef\xbb\xbfa (s-1)\n", *TRN)
    assert (status, said) == (
        0,
        "sclite: warning: hyp:1:1: a byte order mark is read as part of the first field\n",
    )


@pytest.mark.parametrize("kind", ["trn", "timed"])
def test_folders_are_refused(tmp_path: Path, kind: str) -> None:
    (tmp_path / "hyp").mkdir()
    (tmp_path / "ref").write_bytes(STM if kind == "timed" else b"a (s-1)\n")
    done = sclite(tmp_path, *(TIMED if kind == "timed" else TRN))
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"sclite: hyp: expected a file, found a directory\n"


def test_missing_file(tmp_path: Path) -> None:
    (tmp_path / "ref").write_bytes(b"a (s-1)\n")
    done = sclite(tmp_path, *TRN)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"\nsclite: Error, Hypothesis file 'hyp' does not exist\n\n")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser can read every file")
def test_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "ref").write_bytes(b"a (s-1)\n")
    (tmp_path / "hyp").write_bytes(b"a (s-1)\n")
    (tmp_path / "hyp").chmod(0)
    done = sclite(tmp_path, *TRN)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr == b"Can't open input hypothesis file hyp\n"


def test_file_that_fails_while_it_is_read(tmp_path: Path) -> None:
    memory = "/proc/self/mem"
    if not os.path.exists(memory):
        pytest.skip("no file that opens and cannot be read")
    (tmp_path / "ref").write_bytes(b"a (s-1)\n")
    done = sclite(tmp_path, "-r", "ref", "-h", memory, "-i", "spu_id", "-f", "0", "-o", "none")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"sclite: /proc/self/mem: cannot be read: ")


def test_absent_output_folder_means_standard_output(tmp_path: Path) -> None:
    text = b"a (s-1)\n"
    status, output, said = scored(tmp_path, text, text, *TRN, "-O", "nowhere")
    assert status == 0
    assert b'C,"a","a"' in output
    assert said == (
        "sclite: warning: nowhere/hyp.sgml: No such file or directory, the report goes to "
        "standard output\n"
    )


def test_full_disk(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk."""
    text = b"".join(b"some words of text (s-%d)\n" % number for number in range(4000))
    (tmp_path / "ref").write_bytes(text)
    (tmp_path / "hyp").write_bytes(text)
    (tmp_path / "hyp.sgml").write_bytes(b"old")

    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))

    done = sclite(tmp_path, *TRN, "sum", preexec_fn=limit)
    assert done.returncode == 2
    assert done.stderr == b"sclite: hyp.sgml: cannot be written: File too large\n"
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["hyp", "hyp.sgml", "hyp.sys", "ref"]  # what was complete stays
    assert (tmp_path / "hyp.sgml").read_bytes() == b"old"


def test_full_disk_on_a_small_file_system(tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        pytest.skip("file systems cannot be mounted here")
    try:
        text = b"".join(b"some words of text (s-%d)\n" % number for number in range(4000))
        status, output, said = scored(tmp_path, text, text, *TRN, "-O", "small")
        assert (status, output) == (2, b"")
        assert said == "sclite: small/hyp.sgml: cannot be written: No space left on device\n"
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_interruption_leaves_no_half_report(tmp_path: Path) -> None:
    """A pipe as hypothesis holds the program up until the signal has come."""
    (tmp_path / "ref").write_bytes(b"a (s-1)\n")
    os.mkfifo(tmp_path / "hyp")
    run = subprocess.Popen(
        [sys.executable, "-m", "scoring.cli.nist.sclite", *TRN],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with open(tmp_path / "hyp", "wb") as pipe:  # opens once the program reads
        pipe.write(b"a (s-1)\n")
        pipe.flush()
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
    output, said = run.communicate(timeout=300)
    assert (run.returncode, output, said) == (128 + signal.SIGINT, b"", b"sclite: interrupted\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hyp", "ref"]


def test_interruption_while_writing_removes_the_temporary_file(tmp_path: Path) -> None:

    from scoring.model.outputs import write_file

    def content() -> Iterator[bytes]:
        yield b"half"
        raise KeyboardInterrupt

    target = tmp_path / "report"
    with pytest.raises(KeyboardInterrupt):
        write_file(str(target), content())
    assert list(tmp_path.iterdir()) == []


def test_written_files_keep_their_mode_and_links(tmp_path: Path) -> None:
    from scoring.model.outputs import UnopenableError, write_file

    target, link = tmp_path / "report", tmp_path / "link"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_file(str(link), [b"new"])
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640
    with pytest.raises(UnopenableError):
        write_file(str(tmp_path), [b"x"])
    write_file(os.devnull, [b"x"])


def test_narrow_lines_end(tmp_path: Path) -> None:
    """Where the original writes empty lines for ever, each line gets a word."""
    text = b"alpha beta gamma (s-1)\n"
    arguments = ["-r", "ref", "-h", "hyp", "-i", "spu_id", "-f", "0", "-o", "pra", "-l", "3"]
    status, _, said = scored(tmp_path, text, text, *arguments)
    assert (status, said) == (0, "")
    lines = (tmp_path / "hyp.pra").read_text().splitlines()
    assert [line for line in lines if "REF:" in line] == [
        "REF:  alpha ",
        ">> REF:  beta ",
        ">> REF:  gamma ",
    ]
