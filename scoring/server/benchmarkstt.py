"""BenchmarkSTT's remote methods, as pure functions of name and parameters.

Files have to lie under one directory, whether a parameter names them or the text of a config does;
links are followed before that is checked.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scoring.compat.benchmarkstt import COMPATIBLE_VERSION, callbacks
from scoring.compat.benchmarkstt import metrics as metric_classes
from scoring.compat.benchmarkstt import normalization as normalizer_classes
from scoring.compat.benchmarkstt.callbacks import InvalidParametersError
from scoring.compat.benchmarkstt.factory import ClassConfig
from scoring.compat.benchmarkstt.file_access import is_safe_path, restricted
from scoring.errors import FORBIDDEN, SecurityError
from scoring.normalize.config_file import ConfigSectionNotFoundError
from scoring.normalize.replacing import compiled_pattern
from scoring.server.errors import (
    InvalidParamsError,
    MethodError,
    MethodNotFoundError,
)
from scoring.server.parameters import named

# Below this nothing can lie.
_NOWHERE = "/dev/null/nowhere"
PATHS = ("file", "path", "entities_file")
_TEXTS = {
    *("text", "ref", "hyp", "config", "search", "replace"),
    *("normalizer", "mode", "differ_class", "dialect", "encoding", "section"),
}
# Errors of a request, and the parameters that may cause them: the first that has a value does.
_FIELDS: tuple[tuple[type[Exception], tuple[str, ...]], ...] = (
    (re.error, ("search", "config")),
    (ConfigSectionNotFoundError, ("section", "config", "file")),
    (UnicodeError, ("encoding", "config")),
    (NotImplementedError, ("mode", "config")),
    (ImportError, ("differ_class", "config")),
    (LookupError, ("encoding", "config")),
    (OSError, (*PATHS, "config")),
    (ValueError, ("dialect", "normalizer", "config", "file")),
)


class RemoteMethod(NamedTuple):
    """A remote method: its function, names of its parameters, and its description."""

    call: Callable[..., Any]
    required: Sequence[str]
    optional: Sequence[str]
    description: str


def call(
    name: str,
    params: Mapping[str, Any] | Sequence[Any] = (),
    root: str | os.PathLike[str] | None = None,
) -> Any:
    """The result of a method.

    Parameters
    ----------
    params
        By name or in order.
    root
        Directory files must lie under; None: the working directory.

    Raises
    ------
    MethodNotFoundError, InvalidParamsError, MethodError
        Which have codes and texts of their own.

    Examples
    --------
    >>> call("version")
    '1.1'
    >>> call("metrics.wer", {"ref": "a b", "hyp": "a c"}), call("metrics.wer", ["a b", "a c"])
    (0.5, 0.5)
    """
    method = methods().get(name)
    if method is None:
        raise MethodNotFoundError(name)
    return run(method, params, os.getcwd() if root is None else root)


def run(
    method: RemoteMethod,
    params: Mapping[str, Any] | Sequence[Any],
    root: str | os.PathLike[str] | None,
    longest_pattern: int | None = None,
) -> Any:
    """The result of a method; without a root no file is read."""
    arguments = named((*method.required, *method.optional), method.required, params)
    for name, value in arguments.items():
        _check(name, value, name in method.required, root)
    search = arguments.get("search")
    if longest_pattern is not None and search is not None and len(search) > longest_pattern:
        expected = f"expected at most {longest_pattern} characters"
        raise InvalidParamsError(f"search: {expected}, found {len(search)}")
    with restricted(_NOWHERE if root is None else root):
        try:
            return method.call(**arguments)
        except SecurityError as error:
            raise _refusal("config", str(error)) from error
        except InvalidParametersError as error:
            raise InvalidParamsError(str(error)) from error
        except MemoryError:
            raise
        except tuple(kind for kind, _ in _FIELDS) as error:
            raise _explained(error, arguments) from error
        except Exception as error:
            # its text may be about the inside of the service
            raise MethodError(type(error).__name__) from error


def _check(
    name: str, value: object, is_required: bool, root: str | os.PathLike[str] | None
) -> None:
    if name not in (*_TEXTS, *PATHS) or (value is None and not is_required):
        return
    if not isinstance(value, str):
        expected = "the name of a file" if name in PATHS and value is None else "a text"
        kind = "null" if value is None else type(value).__name__
        raise InvalidParamsError(f"{name}: expected {expected}, found {kind}")
    is_file = value and "\0" not in value
    if name in PATHS and (root is None or not is_file or not is_safe_path(value, root)):
        raise _refusal(name, FORBIDDEN)


def _refusal(field: str | None, message: str, **place: object) -> InvalidParamsError:
    return InvalidParamsError(json.dumps({"message": message, **place, "field": field}))


def _explained(error: Exception, arguments: Mapping[str, Any]) -> InvalidParamsError:
    """Which parameter is invalid, and where, if that can be determined."""
    if isinstance(error, re.error):
        source = _field_of_pattern(arguments)
        place = {} if error.pos is None or source == "config" else {"char": error.pos + 1}
        return _refusal(source, error.msg, **place)
    message = " ".join(map(str, error.args))
    if isinstance(error, OSError):
        message = error.strerror or ""
    fields = next(fields for kind, fields in _FIELDS if isinstance(error, kind))
    names = (message.partition(":")[0], *fields)
    field = next((name for name in names if arguments.get(name) is not None), None)
    return _refusal(field, message)


def _field_of_pattern(arguments: Mapping[str, Any]) -> str:
    if "search" not in arguments:
        return "config"
    try:
        compiled_pattern(arguments["search"])
    except re.error:
        return "search"
    return "replace"


def descriptions() -> dict[str, str]:
    """Names and texts of all methods, in the order `help` lists them."""
    return {name: method.description for name, method in methods().items()}


class _Kind(NamedTuple):
    """Classes under a heading, and the parameters before and after theirs."""

    classes: Iterable[ClassConfig]
    first: Mapping[str, str]
    last: Mapping[str, str]


_SIDES = {"ref": "The reference.", "hyp": "The hypothesis."}
_LOGS = {"return_logs": "Report every change, too."}
_CONFIG = {"config": "Text of a config file with a section [normalization]."}
_KINDS = {
    "normalization": _Kind(normalizer_classes.factory, {"text": "What to normalize."}, _LOGS),
    "metrics": _Kind(metric_classes.factory, _SIDES, {}),
    "benchmark": _Kind(metric_classes.factory, _SIDES, {**_CONFIG, **_LOGS}),
}


def methods() -> dict[str, RemoteMethod]:
    """All methods by name, in the order `help` lists them."""
    version = "The release of BenchmarkSTT followed."
    table = {"version": RemoteMethod(lambda: COMPATIBLE_VERSION, (), (), version)}
    for name, kind in _KINDS.items():
        title = f"Names and descriptions of what `{name}` offers."
        table[f"list.{name}"] = RemoteMethod(partial(_listed, kind), (), (), title)
        for config in kind.classes:
            table[f"{name}.{config.name}"] = _method(name, kind, config)
    title = "Names and descriptions of all methods."
    return {**table, "help": RemoteMethod(descriptions, (), (), title)}


def _listed(kind: _Kind) -> dict[str, str]:
    return {config.name: config.docs for config in kind.classes}


def _method(heading: str, kind: _Kind, config: ClassConfig) -> RemoteMethod:
    def run(**arguments: Any) -> Any:
        ours = [arguments.pop(name, None) for name in (*kind.first, *kind.last)]
        return getattr(callbacks, heading)(config.cls, *ours, **arguments)

    notes = "\n".join(f"{name}\n    {note}" for name, note in {**kind.first, **kind.last}.items())
    text = f"{config.docs}\n\nIn every request\n----------------\n{notes}"
    required, optional = (*kind.first, *config.required_args), (*config.optional_args, *kind.last)
    return RemoteMethod(run, required, optional, text)
