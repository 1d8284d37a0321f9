"""Results in notebooks: HTML that is safe whatever words and file names hold."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates

CHARACTERS = ("char", "grapheme")


def html_of(rates: ErrorRates) -> str:
    """A table of all counts and rates, the signature, and what may have been overlooked."""
    from scoring.pages.hint import hint_of
    from scoring.pages.rates import percent, warnings_of

    counts = rates.counts
    characters = rates.rules.unit in CHARACTERS
    cells = {
        "utterances": str(len(rates)),
        "characters" if characters else "words": str(counts.reference_tokens),
        "correct": str(counts.correct),
        "substitutions": str(counts.substitutions),
        "deletions": str(counts.deletions),
        "insertions": str(counts.insertions),
        "CER %" if characters else "WER %": percent(rates.corpus),
        "MER %": percent(rates.match_error_rate),
        "WIL %": percent(rates.word_information_lost),
        "SER %": percent(rates.sentence_error_rate),
    }
    head = "".join(f"<th>{escape(name)}</th>" for name in cells)
    row = "".join(f"<td>{escape(value)}</td>" for value in cells.values())
    lines = [f"warning: {text}" for text in warnings_of(rates)]
    lines += [] if (hint := hint_of(rates)) is None else [hint]
    lines += [remark for remark in rates.remarks if remark not in lines]
    notes = "".join(f'<p dir="auto">{escape(line)}</p>' for line in lines)
    return (
        f"<table><caption>{escape(rates.signature)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody><tr>{row}</tr></tbody></table>{notes}"
    )
