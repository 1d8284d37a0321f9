"""Cases that the tools of the field have worked out; tool, version and command are in each file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "golden" / "measures"


def cases(name: str) -> list[Any]:
    """The cases of a file, each with its identifier, input and output."""
    found: list[Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["cases"]
    return found


def name_of(case: Any) -> str:
    """The identifier of a case, for pytest."""
    return str(case["id"])
