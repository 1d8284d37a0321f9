"""The methods of the service: this package's own methods, and BenchmarkSTT's methods.

The package's own methods take typed parameters by name or in order. Files are read only below the
root. Errors describe only the request, and never the service.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from formats.schema import is_installed
from formats.schema.errors import FormatError
from scoring.alignment.limits import OutOfTimeError
from scoring.model.errors import InputError, ScoringError
from scoring.model.special_errors import FORBIDDEN, SecurityError
from scoring.serve import conversions, measures
from scoring.serve.access import guarded
from scoring.serve.errors import (
    InvalidFieldError,
    MethodError,
    MethodNotFoundError,
    TimeLimitError,
    text_of,
)
from scoring.serve.parameters import Context, Method, bound, choice, names_of, table, texts
from scoring.serve.pipelines import pipeline, rules
from scoring.serve.settings import Limits
from scoring.text.bundled import BUNDLED
from scoring.text.registry import all_steps

LONGEST_NAME = 100
NORMALIZE = table(
    ("text", texts, "a text or a list of texts"),
    ("normalize", rules, "steps and pipelines, as in `wer`"),
    (
        "side",
        choice(("reference", "hypothesis")),
        "also apply the steps for this side; null: only steps for both",
        None,
    ),
)


def _normalize(
    context: Context, text: str | list[str], normalize: list[Any], side: str | None
) -> dict[str, Any]:
    steps = pipeline(normalize, context.limits.pattern)
    try:
        normalized = [steps(item, side) for item in ([text] if isinstance(text, str) else text)]
    except ValueError as problem:
        # steps raise it for texts they cannot process
        if type(problem) is not ValueError:
            raise
        raise InvalidFieldError("text", str(problem)) from None
    return {
        "text": normalized[0] if isinstance(text, str) else normalized,
        "signature": steps.signature,
    }


METHODS = (
    *conversions.METHODS,
    *measures.METHODS,
    Method(
        "list.steps",
        "The pipelines and steps of normalisation.",
        (),
        lambda _: {
            **{pipeline.name: pipeline.title for pipeline in BUNDLED},
            **{step.name: step.title for step in all_steps()},
        },
    ),
    Method("normalize", "Texts after steps and pipelines.", NORMALIZE, _normalize),
)


def _all_methods() -> dict[str, Method]:
    """Return the methods by name, in the order in which the method `help` lists them."""
    own = {method.name: method for method in METHODS}
    if not is_installed("scoring.peers"):
        return own
    from scoring.serve import benchmarkstt

    theirs = benchmarkstt.methods()
    last = theirs.pop("help")._replace(call=lambda _: descriptions())
    return {**theirs, **own, last.name: last}


def descriptions() -> dict[str, str]:
    """Return the names and descriptions of all methods, in the order of `help`."""
    return {name: method.description for name, method in _all_methods().items()}


class Methods:
    """The methods of a service; they read files below `root` only (None: no files).

    Examples
    --------
    >>> Methods()("align", {"reference": "a b", "hypothesis": "a c"})["edits"]
    'CS'
    >>> Methods()("metrics.wer", ["a b", "a c"])
    0.5
    """

    def __init__(self, root: str | None = None, limits: Limits | None = None) -> None:
        self._context = Context(root, Limits() if limits is None else limits)
        self._methods = _all_methods()
        self.names = frozenset(self._methods)
        self.without_parameters = frozenset(
            name for name, method in self._methods.items() if not method.parameters
        )

    def __call__(self, name: str, params: Mapping[str, Any] | Sequence[Any]) -> Any:
        """Return the result of a method; raises a `MethodError`, or MemoryError."""
        try:
            with guarded(self._context.root):
                return self._called(name, params)
        except (MethodError, MemoryError):
            raise
        except OutOfTimeError:
            raise TimeLimitError(f"stopped after {self._context.limits.seconds:g} s") from None
        except SecurityError:
            raise InvalidFieldError(None, FORBIDDEN) from None
        except (FormatError, ScoringError) as error:
            raise _explained(error) from None
        except Exception as error:
            # its text is for the log, not for the answer
            raise MethodError from error

    def _called(self, name: str, params: Mapping[str, Any] | Sequence[Any]) -> Any:
        method = self._methods.get(name)
        if method is None:
            raise MethodNotFoundError(name[:LONGEST_NAME])
        arguments = bound(method.parameters, params)
        context = self._context._replace(named=names_of(method.parameters, params))
        return method.call(context, **arguments)


def _explained(error: FormatError | ScoringError) -> InvalidFieldError:
    """Return an error for an answer, with the text of the fault and its position."""
    details: dict[str, object] = {"kind": type(error).__name__.removesuffix("Error")}
    if isinstance(error, (FormatError, InputError)):
        details |= {"line": error.line, "column": error.column}
    if isinstance(error, FormatError):
        details |= {"expected": error.expected, "found": error.found}
    return InvalidFieldError(None, text_of(error), **details)
