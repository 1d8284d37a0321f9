"""The `.utt` report, our addition: a tab-separated table of utterances for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.alignment.system import REFERENCE_SPAN, System

COLUMNS = ("id", "speaker", "file", "channel", "begin", "end")
NUMBERS = ("words", "correct", "substitutions", "deletions", "insertions")


def table(system: System) -> Iterator[bytes]:
    r"""Yield a header line and one line per utterance; unknown values are empty."""
    yield ("\t".join(COLUMNS + NUMBERS) + "\n").encode("latin-1")
    columns = system.utterances
    for index, (identifier, speaker) in enumerate(
        zip(columns.identifiers, columns.speakers, strict=True)
    ):
        places = [
            (names[index] if names else None) or "" for names in (columns.files, columns.channels)
        ]
        span = ["", ""]
        if columns.attributes[index] & REFERENCE_SPAN and columns.span_begins and columns.span_ends:
            span = [f"{columns.span_begins[index]:.3f}", f"{columns.span_ends[index]:.3f}"]
        counts = system.counts[index]
        numbers = map(str, (counts.reference_tokens, *counts))
        cells = (identifier[1:-1], system.speakers[speaker], *places, *span, *numbers)
        yield ("\t".join(cells) + "\n").encode("latin-1")
