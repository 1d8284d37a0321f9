"""The tasks of the page: the input is files and options, and the result is the output of a command.

A request is a line of JSON followed by the bytes of its files, and so is an answer. The page calls
`answer` within the browser, or sends requests to `scoring ui`. Every task except `demo` runs one
command, such as `scoring wer`, in a new folder with only the files of the request. The answer
contains this command.
"""

from __future__ import annotations

import io
import json
import os
import shlex
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any, NamedTuple

from formats.console.messages import MISSING_PACKAGE
from formats.console.telling import told_to
from formats.io.progress import Listener, heard_by
from formats.schema.errors import FormatError
from formats.schema.messages import TEXT, Message
from formats.schema.remarks import AnyMessage
from scoring.cli.flags import ENCODINGS, FORMATS
from scoring.model.errors import OptionValueError, ScoringError
from scoring.model.row_conditions import conditions_of
from scoring.options import FIELDS, flag_name, is_switch, options_in
from scoring.results.messages import NO_CONDITION
from scoring.serve.browser.plain_words import OUTPUT, plain_messages

BAD_INPUT, FAILED = 2, 1
DEMO = ("reference.stm", "baseline.ctm", "improved.ctm")
# Reports of a score: flags of `scoring wer`, and what the file is called.
PAGES_AND_DATA = {
    name: (f"--{name}", f"{OUTPUT}/report.{name}") for name in ("html", "json", "csv")
}
REPORTS = {
    **PAGES_AND_DATA,
    "sys": ("-O", OUTPUT, "-o", "sum"),
    "pra": ("-O", OUTPUT, "-o", "pralign"),
}
ROOT = f"{OUTPUT}/keywords"
_TABLES = ("--root", ROOT, "--summary", "--by-keyword")
REPORTS_OF_KEYWORDS = {
    **{name: PAGES_AND_DATA[name] for name in ("html", "json")},
    "csv": (*_TABLES, "--alignment", "--report-type=CSV"),
    "txt": _TABLES,
}
# Arguments as people type them, who have no folder of that name.
SHOWN = {"-O": "-O", OUTPUT: ".", f"{OUTPUT}/": "converted/", ROOT: "./keywords"}
# Where `scoring docs --resources` puts the demo.
OF_DEMO = "resources/demo"
# By task the choices that people have, with their flags.
OPTIONS = (
    *(*FORMATS, *ENCODINGS, *options_in("aligning", "matching")),
    *("normalize", "meeting", "collar", "shift", "measures", "by", "where"),
)
WITH_CER = "with_cer"
PATTERN = "pattern"
PATTERNS = {f"{side}_{PATTERN}": f"--{side}-pattern" for side in ("reference", "hypothesis")}
SCORING = {WITH_CER: "--with-cer", **{name: flag_name(name) for name in OPTIONS}}
LAYOUTS = {**SCORING, **PATTERNS}
DETECTING = {"format": "--from", "encoding": "--encoding"}
READING = {**DETECTING, PATTERN: "--pattern"}
LONGEST_ENTRY = 4000
OF_TURNS = {
    **{name: flag_name(name) for name in (*FORMATS, *ENCODINGS)},
    **PATTERNS,
    **{name: flag_name(name) for name in ("like", "boundary_collar", "skip_overlap")},
}
OF_KEYWORDS = {name: flag_name(name) for name in ("f4de", "similarity_threshold")}
# Flags without value that are not options of a score.
BARE = (WITH_CER, "skip_overlap", "f4de")
CONVERTING = {**READING, "to": "--to", "interpolate": "--interpolate"}
CONVERTING |= {name: flag_name(name) for name in ("offset", "stretch")}
LINTING = {**READING, "rules": "--rules", "rules_language": "--rules-language"}
VERBS = {"convert": CONVERTING, "validate": READING, "lint": LINTING, "detect": DETECTING}
# What a verb writes beside the files of the request.
TARGETS = {
    "convert": [f"{OUTPUT}/"],
    "lint": ["--json", f"{OUTPUT}/findings.json"],
    "validate": ["--json", f"{OUTPUT}/checks.json"],
}

Files = Mapping[str, bytes]


class Scoring(NamedTuple):
    """A command that scores files: its choices with their flags, and its reports."""

    command: str
    flags: Mapping[str, str]
    reports: Mapping[str, Sequence[str]]


SCORINGS = {
    "score": Scoring("wer", LAYOUTS, REPORTS),
    "der": Scoring("der", OF_TURNS, PAGES_AND_DATA),
    "kws": Scoring("kws", OF_KEYWORDS, REPORTS_OF_KEYWORDS),
}
# The data of a report for people, from which the page says the result in words.
SUMMARY = "summary.json"


class RequestError(ScoringError):
    """Raised for a request that the page never sends, or for a choice that is malformed."""


