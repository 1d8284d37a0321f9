"""Tables of transcripts, named by Kaldi's rspecifiers and wspecifiers.

An archive (`ark:FILE`) has one entry per line: a key, blanks and tokens. In a script (`scp:FILE`),
an entry is a key and the location of a line of tokens. Only ASCII blanks separate fields. Blank
lines are skipped. Lines may end with CR LF, except a line of an archive that has only a key.

A location on the command line may be a command (`COMMAND |`), as for Kaldi. A command inside a
script is run only on request, because the script may come from somebody else.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from typing import BinaryIO, NamedTuple, NoReturn

from formats.schema import words_of_text
from scoring.nist.transcripts.characters import byte_text, standard_input, to_bytes
from scoring.peers.kaldi.details import shown_keys
from scoring.peers.kaldi.options import KaldiError, Warn

Tokens = list[str]
# Letters that change nothing for text: t and b (text or binary), o (asked once), bg (ahead).
_LETTERS = frozenset({"t", "b", "s", "cs", "o", "p", "bg"})

# Of those for writing: t and b (text or binary), f (flush), p (permissive).
_WRITTEN_LETTERS = frozenset({"t", "b", "f", "p", "nt", "nb", "nf", "np"})


class Rspecifier(NamedTuple):
    """An input in Kaldi's notation, such as `ark,s,cs:FILE`."""

    text: str
    script: bool
    location: str
    letters: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Rspecifier | None:
        """Parse an rspecifier; return None for any other text."""
        kind, colon, location = text.partition(":")
        letters: set[str] = set()
        kinds = []
        for word in kind.split(","):
            if word in ("ark", "scp"):
                kinds.append(word)
            elif word in _LETTERS:
                letters.add(word)
            elif word.startswith("n") and word[1:] in _LETTERS:
                letters.discard(word[1:])
            else:
                return None
        if not colon or len(kinds) != 1 or location.startswith("|"):
            return None
        return cls(text, kinds == ["scp"], location, frozenset(letters))


class Wspecifier(NamedTuple):
    """An archive to write, optionally with a script that has the location of each entry."""

    archive: str
    script: str | None

    @classmethod
    def parse(cls, text: str) -> Wspecifier:
        """Parse a wspecifier."""
        kind, colon, location = text.partition(":")
        words = kind.split(",")
        kinds = [word for word in words if word in ("ark", "scp")]
        if not colon or not kinds or not _WRITTEN_LETTERS.issuperset(set(words) - {"ark", "scp"}):
            raise KaldiError(f"Invalid wspecifier {text}: expected ark:LOCATION")
        if kinds == ["ark"]:
            return cls(location, None)
        if kinds == ["scp"]:
            raise KaldiError(
                f"wspecifier {text}: a script alone cannot be written, use ark,scp:ARCHIVE,SCRIPT"
            )
        archive, comma, script = location.partition(",")
        if kinds != ["ark", "scp"] or not comma:
            raise KaldiError(f"Invalid wspecifier {text}: expected ark,scp:ARCHIVE,SCRIPT")
        return cls(archive, script)

    def contents(self, lines: Iterable[str]) -> tuple[bytes, bytes]:
        """Return the bytes of the archive and of the script.

        Each line begins with its key and a blank.
        """
        archive = bytearray()
        script = []
        for line in lines:
            key = line.partition(" ")[0]
            script.append(f"{key} {self.archive}:{len(archive) + len(key) + 1}\n")
            archive += line.encode("latin-1") + b"\n"
        return bytes(archive), "".join(script).encode("latin-1")


class _BrokenError(Exception):
    """Raised if the rest of an archive cannot be read; a warning has given the reason."""


