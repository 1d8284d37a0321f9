"""Cases computed by the tools that the field uses; each file names tool, version and command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "golden" / "measures"


def cases(name: str, prefix: str = "") -> list[tuple[str, Any, Any]]:
    """Identifier, input and output of each case whose identifier begins with a prefix."""
    document = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert {"tool", "version", "command"} <= document.keys()
    return [
        (case["id"], case["input"], case["output"])
        for case in document["cases"]
        if case["id"].startswith(prefix)
    ]