def answer(body: bytes, listener: Listener | None = None) -> bytes:
    """Return the answer to a request; `listener` receives the progress."""
    outputs: Files = {}
    try:
        request, inputs = unpacked(body)
        with heard_by(listener):
            record, outputs = _done(request, inputs)
    except (ScoringError, FormatError, OSError) as problem:
        record = {"status": BAD_INPUT, "messages": str(problem)}
        if isinstance(value := getattr(problem, "value", None), Message):
            record["values"] = [(value, "")]
    except MemoryError:
        record = {"status": FAILED, "messages": "not enough memory"}
    # what refuses a request, or arguments, is only a text
    lines = str(record.get("messages", "")).splitlines()
    values = record.pop("values", ()) or [(Message(TEXT, {"text": line}), "") for line in lines]
    record["said"] = plain_messages(values, record.pop("sides", {}))
    record.setdefault("text", "")
    return packed(record, outputs)


def packed(record: Mapping[str, Any], files: Files) -> bytes:
    """Encode a record and files as bytes."""
    named = {**record, "files": [[name, len(content)] for name, content in files.items()]}
    return b"".join([json.dumps(named).encode("ascii"), b"\n", *files.values()])


def unpacked(body: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Decode the bytes of `packed` to a record and files; raises RequestError."""
    line, _, content = body.partition(b"\n")
    try:
        record = json.loads(line)
        sizes = [(checked_name(str(name)), int(size)) for name, size in record.pop("files")]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise RequestError("expected a line of JSON with files, found none") from None
    lengths = [size for _, size in sizes]
    if min(lengths, default=0) < 0 or sum(lengths) != len(content) or len(dict(sizes)) < len(sizes):
        raise RequestError("expected files with different names and the stated sizes, found others")
    stream = io.BytesIO(content)
    return record, {name: stream.read(size) for name, size in sizes}


def checked_name(name: str) -> str:
    """Check that a file name lies below the request's folder; raise RequestError if not."""
    parts = name.split("/")
    is_safe = all(part not in ("", ".", "..") for part in parts) and parts[0] != OUTPUT
    if not is_safe or "\0" in name or (os.name == "nt" and any(c in name for c in "\\:")):
        raise RequestError(f"{name!r}: expected the name of a file, such as talks/one.stm")
    return name


def _done(request: Mapping[str, Any], inputs: Files) -> tuple[dict[str, Any], Files]:
    """Return the outcome of a task: a record for the page, and files."""
    task, report = request.get("task"), request.get("report", "html")
    choices = request.get("choices") or ()
    if task == "demo":
        from scoring.cli.docs import installed
        from scoring.model.data_files import text_of

        folder = str(installed("resources", "demo"))
        return {"status": 0}, {name: text_of(folder, f"demo/{name}").encode() for name in DEMO}
    if task == "describe":
        return _described(str(request.get("entry", ""))[:LONGEST_ENTRY]), {}
    if task in VERBS:
        flags = list(_flags(choices, VERBS[task], inputs))
        path = _input(request.get("input"))
        return _run(["formats", task, *flags, path, *TARGETS.get(task, ())], inputs)
    scoring = SCORINGS.get(str(task))
    if scoring is None or report not in scoring.reports:
        reports = "" if scoring is None else f" and a report ({', '.join(scoring.reports)})"
        names = ", ".join(("demo", *VERBS, *SCORINGS))
        raise RequestError(f"expected a task ({names}){reports}")
    flags = [*_flags(choices, scoring.flags, inputs), *scoring.reports[report]]
    if task != "score":
        words = ["scoring", scoring.command, *map(_input, request.get("inputs", ())), *flags]
        is_summarised = report == "html" and not request.get("is_compared")
        return _summarised(words, inputs, is_summarised)
    paths = [_input(name) for name in (request.get("reference"), *request.get("hypotheses", ()))]
    sides = [paths[0], *_systems(paths[1:], request.get("names") or {})]
    record, files = _run(["scoring", "wer", *sides, *flags], inputs)
    others = dict.fromkeys(paths[1:], "hypothesis")
    record["sides"] = {**others, paths[0]: "reference"}
    if request.get("is_demo"):
        command = ["scoring", "wer", *(f"{OF_DEMO}/{path}" for path in paths), *flags]
        record["command"] = f"scoring docs --resources && {_typed(command)}"
    return record, files


def _summarised(
    command: Sequence[str], inputs: Files, is_summarised: bool
) -> tuple[dict[str, Any], Files]:
    """Run a command and return its record and files.

    With a summary, the record also has the system from the JSON report.
    """
    if not is_summarised:
        return _run(command, inputs)
    record, files = _run([*command, "--json", f"{OUTPUT}/{SUMMARY}"], inputs, SUMMARY)
    record["command"] = _typed(command)
    summary = record.pop("aside")
    return {**record, "summary": json.loads(summary)["systems"][0] if summary else None}, files


def _systems(paths: Sequence[str], names: Mapping[str, Any]) -> list[str]:
    """Return the arguments for hypotheses. If one hypothesis has a name, all of them get names.

    Raises RequestError for names that the command line would read in another way.
    """
    if not names:
        return [*paths]
    called = {path: str(names.get(path.removeprefix("./")) or path) for path in paths}
    for path, name in called.items():
        if "=" in name or name != name.strip() or ":" in path:
            raise RequestError(f"name of a system: expected a name without '=', found {name!r}")
    return [word for path, name in called.items() for word in ("--system", f"{name}={path}")]


def _described(entry: str) -> dict[str, Any]:
    """Return a record with the pattern for an entry that a person marked, or with an error."""
    from formats.meetings.entries import pattern_of_entry
    from formats.reading.patterns import PatternError

    try:
        return {"status": 0, "text": pattern_of_entry(entry)}
    except PatternError as problem:
        return {"status": BAD_INPUT, "messages": str(problem)}


def _flags(choices: Iterable[Any], flags: Mapping[str, str], inputs: Files) -> Iterator[str]:
    """Yield the page's choices as flags of a command; raise RequestError for unknown choices."""
    for name, value in choices:
        if name not in flags:
            raise RequestError(f"choice: expected one of {', '.join(flags)}, found {name!r}")
        # a name that is a path may be that of a file of the request, or of a recipe
        is_pattern = name == PATTERN or name in PATTERNS
        if is_pattern and "{" not in str(value):
            raise RequestError(
                f"{flags[name]}: expected a layout such as {{text}}, found {value!r}"
            )
        has_folder = os.path.basename(str(value)) != str(value)
        is_path = has_folder and name not in ("like", "stretch", "where") and not is_pattern
        if is_path and value not in inputs:
            raise RequestError(f"{flags[name]}: expected a name, found {value!r}")
        if name == "where":
            _check_condition(str(value))
        is_bare = name in BARE or (name in FIELDS and is_switch(name))
        yield flags[name] if is_bare else f"{flags[name]}={value}"


def _check_condition(text: str) -> None:
    """Reject a text that is no condition by a message that the page translates."""
    try:
        conditions_of(text)
    except OptionValueError:
        raise RequestError(Message(NO_CONDITION, {"condition": text})) from None


def _input(name: object) -> str:
    """Return a file or folder name as an argument that cannot be mistaken for an option."""
    name = checked_name(name if isinstance(name, str) else "")
    return f"./{name}" if name.startswith("-") else name


def _run(
    command: Sequence[str], inputs: Files, aside: str | None = None
) -> tuple[dict[str, Any], Files]:
    """Run a command on the files; return its printed text and the files that it wrote.

    The file `aside` becomes a member of the record.
    """
    from scoring.cli.formats import main as formats_main  # late, so that the page is ready sooner
    from scoring.cli.scoring import main as scoring_main

    main = formats_main if command[0] == "formats" else scoring_main
    written, errors = io.BytesIO(), io.StringIO()
    output = io.TextIOWrapper(written, "utf-8")
    systems: list[dict[str, Any]] = []
    values: list[tuple[AnyMessage, str]] = []
    streams = redirect_stdout(output), redirect_stderr(errors)
    listening = told_to(lambda *heard: values.append(heard)), _digested(systems)
    with _workplace(inputs) as target, streams[0], streams[1], listening[0], listening[1]:
        status = main(list(command[1:]))
        paths = sorted(path for path in target.rglob("*") if path.is_file())
        files = {path.relative_to(target).as_posix(): path.read_bytes() for path in paths}
    output.flush()
    messages = errors.getvalue()
    if sys.platform == "emscripten" and any(
        getattr(value, "code", "") == MISSING_PACKAGE.code for value, _ in values
    ):
        messages = "the page that works by itself cannot do this; the installed program can"
        values = []
    record: dict[str, Any] = {} if aside is None else {"aside": files.pop(aside, b"")}
    if len(files) > 1:
        files = {f"{command[1]}.zip": archive(files, zipfile.ZIP_DEFLATED)}
    text = written.getvalue().decode("utf-8", "replace")
    record |= {"status": status, "text": text, "messages": messages}
    return {**record, "command": _typed(command), "systems": systems, "values": values}, files


def _typed(command: Sequence[str]) -> str:
    """Return a command as a user types it on a terminal, in the folder of its files."""
    return shlex.join(SHOWN.get(word, word.removeprefix(f"{OUTPUT}/")) for word in command)


@contextmanager
def _digested(systems: list[dict[str, Any]]) -> Iterator[None]:
    """Append the digest of each result that a command computes within the block to `systems`."""
    from scoring.cli.results import delivered_to
    from scoring.serve.browser.digest import digest

    with delivered_to(lambda delivered: systems.extend(map(digest, delivered))):
        yield


@contextmanager
def _workplace(inputs: Files) -> Iterator[Path]:
    """Change into a new folder with these files; yield the folder for results within it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory(prefix="sclite-kit-") as folder:
        os.chdir(folder)
        try:
            for name, content in inputs.items():
                Path(name).parent.mkdir(parents=True, exist_ok=True)
                with open(name, "xb") as target:  # never over another
                    target.write(content)
            os.mkdir(OUTPUT)
            yield Path(OUTPUT)
        finally:
            os.chdir(before)


def archive(contents: Files, method: int = zipfile.ZIP_STORED) -> bytes:
    """Create a zip archive whose members have no date."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", method, compresslevel=9) as file:
        for name, content in sorted(contents.items()):
            file.writestr(zipfile.ZipInfo(name), content, method)
    return target.getvalue()
