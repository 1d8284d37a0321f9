"""All methods of the service: ours, and beside them those of faces, under their own names.

Ours take typed parameters by name or in order. Files are read below the root only, and an error
says what was wrong with the request, never what lies inside the service.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from formats.errors import FormatError
from scoring.errors import FORBIDDEN, InputError, ScoringError, SecurityError
from scoring.native import OutOfTimeError
from scoring.normalize.bundled import BUNDLED
from scoring.normalize.registry import STEPS
from scoring.server import conversions, measures, pipelines
from scoring.server.access import Root, guarded
from scoring.server.errors import (
    InvalidFieldError,
    MethodError,
    MethodNotFoundError,
    TimeLimitError,
)
from scoring.server.parameters import REQUIRED, MethodParameter, bound, one_of, texts
from scoring.server.settings import FACES, Limits

LONGEST_NAME = 100
# What messages call parameters where commands have flags.
_FLAGS = (
    ("--common-only", "common_only"),
    ("--references-may-differ", "references_may_differ"),
    ("--missing", "missing"),
    ("--allow-unmatched", "allow_unmatched"),
    ("(--from)", "(format)"),
    ("(--to)", "(to)"),
)


class Face(Protocol):
    """Methods of another program: a module with these functions."""

    def descriptions(self) -> Mapping[str, str]:
        """Names and texts of the methods, in the order `help` lists them."""

    def answer(
        self, name: str, params: Mapping[str, Any] | Sequence[Any], root: str | None, limits: Limits
    ) -> Any:
        """The result of a method; raises `MethodError`.

        `root` is the directory below which files may be read; None: none may.
        """

    def load(self, modules: Sequence[str]) -> None:
        """Import modules whose classes become methods as well."""


def faces_named(names: Sequence[str]) -> list[Face]:
    """The modules of these names, which the operator gives and never a request."""
    return [importlib.import_module(name) for name in names]


class Method(NamedTuple):
    """A method of ours.

    Attributes
    ----------
    name
        As requests say it.
    title
        For people.
    parameters
        In the order of their places.
    call
        Takes the root, the limits and the arguments by name.
    """

    name: str
    title: str
    parameters: Sequence[MethodParameter]
    call: Callable[..., Any]

    @property
    def description(self) -> str:
        """The title, then a line for every parameter."""
        lines = [
            f"{one.name}{'' if one.default is REQUIRED else f' (default: {one.default!r})'}"
            f"\n    {one.title}"
            for one in self.parameters
        ]
        return "\n".join([self.title, *([""] if lines else []), *lines])


def _normalize(
    root: Root, limits: Limits, text: str | list[str], normalize: list[Any], side: str | None
) -> dict[str, Any]:
    pipeline = pipelines.pipeline(normalize, root, limits.pattern)
    try:
        if isinstance(text, str):
            made: str | list[str] = pipeline(text, side)
        else:
            made = [pipeline(one, side) for one in text]
    except ValueError as problem:
        # steps say so of texts they cannot do anything with
        if type(problem) is not ValueError:
            raise
        raise InvalidFieldError("text", str(problem)) from None
    return {"text": made, "signature": pipeline.signature}


def _list_steps(root: Root, limits: Limits) -> dict[str, str]:
    return {spec.name: spec.title for spec in (*BUNDLED, *STEPS)}


OURS = (
    Method(
        "list.formats", "The formats of transcripts.", (), lambda *_: conversions.list_formats()
    ),
    Method("list.steps", "The pipelines and steps of normalisation.", (), _list_steps),
    Method(
        "align",
        "The words of two texts side by side.",
        measures.ALIGN,
        lambda _root, _limits, **given: measures.align_texts(**given),
    ),
    Method(
        "wer",
        "The word error rate of a hypothesis, with everything it is made of.",
        measures.WER,
        measures.error_rates,
    ),
    Method(
        "compare",
        "A new system against a baseline: what changed, and whether that may be chance.",
        measures.COMPARE,
        measures.comparison,
    ),
    Method(
        "convert",
        "A transcript in another format, and what that cannot hold.",
        conversions.CONVERT,
        lambda _root, _limits, **given: conversions.convert_text(**given),
    ),
    Method(
        "detect",
        "The format of a transcript.",
        conversions.DETECT,
        lambda _root, _limits, **given: conversions.detect_format(**given),
    ),
    Method(
        "normalize",
        "Texts after steps and pipelines.",
        (
            MethodParameter("text", texts, "a text or a list of texts"),
            MethodParameter("normalize", pipelines.rules, "as of `wer`"),
            MethodParameter(
                "side", one_of(("reference", "hypothesis")), "whose steps; null: both", None
            ),
        ),
        _normalize,
    ),
)
_OURS = {method.name: method for method in OURS}
HELP = "help"
_HELP_TITLE = "Names and descriptions of all methods."


def descriptions(faces: Sequence[str] = FACES) -> dict[str, str]:
    """Names and texts of all methods, in the order `help` lists them: `help` comes last."""
    theirs = {k: v for face in faces_named(faces) for k, v in face.descriptions().items()}
    last = theirs.pop(HELP, _HELP_TITLE)
    return {**theirs, **{one.name: one.description for one in OURS}, HELP: last}


class Methods:
    """What a service offers.

    Parameters
    ----------
    root
        Directory below which files may be read; None: none.
    limits
        What a request may cost.
    faces
        Names of the modules of other programs' methods.

    Examples
    --------
    >>> Methods()("align", {"reference": "a b", "hypothesis": "a c"})["edits"]
    'CS'
    >>> Methods()("metrics.wer", ["a b", "a c"])
    0.5
    """

    def __init__(
        self,
        root: str | None = None,
        limits: Limits | None = None,
        faces: Sequence[str] = FACES,
    ) -> None:
        self._root = Root(root)
        self._limits = Limits() if limits is None else limits
        self._faces = tuple(faces)
        self._face_of = {name: face for face in faces_named(faces) for name in face.descriptions()}
        self.names = frozenset(self._face_of).union(_OURS, [HELP])

    def __call__(self, name: str, params: Mapping[str, Any] | Sequence[Any]) -> Any:
        """The result of a method.

        Raises
        ------
        MethodError
            One of its subclasses, with code and data for the answer.
        MemoryError
            If there is too little.
        """
        if name not in self.names:
            raise MethodNotFoundError(name[:LONGEST_NAME])
        try:
            with guarded(self._root):
                if name == HELP:
                    bound((), params)
                    return descriptions(self._faces)
                method = _OURS.get(name)
                if method is None:
                    face = self._face_of[name]
                    return face.answer(name, params, self._root.path, self._limits)
                return method.call(self._root, self._limits, **bound(method.parameters, params))
        except (MethodError, MemoryError):
            raise
        except OutOfTimeError:
            raise TimeLimitError(f"stopped after {self._limits.seconds:g} s") from None
        except SecurityError:
            raise InvalidFieldError(None, FORBIDDEN) from None
        except (FormatError, ScoringError) as error:
            raise self._explained(error) from None
        except Exception as error:
            # what it was is for the log, and not for the answer
            raise MethodError from error

    def _explained(self, error: FormatError | ScoringError) -> InvalidFieldError:
        """What is wrong with a text, and where; these errors are written for whoever sent it."""
        kind = type(error).__name__.removesuffix("Error")
        if isinstance(error, FormatError):
            more = {"expected": error.expected, "found": error.found}
            message, line, column = error.message, error.line, error.column
        elif isinstance(error, InputError):
            more, message = {}, error.problem
            line, column = error.line, error.column
        else:
            more, message, line, column = {}, str(error), None, None
        for flag, parameter in _FLAGS:
            message = message.replace(flag, parameter)
        return InvalidFieldError(None, message, kind=kind, line=line, column=column, **more)