class _Table:
    """The lines of a table, each as its key, its line number and its rest.

    The whole file is read at the start.
    """

    def __init__(self, text: str, refusal: str, warn: Warn, *, run_commands: bool) -> None:
        self._refusal, self._warn = refusal, warn
        rspecifier = Rspecifier.parse(text)
        if rspecifier is None:
            self._reject(f"Invalid rspecifier {text}: expected ark:LOCATION or scp:LOCATION")
        self.rspecifier = rspecifier
        lines = self._read(rspecifier.location).split(b"\n")
        if rspecifier.script and not run_commands:
            self._refuse_commands(lines)
        self.lines = self._lines_of(lines)

    def _reject(self, problem: str) -> NoReturn:
        self._warn(problem)
        raise KaldiError(self._refusal)

    def _refuse_commands(self, lines: list[bytes]) -> None:
        for number, line in enumerate(lines, 1):
            parts = line.split(None, 1)
            if len(parts) > 1 and (location := parts[1].rstrip()).endswith(b"|"):
                column = len(line) - len(parts[1]) + 1
                raise KaldiError(
                    f"{self.rspecifier.location}:{number}:{column}: expected a file, found the "
                    f"command {byte_text(location)!r} (--run-commands runs the commands of scripts)"
                )

    def _lines_of(self, lines: list[bytes]) -> Iterator[tuple[str, int, bytes]]:
        for number, line in enumerate(lines, 1):
            parts = line.split(None, 1)
            if not parts:
                continue
            key, rest = byte_text(parts[0]), parts[1] if len(parts) > 1 else b""
            if not self.rspecifier.script:
                following = line.lstrip()[len(parts[0]) :]
                is_last = number == len(lines)
                if is_last and not following:
                    where = f"{self.rspecifier.text}: key {key} (line {number})"
                    self._warn(f"{where} has no newline after it and is not read")
                    return
                if following[:1] not in (b"", b" ", b"\t"):
                    raise self._broken(
                        f"Invalid archive file format: expected space after key {key} "
                        f"(line {number}), got character {chr(following[0])!a}"
                    )
                if is_last and len(following) == 1:
                    raise self._broken(f"Object read failed after key {key} (line {number})")
            yield key, number, rest

    def _broken(self, problem: str) -> _BrokenError:
        self._warn(f"{problem}, reading {self.rspecifier.location}")
        return _BrokenError()

    def end_early(self, problem: str) -> None:
        """Raise an error because the rest is unreadable; only warn if the option `p` is set."""
        if "p" not in self.rspecifier.letters:
            raise KaldiError(problem) from None
        self._warn(f"{problem}, the rest of it is not read")

    def tokens(self, key: str, rest: bytes) -> Tokens | None:
        """Return the tokens of an entry.

        If the location is unreadable, return None with option `p`; otherwise raise an error.
        """
        if not self.rspecifier.script:
            return list(words_of_text(byte_text(rest)))
        try:
            return list(words_of_text(byte_text(self._line_at(byte_text(rest.strip())))))
        except KaldiError:
            if "p" in self.rspecifier.letters:
                return None
            text = self.rspecifier.text
            raise KaldiError(f"{text}: key {key} cannot be read; {self._refusal}") from None

    def _line_at(self, location: str) -> bytes:
        """Return the line at `FILE:OFFSET`, or the first line of a file or of command output."""
        name, colon, offset = location.rpartition(":")
        if not colon or not offset.isdecimal() or location.endswith("|"):
            return self._read(location).partition(b"\n")[0]
        with self._opened(name) as file:
            if int(offset) > file.seek(0, os.SEEK_END):
                self._reject(f"{location}: expected an offset within the file")
            file.seek(int(offset))
            return file.readline()

    def _read(self, location: str) -> bytes:
        if location in ("", "-"):
            return standard_input()
        if not location.endswith("|"):
            with self._opened(location) as file:
                return file.read()
        import subprocess

        command = to_bytes(location[:-1])
        done = subprocess.run(command, shell=True, stdout=subprocess.PIPE, check=False)
        if done.returncode:
            self._warn(f"Pipe {location[:-1]} had nonzero return status {done.returncode}")
        return done.stdout

    @contextmanager
    def _opened(self, name: str) -> Iterator[BinaryIO]:
        try:
            with open(to_bytes(name), "rb") as file:
                yield file
        except OSError as problem:
            self._reject(f"{name}: cannot be opened: {problem.strerror}")


