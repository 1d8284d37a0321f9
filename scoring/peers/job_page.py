"""A command of ours as a step of a job on GitHub: tables in its page, messages at their lines.

`action.yml` runs `python -m scoring.peers.job_page wer REF HYP --fail-above 12`. The command's
output, messages and exit status stay as they are; beside them its Markdown is appended to the file
that `GITHUB_STEP_SUMMARY` names, the verdict of its gate becomes the outputs `passed` and `summary`
(`GITHUB_OUTPUT`), and each message that is about a line of a file becomes an annotation there.
Source of the syntax: GitHub's documentation of workflow commands.

>>> print(annotation("scoring: a.trn:2:8: expected an id, found 50 %"))
::error file=a.trn,line=2,col=8::expected an id, found 50 %25
>>> print(annotation("formats: warning: words out of order"))
::warning::words out of order
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["annotation", "main"]

WITH_GATE = ("wer", "cer", "compare", "events", "segments", "per", "der", "kws")
WITH_MARKDOWN = ("wer", "cer", "compare", "beer", "events", "segments", "per", "der")
MESSAGE = re.compile(r"[\w.-]+(?: [\w-]+)?: (?:(?P<place>.+?:\d+(?::\d+)?): )?(?P<text>.+)")
PLACE = re.compile(r"(?P<file>.+?):(?P<line>\d+)(?::(?P<column>\d+))?")
KINDS = {"warning: ": "warning", "note: ": "notice", "hint: ": "notice", "error: ": "error"}


def annotation(line: str) -> str | None:
    """The annotation for a message `program: file:line:column: text`; None for other lines."""
    message = MESSAGE.fullmatch(line)
    if message is None:
        return None
    kind, text = "error", message["text"]
    for opening, name in KINDS.items():
        if text.startswith(opening):
            kind, text = name, text[len(opening) :]
    where = ""
    if message["place"] and (place := PLACE.fullmatch(message["place"])):
        file = _escaped(place["file"]).replace(":", "%3A").replace(",", "%2C")
        column = f",col={place['column']}" if place["column"] else ""
        where = f" file={file},line={place['line']}{column}"
    return f"::{kind}{where}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def main(words: Sequence[str]) -> int:
    """Run `scoring WORDS…`, or `formats WORDS…` where the first word is `validate`; its status."""
    if not words:
        print("job_page: expected a command and its arguments, found none", file=sys.stderr)
        return 2
    page, outputs = os.environ.get("GITHUB_STEP_SUMMARY"), os.environ.get("GITHUB_OUTPUT")
    package = "formats" if words[0] == "validate" else "scoring"
    command = [sys.executable, "-m", package, *words]
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "page.md"
        if page and words[0] in WITH_MARKDOWN and "--markdown" not in words:
            command += ["--markdown", str(table)]
        verdict = Path(folder) / "verdict.json"
        if outputs and words[0] in WITH_GATE and "--summary-json" not in words:
            command += ["--summary-json", str(verdict)]
        with subprocess.Popen(command, stderr=subprocess.PIPE) as run:
            assert run.stderr is not None
            for line in run.stderr:
                _tell(line)
        if page and table.exists():
            with open(page, "ab") as summary:
                summary.write(table.read_bytes() + b"\n")
        if outputs and verdict.exists():
            text = verdict.read_text("utf-8").strip()
            passed = str(json.loads(text)["passed"]).lower()
            with open(outputs, "a", encoding="utf-8") as named:
                named.write(f"passed={passed}\nsummary={text}\n")
    return run.returncode if run.returncode >= 0 else 128 - run.returncode


def _tell(line: bytes) -> None:
    sys.stderr.buffer.write(line)
    sys.stderr.flush()
    if command := annotation(line.decode("utf-8", "replace").rstrip("\r\n")):
        print(command, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
