"""Errors and reference tokens by utterance, from whatever can be scored or has been.

From here systems are paired: which utterance of one is which of the other, and what each belongs
to.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias, Union

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.batch import Alignments, CountsTable
from scoring.alignment.system import System
from scoring.errors import InputError, StatisticsError
from scoring.model import Counts
from scoring.nist.session import ScoreRequest, Session
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.files import Source

# What can be scored: counts, alignments, a system, or the path of a hypothesis file.
Scorable: TypeAlias = Union[
    System, Alignments, CountsTable, Sequence[Counts], str, "os.PathLike[str]"
]
# `utterance`, `speaker`, `recording`, or what each utterance belongs to.
Block: TypeAlias = Union[str, Sequence[Hashable]]  # noqa: UP007

BLOCKS = ("utterance", "speaker", "recording")
SUFFIXES = {".trn": "trn", ".stm": "stm", ".ctm": "ctm"}
_SHOWN = 10


class ScoreTable(NamedTuple):
    """What is known of each utterance.

    Attributes
    ----------
    title
        Of the system.
    statistics
        int64, shape (utterances, 2): errors and reference tokens.
    system
        Where they come from, if from a system.
    edits
        From the position of an utterance to its `Edit` bytes; None where only counts are known.
    """

    title: str
    statistics: NDArray[np.int64]
    system: System | None
    edits: Callable[[int], bytes] | None = None

    @property
    def knows_speakers(self) -> bool:
        """Whether there are several speakers, and not as many as utterances."""
        if self.system is None:
            return False
        return 1 < len(set(self.system.utterances.speakers)) < len(self.system)


def score_table(
    scored: Scorable,
    reference: str | os.PathLike[str] | None,
    request: ScoreRequest | None,
    block: Block,
) -> ScoreTable:
    """The table of counts, alignments, a system, or files that are scored first.

    Parameters as of `scoring.confidence_interval`.

    Raises
    ------
    ScoringError
        If a file cannot be read or scored.
    TypeError
        If it is nothing of that, or a reference goes without a file or a file without reference.
    """
    if isinstance(scored, str | os.PathLike):
        if reference is None:
            raise TypeError("a hypothesis file needs a reference file: reference=...")
        scored = _scored_file(scored, reference, request, block)
    elif reference is not None or request is not None:
        raise TypeError("reference and request go with the path of a hypothesis file")
    if isinstance(scored, System):
        edits = partial(_edits, scored.edits, scored.edit_offsets)
        return ScoreTable(_text(scored.title), _statistics(scored.counts), scored, edits)
    if isinstance(scored, Alignments):
        aligned = scored
        statistics = _statistics(aligned.counts.array)
        return ScoreTable("counts", statistics, None, lambda place: aligned[place].edits)
    if isinstance(scored, CountsTable):
        return ScoreTable("counts", _statistics(scored.array), None)
    counts = list(scored)
    if not all(isinstance(one, Counts) for one in counts):
        raise TypeError("expected Counts of each utterance, alignments, a System or a path")
    return ScoreTable("counts", _statistics(counts), None)


def _edits(edits: bytes, offsets: Sequence[int], utterance: int) -> bytes:
    return edits[offsets[utterance] : offsets[utterance + 1]]


def _statistics(counts: object) -> NDArray[np.int64]:
    """Errors and reference tokens, from four numbers per utterance in the order of `Counts`."""
    rows = np.asarray(counts, dtype=np.int64).reshape(-1, 4)
    return np.column_stack([rows[:, 1:].sum(axis=1), rows[:, :3].sum(axis=1)])


def _scored_file(
    hypothesis: str | os.PathLike[str],
    reference: str | os.PathLike[str],
    request: ScoreRequest | None,
    block: Block,
) -> System:
    import warnings

    if request is None:
        # without interest in speakers any identifier will do
        request = ScoreRequest(identifier_kind="spu_id" if block == "speaker" else "sp")

    def warn(message: str) -> None:
        warnings.warn(_text(message.rstrip("\n")), UserWarning, stacklevel=6)

    done = Session(request, warn).score(_source(reference), _source(hypothesis))
    if done.failure is not None:
        raise done.failure
    return done.system


def _source(path: str | os.PathLike[str]) -> Source:
    name = os.fspath(path)
    title = byte_text(os.fsencode(name))
    format_name = SUFFIXES.get(os.path.splitext(name)[1].lower())
    if format_name is None:
        raise InputError(title, None, None, f"expected a file name in one of {', '.join(SUFFIXES)}")
    return Source(name, format_name, title)


def _text(byte_text: str) -> str:
    """Byte text as people read it."""
    return byte_text.encode("latin-1", "replace").decode("utf-8", "replace")


def labels_of(table: ScoreTable, block: Block) -> tuple[Sequence[Hashable] | None, str]:
    """What each utterance belongs to (None: each to itself), and how to call it.

    Raises
    ------
    StatisticsError
        If the system does not know its speakers or recordings.
    ValueError
        If there is no such block.
    """
    if not isinstance(block, str):
        return block, "given blocks"
    if block not in BLOCKS:
        raise ValueError(f"block: expected one of {', '.join(BLOCKS)} or a list, found {block!r}")
    if block == "utterance":
        return None, block
    if table.system is None:
        raise StatisticsError(f"counts do not know the {block} of an utterance: pass a list")
    utterances = table.system.utterances
    if block == "speaker":
        return list(utterances.speakers), block
    if utterances.files is None or None in utterances.files:
        raise StatisticsError("the utterances do not know their recording: pass a list")
    return list(utterances.files), block


def matched_places(left: ScoreTable, right: ScoreTable) -> NDArray[np.int64]:
    """For each utterance of `left`, the place of the same one in `right`: int64.

    Systems are matched by identifier, everything else by position.

    Raises
    ------
    StatisticsError
        If they do not have the same utterances.
    """
    if len(left.statistics) != len(right.statistics):
        raise StatisticsError(
            f"expected the same utterances, found {len(left.statistics)} and "
            f"{len(right.statistics)}{_difference(left, right)}"
        )
    in_order = np.arange(len(left.statistics))
    if left.system is None or right.system is None:
        return in_order
    ours, theirs = (list(one.utterances.identifiers) for one in (left.system, right.system))
    if ours == theirs:
        return in_order
    places = {identifier: place for place, identifier in enumerate(theirs)}
    if len(places) < len(theirs) or set(ours) != set(theirs):
        raise StatisticsError(f"expected the same utterances of both{_difference(left, right)}")
    return np.array([places[identifier] for identifier in ours], np.int64)


def _difference(left: ScoreTable, right: ScoreTable) -> str:
    """Which utterances only one of the systems has."""
    if left.system is None or right.system is None:
        return ""
    ours, theirs = (set(one.utterances.identifiers) for one in (left.system, right.system))
    parts = [""]
    for title, only in ((left.title, ours - theirs), (right.title, theirs - ours)):
        if only:
            listed = ", ".join(map(_text, sorted(only)[:_SHOWN]))
            more = ", ..." if len(only) > _SHOWN else ""
            parts.append(f"only in {title}: {listed}{more}")
    return "; ".join(parts)
