"""Cases computed by the tools that the field uses; each file names tool, version and command."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[2] / "golden" / "measures"


def records(name: str) -> list[Any]:
    """The cases of a file, each with its identifier, input and output."""
    document = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    assert {"tool", "version", "command"} <= document.keys()
    return list(document["cases"])


def cases(name: str, prefix: str = "") -> list[tuple[str, Any, Any]]:
    """Identifier, input and output of each case whose identifier begins with a prefix."""
    columns = ((case["id"], case["input"], case["output"]) for case in records(name))
    return [case for case in columns if case[0].startswith(prefix)]


def name_of(case: Any) -> str:
    """The identifier of a case, for pytest."""
    return str(case["id"])
