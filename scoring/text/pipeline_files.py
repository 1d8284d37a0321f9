"""Pipelines from files and from arguments: names, paths, steps, functions.

A pipeline file is JSON (`.json`) or TOML (`.toml`)::

    name = "broadcast"
    version = "2"
    steps = [
        "casefold",
        { step = "punctuation", keep = ["apostrophe", "number"] },
        { step = "file", normalizer = "regex", file = "rules.csv" },
        { step = "replace", search = "#", replace = "", side = "hypothesis" },
        { pipeline = "whisper-basic-safe" },
    ]

File names are relative to the folder of the pipeline file. Files of BenchmarkSTT (`.conf`, `.ini`,
`.cfg`; the section `normalization`, or the whole file if it has no sections) and of NIST (`.glm`)
are pipelines too.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeAlias, Union, overload

from formats.schema.errors import close_names, reason_unread
from scoring.model.errors import InputError, OptionValueError
from scoring.text.bundled import BUNDLED
from scoring.text.config_file import DEFAULT_SECTION, HEADER, parse_config
from scoring.text.csv_dialects import CSVParserError, read_file
from scoring.text.named_functions import NamedFunction
from scoring.text.pipeline import DIGITS, NONE, Pipeline, Placed, joined, leaves
from scoring.text.registry import build, build_from_row, is_step, spec_named, step_names
from scoring.text.step import Step, put

PipelineStep: TypeAlias = Union["str", "os.PathLike[str]", Step, Pipeline, Callable[[str], str]]
PipelineSteps: TypeAlias = PipelineStep | Sequence[PipelineStep] | None

DECLARED, CONFIGS, GLM = (".json", ".toml"), (".conf", ".ini", ".cfg"), ".glm"
SUFFIXES = (*DECLARED, *CONFIGS, GLM)
_KEYS = ("name", "version", "steps")
_MOST_LINES = 1000  # to the first rule of a global map


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Function(Step):
    """A caller's function as a step; the signature has its name, but cannot include its rules."""

    name = "function"
    removes = True
    function: str
    _function: Callable[[str], str]

    def __init__(self, function: Callable[[str], str]) -> None:
        name = getattr(function, "__qualname__", type(function).__qualname__)
        put(self, function=name, _function=function)

    def __call__(self, text: str) -> str:
        """Call the function on a text.

        Raises
        ------
        TypeError
            If the result is not a text.
        """
        result: object = self._function(text)
        if not isinstance(result, str):
            raise TypeError(f"{self.function}: expected a str, found {type(result).__name__}")
        return result


def as_pipeline(given: PipelineSteps) -> Pipeline:
    """Build a pipeline from a name, a path, a step, a function, or a list of these.

    Parameters
    ----------
    given
        None: no steps. A `str`: the name of a pipeline or a step, with arguments as in
        `casefold:lang=tr`, a function of an installed module as in `python:jieba:lcut`, or a path
        of a file; a `pathlib.Path`; a step, a pipeline, a function
        from text to text; or a list of these, applied in order. The last item of a list may be the
        hash that all before it must have, as in `["whisper-basic", "#1f2e3d4c"]`.

    Raises
    ------
    InputError
        If a file cannot be read or understood.
    ValueError, TypeError
        If a name or an argument is unknown, or the hash differs.

    Examples
    --------
    >>> as_pipeline(["casefold:lang=tr", "punctuation"])("Işık, ILIK!")
    'ışık ılık'
    """
    if given is None:
        return NONE
    if isinstance(given, Pipeline):
        return given
    if isinstance(given, Step):
        return Pipeline([given])
    if isinstance(given, os.PathLike):
        return read_pipeline(given)
    if isinstance(given, str):
        name, _, rest = given.partition(":")
        # not in pipeline files, which run no code
        return Pipeline([NamedFunction(rest)]) if name == NamedFunction.name else _named(given)
    if isinstance(given, Sequence):
        if given and isinstance(given[-1], str) and given[-1].startswith("#"):
            return _pinned(given[:-1], given[-1])
        return joined([as_pipeline(rule) for rule in given])
    anything: object = given
    if callable(anything):
        return Pipeline([Function(anything)])
    raise TypeError(
        "normalize: expected a name, a path, a step, a pipeline, a function or a list of these, "
        f"found {type(anything).__name__}"
    )


