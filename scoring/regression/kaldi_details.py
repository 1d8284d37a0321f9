"""Kaldi's `per_utt` and `per_spk` files: utterance alignments and speaker counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.messages import expected_found
from scoring.regression.evidence import EvidenceError
from scoring.regression.kaldi_files import lines_of
from scoring.sides.matching.in_common import first_repeated

if TYPE_CHECKING:
    from formats.schema.words import Words

_ROWS = ("ref", "hyp", "op", "#csid")


class Detail(NamedTuple):
    """One utterance of a `per_utt` file."""

    identifier: str
    reference: Words
    hypothesis: Words
    operations: str  # a letter for each place: C, S, I, D
    counts: str  # correct, substitutions, insertions, deletions, as they stand there
    marks: frozenset[str] = frozenset()  # what faces a word without partner


def read_details(path: str) -> list[Detail]:
    """Read a `per_utt` file."""
    rows: list[tuple[int, tuple[str, ...]]] = []
    details: list[Detail] = []
    for number, fields in lines_of(path):
        expected = _ROWS[len(rows)]
        if len(fields) < 2 or fields[1] != expected or (rows and fields[0] != rows[0][1][0]):
            of = f" of {rows[0][1][0]!r}" if rows else " of an utterance"
            start = " ".join(fields[:2])
            problem = expected_found(f"row {expected!r}{of}", repr(start))
            raise EvidenceError(path, number, 1, problem)
        rows.append((number, fields))
        if len(rows) == len(_ROWS):
            details.append(_detail(path, rows))
            rows = []
    if rows:
        number, fields = rows[-1]
        expected = _ROWS[len(rows)]
        problem = expected_found(f"row {expected!r} of {fields[0]!r}", "the end")
        raise EvidenceError(path, number, None, problem)
    repeated = first_repeated([detail.identifier for detail in details])
    if repeated is not None:
        name = details[repeated[1]].identifier
        line = len(_ROWS) * repeated[1] + 1
        raise EvidenceError(path, line, 1, expected_found("each utterance once", f"{name!r} again"))
    return details


def _detail(path: str, rows: list[tuple[int, tuple[str, ...]]]) -> Detail:
    reference, hypothesis, operations, counts = (fields[2:] for _, fields in rows)
    number = rows[2][0]
    if not len(reference) == len(hypothesis) == len(operations):
        sizes = (
            f"{len(reference)} in the reference, {len(hypothesis)} in the hypothesis and "
            f"{len(operations)} operations"
        )
        problem = expected_found("as many words as operations", sizes)
        raise EvidenceError(path, number, None, problem)
    unknown = set(operations) - set("CSDI")
    if unknown:
        problem = expected_found("operations C, S, D and I", repr(min(unknown)))
        raise EvidenceError(path, number, None, problem)
    return Detail(
        rows[0][1][0],
        tuple(w for w, op in zip(reference, operations, strict=True) if op != "I"),
        tuple(w for w, op in zip(hypothesis, operations, strict=True) if op != "D"),
        "".join(operations),
        " ".join(counts),
        frozenset(
            (w if op == "I" else h)
            for w, h, op in zip(reference, hypothesis, operations, strict=True)
            if op in "ID"
        ),
    )


def read_speaker_rows(path: str) -> dict[str, str]:
    """Return the rows of `per_spk` by speaker and kind, as in `anna raw`.

    Fields of a row are separated by single blanks.
    """
    rows: dict[str, str] = {}
    for number, fields in lines_of(path):
        if fields[0] == "SPEAKER":
            continue
        if len(fields) != 10 or fields[1] not in ("raw", "sys"):
            problem = expected_found("a speaker, raw or sys, and 8 numbers", " ".join(fields[:3]))
            raise EvidenceError(path, number, 1, problem)
        rows[" ".join(fields[:2])] = " ".join(fields[2:])
    return rows


def speakers_by_prefix(
    identifiers: list[str], names: Mapping[str, object]
) -> list[str | None] | None:
    """Return for each identifier the longest name in `names` that it begins with.

    Return None if an identifier begins with no name.
    """
    ordered = sorted(names, key=len, reverse=True)
    speakers: list[str | None] = [
        next((name for name in ordered if identifier.startswith(name)), None)
        for identifier in identifiers
    ]
    return None if None in speakers else speakers
