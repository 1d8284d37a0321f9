"""What a killed process leaves beside its output is removed by the next, and nothing else is."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import formats
from formats.io import temporary
from formats.io.sink import open_sink
from formats.io.temporary import create_beside, folder_beside

KILLED = "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"
WRITERS = {
    "one file": """
from formats.io.sink import open_sink
sink = open_sink("out.txt")
sink.write("x")
{kill}
""",
    "a folder": """
from formats.io.sink import open_sink
sink = open_sink("folder/")
sink.beside("text").write("x")
{kill}
""",
    "a report": """
from scoring.model.outputs import put
def chunks():
    yield b"x"
    {kill}
put("out.txt", chunks())
""",
}
pytestmark = pytest.mark.skipif(os.name != "posix", reason="asks for processes by signal 0")


def run_killed(code: str) -> None:
    done = subprocess.run([sys.executable, "-c", code.replace("{kill}", KILLED)], check=False)
    assert done.returncode == -signal.SIGKILL


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder of our own that this process has not tidied yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(Path(formats.__file__).parents[1]))
    monkeypatch.setattr(temporary, "_tidied", set())


@pytest.mark.parametrize("writer", WRITERS)
def test_what_a_killed_writer_left_is_removed_by_the_next_run(writer: str) -> None:
    run_killed(WRITERS[writer])
    assert len(os.listdir()) == 1
    with open_sink(os.path.abspath("other.txt")) as sink:
        sink.write("y")
    assert os.listdir() == ["other.txt"]


def test_what_a_killed_comparison_by_diff_left_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_killed(
        f"import tempfile; tempfile.tempdir = {str(tmp_path)!r}\n"
        "from scoring.alignment import side_by_side\n"
        "def kill(command):\n    {kill}\n"
        "side_by_side._run = kill\n"
        "side_by_side.side_by_side([b'a'], [b'b'])\n"
    )
    assert len(os.listdir()) == 1
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    from scoring.alignment.side_by_side import side_by_side

    assert len(side_by_side([b"a"], [b"b"])) == 1
    assert os.listdir() == []


def test_what_others_are_still_writing_stays() -> None:
    path, descriptor = create_beside(os.path.abspath("out.txt"))
    os.close(descriptor)
    machine = re.compile("-[0-9a-f]{8}-")
    own = os.path.basename(path)
    gone = own.replace(f"-{os.getpid()}-", "-999999999-")
    of_another_machine = machine.sub("-00000000-", gone)
    kept = [own, of_another_machine, own.replace(f"-{os.getpid()}-", "-1-"), ".sclite-1234-0.tmp"]
    for name in [gone, *kept]:
        Path(name).touch()
    temporary._tidied.clear()
    made, descriptor = create_beside(os.path.abspath("out.txt"))
    os.close(descriptor)
    assert sorted(os.listdir()) == sorted([*kept, os.path.basename(made)])


def test_names_are_never_taken_twice_and_folders_can_be_of_long_names() -> None:
    long = os.path.abspath("x" * 255)
    made = [folder_beside(long), folder_beside(long)]
    path, descriptor = create_beside(long)
    os.close(descriptor)
    assert len({*made, path}) == 3


@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="shows no start of a process")
def test_files_of_a_number_that_was_given_again_are_removed() -> None:
    """A process that began a day after the last change of a file did not create it."""
    path, descriptor = create_beside(os.path.abspath("out.txt"))
    os.close(descriptor)
    old = os.path.basename(path).replace("-0.tmp", "-7.tmp")
    Path(old).touch()
    os.utime(old, (0, time.time() - 2 * 86400))
    temporary._tidied.clear()
    fresh, descriptor = create_beside(os.path.abspath("out.txt"))
    os.close(descriptor)
    assert sorted(os.listdir()) == sorted(map(os.path.basename, [path, fresh]))


def test_files_of_other_machines_are_removed_after_a_month() -> None:
    names = {days: f".sclite-kit-00000000-1-{days}.tmp" for days in (0, 29, 31)}
    for days, name in names.items():
        Path(name).touch()
        os.utime(name, (0, time.time() - days * 86400))
    path, descriptor = create_beside(os.path.abspath("out.txt"))
    os.close(descriptor)
    assert sorted(os.listdir()) == sorted([os.path.basename(path), names[0], names[29]])
