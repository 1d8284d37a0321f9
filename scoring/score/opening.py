"""Opening of both sides: reading of files whose formats may depend on each other."""

from __future__ import annotations

import os

from formats.schema.messages import Message
from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus
from scoring.sides.given import (
    AS_FOUND,
    LEAST_BYTES,
    Given,
    Reading,
    Side,
    SideFile,
    file_of,
    reading_of,
    readings_of,
    resolve,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.options import Options
    from scoring.score.pairs import LikelyKaldi, UndecidedFile


def read_side(side: Side, reading: Reading = AS_FOUND) -> Corpus:
    """Return a side; large files with one utterance per line become columns."""
    columns = side if isinstance(side, Corpus) else _columns_of_file(side, reading)
    return columns if isinstance(columns, Corpus) else read_by_format(side, reading)


def read_by_format(side: Side, reading: Reading) -> Corpus:
    """Return a side as its format's reader reads it."""
    if isinstance(side, Corpus):
        return side
    from scoring.sides.side_files import read_corpus

    return read_corpus(side, reading_of(side, reading))


def _columns_of_file(file: SideFile, reading: Reading) -> Corpus | LikelyKaldi | None:
    """Return the columns of a large file with one utterance per line; None for other files."""
    if file.size is None or file.size < LEAST_BYTES:
        return None
    from scoring.score.line_columns import columns_of

    return columns_of(file, reading_of(file, reading))


# Two files are outputs of two systems if one has this share of the other's sequences of three
# words, in the sessions of both. Different streams have a few percent.
LARGEST_COMMON_SHARE = 0.2


def open_sessions(
    references: Sequence[Given], hypothesis: Given | Sequence[Given], options: Options
) -> tuple[list[Corpus], list[Corpus]]:
    """Read files with several speakers, each hypothesis in one or more files; keep segments.

    Raises InputError if a side is not a file.
    """
    readings = [reading._replace(keep=True) for reading in readings_of(options)]
    files: Sequence[Given] = [hypothesis]  # type: ignore[list-item]
    if isinstance(hypothesis, list | tuple) and hypothesis:
        are_files = all(file_of(file) is not None for file in hypothesis)
        files = hypothesis if are_files else files
    sides = (
        [read_by_format(resolve(side, "reference"), readings[0]) for side in references],
        [read_by_format(resolve(file, "hypothesis"), readings[1]) for file in files],
    )
    for side in (*sides[0], *sides[1]):
        if side.format is None:
            problem = "expected a file with speakers, which this measure pairs, found texts"
            raise InputError(side.name, None, None, problem)
    _check_parts(sides[1])
    return list(map(_without_order, sides[0])), list(map(_without_order, sides[1]))


def _without_order(side: Corpus) -> Corpus:
    """Drop the warning of segments out of order, unless those of a speaker are out of order."""
    remarks = tuple(each for each in side.remarks if each.code != "STM-ORDER")
    if len(remarks) == len(side.remarks):
        return side
    latest: dict[tuple[str, str | None], int] = {}
    for segment in side.outlines:
        who = (segment.recording, segment.speaker)
        start = latest.get(who, 0) if segment.start_ns is None else segment.start_ns
        if start < latest.get(who, 0):
            return side
        latest[who] = start
    return side._replace(remarks=remarks)


def _check_parts(corpora: Sequence[Corpus]) -> None:
    """Reject files that have the same words of a session, which are outputs of two systems.

    The files of one system are its streams or its sessions. They may be in a folder.
    """
    files = _sequences_of_files(corpora)
    names = list(files)
    for number, path in enumerate(names):
        for other in names[:number]:
            sessions = [name for name in files[path] if name in files[other]]
            sizes = [[len(files[each][name]) for name in sessions] for each in (other, path)]
            common = [len(files[other][name] & files[path][name]) for name in sessions]
            least = min(map(sum, sizes))
            if not sum(common) or sum(common) < LARGEST_COMMON_SHARE * least:
                continue
            from scoring.score.messages import SAME_WORDS
            from scoring.sides.matching.sessions import stem

            systems = [stem(other), stem(path)]
            if systems[0] == systems[1]:
                systems = ["A", "B"]
            fields = {
                "other": other,
                "name": systems[0],
                "of_file": systems[1],
                "session": sessions[common.index(max(common))],
                "path": path,
                "percent": f"{100 * sum(common) / least:.0f}",
            }
            raise InputError(path, None, None, Message(SAME_WORDS, fields))


def _sequences_of_files(
    corpora: Sequence[Corpus],
) -> dict[str, dict[str, set[tuple[str, str, str]]]]:
    """Return the sequences of three words in each session of each file, also of files in folders.

    The result is empty if all words are in one file.
    """
    if len(corpora) == 1 and not any(
        hasattr(segment.line, "path") for segment in corpora[0].outlines[:1]
    ):
        return {}
    from scoring.sides.matching.sessions import segments_of

    words: dict[str, dict[str, list[str]]] = {}
    for corpus in corpora:
        for segment in segments_of(corpus):
            path = getattr(segment.line, "path", corpus.name)
            spoken = words.setdefault(path, {}).setdefault(segment.recording, [])
            spoken.extend(map(str.casefold, segment.words))
    if len(words) < 2:
        return {}
    return {
        path: {
            session: set(zip(spoken, spoken[1:], spoken[2:], strict=False))
            for session, spoken in sessions.items()
        }
        for path, sessions in words.items()
    }


def sides_of(
    reference: Side, hypothesis: Side, readings: tuple[Reading, Reading]
) -> tuple[Corpus, Corpus]:
    """Read both sides of a score.

    The format of a plain text file may depend on the other side: see `scoring.score.pairs`.
    """
    left = open_side(reference, readings[0])
    right = open_side(hypothesis, readings[1])
    if not isinstance(left, Corpus) or not isinstance(right, Corpus):
        from scoring.score.pairs import decided

        left, right = decided(left, right)
    has_recordings = left.is_unnamed or right.is_unnamed
    if has_recordings and (left.named_by_file or right.named_by_file):
        from scoring.sides.matching.names import without_languages

        return without_languages(left, right)
    return left, right


def open_side(side: Side, reading: Reading) -> Corpus | UndecidedFile | LikelyKaldi:
    """Return a side, unless its format depends on the other side."""
    if isinstance(side, Corpus):
        return side
    columns = _columns_of_file(side, reading)
    if columns is None or isinstance(columns, Corpus):
        return _opened(side, reading) if columns is None else columns
    return columns._replace(read=lambda: _opened(side, reading))


def _opened(file: SideFile, reading: Reading) -> Corpus | UndecidedFile:
    """Open a side with the reader of its format."""
    settings = reading_of(file, reading)
    if settings.format is not None or settings.options or file.name in (None, "-"):
        return read_by_format(file, reading)
    from scoring.sides.side_files import look_alike_problem, read_detected, read_with_lines

    corpus, lines, unknown, open_again = read_with_lines(file, settings)
    problem = unknown or look_alike_problem(lines, settings.side)
    if corpus is not None and corpus.format != "txt":
        return corpus
    from scoring.score.pairs import UndecidedFile, examined

    def read_as(name: str) -> Corpus:
        # a large file has columns
        if open_again is None or (file.size or 0) >= LEAST_BYTES:
            return read_side(file._replace(format=name), reading)
        return read_detected(open_again(), settings._replace(format=name))

    return examined(
        UndecidedFile(
            *(file.name, settings, read_as, problem, corpus, lines),
            open_again=open_again,
            is_collection=file.is_collection,
        )
    )


# The size from which files with equal bytes are probably copies.
LEAST_COPY = 1_000


def same_file(reference: SideFile, hypothesis: SideFile) -> Message | None:
    """Return a warning if both sides are the same file, or have equal bytes.

    Equal bytes in small files may be those of a hypothesis without errors.
    """
    name, path = reference.name or "", hypothesis.name or ""
    try:
        is_same = os.path.samefile(name, path)
        if not is_same:
            if (hypothesis.size or 0) < LEAST_COPY:
                return None
            import filecmp  # a short run has small files

            if not filecmp.cmp(name, path, shallow=False):
                return None
    except (OSError, ValueError):  # the reader reports the problem
        return None
    from scoring.score import messages

    if is_same:
        return messages.Message(messages.SAME_FILE, {"path": path})
    return messages.Message(messages.EQUAL_FILES, {"path": path, "reference": name})
