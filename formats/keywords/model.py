"""The data of the keyword search files: audio, keywords and detections.

Times are seconds: the double that is nearest to the decimal number in the file. Channels and names
are strings as written. All objects are immutable. `line` is the line in the file, or `None`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SOURCE_TYPES = ("bnews", "cts", "splitcts", "confmtg")
"""Kinds of audio an excerpt may be of."""
COMPARE_NORMALIZE = ("lowercase", "")
"""Values of `compareNormalize`: words are compared in lower case, or as they are."""


class Excerpt(NamedTuple):
    """A region of one channel of a file, to be searched and scored."""

    file: str  # name as written, perhaps with directories and an ending
    channel: str  # as written, such as `1`
    begin: float  # seconds
    duration: float
    source_type: str = "bnews"  # one of `SOURCE_TYPES`
    line: int | None = None


class Keyword(NamedTuple):
    """A keyword to search for."""

    identifier: str  # such as `KW-001`; no two keywords of a list share one
    text: str  # one or more words
    attributes: tuple[tuple[str, str], ...] = ()  # names and values, in the order of the file
    line: int | None = None


class Detection(NamedTuple):
    """A detection of a keyword by a system."""

    keyword: str  # identifier of the keyword
    file: str  # as written
    channel: str
    begin: float  # seconds
    duration: float
    score: float  # grows with the system's confidence; of any range
    decision: bool  # whether the system stands by it (`YES`)
    begin_text: str = ""  # the numbers as written, or empty; reports quote them
    duration_text: str = ""
    score_text: str = ""
    line: int | None = None


class SearchedKeyword(NamedTuple):
    """A keyword for which a system searched, with or without detections."""

    keyword: str  # its identifier
    search_time: str = "0"  # seconds the search took, as written
    oov_count: int | None = 0  # words the system's vocabulary lacks; `None` if unknown (`NA`)
    line: int | None = None


class KwslistHeader(NamedTuple):
    """The header of a list of detections."""

    kwlist_filename: str  # as written
    language: str
    system_id: str
    min_score: float | None = None  # bounds that all scores keep, or `None`; both or neither
    max_score: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Ecf:
    """The audio of an experiment, as an experiment control file (ECF) lists it."""

    excerpts: tuple[Excerpt, ...] = ()  # in the order of the file
    source_signal_duration: str = "0"  # seconds, as written; nothing is computed from it
    language: str = ""  # as written
    version: str = ""

    def __repr__(self) -> str:
        return f"<Ecf of {len(self.excerpts)} excerpts>"


@dataclass(frozen=True, slots=True, repr=False)
class KeywordList:
    """The keywords of an experiment."""

    keywords: tuple[Keyword, ...] = ()  # in the order of the file
    compare_normalize: str = "lowercase"  # one of `COMPARE_NORMALIZE`
    ecf_filename: str = ""  # this and the others as written
    version: str = ""
    language: str = ""
    encoding: str = "UTF-8"

    def __repr__(self) -> str:
        return f"<KeywordList of {len(self.keywords)} keywords>"


@dataclass(frozen=True, slots=True, repr=False)
class DetectedKeyword:
    """A keyword with its detections."""

    searched: SearchedKeyword  # the keyword and the facts of its search
    detections: tuple[Detection, ...] = ()  # in the order of the file; perhaps none

    def __repr__(self) -> str:
        return f"<DetectedKeyword {self.searched.keyword}: {len(self.detections)} detections>"


@dataclass(frozen=True, slots=True, repr=False)
class Kwslist:
    """The detections by one system."""

    header: KwslistHeader  # what the list says of itself
    keywords: tuple[DetectedKeyword, ...] = ()  # an entry per keyword, in the order of the file

    def __repr__(self) -> str:
        return f"<Kwslist of {self.header.system_id!r}: {len(self.keywords)} keywords>"
