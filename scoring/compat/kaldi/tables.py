"""Tables of transcripts, named by Kaldi's rspecifiers and wspecifiers.

An archive (`ark:FILE`) has an entry a line: a key, blanks, tokens. A script (`scp:FILE`) has a key
and the location of a line of tokens. Fields are cut at ASCII blanks and nothing else; blank
lines are passed over; lines may end with CR LF, unless they are a bare key of an archive.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from scoring.compat.kaldi.messages import KaldiError, Warn
from scoring.nist.transcripts.characters import byte_text, standard_input, to_bytes

Tokens = list[str]
# Letters that change nothing for text: t and b (text or binary), o (asked once), bg (ahead).
_LETTERS = frozenset({"t", "b", "s", "cs", "o", "p", "bg"})

# Of those for writing: t and b (text or binary), f (flush), p (permissive).
_WRITTEN_LETTERS = frozenset({"t", "b", "f", "p", "nt", "nb", "nf", "np"})


class Rspecifier(NamedTuple):
    """What to read, as Kaldi writes it: `ark,s,cs:FILE`."""

    text: str
    script: bool
    location: str
    letters: frozenset[str]

    @classmethod
    def parse(cls, text: str) -> Rspecifier | None:
        """The parts of an rspecifier, or None if it is none.

        >>> Rspecifier.parse("ark,s,cs:gunzip -c a.gz |").location
        'gunzip -c a.gz |'
        >>> print(Rspecifier.parse("a.txt"), Rspecifier.parse("ark,scp:a"))
        None None
        """
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
    """An archive to be written, perhaps with a script that tells where each entry is."""

    archive: str
    script: str | None

    @classmethod
    def parse(cls, text: str) -> Wspecifier:
        """The parts of a wspecifier.

        >>> Wspecifier.parse("ark,t:-")
        Wspecifier(archive='-', script=None)
        >>> Wspecifier.parse("ark,scp,t:a.ark,a.scp")
        Wspecifier(archive='a.ark', script='a.scp')
        """
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
        r"""Bytes of the archive and of the script; each line begins with its key and a blank.

        >>> Wspecifier("a.ark", "a.scp").contents(["u1 a a ", "u2 "])[1]
        b'u1 a.ark:3\nu2 a.ark:11\n'
        """
        archive = bytearray()
        script = []
        for line in lines:
            key = line.partition(" ")[0]
            script.append(f"{key} {self.archive}:{len(archive) + len(key) + 1}\n")
            archive += line.encode("latin-1") + b"\n"
        return bytes(archive), "".join(script).encode("latin-1")


class TableEntry(NamedTuple):
    """An entry of a table; `line` counts from 1."""

    key: str
    tokens: Tokens
    line: int


def fields(line: bytes) -> list[str]:
    r"""Byte text, cut at ASCII blanks.

    >>> fields(b"utt1 a\tb\x0bc\xa0d\r")
    ['utt1', 'a', 'b', 'c\xa0d']
    """
    # str.split would cut at more than ASCII blanks
    return byte_text(b"\n".join(line.split())).split("\n") if line.strip() else []


def read_table(text: str, warn: Warn) -> Iterator[TableEntry]:
    """The entries of a table in order, all of its bytes read first; a key may come again."""
    refusal = f"Error constructing TableReader: rspecifier is {text}"
    rspecifier = _parsed(text, refusal, warn)
    lines = _opened(rspecifier, refusal, warn)
    # like the original, which reads the first entry when it opens the table
    try:
        first = next(lines, None)
    except _BrokenError:
        warn(f"TableReader: error beginning to read table (wrong filename?): {rspecifier.location}")
        raise KaldiError(refusal) from None

    def entries() -> Iterator[TableEntry]:
        known: set[str] = set()
        repeated = []
        try:
            for key, number, line in lines if first is None else chain([first], lines):
                if key in known:
                    repeated.append(f"{key} (line {number})")
                known.add(key)
                tokens = _tokens(rspecifier, key, line, refusal, warn)
                if tokens is not None:
                    yield TableEntry(key, tokens, number)
        except _BrokenError:
            problem = f"TableReader: reading archive failed: {rspecifier.location}"
            if "p" not in rspecifier.letters:
                raise KaldiError(problem) from None
            warn(f"{problem}, the rest of it is not read")
        if repeated:
            warn(f"{text}: {_some(repeated)}: repeated, each one counts")

    return entries()


class Lookup:
    """A table that is asked for keys, and read as far as it takes to find them."""

    def __init__(self, text: str, warn: Warn) -> None:
        self._refusal = f"Error opening RandomAccessTableReader object  (rspecifier is: {text})"
        self._rspecifier = _parsed(text, self._refusal, warn)
        self._warn = warn
        self._lines: dict[str, bytes] = {}
        self._asked: set[str] = set()
        self._last_asked = ""
        self._last = ""
        self._unsorted: list[str] = []
        self._broken = False
        self._rest = _opened(self._rspecifier, self._refusal, warn)
        if self._rspecifier.script:
            self._read_script()

    def _read_script(self) -> None:
        try:
            self._line_of(None)
        except KaldiError as problem:
            self._warn(str(problem))
            raise KaldiError(self._refusal) from None

    def _line_of(self, wanted: str | None) -> bytes | None:
        """The line of a key, None if there is none; all is read for a key of None."""
        if wanted in self._lines:
            return self._lines[wanted]
        try:
            for key, number, line in self._rest:
                if key in self._lines:
                    kind = "script" if self._rspecifier.script else "archive"
                    raise KaldiError(
                        f"Error in RandomAccessTableReader: duplicate key {key} in {kind} "
                        f"{self._rspecifier.location} (line {number})"
                    )
                if key < self._last:
                    self._unsorted.append(f"{key} (line {number})")
                self._last = key
                self._lines[key] = line
                if key == wanted:
                    return line
        except _BrokenError:
            self._broken = True
        return None

    def get(self, key: str) -> Tokens | None:
        """The tokens of a key, or None if it is not there."""
        both = {"s", "cs"} <= self._rspecifier.letters and not self._rspecifier.script
        if both and key < self._last_asked:
            raise KaldiError(
                f"{self._rspecifier.text}: key {key} is asked for after {self._last_asked}, though "
                "option cs promises sorted keys on the other side"
            )
        self._last_asked = key
        self._asked.add(key)
        line = self._line_of(key)
        if line is None:
            return None
        return _tokens(self._rspecifier, key, line, self._refusal, self._warn)

    def close(self) -> None:
        """Say what nobody asked for."""
        name = self._rspecifier.text
        met = self._broken
        repeated = []
        try:
            for key, number, line in self._rest:
                if key in self._lines:
                    repeated.append(f"{key} (line {number})")
                self._lines.setdefault(key, line)
        except _BrokenError:
            pass  # has been said
        if repeated:
            self._warn(f"{name}: {_some(repeated)}: repeated, the first one counts")
        if self._unsorted and "s" in self._rspecifier.letters:
            unsorted = _some(self._unsorted)
            self._warn(f"{name}: {unsorted}: not sorted, though its options promise it")
        rest = [key for key in self._lines if key not in self._asked]
        if rest:
            self._warn(f"{name}: {_some(rest)}: not in the reference, ignored")
        if met:
            problem = f"Error closing RandomAccessTableReader: reading {name} failed"
            if "p" not in self._rspecifier.letters:
                raise KaldiError(problem)
            self._warn(f"{problem}, the rest of it is not read")


def _some(names: list[str]) -> str:
    most = 10
    shown = ", ".join(names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most} more"


def _parsed(text: str, refusal: str, warn: Warn) -> Rspecifier:
    rspecifier = Rspecifier.parse(text)
    if rspecifier is None:
        warn(f"Invalid rspecifier {text}: expected ark:LOCATION or scp:LOCATION")
        raise KaldiError(refusal)
    return rspecifier


def _opened(rspecifier: Rspecifier, refusal: str, warn: Warn) -> Iterator[tuple[str, int, bytes]]:
    """Key, number and rest of each line; everything is read at once."""
    data = _read(rspecifier.location, refusal, warn)

    def broken(problem: str) -> _BrokenError:
        warn(f"{problem}, reading {rspecifier.location}")
        return _BrokenError()

    def lines() -> Iterator[tuple[str, int, bytes]]:
        every = data.split(b"\n")
        for number, line in enumerate(every, 1):
            parts = line.split(None, 1)
            if not parts:
                continue
            key, rest = byte_text(parts[0]), parts[1] if len(parts) > 1 else b""
            if not rspecifier.script:
                begin = len(line) - len(line.lstrip())
                following = line[begin + len(parts[0]) :]
                last = number == len(every)
                if last and not following:
                    where = f"{rspecifier.text}: key {key} (line {number})"
                    warn(f"{where} has no newline after it and is not read")
                    return
                if following[:1] not in (b"", b" ", b"\t"):
                    raise broken(
                        f"Invalid archive file format: expected space after key {key} "
                        f"(line {number}), got character {chr(following[0])!a}"
                    )
                if last and len(following) == 1:
                    raise broken(f"Object read failed after key {key} (line {number})")
            yield key, number, rest

    return lines()


class _BrokenError(Exception):
    """An archive cannot be read on; why has been said."""


def _tokens(
    rspecifier: Rspecifier, key: str, rest: bytes, refusal: str, warn: Warn
) -> Tokens | None:
    """The tokens of an entry; None if a script's location cannot be read and that is allowed."""
    if not rspecifier.script:
        return fields(rest)
    try:
        return fields(_line_at(byte_text(rest.strip()), refusal, warn))
    except KaldiError:
        if "p" in rspecifier.letters:
            return None
        raise KaldiError(f"{rspecifier.text}: key {key} cannot be read; {refusal}") from None


