"""Either side of a comparison, whatever it is: found out by looking."""

from __future__ import annotations

import os
from pathlib import Path

from formats.source import open_source
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.options import Options
from scoring.regression.evidence import (
    Check,
    Difference,
    Evidence,
    EvidenceError,
    compare_all,
    rescored,
)
from scoring.regression.history import MAGIC, History
from scoring.scored.rates import ErrorRates
from scoring.scored.record import SCHEMA, Document
from scoring.scored.record_reader import read_document
from scoring.scored.score import wer
from scoring.sides.corpus import Corpus

HEAD = 4096
GZIP = b"\x1f\x8b"  # a file that `ErrorRates.save` compressed begins with this
AS_USUAL = Options()


def open_side(
    path: str,
    options: Options = AS_USUAL,
    reference: str | Corpus | None = None,
    run: str = "",
) -> Evidence:
    """A directory of Kaldi's, sclite's SGML, our record, a remembered run, or a hypothesis file.

    Parameters
    ----------
    options
        How a hypothesis file is scored, and the speakers of Kaldi's utterances.
    reference
        The reference file for it, or the words of a side that has them; None if there are none.
    run
        Which run of a history, as `History.find` takes it.

    Raises
    ------
    EvidenceError, ScoringError, formats.FormatError
        If it is none of these, or cannot be read.
    """
    if os.path.isdir(path) and not (
        reference is not None and os.path.isfile(os.path.join(path, "text"))
    ):
        from scoring.regression.kaldi_directory import open_directory

        return open_directory(
            path, options.speakers, of_characters=options.unit in ("char", "grapheme")
        )
    if path != "-" and not os.path.isdir(path):
        with open(path, "rb") as file:
            head = file.read(HEAD)
        if head.startswith(MAGIC):
            with History(path) as history:
                found = history.find(run)
                name = f"{path}, run {found.number}"
                return _recorded(name, "run", history.document(found))
        if head.lstrip().startswith(b"<SYSTEM "):
            from scoring.regression.sgml import open_sgml

            return open_sgml(path)
        if head.startswith(GZIP):
            with open_source(path) as source:
                head = source.head(HEAD)[0].encode()
        if head.lstrip().startswith(b"{") and SCHEMA.encode() in head:
            return open_record(path)
    if reference is None:
        raise EvidenceError(
            path,
            None,
            None,
            "expected Kaldi's scoring directory, sclite's SGML, a record of `scoring wer --json` "
            "or a history of runs; to score a transcript give --reference",
        )
    said = Path(reference) if isinstance(reference, str) else reference
    return Evidence(path, "transcripts", wer(said, Path(path), options=options))


def reference_of(side: Evidence) -> Corpus:
    """The reference words of a side, to score another hypothesis against."""
    rates = side.rates
    lines = [None] * len(rates)
    references = rates.aligned.references
    return Corpus(side.name, None, rates.identifiers, rates.speakers, references, lines, {})


def open_record(path: str) -> Evidence:
    """Read what `scoring wer --json` or `ErrorRates.save` wrote, and score its words again.

    Raises
    ------
    EvidenceError
        If it holds more or less than one whole result.
    RecordError
        If it is malformed.
    """
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(GZIP):
        with open_source(path) as source:
            data = source.text(limit=None).encode()
    return _recorded(path, "record", read_document(path, data))


def _recorded(path: str, kind: str, document: Document) -> Evidence:
    if document.shard is not None or len(document.systems) != 1:
        found = "a shard" if document.shard is not None else f"{len(document.systems)}"
        raise EvidenceError(path, None, None, f"expected one whole result, found {found}")
    [recorded] = document.systems
    if recorded.session_of:
        remark = "who was taken for whom cannot be told from the words"
        return Evidence(path, kind, recorded, (Check(path, 0, remark=remark),))
    ours = rescored(
        path,
        recorded.identifiers,
        recorded.speakers,
        recorded.aligned.references,
        recorded.aligned.hypotheses,
        recorded.rules,
    )
    return Evidence(path, kind, recorded, (_check(path, recorded, ours),))


_CHOSEN = NO_REFERENCE & frozenset({Edit.SKIPPED_HYPOTHESIS}) | NO_HYPOTHESIS & frozenset(
    {Edit.SKIPPED_REFERENCE}
)


def _check(path: str, recorded: ErrorRates, ours: ErrorRates) -> Check:
    """Alignments against ours; those with words left out for free cannot be made from words."""
    entries = [
        Difference(
            identifier,
            recorded.alignment_at(position).letters,
            ours.alignment_at(position).letters,
        )
        for position, identifier in enumerate(recorded.identifiers)
        if not any(edit in _CHOSEN for edit in recorded.alignment_at(position).edits)
    ]
    return compare_all(path, entries)
