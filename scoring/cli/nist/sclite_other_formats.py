"""sclite's options for files in any format, which are read as by `scoring wer`.

NIST's sclite has four readers. Pairs of formats that NIST's sclite scores or rejects are not
handled here.
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.schema.errors import FormatError
from scoring.model.aliases import Say
from scoring.model.errors import ScoringError
from scoring.nist.pairing import Done
from scoring.nist.session import Scored, ScoreRequest
from scoring.nist.transcripts.characters import byte_text
from scoring.nist.transcripts.input_files import TranscriptFile
from scoring.options import Interpolation, Options
from scoring.pages import warnings_of
from scoring.score import score
from scoring.sides.given import File
from scoring.sides.remarks import is_note

AUTO = "auto"
# Of sclite's formats which the original scores together.
ORIGINAL_PAIRS = (("trn", "trn"), ("stm", "ctm"), ("ctm", "ctm"), ("stm", "txt"))
# The names of option `-e` in Python; ASCII is part of UTF-8. EUC is missing: it is several
# encodings, which sclite need not tell apart.
ENCODINGS = {"ascii": "utf-8", "utf-8": "utf-8", "ext_ascii": "latin-1", "gb": "gb18030"}


def is_known(format_name: str) -> bool:
    """Return True if a name is that of a format, or asks to detect the format."""
    from formats.detection import names

    return format_name == AUTO or format_name in names()


def found_formats(
    reference: TranscriptFile, hypothesis: TranscriptFile
) -> tuple[TranscriptFile, TranscriptFile]:
    """Return both files with their detected formats if NIST's sclite can score this pair.

    Otherwise return both files unchanged.
    """
    from formats import detect

    sides = (reference, hypothesis)
    try:
        formats = [detect(side.path) if side.format == AUTO else side.format for side in sides]
    except FormatError:
        return sides  # the readers report it
    if tuple(formats) not in ORIGINAL_PAIRS:
        return sides
    return reference._replace(format=formats[0]), hypothesis._replace(format=formats[1])


def score_files(
    request: ScoreRequest,
    reference: TranscriptFile,
    hypothesis: TranscriptFile,
    interpolate: Interpolation,
    first_sequence: int,
    warn: Say,
) -> Scored:
    """Score two files like `scoring wer`, with sclite's options and output."""
    sides = [
        File(side.path, format=None if side.format == AUTO else side.format)
        for side in (reference, hypothesis)
    ]
    options = Options(
        interpolate=interpolate,
        encoding=ENCODINGS[request.encoding],
        ignore_case=not request.case_sensitive,
        forgive_optional=request.optional_deletable,
        unit="word" if request.character_units is None else "char",
        keep_sources=True,
    )
    try:
        rates = score(sides[0], sides[1], options)
    except (FormatError, ScoringError) as problem:
        raise ScoringError(_byte_text(str(problem))) from None
    for remark in (*rates.remarks, *warnings_of(rates)):
        kind = "note: " if is_note(remark) else ""
        warn(_byte_text(f"sclite: {kind}{remark}\n"))
    system = rates.system(first_sequence=first_sequence)
    system.title = hypothesis.title
    system.reference_name, system.hypothesis_name = reference.name, hypothesis.name
    return Scored(system, _progress(len(rates) if request.verbose >= 2 else 0), None)


def _byte_text(text: str) -> str:
    return byte_text(text.encode("utf-8", "backslashreplace"))


def _progress(utterances: int) -> Iterator[str | int]:
    """Yield the output that sclite prints at feedback level 2 while it aligns."""
    for utterance in range(utterances):
        yield Done(utterance)
        yield "\n"
        yield utterance
