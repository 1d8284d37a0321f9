"""Standard streams that are closed, full or broken, for every command there is.

What was to go to standard output and could not is told, and the status is not 0; standard error
carries no results, so what is lost there changes nothing. There is never a traceback.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pytest

from tests.each_case import each_case
from tests.forks import shared_forks

ROOT = Path(__file__).parents[3]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": ""}
FULL = "/dev/full"
CLOSED = ("<&-", ">&-", "2>&-")
pytestmark = pytest.mark.skipif(not os.path.exists(FULL), reason="needs a device that is full")

TRN = "the cat sat (a-1)\non a mat (a-2)\n"
SYSTEM = """\
<SYSTEM title="{0}" ref_fname="r" hyp_fname="{0}" creation_date="d" format="2.4" frag_corr="FALSE" \
opt_del="FALSE" weight_ali="FALSE" weight_filename="">
<SPEAKER id="a">
<PATH id="(a-1)" word_cnt="1" sequence="0" R_T1="0.0" R_T2="0.0" word_aux="">
C,"the","the"
</PATH>
</SPEAKER>
</SYSTEM>
"""
FILES = {
    "r.trn": TRN,
    "h.trn": TRN.replace("cat", "hat"),
    "p.trn": "dh k s (a-1)\no n (a-2)\n",
    "lexicon.txt": "the dh\ncat k\nsat s\non o n\na ah\nmat m\n",
    "a.ctm": "m a 0.0 0.5 x\nm a 0.5 0.5 y\n",
    "b.ctm": "m a 0.0 0.5 x\nm a 0.5 0.5 z\n",
    "text.txt": "A Cat!\n",
    "r.txt": "a cat",
    "h.txt": "a hat",
    "entities.json": '{"cat": 1}',
    "k.ref": "u1 a b\n",
    "k.hyp": "u1 a c\n",
    "k.ali": "u1 a a ; b c\n",
    "x.sgml": SYSTEM.format("one") + SYSTEM.format("two"),
    "x.ecf": '<ecf source_signal_duration="10" language="" version="">\n<excerpt audio_filename='
    '"a.sph" channel="1" tbeg="0" dur="10" source_type="bnews"/>\n</ecf>\n',
    "x.kwlist": '<kwlist ecf_filename="x" language="english" encoding="UTF-8" compareNormalize='
    '"lowercase" version="1">\n<kw kwid="K1"><kwtext>cat</kwtext></kw>\n</kwlist>\n',
    "x.rttm": "LEXEME a 1 1.0 0.5 cat lex anne <NA>\n",
    "x.kwslist": '<kwslist kwlist_filename="x" language="english" system_id="s">\n'
    '<detected_kwlist kwid="K1" search_time="1" oov_count="0"><kw file="a" channel="1" '
    'tbeg="1.0" dur="0.5" score="0.9" decision="YES"/></detected_kwlist>\n</kwslist>\n',
}

SCLITE = "scoring.cli.nist.sclite -r r.trn trn -h h.trn trn -i spu_id"
SC_STATS = "scoring.cli.nist.sc_stats -p -t mapsswe -u -n -"
WER = "scoring wer r.trn h.trn"
KWS = "scoring kws -e x.ecf -t x.kwlist -r x.rttm -s"
COMPUTE_WER = "compute-wer ark:k.ref ark:k.hyp"
TOOLS = "scoring.serve.benchmarkstt_tools"
# The module of each command, and arguments that make it write to standard output.
COMMANDS = (
    f"{SCLITE} -o pra stdout",
    f"{SCLITE} -o pra",
    SC_STATS,
    "scoring.cli.nist.sctk help",
    "scoring.cli.nist.rover -h a.ctm ctm -h b.ctm ctm -o o.ctm -m meth1",
    "formats convert r.trn - --to txt",
    "formats detect r.trn",
    "formats info r.trn",
    "formats list",
    "formats validate r.trn",
    "formats convert --help",
    "scoring --help",
    WER,
    "scoring wer --help",
    *(f"{WER} --{report} -" for report in ("json", "html")),
    f"{WER} --shard 1/2 --shard-output -",
    "scoring diff r.trn h.trn",
    "scoring beer r.trn h.trn --entity-weights entities.json",
    "scoring compare r.trn h.trn --reference r.trn",
    "scoring per r.trn p.trn --lexicon lexicon.txt",
    "scoring normalize --normalize plain text.txt",
    "scoring normalize --list",
    "scoring events a.ctm b.ctm",
    "scoring serve --list-methods",
    f"{KWS} x.kwslist",
    "scoring kaldi --help",
    f"scoring kaldi {COMPUTE_WER}",
    "scoring kaldi align-text ark:k.ref ark:k.hyp ark,t:-",
    "scoring kaldi per-utt <k.ali",
    f"scoring.cli.peers.kaldi {COMPUTE_WER}",
    "scoring.cli.peers.benchmarkstt -r r.txt -h h.txt --wer --lowercase",
    "scoring.cli.peers.benchmarkstt --help",
    f"{TOOLS} normalization -i r.txt --lowercase",
    f"{TOOLS} metrics -r r.txt -h h.txt --wer",
)
# Commands that have something to say on standard error.
REFUSED = (
    "scoring.cli.nist.sclite -r none trn -h none trn -i spu_id", "scoring.cli.nist.sclite -x",
    "scoring.cli.nist.sc_stats -x", "scoring.cli.nist.rover -x", "scoring.cli.nist.sctk none",
    "formats detect none", "formats detect --none", "scoring none", "scoring wer none none",
    "scoring wer --none", "scoring kaldi none", "scoring kaldi compute-wer ark:none ark:none",
    "scoring kaldi compute-wer --help", "scoring.cli.peers.benchmarkstt --none",
    "scoring.cli.peers.benchmarkstt -r none -h none --wer", f"{TOOLS} none",
)  # fmt: skip
# Commands that read standard input.
READERS = (
    "scoring.cli.nist.sclite -P -o sum stdout", SC_STATS, "formats detect -", "formats convert - o.txt",
    "scoring wer - h.trn", "scoring diff r.trn -", "scoring per - p.trn --lexicon lexicon.txt",
    "scoring normalize --normalize plain", "scoring events - b.ctm", f"{KWS} -",
    "scoring kaldi compute-wer ark:- ark:k.hyp", "scoring kaldi per-utt",
    f"{TOOLS} normalization --lowercase",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("streams")
    for name, text in FILES.items():
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture(scope="module")
def broken() -> Iterator[int]:
    """The end for writing of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.fixture(scope="module")
