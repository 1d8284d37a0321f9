"""What is stopped, or cannot write, leaves whole files or none: asclite, csrfilt.sh, hubscr.pl."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.judges.hub.hubscr import MAP

STM = b"f A amy 0 2 <o,f> the grey boat\nf A bob 1 4 <o,m> no today (uh)\n"
CTM = b"f A 0.1 0.2 the 0.9\nf A 0.5 0.2 gray 0.9\nf A 1.0 0.3 goat 0.2\nf A 2.5 0.2 no 1.0\n"
HUB = ["hubscr.pl", "-l", "english", "-h", "hub5", "-g", "g.glm", "-r", "r.stm", "h.ctm"]
ASCLITE = ["asclite", "-r", "r.stm", "stm", "-h", "h.ctm", "ctm", "-o", "sgml", "rsum", "-O"]
FILES = {"g.glm": MAP, "r.stm": STM, "h.ctm": CTM}
SIGNALS = (signal.SIGINT, signal.SIGTERM)
needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="signals are others there")
LINE = b"f A amy 0 2 the grey boat\n"
MANY = 10_000  # lines, more than a pipe holds
SEGMENTS = 2_000  # scored with a line each on standard output, more than a pipe holds


def started(words: list[str], folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "scoring.cli.nist.sctk", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[4])},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def stopped(run: subprocess.Popen[bytes], sent: signal.Signals, *programs: str) -> bytes:
    """Send a signal; what the program has printed and nobody read."""
    run.send_signal(sent)
    return ended(run, sent, *programs)


def ended(run: subprocess.Popen[bytes], sent: signal.Signals, *programs: str) -> bytes:
    """Wait for the end of one of the programs that was sent a signal; what it printed unread."""
    try:
        output, said = run.communicate(timeout=300)
    finally:
        run.kill()
        run.wait()
    assert run.returncode == 128 + sent
    assert b"Traceback" not in said
    names = tuple(f"{program}: interrupted\n".encode() for program in programs)
    assert sent == signal.SIGTERM or said.endswith(names)
    return output


@needs_signals
@pytest.mark.parametrize("sent", SIGNALS)
def test_a_stopped_filter_prints_nothing(sent: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "g.glm").write_bytes(MAP)
    run = started(["csrfilt.sh", "-i", "stm", "g.glm"], tmp_path)
    assert run.stdin is not None
    run.stdin.write(MANY * LINE)  # ends when most of it is read
    assert stopped(run, sent, "csrfilt.sh") == b""


def opened(pipe: Path, run: subprocess.Popen[bytes]) -> int:
    """Our end of a pipe, once the program has opened the other."""
    while run.poll() is None:
        with contextlib.suppress(OSError):
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    raise AssertionError(run.communicate())


@needs_signals
@pytest.mark.parametrize("sent", SIGNALS)
def test_a_stopped_alignment_leaves_no_report(sent: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "r.stm").write_bytes(STM)
    os.mkfifo(tmp_path / "h.ctm")
    run = started([*ASCLITE, "."], tmp_path)
    pipe = opened(tmp_path / "h.ctm", run)
    os.write(pipe, CTM[:40])
    run.send_signal(sent)
    os.close(pipe)  # a signal just before the program waits for more is seen when the wait ends
    ended(run, sent, "asclite")
    assert {*os.listdir(tmp_path)} == {"r.stm", "h.ctm"}


@needs_signals
def test_a_stopped_chain_leaves_whole_files(tmp_path: Path) -> None:
    times = [3 * number for number in range(SEGMENTS)]
    stm = "".join(f"f A amy {begin} {begin + 2} the grey boat\n" for begin in times)
    ctm = "".join(f"f A {begin + place} 0.2 {word}\n" for begin in times
                  for place, word in ((0.1, "the"), (0.5, "gray"), (1.1, "coat")))  # fmt: skip
    left: list[dict[str, bytes]] = []
    for sent in (None, *SIGNALS):
        folder = tmp_path / str(sent)
        folder.mkdir()
        for name, content in (("g.glm", MAP), ("r.stm", stm.encode()), ("h.ctm", ctm.encode())):
            (folder / name).write_bytes(content)
        run = started(HUB, folder)
        if sent is None:
            run.communicate(timeout=300)
            assert run.returncode == 0
        else:
            assert run.stdout is not None
            # it cannot end before the signal: nobody reads what it says after this line
            assert any(b"'h.ctm'" in line for line in run.stdout)
            stopped(run, sent, "hubscr.pl", "csrfilt.sh")  # the step at which it is stopped
        left.append({path.name: path.read_bytes() for path in folder.iterdir()})
    whole, *others = left
    for found in others:
        assert {*found} < {*whole}
        assert {name: whole[name] for name in found} == found


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
@pytest.mark.parametrize("program", ["csrfilt.sh", "asclite"])
def test_a_full_device_is_an_error(program: str, tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    words = ["csrfilt.sh", "-i", "stm", "g.glm"]
    if program == "asclite":
        words = [*ASCLITE[:-1], "stdout"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "scoring.cli.nist.sctk", *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[4])},
            input=STM,
            stdout=full,
            stderr=subprocess.PIPE,
        )
    assert done.returncode == 2
    problem = "standard output: cannot be written: No space left on device"
    assert done.stderr.splitlines()[-1].decode() == f"{program}: {problem}"
    assert {*os.listdir(tmp_path)} == {*FILES}


def test_a_folder_that_is_none_gets_no_files(tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    (tmp_path / "taken").write_bytes(b"a file")
    run = started([*HUB[:-1], r"h.ctm\#title\#taken/h"], tmp_path)
    _, said = run.communicate(timeout=300)
    assert run.returncode not in (0, 1)
    assert b"Traceback" not in said
    assert b"taken/h" in said.splitlines()[-1]
    assert {*os.listdir(tmp_path)} == {*FILES, "taken", "r.stm.filt"}
    assert (tmp_path / "taken").read_bytes() == b"a file"
