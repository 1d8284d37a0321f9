"""What the sums that engines write report: entries of a catalogue."""

from __future__ import annotations

from formats.schema.messages import ERROR, Entry

# Parts of a whole that do not belong together, by what differs.
APART = {
    "rules": Entry(
        "PARTS-DIFFER", ERROR, "expected the rules of {other}, {expected}, found {found}", "rules"
    ),
    "hypothesis": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the hypothesis of {other}, {expected}, found {found}",
        "hypothesis",
    ),
    "columns": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected groups by {expected} as in {other}, found {found}",
        "columns",
    ),
    "measures": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the measures of {other}, {expected}, found {found}",
        "measures",
    ),
    "replications": Entry(
        "PARTS-DIFFER",
        ERROR,
        "expected the replications of {other}, {expected}, found {found}",
        "replications",
    ),
}
TWICE = Entry("TABLE-TWICE", ERROR, "expected each table once, found {table} here and in {other}")