def recorded_pipeline(pipeline: Pipeline) -> dict[str, Any]:
    """Return a pipeline as JSON values, from which `pipeline_of_record` rebuilds it.

    The steps `config` and `file` are recorded with their rules.
    """
    return {
        "name": pipeline.title if pipeline.placed else None,
        "version": pipeline.version,
        "steps": [
            {"step": step.name, **_settings(step), **({"side": side} if side else {})}
            for placed in pipeline.placed
            for side in [placed.side]
            for step in leaves(placed.step)
        ],
        "sha256": pipeline.digest,
    }


def _settings(step: Step) -> dict[str, object]:
    """Return the arguments that rebuild a step; a caller's function cannot be recorded."""
    if isinstance(step, Function | NamedFunction):
        return {"function": step.function}
    values = {
        item.name: getattr(step, item.name, None) for item in spec_named(step.name).parameters
    }
    return {name: value for name, value in values.items() if value is not None}


def pipeline_of_record(record: Mapping[str, Any]) -> Pipeline:
    """Return the pipeline from the result of `recorded_pipeline`.

    Raises
    ------
    ValueError
        If a step is a function of the caller, cannot be built here, or has changed rules.
    """
    placed: list[Placed] = []
    for entry in record["steps"]:
        arguments = dict(entry)
        name, side = arguments.pop("step"), arguments.pop("side", None)
        if name in (Function.name, NamedFunction.name):  # a record runs no code
            raise OptionValueError(
                "normalize",
                f"the record was scored with the function {arguments['function']}, which cannot be "
                "loaded from it (give the new side as a result that was scored with this function)",
            )
        try:
            placed.append(Placed(build(name, arguments), side))
        except (OSError, LookupError, TypeError, ValueError, re.error) as problem:
            file, line, _, text = _place_of(problem, name)
            place = file if line is None else f"{file}:{line}"
            raise OptionValueError(
                "normalize", f"the step {name} of the record: {place}: {text}"
            ) from None
    pipeline = Pipeline(placed, record["name"], record["version"])
    if pipeline.digest != record["sha256"]:
        titles = ", ".join(map(str, pipeline.steps())) or "none"
        raise OptionValueError(
            "normalize",
            expected=f"the rules {record['name']}#{record['sha256'][:DIGITS]} of the record",
            found=f"#{pipeline.digest[:DIGITS]} ({titles}): a table has changed since "
            "(restore it, or record the run again)",
        )
    return pipeline


def _pinned(rules: Sequence[PipelineStep], pin: str) -> Pipeline:
    """Return the pipeline of these steps; raise an error if its hash is not `pin`."""
    pipeline = as_pipeline(rules)
    digest = pipeline.digest[: len(pin) - 1]
    if digest != pin[1:]:
        raise OptionValueError("normalize", expected=f"{pipeline.title}{pin}", found=f"#{digest}")
    return pipeline


@overload
def normalize(texts: str, steps: PipelineSteps) -> str: ...  # type: ignore[overload-overlap]
@overload
def normalize(  # type: ignore[overload-overlap]
    texts: Mapping[str, str], steps: PipelineSteps
) -> dict[str, str]: ...
@overload
def normalize(texts: Iterable[str], steps: PipelineSteps) -> list[str]: ...
def normalize(
    texts: str | Mapping[str, str] | Iterable[str], steps: PipelineSteps
) -> str | dict[str, str] | list[str]:
    """Normalise one or several texts like `scoring.wer` with `normalize=steps`.

    Parameters
    ----------
    texts
        A text, an iterable of texts, or a mapping from identifiers to texts.
    steps
        As in `as_pipeline`; steps for one side only are not applied.

    Returns
    -------
    str | list[str] | dict[str, str]
        Words separated by single spaces; alternatives in the notation of NIST's files.

    Raises
    ------
    TypeError
        If a text is no `str`.
    InputError, ValueError
        In the same cases as `as_pipeline`.

    Examples
    --------
    >>> normalize("The cat SAT.", ["lowercase", "punctuation"])
    'the cat sat'
    >>> normalize(["A", "B c"], "lowercase")
    ['a', 'b c']
    """
    pipeline = as_pipeline(steps)

    def normalized(text: object) -> str:
        if not isinstance(text, str):
            raise TypeError(f"texts: expected str, found {type(text).__name__}")
        return pipeline(text)

    if isinstance(texts, str):
        return normalized(texts)
    if isinstance(texts, Mapping):
        return {identifier: normalized(text) for identifier, text in texts.items()}
    return [normalized(text) for text in texts]


