"""Either side of a comparison, whatever it is: found out by looking."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.options import Rules
from scoring.regression.evidence import (
    Check,
    Difference,
    Evidence,
    EvidenceError,
    compare_all,
    rescored,
)
from scoring.score import Normalization, wer
from scoring.scored.rates import ErrorRates
from scoring.scored.record import SCHEMA
from scoring.scored.record_reader import read_document
from scoring.sides.corpus import Corpus

HEAD = 4096


class Transcripts(NamedTuple):
    """How to score a side that is a hypothesis file.

    Attributes
    ----------
    reference
        The reference file, or the words of a side that has them; None if there are none.
    reference_format, hypothesis_format
        Names of formats; None: detected.
    rules
        How to score.
    jobs
        As of `scoring.wer`.
    encoding, reference_encoding, hypothesis_encoding, reference_options, hypothesis_options,
    interpolate, channel_aliases, text_view, missing, allow_unmatched
        The same; `missing` of the rules is not looked at.
    normalize
        Steps and pipelines, as of `scoring.wer`; for sides that are both scored from their files.
    """

    reference: str | Corpus | None = None
    reference_format: str | None = None
    hypothesis_format: str | None = None
    rules: Rules = Rules()
    jobs: int = 1
    normalize: Normalization = None
    encoding: str = "utf-8"
    reference_options: tuple[tuple[str, object], ...] = ()
    hypothesis_options: tuple[tuple[str, object], ...] = ()
    interpolate: str = "none"
    channel_aliases: tuple[tuple[str, str], ...] = ()
    text_view: str = "lexical"
    missing: str | None = None
    allow_unmatched: bool = False
    reference_encoding: str | None = None
    hypothesis_encoding: str | None = None


def open_side(
    path: str, transcripts: Transcripts, speakers: Mapping[str, str] | None = None
) -> Evidence:
    """A directory of Kaldi's, sclite's SGML, our record, or a hypothesis file.

    Raises
    ------
    EvidenceError, ScoringError, formats.FormatError
        If it is none of these, or cannot be read.
    """
    if os.path.isdir(path) and not _is_transcript(path, transcripts):
        from scoring.regression.kaldi_directory import open_directory

        return open_directory(
            path, speakers, of_characters=transcripts.rules.unit in ("char", "grapheme")
        )
    if path != "-" and not os.path.isdir(path):
        with open(path, "rb") as file:
            head = file.read(HEAD)
        if head.lstrip().startswith(b"<SYSTEM "):
            from scoring.regression.sgml import open_sgml

            return open_sgml(path)
        if head.lstrip().startswith(b"{") and SCHEMA.encode() in head:
            return open_record(path)
    if transcripts.reference is None:
        raise EvidenceError(
            path,
            None,
            None,
            "expected Kaldi's scoring directory, sclite's SGML or a record of `scoring wer "
            "--json`; to score a transcript give --reference",
        )
    return _scored(path, transcripts, transcripts.reference, speakers)


def _is_transcript(path: str, transcripts: Transcripts) -> bool:
    """Whether a directory is one of Kaldi's with a `text`, to be scored against a reference."""
    return transcripts.reference is not None and os.path.isfile(os.path.join(path, "text"))


def reference_of(side: Evidence) -> Corpus:
    """The reference words of a side, to score another hypothesis against."""
    rates = side.rates
    lines = [None] * len(rates)
    references = rates.aligned.references
    return Corpus(side.name, None, rates.identifiers, rates.speakers, references, lines, {})


def _scored(
    path: str, transcripts: Transcripts, reference: str | Corpus, speakers: Mapping[str, str] | None
) -> Evidence:
    rules = transcripts.rules
    rates = wer(
        reference=Path(reference) if isinstance(reference, str) else reference,
        hypothesis=Path(path),
        reference_format=transcripts.reference_format,
        hypothesis_format=transcripts.hypothesis_format,
        profile=rules.profile,
        missing=transcripts.missing,
        allow_unmatched=transcripts.allow_unmatched,
        ignore_case=rules.ignore_case,
        forgive_optional=rules.forgive_optional,
        unit=rules.unit,
        normalize=transcripts.normalize,
        speakers=speakers,
        jobs=transcripts.jobs,
        reference_options=dict(transcripts.reference_options),
        hypothesis_options=dict(transcripts.hypothesis_options),
        encoding=transcripts.encoding,
        reference_encoding=transcripts.reference_encoding,
        hypothesis_encoding=transcripts.hypothesis_encoding,
        interpolate=transcripts.interpolate,
        channel_aliases=dict(transcripts.channel_aliases),
        text_view=transcripts.text_view,
    )
    return Evidence(path, "transcripts", rates)


def open_record(path: str) -> Evidence:
    """Read what `scoring wer --json` wrote, and score its words again.

    Raises
    ------
    EvidenceError
        If it holds more or less than one whole result.
    RecordError
        If it is malformed.
    """
    with open(path, "rb") as file:
        document = read_document(path, file.read())
    if document.shard is not None or len(document.systems) != 1:
        found = "a shard" if document.shard is not None else f"{len(document.systems)}"
        raise EvidenceError(path, None, None, f"expected one whole result, found {found}")
    [recorded] = document.systems
    ours = rescored(
        path,
        recorded.identifiers,
        recorded.speakers,
        recorded.aligned.references,
        recorded.aligned.hypotheses,
        recorded.rules,
    )
    return Evidence(path, "record", recorded, (_check(path, recorded, ours),))


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
