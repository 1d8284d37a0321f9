"""The work of the page: files and choices in, the output of a command out.

Requests and answers are a line of JSON followed by the bytes of their files. The page calls
`answer` within the browser, or sends requests to `scoring ui`. Every task but `demo` runs a
command as people type it, in an empty folder with the files of the request; the answer names it.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from formats.errors import FormatError
from formats.working import Listener, heard_by
from scoring.cli.flags import ALIGNING, ENCODINGS, FIELDS, FORMATS, MATCHING
from scoring.errors import ScoringError

BAD_INPUT, FAILED = 2, 1
MISSING_PACKAGE = re.compile(r"expected the package ([\w-]{1,60}) to be installed")
PAGE_LACKS = {"lxml": "read or write formats of XML", "regex": "cut words into this unit"}
OUTPUT = "sclite-kit"
# Reports of a score: flags of `scoring wer`, and what the file is called.
REPORTS = {
    "html": ("--html", f"{OUTPUT}/report.html"),
    "json": ("--json", f"{OUTPUT}/report.json"),
    "csv": ("--csv", f"{OUTPUT}/report.csv"),
    "sys": ("-O", OUTPUT, "-o", "sum"),
    "pra": ("-O", OUTPUT, "-o", "pralign"),
}
CHOICES = (*FORMATS, *ENCODINGS, *ALIGNING, *MATCHING, "normalize", "measure", "collar", "like")
READING = {"format": "--from", "encoding": "--encoding", "interpolate": "--interpolate"}


class RequestError(ScoringError):
    """A request that the page does not send."""


class TaskFile(NamedTuple):
    """A file of a request or an answer."""

    name: str
    content: bytes


def answer(body: bytes, listener: Listener | None = None) -> bytes:
    """The answer to a request; `listener` hears of progress."""
    try:
        request, inputs = unpacked(body)
        task = TASKS.get(str(request.get("task")))
        if task is None:
            raise RequestError(f"expected a task ({', '.join(TASKS)}), found none")
        with heard_by(listener):
            record, outputs = task(request, inputs)
    except (ScoringError, FormatError, OSError) as problem:
        record, outputs = {"status": BAD_INPUT, "messages": str(problem)}, []
    except MemoryError:
        record, outputs = {"status": FAILED, "messages": "not enough memory"}, []
    return packed(record, outputs)


def packed(record: Mapping[str, Any], files: Sequence[TaskFile]) -> bytes:
    """A record and files as bytes."""
    named = {**record, "files": [[file.name, len(file.content)] for file in files]}
    return b"".join([json.dumps(named).encode("ascii"), b"\n", *(file.content for file in files)])


def unpacked(body: bytes) -> tuple[dict[str, Any], list[TaskFile]]:
    """The record and the files of `packed`; raises RequestError."""
    line, _, content = body.partition(b"\n")
    try:
        record = json.loads(line)
        sizes = [(str(name), int(size)) for name, size in record.pop("files")]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise RequestError("expected a line of JSON with files, found none") from None
    if any(size < 0 for _, size in sizes) or sum(size for _, size in sizes) != len(content):
        raise RequestError("expected as many bytes as the files have, found others")
    files, start = [], 0
    for name, size in sizes:
        files.append(TaskFile(checked_name(name), content[start : start + size]))
        start += size
    return record, files


def checked_name(name: str) -> str:
    """The name of a file below the folder of a request; raises RequestError."""
    parts = name.split("/")
    is_safe = all(part not in ("", ".", "..") for part in parts) and parts[0] != OUTPUT
    if not is_safe or "\0" in name or (os.name == "nt" and any(c in name for c in "\\:")):
        raise RequestError(f"{name!r}: expected the name of a file, such as talks/one.stm")
    return name


def _demo(_request: Mapping[str, Any], _inputs: object) -> tuple[dict[str, Any], list[TaskFile]]:
    from importlib.resources import files

    from scoring.cli.docs import installed

    folder = files("sclite_kit").joinpath("resources", "demo")
    if not folder.is_dir():  # in the sources it lies beside the packages
        folder = installed("resources", "demo") / "demo"
    names = ("reference.stm", "baseline.ctm", "improved.ctm")
    return {"status": 0}, [TaskFile(name, (folder / name).read_bytes()) for name in names]


def _score(request: Mapping[str, Any], inputs: list[TaskFile]) -> Any:
    report = request.get("report", "html")
    if report not in REPORTS:
        raise RequestError(f"report: expected one of {', '.join(REPORTS)}, found {report!r}")
    flags = list(score_flags(request.get("choices") or {}, inputs))
    paths = [_input(request.get("reference")), *map(_input, request.get("hypotheses") or ())]
    return _run(["scoring", "wer", *paths, *flags, *REPORTS[report]], inputs)


def score_flags(choices: Mapping[str, Any], inputs: Sequence[TaskFile]) -> Iterator[str]:
    """The choices of the page as flags of `scoring wer`; raises RequestError."""
    for name, value in choices.items():
        if name not in CHOICES:
            raise RequestError(f"choice: expected one of {', '.join(CHOICES)}, found {name!r}")
        flag = "--" + FIELDS[name].metadata.get("flag", name).replace("_", "-")
        if FIELDS[name].default is False:
            yield from [flag] * bool(value)
            continue
        for text in value if isinstance(value, list) else [value]:
            if not text:
                continue
            # a name that is a path may be that of a file of the request, or of a recipe
            is_path = os.path.basename(str(text)) != str(text) and name != "like"
            if is_path and text not in {file.name for file in inputs}:
                raise RequestError(f"{flag}: expected a name, found {text!r}")
            yield f"{flag}={text}"


def _read_flags(request: Mapping[str, Any]) -> list[str]:
    return [f"{flag}={request[name]}" for name, flag in READING.items() if request.get(name)]


def _convert(request: Mapping[str, Any], inputs: list[TaskFile]) -> Any:
    command = ["formats", "convert", f"--to={request.get('to') or ''}", *_read_flags(request)]
    return _run([*command, _input(request.get("input")), f"{OUTPUT}/"], inputs)


def _check(request: Mapping[str, Any], inputs: list[TaskFile]) -> Any:
    verb = request.get("verb", "validate")
    if verb not in ("validate", "lint", "detect"):
        raise RequestError(f"verb: expected validate, lint or detect, found {verb!r}")
    return _run(["formats", verb, *_read_flags(request), _input(request.get("input"))], inputs)


def _input(name: object) -> str:
    """The name of a file or folder as an argument that is no option."""
    name = checked_name(name if isinstance(name, str) else "")
    return f"./{name}" if name.startswith("-") else name


def _run(command: Sequence[str], inputs: Sequence[TaskFile]) -> Any:
    """Run a command on the files; what it printed, and the files it wrote."""
    from formats.cli import main as formats_main
    from scoring.cli.scoring import main as scoring_main

    main = formats_main if command[0] == "formats" else scoring_main
    with tempfile.TemporaryDirectory(prefix="sclite-kit-") as folder, _inside(folder):
        for file in inputs:
            os.makedirs(os.path.dirname(file.name) or ".", exist_ok=True)
            with open(file.name, "xb") as target:
                target.write(file.content)
        os.mkdir(OUTPUT)
        status, text, messages = _printed(lambda: main(list(command[1:])))
        outputs = list(_written())
    missing = MISSING_PACKAGE.search(messages)
    if missing and sys.platform == "emscripten":
        reason = PAGE_LACKS.get(missing[1], f"do this without the package {missing[1]}")
        messages = f"the page cannot {reason}; `scoring ui` can"
    record = {"status": status, "text": text, "messages": messages, "command": shlex.join(command)}
    return record, _one(outputs, command)


@contextlib.contextmanager
def _inside(folder: str) -> Iterator[None]:
    """Work in a folder."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def _printed(work: Callable[[], int]) -> tuple[int, str, str]:
    """The exit status of a command, and what it printed on stdout and stderr."""
    output, errors = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        status = work()
        output.flush()
    assert isinstance(output.buffer, io.BytesIO)
    return status, output.buffer.getvalue().decode("utf-8", "replace"), errors.getvalue()


def _written() -> Iterator[TaskFile]:
    """The files below the output folder, by name."""
    for folder, _, names in sorted(os.walk(OUTPUT)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, "rb") as file:
                yield TaskFile(os.path.relpath(path, OUTPUT).replace(os.sep, "/"), file.read())


def _one(files: list[TaskFile], command: Sequence[str]) -> list[TaskFile]:
    """The file itself, or an archive of several."""
    if len(files) < 2:
        return files
    import zipfile

    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.writestr(zipfile.ZipInfo(file.name), file.content, zipfile.ZIP_DEFLATED)
    return [TaskFile(f"{command[1]}.zip", target.getvalue())]


TASKS: dict[str, Callable[[Mapping[str, Any], list[TaskFile]], Any]] = {
    "demo": _demo,
    "score": _score,
    "convert": _convert,
    "check": _check,
}

if __name__ == "__main__":
    sys.stdout.buffer.write(answer(sys.stdin.buffer.read()))
