"""Commands on spoiled files, in this process: they end with a status, never with an error of Python."""

import contextlib
import importlib
import io
import json
import os
import random
import tempfile
import warnings

from formats.detection import by_name
from tests.fuzz.inputs import Finding, Input
from tests.fuzz.mutators import mutated
from tests.fuzz.round_trips import BY_NAME, TARGETS, blame

__all__ = ["check_command", "draw"]

SCLITE_REPORTS = ("sum", "rsum", "pra", "prf", "dtl", "sgml", "lur", "snt", "spk", "wws", "all")
STATUSES = (0, 1, 2, 3, 4, 5, 255)


def draw(chooser: random.Random) -> Input:
    """A command line with its files."""
    command = chooser.choice(
        ("formats", "formats", "scoring", "scoring", "sclite", "sclite", "rover")
    )
    arguments, files = _DRAWN[command](chooser)
    said = {
        "arguments": arguments,
        "files": {name: data.decode("latin-1") for name, data in files.items()},
    }
    return Input("command", command, json.dumps(said).encode())


def _file(chooser: random.Random, name: str) -> bytes:
    data = BY_NAME[name].pack(BY_NAME[name].sample)
    return mutated(chooser, data, by_name(name).shape) if chooser.random() < 0.7 else data


def _formats(chooser: random.Random) -> tuple[list[str], dict[str, bytes]]:
    name, target = chooser.choice(tuple(BY_NAME)), chooser.choice(TARGETS)
    path = f"in.{name}"
    files = {path: _file(chooser, name)}
    source = chooser.choice(([], ["--from", name]))
    verb = chooser.choice(("convert", "convert", "info", "validate", "detect"))
    if verb == "detect":
        return [verb, path], files
    if verb != "convert":
        return [verb, path, *source], files
    more = chooser.choice(
        (
            [],
            ["--interpolate", "chars"],
            ["--tolerance", "lenient"],
            ["--inner-space", "underscore"],
        )
    )
    return [verb, path, "out", *source, "--to", target, *more], files


def _scoring(chooser: random.Random) -> tuple[list[str], dict[str, bytes]]:
    names = [
        chooser.choice(
            ("trn", "txt", "stm", "ctm", "jsonl", "srt", "csv", "textgrid", "kaldi-text")
        )
        for _ in range(2)
    ]
    if chooser.random() < 0.7:
        names[1] = names[0]
    names = [name if name in BY_NAME else "trn" for name in names]
    files = {f"{side}.{name}": _file(chooser, name) for side, name in zip("rh", names, strict=True)}
    verb = chooser.choice(("wer", "wer", "diff", "compare", "beer"))
    more = chooser.choice(
        (
            [],
            ["--json", "out.json"],
            ["--html", "out.html"],
            ["--normalize", "plain"],
            ["--missing", "skip"],
        )
    )
    paths = list(files)
    if verb == "compare":
        paths.append(paths[1])
    return [verb, *paths, *(more if verb == "wer" else [])], files


def _sclite(chooser: random.Random) -> tuple[list[str], dict[str, bytes]]:
    reference, hypothesis = chooser.choice(
        (("trn", "trn"), ("stm", "ctm"), ("ctm", "ctm"), ("stm", "stm"), ("txt", "txt"))
    )
    files = {"r": _file(chooser, reference), "h": _file(chooser, hypothesis)}
    reports = chooser.sample(SCLITE_REPORTS, 2)
    more = chooser.choice(
        ([], ["-F"], ["-D"], ["-c", "NOASCII"], ["-d"], ["-s"], ["-T"], ["-e", "utf-8"])
    )
    ids = ["-i", "rm"] if reference == "trn" else []
    return [
        "-r",
        "r",
        reference,
        "-h",
        "h",
        hypothesis,
        *ids,
        *more,
        "-o",
        *reports,
        "stdout",
    ], files


def _rover(chooser: random.Random) -> tuple[list[str], dict[str, bytes]]:
    files = {name: _file(chooser, "ctm") for name in ("one", "two")}
    inputs = [word for name in files for word in ("-h", name, "ctm")]
    return [*inputs, "-o", "out", "-m", chooser.choice(("meth1", "oracle", "avgconf"))], files


_DRAWN = {"formats": _formats, "scoring": _scoring, "sclite": _sclite, "rover": _rover}
MODULES = {
    "formats": "formats.cli",
    "scoring": "scoring.cli.scoring",
    "sclite": "scoring.cli.nist.sclite",
    "rover": "scoring.cli.nist.rover",
}


def check_command(given: Input) -> None:
    """The command ends with a status of its own, and its messages are of one line each."""
    said = json.loads(given.data)
    main = importlib.import_module(MODULES[given.name]).main
    before = os.getcwd()
    errors = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in said["files"].items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(text.encode("latin-1"))
        os.chdir(folder)
        try:
            with _away(errors), warnings.catch_warnings(record=True):
                status = main(said["arguments"])
        except SystemExit as leaving:
            status = leaving.code
        except Exception as error:
            blame(given, error)
        finally:
            os.chdir(before)
    if status not in STATUSES:
        raise Finding(f"command {given.name} status", f"status {status}", given)
    errors.seek(0)
    text = errors.read()
    if "Traceback" in text:
        raise Finding(f"command {given.name} traceback", text[-300:], given)


@contextlib.contextmanager
def _away(errors: io.TextIOWrapper):  # type: ignore[no-untyped-def]
    """Standard output goes nowhere, standard error is kept."""
    output = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace")
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(errors):
        yield
        output.flush()
        errors.flush()