def _named(text: str) -> Pipeline:
    bundled = {pipeline.name: pipeline for pipeline in BUNDLED}
    if text.lower() in bundled:
        return bundled[text.lower()].build()
    name, _, rest = text.partition(":")
    if is_step(name):
        try:
            return Pipeline([build(name, arguments_of(rest))])
        except (OSError, UnicodeError, LookupError, CSVParserError) as problem:
            raise InputError(*_place_of(problem, text)) from None
        except re.error as problem:
            raise OptionValueError(name, str(problem)) from None
    if os.path.splitext(text)[1].lower() in SUFFIXES or os.sep in text or os.path.isfile(text):
        return read_pipeline(text)
    known = {*bundled, *step_names()}
    near = " or ".join(close_names(name, (*bundled, *step_names())))
    hint = f"; did you mean {near}?" if near else ""
    if known.issuperset(parts := text.split(",")):
        from formats.schema.messages import Advice, Message
        from scoring.text.messages import STEPS_IN_ONE

        options = [Advice("normalize", part) for part in parts]
        fields = {"text": text, "options": options}
        raise OptionValueError("normalize", Message(STEPS_IN_ONE, fields))
    raise OptionValueError(
        "normalize", expected="the name of a step or pipeline, or a file", found=f"{text!r}{hint}"
    )


def arguments_of(text: str) -> dict[str, object]:
    """Parse the arguments of a step in the notation `casefold:lang=tr`."""
    arguments: dict[str, object] = {}
    for part in text.split(",") if text else ():
        name, sign, value = part.partition("=")
        if not sign:
            raise OptionValueError("normalize", expected="NAME=VALUE", found=repr(part[:60]))
        arguments[name.strip()] = value
    return arguments


def read_pipeline(path: str | os.PathLike[str]) -> Pipeline:
    """Read a pipeline from a file, whose suffix determines the format."""
    name = os.fspath(path)
    suffix = os.path.splitext(name)[1].lower()
    try:
        if suffix == GLM or (suffix not in SUFFIXES and _is_global_map(name)):
            return Pipeline([build("glm", {"file": name})], os.path.basename(name))
        if suffix in CONFIGS:
            return _of_config(name)
        if suffix in DECLARED:
            return _declared(_loaded(name, suffix), name)
    except (OSError, LookupError, TypeError, ValueError, re.error, RecursionError) as problem:
        raise InputError(*_place_of(problem, name)) from None
    expected = f"expected a pipeline ({', '.join(SUFFIXES)})"
    found = suffix or "no suffix"
    if os.path.isfile(name):
        expected += " or rules of a global map, WORDS => WORDS"
    else:
        found = suffix or "no file"
    raise InputError(name, None, None, f"{expected}, found {found}")


def _is_global_map(path: str) -> bool:
    """Return True if the first rule of a file is one of NIST's global maps, as in Kaldi's `glm`."""
    if not os.path.isfile(path):
        return False
    with open(path, "rb") as file:
        lines = (line.strip() for line in islice(file, _MOST_LINES))
        rules = (line for line in lines if line and not line.startswith((b";;", b"*")))
        return b"=>" in next(rules, b"")


