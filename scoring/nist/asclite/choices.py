"""The options of asclite, and the log of a run.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil

from formats.schema import NamedTuple
from scoring.model.errors import ScoringError
from scoring.nist.asclite.network_words import Wording

# Exit statuses.
UNREADABLE, MISMATCH, FILTERED, USAGE, MISSING, INVALID, LEFT_OUT = range(1, 8)
# Levels of `-f`.
FATAL, ERROR, WARN, INFO, DEBUG, ALIGNMENT, ALIGNMENT_ONLY = range(1, 8)
NAMES = ("", "  FATAL  ", "  ERROR  ", "  WARN   ", "  INFO   ", "  DEBUG  ", "ALIGNMENT")
BOTH, HYPOTHESIS, REFERENCE, NONE = "both", "hyp", "ref", "none"
DEFAULT_MEMORY = "1"


class AscliteError(ScoringError):
    """An error that ends the run with asclite's exit status; the log already has its message."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(status, text)
        self.status = status
        self.text = text

    def __str__(self) -> str:
        return self.text


class ChosenFile(NamedTuple):
    """An input file: its path and its title, both as byte text."""

    path: str
    format: str
    title: str = ""


class AscliteOptions(NamedTuple):
    """The options of one run of asclite; the usage text explains them."""

    reference: ChosenFile | None = None
    hypotheses: tuple[ChosenFile, ...] = ()
    utterance: str = "spu_id"
    uem: str | None = None
    uem_side: str = BOTH  # which side the filter looks at: `ref`, `hyp`, `both`
    gaps: bool = True
    overlap_side: str | None = None
    case_sensitive: bool = False
    fragments: bool = False
    optional: str = NONE  # value of `-D`; `none` without it
    by_time: bool = False
    prune: int | None = None  # milliseconds, None: off
    widest: int | None = None
    speaker_map: str | None = None
    adaptive: bool = False
    letters: bool = False
    most_speakers: int | None = None
    least_speakers: int = 0
    only_group: int | None = None
    memory: str | None = None  # gigabytes as they were written; None: not given
    compressed: bool = False
    force_compression: bool = False
    difficulty: str | None = None
    least_difficulty: str | None = None
    generic: bool = False
    directory: str = ""
    feedback: int = INFO
    reports: tuple[str, ...] = ("sum", "stdout")
    # Ours: lose nothing that asclite loses. Gaps are always made, segments of a speaker are sorted
    # by their begin, no limit applies that was not asked for
    complete: bool = False
    strict: bool = False  # ours: status 7 if words were not scored

    def wording(self, side: str) -> Wording:
        """Return the rules for reading the words of a side, `ref` or `hyp`."""
        optional = self.optional == BOTH or self.optional == side
        return Wording(self.case_sensitive, self.fragments, optional)


def cells(gigabytes: str) -> int:
    """Convert a memory limit in gigabytes to a number of cells of four bytes.

    >>> cells("1"), cells("0.0002")
    (268435456, 53688)
    """
    return ceil(1024**3 * leading_float(gigabytes) / 4)


def leading_float(text: str) -> float:
    """Return C's `atof`: the number at the beginning of the text, 0 if there is none.

    >>> leading_float(" 1.5s"), leading_float("x"), leading_float("1e2")
    (1.5, 0.0, 100.0)
    """
    import re

    match = re.match(r"[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)", text, re.ASCII)
    return float(match[1]) if match else 0.0


class Log:
    """Writes the messages of a run, up to a chosen level of detail."""

    def __init__(self, level: int, write: Callable[[str], object]) -> None:
        self._level = level
        self._write = write
        self.remarks: list[str] = []

    def wants(self, level: int) -> bool:
        """Return True if the log shows messages of this level."""
        if self._level == ALIGNMENT_ONLY:
            return level == ALIGNMENT
        return level <= self._level

    def say(self, level: int, text: str) -> None:
        """Write a line in asclite's form if the log shows messages of this level."""
        if self.wants(level):
            self._write(f"[{NAMES[level]}] {text}\n")

    def fatal(self, status: int, text: str) -> AscliteError:
        """Write a message to the log as fatal; return the error to raise."""
        self.say(FATAL, text)
        return AscliteError(status, text)

    def remark(self, text: str, *, harmless: bool = False) -> None:
        """Warn about data that NIST's asclite would lose or change without a message.

        Unless the change is `harmless`, the warning is also kept in `remarks`.
        """
        if not harmless:
            self.remarks.append(text)
        if self._level > 0:
            self._write(f"asclite: warning: {text}\n")

    def refuse(self, status: int, text: str) -> AscliteError:
        """Write a message at any level of detail, and return the error to raise.

        NIST's asclite would crash in this case.
        """
        self._write(f"asclite: {text}\n")
        return AscliteError(status, text)


def some(count: int, noun: str) -> str:
    """Return a count and its noun, in the plural unless the count is 1.

    >>> some(1, "word"), some(2, "word")
    ('1 word', '2 words')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def several(parts: Sequence[str]) -> str:
    """Join texts with commas; empty texts are dropped."""
    return ", ".join(part for part in parts if part)
