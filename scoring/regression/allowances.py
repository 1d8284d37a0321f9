"""Names of the differences between two sides that a user may allow; by default, none is allowed."""

from __future__ import annotations

from collections.abc import Collection

RULES, REFERENCES, MISSING = "rules", "references", "missing"
ALLOWANCES = (RULES, REFERENCES, MISSING)
NONE: Collection[str] = ()