def _place_of(problem: Exception, name: str) -> tuple[str, int | None, int | None, str]:
    """Return the file, line, column and text of an error."""
    if isinstance(problem, OSError):
        return str(problem.filename or name), None, None, reason_unread(problem)
    if isinstance(problem, UnicodeDecodeError):
        problem_byte = f"found byte {problem.start + 1} which is not"
        return name, None, None, f"expected text in {problem.encoding}, {problem_byte}"
    if isinstance(problem, CSVParserError):
        return name, problem.line, problem.char, problem.message
    line, column = getattr(problem, "lineno", None), getattr(problem, "colno", None)
    return name, line, column, getattr(problem, "msg", None) or str(problem)


def _of_config(path: str) -> Pipeline:
    rows = read_file(path, spaced=True)
    sections = any(len(row) == 1 and HEADER.fullmatch(row[0]) for row in rows)
    step = parse_config(rows, build_from_row, DEFAULT_SECTION if sections else None, path)
    return Pipeline([step], os.path.basename(path))


def _loaded(path: str, suffix: str) -> object:
    with open(path, "rb") as stream:
        text = stream.read().decode("utf-8-sig")
    if suffix == ".json":
        import json

        return json.loads(text)
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    return tomllib.loads(text)


def _declared(record: object, path: str) -> Pipeline:
    if not isinstance(record, dict):
        raise ValueError(f"expected a table with {', '.join(_KEYS)}, found {_kind(record)}")
    for key in record:
        if key not in _KEYS:
            from formats.reading.toml_places import unknown_name

            line, column = _place_of_key(path, key)
            problem = unknown_name(", ".join(_KEYS), key, _KEYS)
            raise InputError(path, line, column, problem)
    steps = record.get("steps")
    if not isinstance(steps, list):
        raise OptionValueError("steps", expected="a list", found=_kind(steps))
    name, version = (_text(record, key) for key in ("name", "version"))
    folder = os.path.dirname(path)
    placed: list[Placed] = []
    for number, entry in enumerate(steps, 1):
        try:
            placed += _entry(entry, folder)
        except InputError:
            raise
        except (OSError, LookupError, TypeError, ValueError, re.error) as problem:
            file, line, column, text = _place_of(problem, path)
            raise InputError(file, line, column, f"step {number}: {text}") from None
    return Pipeline(placed, name or os.path.basename(path), version)


def _place_of_key(path: str, key: str) -> tuple[int, int] | tuple[None, None]:
    """Return the line and column of a key of a TOML file; None for JSON."""
    if not path.lower().endswith(".toml"):
        return None, None
    from formats.reading.toml_places import place_of

    with open(path, encoding="utf-8-sig") as stream:
        return place_of(stream.read(), (key,)) or (None, None)


def _text(record: Mapping[str, object], key: str) -> str | None:
    value = record.get(key)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is not None and not isinstance(value, str):
        raise OptionValueError(key, expected="a text", found=_kind(value))
    return value


def _entry(entry: object, folder: str) -> Sequence[Placed]:
    """Return the steps, with their sides, that an item of a list of steps names."""
    if isinstance(entry, str):
        return _named(_beside(entry, folder)).placed
    if not isinstance(entry, dict):
        raise ValueError(f"expected a name or a table, found {_kind(entry)}")
    arguments: dict[str, Any] = dict(entry)
    side = arguments.pop("side", None)
    if side is not None and not isinstance(side, str):
        raise OptionValueError("side", expected="reference or hypothesis", found=_kind(side))
    if "pipeline" in arguments:
        inner_name = arguments.pop("pipeline")
        if arguments or not isinstance(inner_name, str):
            raise ValueError("expected pipeline = NAME, and at most a side beside it")
        inner = _named(_beside(inner_name, folder)).placed
    else:
        name = arguments.pop("step", None)
        if not isinstance(name, str):
            raise ValueError("expected step = NAME or pipeline = NAME, found neither")
        inner = (Placed(build(name, arguments, folder)),)
    if side is None:
        return inner
    return [Placed(placed.step, side) for placed in inner if placed.side in (None, side)]


def _beside(name: str, folder: str) -> str:
    """Return a file name relative to `folder`; names of steps and pipelines are unchanged."""
    return os.path.join(folder, name) if os.path.splitext(name)[1].lower() in SUFFIXES else name


def _kind(value: object) -> str:
    return "nothing" if value is None else f"{type(value).__name__} {str(value)[:40]!r}"