def full() -> Iterator[int]:
    """A device on which no space is left."""
    device = os.open(FULL, os.O_WRONLY)
    yield device
    os.close(device)


class Run(Protocol):
    """Runs a command; a stream is captured unless it is handed over or closed."""

    def __call__(
        self,
        command: str,
        closed: str = "",
        *,
        stdout: int | None = None,
        stderr: int | None = None,
    ) -> tuple[int, bytes, bytes]: ...


@pytest.fixture(scope="module")
def run(folder: Path) -> Run:
    def run(
        command: str, closed: str = "", *, stdout: int | None = None, stderr: int | None = None
    ) -> tuple[int, bytes, bytes]:
        with (
            open(folder / "x.sgml") as stdin,
            tempfile.TemporaryFile() as output,
            tempfile.TemporaryFile() as errors,
        ):
            streams = {0: stdin.fileno(), 1: output.fileno(), 2: errors.fileno()}
            streams |= {n: stream for n, stream in ((1, stdout), (2, stderr)) if stream is not None}
            without = [CLOSED.index(closed)] if closed else []
            for number in without:
                del streams[number]
            words = shlex.split(command.partition("<")[0])
            if "<" in command and 0 in streams:
                streams[0] = os.open(folder / command.partition("<")[2], os.O_RDONLY)
            status = shared_forks().run(
                words, folder, streams, environment=ENVIRONMENT, closed=without
            )
            if streams.get(0, stdin.fileno()) != stdin.fileno():
                os.close(streams[0])
            texts = [os.pread(file.fileno(), 1 << 24, 0) for file in (output, errors)]
        assert b"Traceback" not in texts[1], texts[1]
        assert b"Exception ignored" not in texts[1], texts[1]
        return status, texts[0], texts[1]

    return run


