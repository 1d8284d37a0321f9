"""Names of what may differ between two sides that are compared; nothing may by default."""

from __future__ import annotations

from collections.abc import Collection

RULES, REFERENCES, MISSING = "rules", "references", "missing"
ALLOWANCES = (RULES, REFERENCES, MISSING)
ALLOW = (
    "--allow {rules,references,missing} ...  compare even if the sides differ in this: rules of "
    "scoring (each side keeps its own; a note names both), reference words, or utterances (those "
    "that one side lacks are skipped; by default their words are deleted, or an error where a "
    "recorded side lacks them; repeatable)"
)
NONE: Collection[str] = ()
