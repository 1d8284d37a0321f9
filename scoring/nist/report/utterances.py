"""The table of utterances `.utt`, which the original has not: for spreadsheets, tabs between."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.alignment.system import REFERENCE_SPAN, System

COLUMNS = ("id", "speaker", "file", "channel", "begin", "end")
NUMBERS = ("words", "correct", "substitutions", "deletions", "insertions")


def table(system: System) -> Iterator[bytes]:
    r"""An utterance a line, after a line of titles; what is not known is empty.

    Times are in seconds; names and identifiers have no tabs, since no report could show them.
    """
    yield ("\t".join(COLUMNS + NUMBERS) + "\n").encode("latin-1")
    columns = system.utterances
    for at, (identifier, speaker) in enumerate(
        zip(columns.identifiers, columns.speakers, strict=True)
    ):
        places = [(one[at] if one else None) or "" for one in (columns.files, columns.channels)]
        span = ["", ""]
        if columns.attributes[at] & REFERENCE_SPAN and columns.span_begins and columns.span_ends:
            span = [f"{columns.span_begins[at]:.3f}", f"{columns.span_ends[at]:.3f}"]
        counts = system.counts_of(at)
        numbers = map(str, (counts.reference_tokens, *counts))
        cells = (identifier[1:-1], system.speakers[speaker], *places, *span, *numbers)
        yield ("\t".join(cells) + "\n").encode("latin-1")