def read_table(
    text: str, warn: Warn, *, run_commands: bool = False
) -> Iterator[tuple[str, Tokens]]:
    """Yield the keys of a table in order, each with its tokens; a key may be repeated."""
    refusal = f"Error constructing TableReader: rspecifier is {text}"
    table = _Table(text, refusal, warn, run_commands=run_commands)
    location = table.rspecifier.location
    # like the original, which reads the first entry when it opens the table
    try:
        first = next(table.lines, None)
    except _BrokenError:
        warn(f"TableReader: error beginning to read table (wrong filename?): {location}")
        raise KaldiError(refusal) from None

    def entries() -> Iterator[tuple[str, Tokens]]:
        keys: set[str] = set()
        repeated = []
        try:
            for key, number, rest in chain([first] if first else [], table.lines):
                if key in keys:
                    repeated.append(f"{key} (line {number})")
                keys.add(key)
                tokens = table.tokens(key, rest)
                if tokens is not None:
                    yield key, tokens
        except _BrokenError:
            table.end_early(f"TableReader: reading archive failed: {location}")
        if repeated:
            warn(f"{text}: {shown_keys(repeated)}: repeated, each one counts")

    return entries()


class Lookup:
    """A table in which keys are looked up; an archive is parsed only as far as necessary."""

    def __init__(self, text: str, warn: Warn, *, run_commands: bool = False) -> None:
        refusal = f"Error opening RandomAccessTableReader object  (rspecifier is: {text})"
        self._table = _Table(text, refusal, warn, run_commands=run_commands)
        self._warn = warn
        self._rspecifier = self._table.rspecifier
        self._lines: dict[str, bytes] = {}
        self._requested: set[str] = set()
        self._last_requested = ""
        self._unsorted: list[str] = []
        self._is_broken = False
        if self._rspecifier.script:
            try:
                self._line_of(None)
            except KaldiError as problem:
                warn(str(problem))
                raise KaldiError(refusal) from None

    def _line_of(self, key: str | None) -> bytes | None:
        """Return the line of a key, or None if the key is missing.

        With a key of None, read the whole table.
        """
        if key in self._lines:
            return self._lines[key]
        try:
            for name, number, line in self._table.lines:
                if name in self._lines:
                    kind = "script" if self._rspecifier.script else "archive"
                    raise KaldiError(
                        f"Error in RandomAccessTableReader: duplicate key {name} in {kind} "
                        f"{self._rspecifier.location} (line {number})"
                    )
                if self._lines and name < next(reversed(self._lines)):
                    self._unsorted.append(f"{name} (line {number})")
                self._lines[name] = line
                if name == key:
                    return line
        except _BrokenError:
            self._is_broken = True
        return None

    def get(self, key: str) -> Tokens | None:
        """Return the tokens of a key, or None if the key is missing."""
        if {"s", "cs"} <= self._rspecifier.letters and not self._rspecifier.script:
            last = self._last_requested
            if key < last:
                raise KaldiError(
                    f"{self._rspecifier.text}: key {key} is asked for after {last}, though "
                    "option cs promises sorted keys on the other side"
                )
        self._last_requested = key
        self._requested.add(key)
        line = self._line_of(key)
        return None if line is None else self._table.tokens(key, line)

    def close(self) -> None:
        """Close the table; warn about keys that are unsorted, repeated or were not looked up."""
        name = self._rspecifier.text
        is_broken = self._is_broken
        repeated = []
        try:
            for key, number, line in self._table.lines:
                if key in self._lines:
                    repeated.append(f"{key} (line {number})")
                self._lines.setdefault(key, line)
        except _BrokenError:
            pass  # a warning gave the reason
        rest = [key for key in self._lines if key not in self._requested]
        is_sorted = "s" in self._rspecifier.letters
        for keys, problem in (
            (repeated, "repeated, the first one counts"),
            (self._unsorted if is_sorted else [], "not sorted, though its options promise it"),
            (rest, "not in the reference, ignored"),
        ):
            if keys:
                self._warn(f"{name}: {shown_keys(keys)}: {problem}")
        if is_broken:
            self._table.end_early(f"Error closing RandomAccessTableReader: reading {name} failed")