@each_case(
    ("command", "closed"),
    zip(("formats detect -", WER, "scoring wer none none"), CLOSED, strict=True),
)
def test_a_fork_has_closed_streams_as_python_has(
    command: str, closed: str, folder: Path, run: Run
) -> None:
    line = ["/bin/sh", "-c", f"'{sys.executable}' -m {command} {closed}"]
    done = subprocess.run(line, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    assert run(command, closed) == (done.returncode, done.stdout, done.stderr)


@pytest.mark.share(8)
@pytest.mark.parametrize("command", COMMANDS)
def test_lost_output_is_told(command: str, run: Run, broken: int, full: int) -> None:
    status, output, _ = run(command, "2>&-")
    assert (status, bool(output)) == (0, True)
    for closed, stdout, reason in (
        (">&-", None, "it is closed"),
        ("", full, "[Nn]o space left on device"),
    ):
        status, _, errors = run(command, closed, stdout=stdout)
        assert status in (1, 2), reason
        assert re.fullmatch(
            f"[a-z].*: (standard output|<stdout>): cannot be written: {reason}",
            errors.decode("utf-8").splitlines()[-1],
        )
    status, _, errors = run(command, stdout=broken)
    assert status == 128 + signal.SIGPIPE
    assert b"output" not in errors


@pytest.mark.share(4)
@pytest.mark.parametrize("command", REFUSED)
def test_lost_messages_change_nothing(command: str, run: Run, broken: int, full: int) -> None:
    status, output, _ = run(command)
    assert run(command, "2>&-") == (status, output, b"")
    for stderr in (full, broken):
        assert run(command, stderr=stderr) == (status, output, b"")


@each_case("command", READERS)
def test_input_that_cannot_be_read_is_told(command: str, folder: Path, run: Run) -> None:
    # Python itself refuses to start on a folder
    line = ["/bin/sh", "-c", f"'{sys.executable}' -m {command} </"]
    done = subprocess.run(line, cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    for status, output, errors in (
        run(command, "<&-"),
        (done.returncode, done.stdout, done.stderr),
    ):
        assert status not in (0, 3, 141)
        assert re.search(b"<stdin>|standard input", errors)
        assert b"standard output" not in errors
        assert b"%WER" not in output


def test_no_file_takes_the_place_of_a_closed_stream(folder: Path) -> None:
    """What the Python below writes to standard output would land in the first file opened."""
    said = "import sys, os; from formats.console.process import hold_standard_streams as hold; hold(); "
    said += "sys.exit(os.open(os.devnull, os.O_WRONLY))"
    for closed in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-"):
        line = f"'{sys.executable}' -c '{said}' {closed}"
        assert subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, check=False).returncode > 2


def test_signals_that_are_ignored_stay_so() -> None:
    """As under `nohup`, which ignores the end of the terminal."""
    code = "import signal, formats.console.process as p; p.end_on_signals(); "
    code += "print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    line = f"trap '' HUP; '{sys.executable}' -c '{code}'"
    done = subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, check=True, capture_output=True)
    assert done.stdout == b"True\n"


@pytest.mark.skipif(not hasattr(os, "openpty"), reason="needs a terminal")
@pytest.mark.parametrize(
    "words",
    [
        ["normalize", "--normalize", "casefold", "a\u202e.txt"],
        ["diff", "a\u202e.txt", "b.txt", "-f", "json"],
        ["diff", "a\u202e.txt", "b.txt"],
        ["wer", "a\u202e.txt", "b.txt", "c\u202e.txt", "--per-utterance"],
    ],
    ids=" ".join,
)
def test_a_terminal_gets_no_controls_of_direction(words: list[str], tmp_path: Path) -> None:
    import pty

    (tmp_path / "a\u202e.txt").write_text("the \u202ecat \u2066sat", "utf-8")
    (tmp_path / "b.txt").write_text("the cat \u2067sat", "utf-8")
    (tmp_path / "c\u202e.txt").write_text("the cat", "utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "scoring", *words]
    run = subprocess.run(command, stdout=theirs, stderr=subprocess.PIPE, cwd=tmp_path, check=False)
    os.close(theirs)
    written = b""
    with contextlib.suppress(OSError):
        while piece := os.read(ours, 65536):
            written += piece
    os.close(ours)
    assert run.returncode == 0, run.stderr
    assert b"\\u202e" in written
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", written.decode("utf-8"))


@pytest.mark.share(6)
@pytest.mark.parametrize(
    "module",
    ["nist.sclite", "nist.rover", "nist.sctk", "scoring", "peers.benchmarkstt", "tasks.md_eval"],
)
def test_an_unknown_core_is_one_line(module: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"scoring.cli.{module}"],
        env={**ENVIRONMENT, "SCORING_ALIGN": "nativ"},
        capture_output=True,
        text=True,
        check=False,
    )
    message = "scoring: error: SCORING_ALIGN: expected native or plain, found 'nativ'\n"
    assert (run.returncode, run.stderr) == (2, message)
