"""Names of what may differ between two sides that are compared; nothing may by default."""

from __future__ import annotations

from collections.abc import Collection

RULES, REFERENCES, MISSING = "rules", "references", "missing"
ALLOWANCES = (RULES, REFERENCES, MISSING)
NONE: Collection[str] = ()
