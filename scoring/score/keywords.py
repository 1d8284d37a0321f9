"""The scores as `help` and notebooks show them: each choice is a keyword.

The package's own names come from here, and commands take theirs from `scoring.score.score`: what
signatures are made of takes longer to load than two lines take to score.
"""

from __future__ import annotations

from dataclasses import fields
from inspect import Parameter, signature

from scoring.options import Options
from scoring.score.score import cer, mer, ser, wer, wil, wip

__all__ = ["cer", "mer", "ser", "wer", "wil", "wip"]


def _tell_keywords() -> None:
    """Show each choice as a keyword in `help` and notebooks; the source has one parameter."""
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
