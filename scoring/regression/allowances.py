"""Names of the differences that a comparison of two sides may allow; by default, none."""

from __future__ import annotations

from collections.abc import Collection

RULES, REFERENCES, MISSING = "rules", "references", "missing"
ALLOWANCES = (RULES, REFERENCES, MISSING)
NONE: Collection[str] = ()
