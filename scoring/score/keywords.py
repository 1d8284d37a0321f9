"""Signatures of the scoring functions for `help` and notebooks, with each option as a keyword.

The package exports its functions from this module. Commands import `scoring.score.score` directly,
because creating the signatures takes longer than scoring two lines.
"""

from __future__ import annotations

from dataclasses import fields
from inspect import Parameter, signature

from scoring.options import Options
from scoring.score.score import cer, mer, ser, wer, wil, wip

__all__ = ["cer", "mer", "ser", "wer", "wil", "wip"]


def _tell_keywords() -> None:
    """Set signatures that have each option as a keyword, for `help`; the source has `**choices`."""
    chosen = {
        field.name: Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default={} if callable(field.default_factory) else field.default,
            annotation=field.type,
        )
        for field in fields(Options)
    }
    for function in (wer, cer, mer, wil, wip, ser):
        parameters = signature(function)
        named = [
            field for field in parameters.parameters.values() if field.kind != Parameter.VAR_KEYWORD
        ]
        others = chosen.keys() - {field.name for field in named}
        every = [*named, *(field for name, field in chosen.items() if name in others)]
        vars(function)["__signature__"] = parameters.replace(parameters=every)


_tell_keywords()
