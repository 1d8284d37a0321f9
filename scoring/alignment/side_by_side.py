"""Alignment of word sequences by the system's `diff -y` (option `-d`).

The sequences go to diff as files of one word a line. What it prints is cut into fields and read as
sclite reads it, so words that look like marks of diff's count as such. diff shows no more
than 61 columns of a word; what it does not show is lost here, too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from formats.io.temporary import folder_beside
from scoring.model.counts import Edit
from scoring.model.errors import ScoringError

PROGRAM = "diff"
INSERTED = b">"
DIFFERENT = 1  # exit status of diff, as is 0 for equal files; anything else is trouble


class DiffError(ScoringError):
    """The program `diff` failed; sclite then scores nothing and reports nothing."""


class SideBySideLine(NamedTuple):
    """One line of `diff -y`: the edit, its first field (may be empty), the words or None."""

    edit: Edit
    first: bytes
    reference: bytes | None
    hypothesis: bytes | None


def side_by_side(reference: Sequence[bytes], hypothesis: Sequence[bytes]) -> list[SideBySideLine]:
    """Align two sequences of words, none of which contains a newline."""
    from shutil import rmtree
    from tempfile import gettempdir

    directory = None
    try:
        directory = folder_beside(os.path.join(gettempdir(), PROGRAM))
        os.chmod(directory, stat.S_IRWXU)
        paths = []
        for name, words in (("reference", reference), ("hypothesis", hypothesis)):
            paths.append(os.path.join(directory, name))
            with open(paths[-1], "wb") as file:
                file.write(b"".join([word + b"\n" for word in words]))
        output = _run([PROGRAM, "-y", *paths])
    except OSError as problem:
        raise DiffError(
            f"cannot write the temporary files that {PROGRAM} compares: {problem}"
        ) from None
    finally:
        if directory is not None:
            rmtree(directory, ignore_errors=True)
    return [read_line(line) for line in output.split(b"\n")[:-1]]


def _run(command: Sequence[str]) -> bytes:
    """Run a command and return the bytes of its standard output."""
    import subprocess

    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=False
        )
    except OSError as problem:
        raise DiffError(
            f"alignment by {PROGRAM} needs the program {PROGRAM}, which cannot be started: "
            f"{problem.strerror}"
        ) from None
    if done.returncode not in (0, DIFFERENT):
        raise DiffError(
            f"`{' '.join(command[:2])}` ended with status {done.returncode}; expected a program "
            "that knows this option, such as GNU diff"
        )
    return done.stdout


def read_line(line: bytes) -> SideBySideLine:
    """Parse a line of `diff -y`, judged by its first three fields alone."""
    fields = line.split(None, 3)[:3]
    first = fields[0] if fields else b""
    if len(fields) == 2 and first == fields[1]:
        return SideBySideLine(Edit.CORRECT, first, first, first)
    if len(fields) == 2 and first == INSERTED:
        return SideBySideLine(Edit.INSERTION, first, None, fields[1])
    if len(fields) == 3:
        return SideBySideLine(Edit.SUBSTITUTION, first, first, fields[2])
    return SideBySideLine(Edit.DELETION, first, first, None)


def deal_out(
    lines: Sequence[SideBySideLine], utterances: Sequence[Sequence[bytes]], *, last_takes_all: bool
) -> Iterator[Sequence[SideBySideLine]]:
    """Yield the lines that belong to each of several utterances which were aligned together.

    An utterance takes lines up to the one that begins with its first word, then up to the one
    that begins with its second, and so on. Insertions after its last word thus fall to the next
    utterance; and an utterance one of whose words diff has cut takes all there is.
    """
    end = 0
    for number, words in enumerate(utterances):
        begin = end
        if words and last_takes_all and number == len(utterances) - 1:
            end = len(lines)
        for word in words:
            while end < len(lines):
                end += 1
                if lines[end - 1].first == word:
                    break
        yield lines[begin:end]
