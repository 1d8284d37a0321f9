"""Reading and aligning in several processes: each takes a stretch of lines of both files.

Reading text takes far longer than aligning it, so a process reads its own stretch, aligns what it
finds in it, and hands back finished columns. Stretches are cut where both files have the same
identifier, if they have; what lies in another stretch than its partner is aligned afterwards.
Whatever needs a place in the whole file (an error, a warning, an identifier that stands twice)
sends the run back to a single process, which says it right.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pickle
import warnings
from array import array
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from scoring.alignment.batch import Alignments, CountsTable
from scoring.errors import ScoringError
from scoring.matching.identifier import first_repeated, match
from scoring.normalize.units import in_units
from scoring.options import Rules, profile_named
from scoring.rates.sources import normalized
from scoring.scored.aligned import Sides, align_corpora
from scoring.scored.from_columns import line_format, lines_as_read
from scoring.sides import kaldi_text
from scoring.sides.corpus import Corpus, SplitTexts
from scoring.sides.side_files import Reading

if TYPE_CHECKING:
    from scoring.normalize.pipeline import Pipeline

# Encodings in which a line feed is a byte of its own and nothing needs to be seen as a whole.
ENCODINGS = ("utf-8", "utf8", "ascii", "latin-1", "iso-8859-1")
LEAST_BYTES = 1 << 20
LONGEST_LINE = 1 << 16
# How far, as a share of the file, a cut may lie off in the hypothesis: beyond it orders differ.
FARTHEST = 0.1
Result = TypeVar("Result")


class UnfitError(Exception):
    """A stretch that cannot be scored by itself."""


def score_in_chunks(
    paths: tuple[os.PathLike[str], os.PathLike[str]],
    readings: tuple[Reading, Reading],
    rules: Rules,
    jobs: int,
    pipeline: Pipeline | None = None,
) -> Sides | None:
    """Both files read, normalised and aligned in as many processes, or None if that cannot be done.

    It cannot where processes cannot be forked, files are small, or not of a format with an
    utterance a line, or where there is something to say of what normalisation did.
    """
    if not hasattr(os, "fork"):
        return None
    from formats import FormatError

    try:
        name = _common_format(paths, readings)
        chunks = _cut(_content(paths[0]), _content(paths[1]), name, jobs)
        tasks = [_Task(chunk, name, paths, readings, rules, pipeline) for chunk in chunks]
        tasks[0].rehearse()
        return _joined(in_processes([task.run for task in tasks]), paths, name, rules)
    except (UnfitError, OSError, FormatError, ScoringError):
        return None


def _common_format(paths: Sequence[os.PathLike[str]], readings: Sequence[Reading]) -> str:
    names = {line_format(path, reading) for path, reading in zip(paths, readings, strict=True)}
    name = names.pop()
    if names or name is None:
        raise UnfitError
    if any(reading.encoding.lower() not in ENCODINGS for reading in readings):
        raise UnfitError
    return name


def _content(path: os.PathLike[str]) -> bytes:
    with open(path, "rb") as file:
        data = file.read()
    compressed_or_wide = data[:2] in (b"\x1f\x8b", b"\xff\xfe", b"\xfe\xff")
    if compressed_or_wide or len(data) < LEAST_BYTES:
        raise UnfitError
    return data


def _cut(
    reference: bytes, hypothesis: bytes, name: str, jobs: int
) -> list[tuple[memoryview, memoryview]]:
    """Both in as many stretches, cut after the same identifier.

    Raises
    ------
    UnfitError
        If there is no such place: the files are not in the same order.
    """
    cuts = [(0, 0)]
    for number in range(1, jobs):
        at = reference.find(b"\n", len(reference) * number // jobs) + 1
        key, offset = CUTS[name](reference, at)
        near = len(hypothesis) * number // jobs
        reach = int(len(hypothesis) * FARTHEST)
        other = hypothesis.find(key, max(0, near - reach), near + reach)
        if not at or not key or other < 0:
            raise UnfitError
        cuts.append((at, other + offset))
    cuts.append((len(reference), len(hypothesis)))
    left, right = memoryview(reference), memoryview(hypothesis)
    return [(left[begin[0] : end[0]], right[begin[1] : end[1]]) for begin, end in pairwise(cuts)]


def _identifier_behind_words(data: bytes, at: int) -> tuple[bytes, int]:
    """What to look for, and how far after its beginning the cut lies: the line before the cut."""
    key = data[data.rfind(b"(", 0, at) : at]
    return (key, len(key)) if key.endswith(b")\n") else (b"", 0)


def _identifier_before_words(data: bytes, at: int) -> tuple[bytes, int]:
    """The same for formats whose lines begin with the identifier: the line after the cut."""
    fields = data[at : data.find(b"\n", at) + 1].split(b" ", 1)
    return (b"\n" + fields[0] + b" ", 1) if len(fields) == 2 else (b"", 0)


SIDES = ("reference", "hypothesis")
# How to find a place to cut at.
CUTS = {
    "trn": _identifier_behind_words,
    "kaldi": _identifier_before_words,
    kaldi_text.NAME: _identifier_before_words,
}


class _Part(NamedTuple):
    """What a process hands back: columns as text, which is quick to hand over.

    Tokens hold no tabs and identifiers no line ends, so joining them loses nothing.
    """

    identifiers: str
    speakers: str
    references: str
    hypotheses: str
    unmatched: Sequence[int]
    extra: Sequence[tuple[str, tuple[str, ...]]]
    edits: bytes
    offsets: bytes
    counts: bytes


class _Task(NamedTuple):
    """What one process does."""

    chunk: tuple[memoryview, memoryview]
    format: str
    paths: tuple[os.PathLike[str], os.PathLike[str]]
    readings: tuple[Reading, Reading]
    rules: Rules
    pipeline: Pipeline | None

    def run(self) -> _Part:
        """Read both stretches and align what belongs together."""
        reference, hypothesis = (self._read(side) for side in (0, 1))
        found = match(reference.identifiers, hypothesis.identifiers)
        if found.reference_only and self.rules.missing != "delete":
            raise UnfitError
        aligned = align_corpora(reference, hypothesis, found.partners, self.rules, 1)
        extra = found.hypothesis_only
        return _Part(
            "\n".join(reference.identifiers),
            "\n".join([speaker or "" for speaker in reference.speakers]),
            "\n".join(map("\t".join, aligned.references)),
            "\n".join(map("\t".join, aligned.hypotheses)),
            found.reference_only,
            [(hypothesis.identifiers[at], hypothesis.words[at]) for at in extra],
            aligned.edits,
            array("q", aligned.offsets).tobytes(),
            bytes(aligned.counts.array),
        )

    def rehearse(self) -> None:
        """Load whatever `run` loads, on a line of each side.

        A forked process that imports waits for ever if a thread of this one was in that import.
        """
        reference, hypothesis = (bytes(side[:LONGEST_LINE]) for side in self.chunk)
        lines = (reference.partition(b"\n")[0], hypothesis.partition(b"\n")[0])
        with contextlib.suppress(UnfitError):
            self._replace(chunk=(memoryview(lines[0]), memoryview(lines[1]))).run()

    def _read(self, side: int) -> Corpus:
        encoding = self.readings[side].encoding
        corpus = lines_as_read(self.chunk[side], self.paths[side], self.format, encoding)
        if corpus is None or first_repeated(corpus.identifiers) is not None:
            raise UnfitError
        if self.pipeline is not None:
            corpus = normalized(corpus, self.pipeline, SIDES[side])
            if corpus.remarks:
                raise UnfitError
        return corpus._replace(words=in_units(corpus.words, self.rules.unit))


def _joined(
    parts: Sequence[_Part], paths: Sequence[os.PathLike[str]], format_name: str, rules: Rules
) -> Sides:
    """All parts as two corpora and their alignment.

    Raises
    ------
    UnfitError
        If an identifier stands in several stretches, or without its partner.
    """
    identifiers = [name for part in parts for name in _lines(part.identifiers)]
    speakers = [name or None for part in parts for name in _lines(part.speakers)]
    extra = [one for part in parts for one in part.extra]
    known = set(identifiers)
    names = {name for name, _ in extra}
    if len(known) < len(identifiers) or len(names) < len(extra) or names & known:
        raise UnfitError
    filled = [part for part in parts if part.identifiers]
    count = len(identifiers)
    offsets = array("q", [0])
    for part in parts:
        base = offsets[-1]
        offsets.extend([base + offset for offset in array("q", part.offsets)[1:]])
    aligned = Alignments(
        SplitTexts([part.references for part in filled], count),
        SplitTexts([part.hypotheses for part in filled], count),
        b"".join([part.edits for part in parts]),
        offsets,
        CountsTable(b"".join([part.counts for part in parts])),
        profile_named(rules.profile).costs,
    )
    lines = [None] * (count + len(extra))
    reference = Corpus(
        os.fspath(paths[0]), format_name, identifiers, speakers, aligned.references, lines, {}
    )
    hypothesis = reference._replace(name=os.fspath(paths[1]), words=aligned.hypotheses)
    if any(part.unmatched for part in parts) or extra:
        hypothesis = _without_partners(hypothesis, parts, extra)
    return Sides(reference, hypothesis, aligned)


def _lines(text: str) -> list[str]:
    return text.split("\n") if text else []


def _without_partners(
    hypothesis: Corpus, parts: Sequence[_Part], extra: Sequence[tuple[str, tuple[str, ...]]]
) -> Corpus:
    """The hypothesis without those that only the reference has, with those only it has."""
    missing: set[int] = set()
    base = 0
    for part in parts:
        missing.update(base + at for at in part.unmatched)
        base += len(_lines(part.identifiers))
    kept = [at for at in range(base) if at not in missing]
    return hypothesis._replace(
        identifiers=[*(hypothesis.identifiers[at] for at in kept), *(name for name, _ in extra)],
        words=[*(hypothesis.words[at] for at in kept), *(words for _, words in extra)],
    )


def in_processes(tasks: Sequence[Callable[[], Result]]) -> list[Result]:
    """The results of tasks, the first made here and each other in a process of its own.

    Raises
    ------
    UnfitError
        If a task fails in another process.
    """
    collected = gc.isenabled()
    gc.disable()  # what is made here is kept; looking through it again and again only takes time
    children = [_fork(task) for task in tasks[1:]]
    results: list[Result] = []
    try:
        results.append(tasks[0]())
        for _, reader in children:
            with os.fdopen(reader, "rb", closefd=False) as pipe:
                data = pipe.read()
            if not data:
                raise UnfitError
            results.append(pickle.loads(data))
    finally:
        for process, reader in children:
            # one that still writes ends with its pipe
            os.close(reader)
            os.waitpid(process, 0)
        if collected:
            gc.enable()
    return results


def _fork(task: Callable[[], object]) -> tuple[int, int]:
    """A process for a task; its number, and where its result can be read."""
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        # nothing but this task runs in the new process, and it ends without clean-up
        warnings.simplefilter("ignore", DeprecationWarning)
        process = os.fork()
    if process:
        os.close(writer)
        return process, reader
    os.close(reader)
    try:
        data = pickle.dumps(task(), protocol=pickle.HIGHEST_PROTOCOL)
        with os.fdopen(writer, "wb") as pipe:
            pipe.write(data)
    except BaseException:
        os._exit(1)
    os._exit(0)
