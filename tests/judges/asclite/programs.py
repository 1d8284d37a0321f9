"""Runs of asclite, the original's and ours, and where they may differ."""

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.cli.nist.asclite import main
from tests.judges.frame import SECONDS, limited

REMARK = b"asclite: warning: "
_DATE = re.compile(rb'creation_date="[^"]*"')
_JUDGEMENT = b"[ALIGNMENT] YES"
# The cells that were looked at: ours fills all of them, and in blocks if need be.
_TABLE = re.compile(rb"Calculated: \d+|.*Levenshtein Matrix: (?!OFF|ON).*\n|.*ArrayLevenshtein.*\n")
# Numbers that are none: 0/0, or too large for a 32-bit integer.
_UNDEFINED = re.compile(rb"-?\d*\.*\.*83\.648|\.\.\.\.?4?\.?8\b|-214748364\.8")
# The deviation of entropies that are equal: 0, or the root of what rounding leaves, which may be none.
_DEVIATION = re.compile(rb"(\|\s+S\.D\..*\|)\s*(0\.000|\?)\s*\|\n")


class Outcome(NamedTuple):
    """What one run gave; `status` is negative if a signal ended it."""

    status: int
    stdout: bytes
    stderr: bytes
    files: Mapping[str, bytes]

    def parts(self) -> dict[str, bytes]:
        """By the names of a golden's parts."""
        made = {**self.files, "stdout": self.stdout, "status": b"%d\n" % self.status}
        return {**made, "stderr": self.stderr} if self.stderr else made


class _Stream(io.TextIOWrapper):
    def __init__(self) -> None:
        super().__init__(io.BytesIO(), "latin-1", newline="")

    @property
    def content(self) -> bytes:
        self.flush()
        assert isinstance(self.buffer, io.BytesIO)
        return self.buffer.getvalue()


def run_ours(arguments: Sequence[str], folder: Path) -> Outcome:
    """Our command in this process, in a folder."""
    before, here = _files(folder), os.getcwd()
    out, err = _Stream(), _Stream()
    os.chdir(folder)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            status = main(arguments)
    finally:
        os.chdir(here)
    return _collect(status, out.content, err.content, folder, before)


def run_original(program: str, arguments: Sequence[str], folder: Path) -> Outcome:
    """The original in a folder."""
    before = _files(folder)
    done = subprocess.run(
        limited([program, *arguments], 2 * SECONDS),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={"LC_ALL": "C", "TZ": "UTC"},
    )
    return _collect(done.returncode, done.stdout, done.stderr, folder, before)


def _files(folder: Path) -> dict[str, bytes]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def _collect(
    status: int, stdout: bytes, stderr: bytes, folder: Path, before: Mapping[str, bytes]
) -> Outcome:
    made = {
        name: _DATE.sub(b'creation_date="CREATION-DATE"', content)
        for name, content in _files(folder).items()
        if name not in before
    }
    return Outcome(status, _DATE.sub(b'creation_date="CREATION-DATE"', stdout), stderr, made)


def comparable(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Parts without what is no promise: our remarks, orders in memory, inner tables, numbers that are none."""
    made = {
        name: _DEVIATION.sub(rb"\1 ? |\n", _UNDEFINED.sub(b"?", content))
        for name, content in parts.items()
    }
    lines = parts.get("stderr", b"").splitlines(keepends=True)
    lines = [line for line in lines if not line.startswith(REMARK)]
    ordered = [line for line in lines if not line.startswith(_JUDGEMENT)]
    ordered += sorted(line for line in lines if line.startswith(_JUDGEMENT))
    made["stderr"] = _TABLE.sub(b"", b"".join(ordered))
    return made


def difference(wanted: Outcome, found: Outcome) -> str:
    """The parts in which two runs differ, with the first lines; empty if there are none."""
    one, other = comparable(wanted.parts()), comparable(found.parts())
    told = []
    for name in sorted({*one, *other}):
        left, right = one.get(name, b""), other.get(name, b"")
        if left == right:
            continue
        pairs = zip([*left.splitlines(), b""], [*right.splitlines(), b""], strict=False)
        first = next((pair for pair in pairs if pair[0] != pair[1]), (b"", b""))
        told.append(f"{name}: expected {first[0]!r}, found {first[1]!r}")
    return "\n".join(told)


def in_a_folder(
    files: Mapping[str, bytes], arguments: Sequence[str], program: str | None
) -> Outcome:
    """A run in a new folder with some files: the original's, or ours if `program` is None."""
    with tempfile.TemporaryDirectory(prefix="asclite-") as place:
        folder = Path(place)
        for name, content in files.items():
            (folder / name).write_bytes(content)
        if program is None:
            return run_ours(arguments, folder)
        return run_original(program, arguments, folder)
