"""Alignment of word sequences with the system program `diff -y` (sclite's option `-d`).

diff reads the sequences as files with one word per line. Its output is split into fields like in
sclite, so that a word that looks like one of diff's marks is read as a mark. diff prints at most 61
columns of a word and drops the rest.
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
    """Raised when the program `diff` failed; sclite then scores and reports nothing."""


class SideBySideLine(NamedTuple):
    """A line of `diff -y`: the edit, the first field (may be empty), and both words or None."""

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
    """Parse a line of `diff -y`; only its first three fields matter."""
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
    """Yield the lines of each utterance, after diff aligned several utterances in one run.

    An utterance takes the lines up to the line that begins with its first word, then up to the line
    that begins with its second word, and so on. Insertions after its last word therefore go to the
    next utterance. If diff shortened a word of an utterance, the utterance takes all remaining
    lines. With `last_takes_all`, the last utterance takes all remaining lines if it has words.
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