def _line_at(location: str, refusal: str, warn: Warn) -> bytes:
    """The line at `FILE:OFFSET`, or the first line of what is read."""
    name, colon, offset = location.rpartition(":")
    if not colon or not offset.isdecimal() or location.endswith("|"):
        return _read(location, refusal, warn).partition(b"\n")[0]
    try:
        with open(to_bytes(name), "rb") as file:
            if int(offset) > file.seek(0, os.SEEK_END):
                warn(f"{location}: expected an offset within the file")
                raise KaldiError(refusal)
            file.seek(int(offset))
            return file.readline()
    except OSError as problem:
        warn(f"{name}: cannot be opened: {problem.strerror}")
        raise KaldiError(refusal) from None


def _read(location: str, refusal: str, warn: Warn) -> bytes:
    if location in ("", "-"):
        return standard_input()
    if location.endswith("|"):
        return _output_of(location[:-1], warn)
    try:
        with open(to_bytes(location), "rb") as file:
            return file.read()
    except OSError as problem:
        warn(f"{location}: cannot be opened: {problem.strerror}")
        raise KaldiError(refusal) from None


def _output_of(command: str, warn: Warn) -> bytes:
    import subprocess

    done = subprocess.run(to_bytes(command), shell=True, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        warn(f"Pipe {command} had nonzero return status {done.returncode}")
    return done.stdout
