"""The console sessions of a page: commands with what is shown below them."""

from __future__ import annotations

import re
from collections.abc import Iterator


def console_steps(text: str) -> Iterator[tuple[str, str]]:
    """Each command, its continued lines joined, with the lines that follow it."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", "")
        for step in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown
