"""Normalisation as requests ask for it: steps and pipelines by name, and files below the root."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from scoring.errors import InputError, SecurityError
from scoring.normalize.bundled import BUNDLED
from scoring.normalize.pipeline import NONE, Pipeline, Placed, joined
from scoring.normalize.pipeline_files import SUFFIXES, as_pipeline, read_pipeline
from scoring.normalize.registry import build, spec_named
from scoring.server.access import Root
from scoring.server.errors import InvalidFieldError
from scoring.server.parameters import WrongKindError, kind, scalar, text

FIELD = "normalize"
_BUNDLED = frozenset(one.name for one in BUNDLED)


def rules(value: object) -> list[Any]:
    """What a request gives for a pipeline: a name, an object of a step, or a list of these."""
    given = value if isinstance(value, list) else [value]
    found: list[Any] = []
    for one in given:
        if isinstance(one, str):
            found.append(text(one))
        elif isinstance(one, dict) and isinstance(one.get("step"), str):
            found.append({name: _argument(argument) for name, argument in one.items()})
        else:
            what = "an object without step" if isinstance(one, dict) else kind(one)
            raise WrongKindError(f"expected names, or objects with a step, found {what}")
    return found


def _argument(value: object) -> object:
    return [text(one) for one in value] if isinstance(value, list) else scalar(value)


def pipeline(given: list[Any] | None, root: Root, longest_pattern: int) -> Pipeline:
    """The pipeline that `rules` let through.

    Raises
    ------
    InvalidFieldError
        If a name or an argument means nothing, or a file cannot be read or understood.
    SecurityError
        If a file may not be read.
    """
    if given is None:
        return NONE
    try:
        return joined([_part(one, root, longest_pattern) for one in given])
    except InputError as error:
        raise InvalidFieldError(
            FIELD,
            error.problem,
            file=root.shown(error.path),
            line=error.line,
            column=error.column,
        ) from None


def _part(given: str | Mapping[str, object], root: Root, longest_pattern: int) -> Pipeline:
    if isinstance(given, Mapping):
        arguments = {name: value for name, value in given.items() if name not in ("step", "side")}
        return _step(str(given["step"]), arguments, given.get("side"), root, longest_pattern)
    if given.lower() in _BUNDLED:
        return as_pipeline(given)
    if os.path.splitext(given)[1].lower() in SUFFIXES and ":" not in given:
        return read_pipeline(root.resolved(given))
    name, _, rest = given.partition(":")
    arguments = {}
    for part in rest.split(",") if rest else ():
        argument, sign, value = part.partition("=")
        if not sign:
            raise InvalidFieldError(FIELD, f"expected NAME=VALUE, found {part[:60]!r}")
        arguments[argument.strip()] = value
    return _step(name, arguments, None, root, longest_pattern)


def _step(
    name: str, arguments: Mapping[str, object], side: object, root: Root, longest_pattern: int
) -> Pipeline:
    try:
        spec = spec_named(name)
        files = {parameter.name for parameter in spec.parameters if parameter.kind == "file"}
        search = arguments.get("search")
        if isinstance(search, str) and len(search) > longest_pattern:
            raise InvalidFieldError(
                FIELD, f"search: expected at most {longest_pattern} characters, found {len(search)}"
            )
        resolved = {
            argument: root.resolved(str(value)) if argument in files and value else value
            for argument, value in arguments.items()
        }
        if side is not None and not isinstance(side, str):
            raise InvalidFieldError(FIELD, f"side: expected a text, found {kind(side)}")
        return Pipeline([Placed(build(name, resolved), side)])
    except SecurityError:
        raise
    except (re.error, UnicodeError, LookupError, OSError) as problem:
        raise InvalidFieldError(FIELD, f"{name[:60]}: {_said(problem)}") from None
    except ValueError as problem:
        # steps say so of arguments that mean nothing
        raise InvalidFieldError(FIELD, str(problem)) from None


def _said(problem: Exception) -> str:
    """What went wrong, without where on this machine."""
    if isinstance(problem, OSError):
        return f"the file cannot be read: {problem.strerror}"
    if isinstance(problem, UnicodeError):
        return "the file is not in that encoding"
    return str(problem)
