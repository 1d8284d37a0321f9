"""Normalisation in requests: steps and pipelines by name, and files below the root."""

from __future__ import annotations

import re
from typing import Any

from formats.schema.errors import reason_unread
from scoring.model.errors import InputError, OptionValueError
from scoring.model.special_errors import SecurityError
from scoring.serve.errors import InvalidFieldError, text_of
from scoring.serve.parameters import WrongKindError, kind, scalar, text
from scoring.text.named_functions import NamedFunction
from scoring.text.pipeline import NONE, Pipeline, Placed, joined
from scoring.text.pipeline_files import as_pipeline
from scoring.text.registry import build

FIELD = "normalize"


def rules(value: object) -> list[Any]:
    """Check a pipeline in a request: a name, an object with a step, or a list of such items."""
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
    description = "an object without step" if isinstance(value, dict) else kind(value)
    raise WrongKindError(f"expected names, or objects with a step, found {description}")


def pipeline(rules: list[Any] | None, longest_pattern: int) -> Pipeline:
    """Create a pipeline from checked rules; raises InvalidFieldError or SecurityError."""
    if rules is None:
        return NONE
    try:
        return joined([_part(rule, longest_pattern) for rule in rules])
    except SecurityError:
        raise
    except InputError as error:
        place = {"file": error.path, "line": error.line, "column": error.column}
        raise InvalidFieldError(FIELD, text_of(error), **place) from None
    except OSError as problem:
        raise InvalidFieldError(FIELD, reason_unread(problem)) from None
    except (ValueError, LookupError, re.error) as problem:
        # steps raise them for invalid arguments
        raise InvalidFieldError(FIELD, text_of(problem, FIELD)) from None


def _part(rule: Any, longest_pattern: int) -> Pipeline:
    """Return the steps of a rule; reject a pattern of more than `longest_pattern` characters."""
    pattern = rule if isinstance(rule, str) else str(rule.get("search"))
    if len(pattern) > longest_pattern:
        expected = f"at most {longest_pattern} characters"
        raise OptionValueError("search", expected=expected, found=str(len(pattern)))
    if isinstance(rule, str):
        if rule.partition(":")[0] == NamedFunction.name:
            raise OptionValueError(
                "python", "expected a step, as requests run no functions of modules"
            )
        return as_pipeline(rule)
    arguments = {name: value for name, value in rule.items() if name not in ("step", "side")}
    return Pipeline([Placed(build(rule["step"], arguments), rule.get("side"))])
