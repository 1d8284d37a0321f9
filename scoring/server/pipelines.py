"""Normalisation as requests ask for it: steps and pipelines by name, and files below the root."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from scoring.errors import InputError, SecurityError
from scoring.normalize.bundled import BUNDLED
from scoring.normalize.pipeline import NONE, Pipeline, Placed, joined
from scoring.normalize.pipeline_files import SUFFIXES, arguments_of, as_pipeline, read_pipeline
from scoring.normalize.registry import build, spec_named
from scoring.server.access import Root
from scoring.server.errors import InvalidFieldError
from scoring.server.parameters import WrongKindError, kind, scalar, text

FIELD = "normalize"


def rules(value: object) -> list[Any]:
    """A pipeline in a request: a name, an object with a step, or a list of these."""
    return [_rule(item) for item in (value if isinstance(value, list) else [value])]


def _rule(value: object) -> object:
    if isinstance(value, str):
        return text(value)
    if isinstance(value, dict) and isinstance(value.get("step"), str):
        return {
            name: [text(item) for item in argument]
            if isinstance(argument, list)
            else scalar(argument)
            for name, argument in value.items()
        }
    shown = "an object without step" if isinstance(value, dict) else kind(value)
    raise WrongKindError(f"expected names, or objects with a step, found {shown}")


def pipeline(rules: list[Any] | None, root: Root, longest_pattern: int) -> Pipeline:
    """The pipeline of checked rules; raises InvalidFieldError, and SecurityError for a file."""
    if rules is None:
        return NONE
    try:
        return joined([_part(rule, root, longest_pattern) for rule in rules])
    except (SecurityError, InvalidFieldError):
        raise
    except InputError as error:
        place = {"file": root.shown(error.path), "line": error.line, "column": error.column}
        raise InvalidFieldError(FIELD, error.problem, **place) from None
    except ValueError as problem:
        # steps raise it for invalid arguments
        raise InvalidFieldError(FIELD, str(problem)) from None


def _part(rule: str | Mapping[str, object], root: Root, longest_pattern: int) -> Pipeline:
    if isinstance(rule, Mapping):
        arguments = {name: value for name, value in rule.items() if name not in ("step", "side")}
        return _step(str(rule["step"]), arguments, rule.get("side"), root, longest_pattern)
    if rule.lower() in {bundled.name for bundled in BUNDLED}:
        return as_pipeline(rule)
    if os.path.splitext(rule)[1].lower() in SUFFIXES and ":" not in rule:
        return read_pipeline(root.resolved(rule))
    name, _, rest = rule.partition(":")
    return _step(name, arguments_of(rest), None, root, longest_pattern)


def _step(
    name: str, arguments: Mapping[str, object], side: object, root: Root, longest_pattern: int
) -> Pipeline:
    if side is not None and not isinstance(side, str):
        raise ValueError(f"side: expected a text, found {kind(side)}")
    search = arguments.get("search")
    if isinstance(search, str) and len(search) > longest_pattern:
        raise ValueError(
            f"search: expected at most {longest_pattern} characters, found {len(search)}"
        )
    files = {
        parameter.name for parameter in spec_named(name).parameters if parameter.kind == "file"
    }
    resolved = {
        argument: root.resolved(str(value)) if argument in files and value else value
        for argument, value in arguments.items()
    }
    try:
        return Pipeline([Placed(build(name, resolved), side)])
    except SecurityError:
        raise
    except OSError as problem:
        # its text has the path on this machine
        raise ValueError(f"{name}: the file cannot be read: {problem.strerror}") from None
    except UnicodeError:
        raise ValueError(f"{name}: the file is not in that encoding") from None
    except (re.error, LookupError) as problem:
        raise ValueError(f"{name}: {problem}") from None
