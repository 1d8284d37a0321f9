"""Run a command as a step of a GitHub job, and show its tables and messages on GitHub.

`action.yml` runs `python -m scoring.cli.peers.job_page wer REF HYP --fail-above 12`. The command's
output, messages and exit status do not change. In addition, its Markdown is appended to the file
that `GITHUB_STEP_SUMMARY` names. The verdict of its gate becomes the outputs `passed` and `summary`
(`GITHUB_OUTPUT`). Each message about a line of a file becomes an annotation at this line. Source of
the syntax: GitHub's documentation of workflow commands.

>>> from formats.schema.errors import SyntaxFormatError
>>> error = SyntaxFormatError("expected an id, found 50 %", path="a.trn", line=2, column=8)
>>> print(annotation(error))
::error file=a.trn,line=2,col=8::expected an id, found 50 %25
>>> from formats.schema.messages import Entry
>>> print(annotation(Message(Entry("ORDER", "warning", "words out of order"))))
::warning::words out of order
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from formats.console.process import run
from formats.console.telling import severity_of, tells_remarks, told_to
from formats.schema.errors import located
from formats.schema.messages import ERROR, WARNING, Message
from formats.schema.remarks import AnyMessage

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["annotation", "main"]

WITH_GATE = ("wer", "cer", "compare", "gate", "events", "segments", "per", "der", "kws")
WITH_MARKDOWN = ("wer", "cer", "compare", "gate", "beer", "events", "segments", "per", "der")
KINDS = {ERROR: "error", WARNING: "warning"}


def annotation(message: AnyMessage, name: str = "") -> str:
    """Return the annotation of a message; `name` is used if the message has no file position.

    Messages other than errors and warnings become notices.
    """
    kind = KINDS.get(severity_of(message), "notice")
    if isinstance(message, Message):
        return f"::{kind}::{_escaped(located(name or None, None, None, str(message)))}"
    if message.path is None or message.line is None:
        return f"::{kind}::{_escaped(located(message.path, None, None, message.message))}"
    file = _escaped(message.path).replace(":", "%3A").replace(",", "%2C")
    column = f",col={message.column}" if message.column else ""
    return f"::{kind} file={file},line={message.line}{column}::{_escaped(message.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def main(words: Sequence[str]) -> int:
    """Run `scoring WORDS…`, or `formats WORDS…` if the first word is `validate`.

    Return the exit status of the command.
    """
    if not words:
        print("job_page: expected a command and its arguments, found none", file=sys.stderr)
        return 2
    page, outputs = os.environ.get("GITHUB_STEP_SUMMARY"), os.environ.get("GITHUB_OUTPUT")
    arguments = list(words)
    annotations: list[str] = []

    def hear(message: AnyMessage, name: str) -> None:
        if severity_of(message) == ERROR or tells_remarks():
            annotations.append(annotation(message, name))

    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "page.md"
        if page and words[0] in WITH_MARKDOWN and "--markdown" not in words:
            arguments += ["--markdown", str(table)]
        verdict = Path(folder) / "verdict.json"
        if outputs and words[0] in WITH_GATE and "--summary-json" not in words:
            arguments += ["--summary-json", str(verdict)]
        with told_to(hear):
            status = _run(arguments)
        for line in annotations:
            print(line, flush=True)
        if page and table.exists():
            with open(page, "ab") as summary:
                summary.write(table.read_bytes() + b"\n")
        if outputs and verdict.exists():
            text = verdict.read_text("utf-8").strip()
            is_passed = json.loads(text)["passed"]
            passed = "" if is_passed is None else str(is_passed).lower()
            with open(outputs, "a", encoding="utf-8") as named:
                named.write(f"passed={passed}\nsummary={text}\n")
    return status


def _run(arguments: Sequence[str]) -> int:
    if arguments[0] == "validate":
        from formats.cli import main as formats_main

        return formats_main(arguments)
    from scoring.cli.scoring import main as scoring_main

    return scoring_main(arguments)


if __name__ == "__main__":
    run(lambda: main(sys.argv[1:]))
