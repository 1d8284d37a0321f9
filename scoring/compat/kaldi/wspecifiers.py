"""Where a table goes, as Kaldi's wspecifiers say it: `ark,t:FILE`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scoring.compat.kaldi.messages import KaldiError

# Options that change nothing for text: t and b (text or binary), f (flush), p (permissive).
_LETTERS = frozenset({"t", "b", "f", "p", "nt", "nb", "nf", "np"})


class Wspecifier(NamedTuple):
    """An archive to be written, perhaps with a script that tells where each entry is.

    Attributes
    ----------
    archive, script
        A file, `-` or nothing for standard output, or `|COMMAND`; None: no script.
    """

    archive: str
    script: str | None

    @classmethod
    def parse(cls, text: str) -> Wspecifier:
        """The parts of a wspecifier.

        Raises
        ------
        KaldiError
            If it is none, or one that is not supported.

        Examples
        --------
        >>> Wspecifier.parse("ark,t:-")
        Wspecifier(archive='-', script=None)
        >>> Wspecifier.parse("ark,scp,t:a.ark,a.scp")
        Wspecifier(archive='a.ark', script='a.scp')
        """
        kind, colon, location = text.partition(":")
        words = kind.split(",")
        kinds = [word for word in words if word in ("ark", "scp")]
        if not colon or not kinds or not _LETTERS.issuperset(set(words) - {"ark", "scp"}):
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

        Examples
        --------
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
