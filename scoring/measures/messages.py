"""Messages of measures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from formats.schema.messages import ERROR, PART, Advice, Entry

if TYPE_CHECKING:
    from scoring.results.measured import Need

CHANGED = Entry("WORD-LIST", PART, "{entry!r} becomes {prepared!r}", "entry")
EMPTIED = Entry("WORD-LIST", PART, "{entry!r} becomes empty", "emptied")
NO_SOURCES = Entry(
    "MEASURE-SOURCES",
    ERROR,
    "expected the words as read, found only words after normalisation: keep the words "
    "when the files are scored ({advice} keeps them, and so does keep_sources=True in "
    "Python)",
    advice=(Advice("measures", ""),),
)
NEEDS: dict[Need, str] = {
    "raw": "the words before normalisation",
    "times": "times of words on both sides",
    "segments": "times of the reference's segments and of the hypothesis's words",
    "confidences": "confidences of the hypothesis",
    "sources": "the segments before normalisation",
}
"""The inputs besides words that measures may need."""
LACKING, LACKING_AND_NOT_KEPT = (
    {
        need: Entry(
            "MEASURE-NEEDS",
            ERROR,
            f"measure {{measure}}: expected {NEEDS[need]}, found none{kept}",
            f"{need}{variant}",
        )
        for need in NEEDS
    }
    for kept, variant in (("", ""), (" (keep_sources=True keeps them)", "-unkept"))
)
DEALT_BY_TIME = Entry(
    "MEASURE-SEGMENTS",
    ERROR,
    "measure {measure}: expected segments of the hypothesis, found words matched by "
    "time ({advice} matches whole recordings)",
    advice=(Advice("cut", "plain-alignment"),),
)
LOGARITHMS = Entry(
    "CONFIDENCES",
    ERROR,
    "expected confidences from 0 to 1, found {number:g} for {subject} ({advice} reads logarithms)",
    advice=(Advice("measure_option", "{setting}=yes"),),
)
