"""What the three files of a keyword search say: audio to search, keywords, and what was found.

Times are seconds as floats, each the double nearest to the decimal number in the file; channels
and names are strings as written. Everything is immutable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

SOURCE_TYPES = ("bnews", "cts", "splitcts", "confmtg")
"""Kinds of audio an excerpt may be of."""
COMPARE_NORMALIZE = ("lowercase", "")
"""Values of `compareNormalize`: words are compared in lower case, or as they are."""


class Excerpt(NamedTuple):
    """A stretch of one channel of a file that is to be searched and scored.

    Attributes
    ----------
    file: name as written, perhaps with directories and an ending.
    channel: as written, such as ``1``.
    begin, duration: seconds.
    source_type: one of `SOURCE_TYPES`.
    line: of the file it was read from, or `None`.
    """

    file: str
    channel: str
    begin: float
    duration: float
    source_type: str = "bnews"
    line: int | None = None


class Keyword(NamedTuple):
    """A keyword to be found.

    Attributes
    ----------
    identifier: such as ``KW-001``; no two keywords of a list share one.
    text: one or more words.
    attributes: pairs of name and value, in the order of the file.
    line: of the file it was read from, or `None`.
    """

    identifier: str
    text: str
    attributes: tuple[tuple[str, str], ...] = ()
    line: int | None = None


class Detection(NamedTuple):
    """One place where a system says it found a keyword.

    Attributes
    ----------
    keyword: identifier of the keyword.
    file, channel: as written.
    begin, duration: seconds.
    score: grows with the system's confidence; of any range.
    decision: whether the system stands by it (``YES``).
    begin_text, duration_text, score_text: the numbers as written, or empty; reports quote them.
    line: of the file it was read from, or `None`.
    """

    keyword: str
    file: str
    channel: str
    begin: float
    duration: float
    score: float
    decision: bool
    begin_text: str = ""
    duration_text: str = ""
    score_text: str = ""
    line: int | None = None


class SearchedKeyword(NamedTuple):
    """That a system searched for a keyword, whether it found something or not.

    Attributes
    ----------
    keyword: its identifier.
    search_time: seconds the search took, as written.
    oov_count: how many of its words the system's vocabulary lacks; `None` where unknown (``NA``).
    line: of the file it was read from, or `None`.
    """

    keyword: str
    search_time: str = "0"
    oov_count: int | None = 0
    line: int | None = None


class KwslistHeader(NamedTuple):
    """What a list of detections says of itself.

    Attributes
    ----------
    kwlist_filename, language, system_id: as written.
    min_score, max_score: bounds that all scores keep, or `None`; both are given or neither.
    """

    kwlist_filename: str
    language: str
    system_id: str
    min_score: float | None = None
    max_score: float | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Ecf:
    """The audio of an experiment (an experiment control file).

    Attributes
    ----------
    source_signal_duration: seconds, as written; nothing is computed from it.
    language, version: as written.
    excerpts: in the order of the file.
    """

    excerpts: tuple[Excerpt, ...] = ()
    source_signal_duration: str = "0"
    language: str = ""
    version: str = ""

    def __repr__(self) -> str:
        return f"<Ecf of {len(self.excerpts)} excerpts>"


@dataclass(frozen=True, slots=True, repr=False)
class KeywordList:
    """The keywords of an experiment.

    Attributes
    ----------
    keywords: in the order of the file.
    compare_normalize: one of `COMPARE_NORMALIZE`.
    ecf_filename, version, language, encoding: as written.
    """

    keywords: tuple[Keyword, ...] = ()
    compare_normalize: str = "lowercase"
    ecf_filename: str = ""
    version: str = ""
    language: str = ""
    encoding: str = "UTF-8"

    def __repr__(self) -> str:
        return f"<KeywordList of {len(self.keywords)} keywords>"


@dataclass(frozen=True, slots=True, repr=False)
class DetectedKeyword:
    """One keyword's detections.

    Attributes
    ----------
    searched: which keyword, and what is said of the search.
    detections: in the order of the file; perhaps none.
    """

    searched: SearchedKeyword
    detections: tuple[Detection, ...] = ()

    def __repr__(self) -> str:
        return f"<DetectedKeyword {self.searched.keyword}: {len(self.detections)} detections>"


@dataclass(frozen=True, slots=True, repr=False)
class Kwslist:
    """All that a system found.

    Attributes
    ----------
    header: what the list says of itself.
    keywords: one entry per keyword searched, in the order of the file.
    """

    header: KwslistHeader
    keywords: tuple[DetectedKeyword, ...] = ()

    def __repr__(self) -> str:
        return f"<Kwslist of {self.header.system_id!r}: {len(self.keywords)} keywords>"
