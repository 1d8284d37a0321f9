"""BenchmarkSTT's remote methods, a face upon the service: pure functions of name and parameters.

========================  =====================================================================
method                    result
========================  =====================================================================
``version``               the release of BenchmarkSTT that is followed
``list.normalization``    names and descriptions; also ``list.metrics``, ``list.benchmark``
``normalization.NAME``    ``{"text": …}`` and, if asked for, ``"logs"``
``metrics.NAME``          the value
``benchmark.NAME``        ``{NAME: value}`` and, if asked for, ``"logs"``
``help``                  names and descriptions of all methods
========================  =====================================================================

How requests arrive is no matter of this module. Files lie under one directory, whether a parameter
names them or the text of a config does; links are followed before that is judged.
"""

from __future__ import annotations

import inspect
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from scoring.compat.benchmarkstt import COMPATIBLE_VERSION, callbacks
from scoring.compat.benchmarkstt import metrics as metric_classes
from scoring.compat.benchmarkstt import normalization as normalizer_classes
from scoring.compat.benchmarkstt.arguments import load_external
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
from scoring.server.settings import Limits

# Below this nothing can lie.
_NOWHERE = "/dev/null/nowhere"
PATHS = ("file", "path", "entities_file")
_TEXTS = (
    "text",
    "ref",
    "hyp",
    "config",
    "search",
    "replace",
    "normalizer",
    "mode",
    "differ_class",
    "dialect",
    "encoding",
    "section",
)
# What a request may bring about, and the parameters that may have; the first that is given has.
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
    """A remote method."""

    name: str
    call: Callable[..., Any]
    signature: inspect.Signature
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
    return run(method_named(name), params, root)


def method_named(name: str) -> RemoteMethod:
    """The method of this name."""
    create = dict(_all()).get(name)
    if create is None:
        raise MethodNotFoundError(name)
    return create()


def run(
    method: RemoteMethod,
    params: Mapping[str, Any] | Sequence[Any] = (),
    root: str | os.PathLike[str] | None = None,
) -> Any:
    """What `call` gives, of a method at hand."""
    directory = os.getcwd() if root is None else root
    arguments = _bound(method.signature, params)
    _check(arguments, method.signature, directory)
    with restricted(directory):
        try:
            return method.call(**arguments)
        except SecurityError as error:
            raise _forbidden(str(error), "config") from error
        except InvalidParametersError as error:
            raise InvalidParamsError(str(error)) from error
        except MemoryError:
            raise
        except tuple(kind for kind, _ in _FIELDS) as error:
            raise _refused(error, arguments) from error
        except Exception as error:
            # its text may tell of what lies inside
            raise MethodError(type(error).__name__) from error


def _bound(
    signature: inspect.Signature, params: Mapping[str, Any] | Sequence[Any]
) -> dict[str, Any]:
    try:
        if isinstance(params, Mapping):
            bound = signature.bind(**params)
        else:
            bound = signature.bind(*params)
    except TypeError as error:
        raise InvalidParamsError(str(error)) from error
    return bound.arguments


def _refused(error: Exception, arguments: Mapping[str, Any]) -> InvalidParamsError:
    """What was sent means nothing: which parameter, and where in it, as far as that is known."""
    message = error.strerror if isinstance(error, OSError) else " ".join(map(str, error.args))
    kinds = next(fields for kind, fields in _FIELDS if isinstance(error, kind))
    named = (message or "").partition(":")[0]
    field = next((item for item in (named, *kinds) if arguments.get(item) is not None), None)
    place: dict[str, object] = {}
    if isinstance(error, re.error):
        message, field = error.msg, _field_of_pattern(arguments)
        if error.pos is not None and field != "config":
            place["char"] = error.pos + 1
    return InvalidParamsError(json.dumps({"message": message, **place, "field": field}))


def _field_of_pattern(arguments: Mapping[str, Any]) -> str:
    if "search" not in arguments:
        return "config"
    try:
        compiled_pattern(arguments["search"])
    except re.error:
        return "search"
    return "replace"


def _check(
    arguments: Mapping[str, Any], signature: inspect.Signature, root: str | os.PathLike[str]
) -> None:
    for name, value in arguments.items():
        is_needed = signature.parameters[name].default is inspect.Parameter.empty
        if name in PATHS and value is None and is_needed:
            raise InvalidParamsError(f"{name}: expected the name of a file, found null")
        if name in (*_TEXTS, *PATHS) and value is not None and not isinstance(value, str):
            raise InvalidParamsError(f"{name}: expected a text, found {type(value).__name__}")
        if name in _TEXTS and value is None and is_needed:
            raise InvalidParamsError(f"{name}: expected a text, found null")
        if name in PATHS and value is not None and not _is_allowed(value, root):
            raise _forbidden(FORBIDDEN, name)


def _is_allowed(path: str, root: str | os.PathLike[str]) -> bool:
    return bool(path) and "\0" not in path and is_safe_path(path, root)


def _forbidden(message: str, field: str) -> InvalidParamsError:
    return InvalidParamsError(json.dumps({"message": message, "field": field}))


def answer(
    name: str, params: Mapping[str, Any] | Sequence[Any], root: str | None, limits: Limits
) -> Any:
    """What the service says: as `call`, but None lets no file be read, and patterns have an end."""
    method = method_named(name)
    names = list(method.signature.parameters)
    given = params if isinstance(params, Mapping) else dict(zip(names, params, strict=False))
    if root is None:
        for path in PATHS:
            if path in names and given.get(path) is not None:
                raise _forbidden(FORBIDDEN, path)
    search = given.get("search")
    most = limits.pattern
    if name.endswith(".regex") and isinstance(search, str) and len(search) > most:
        raise InvalidParamsError(f"search: expected at most {most} characters, found {len(search)}")
    return run(method, params, root or _NOWHERE)


def descriptions() -> dict[str, str]:
    """Names and texts of all methods, in the order `help` lists them."""
    return {name: method.description for name, method in methods().items()}


def load(modules: Sequence[str]) -> None:
    """Import modules whose normalizers and metrics are offered as well."""
    load_external(["--load", *modules] if modules else [], "scoring serve")


def methods() -> dict[str, RemoteMethod]:
    """All methods by name, in the order `help` lists them."""
    return {name: made() for name, made in _all()}


class _Kind(NamedTuple):
    """Classes offered under a heading, and the parameters before and after theirs."""

    classes: Iterable[ClassConfig]
    first: Mapping[str, str]
    last: Mapping[str, str]


_SIDES = {"ref": "The reference.", "hyp": "The hypothesis."}
_LOGS = {"return_logs": "Tell every change, too."}
_CONFIG = {"config": "Text of a config file with a section [normalization]."}
_KINDS = {
    "normalization": _Kind(normalizer_classes.factory, {"text": "What to normalize."}, _LOGS),
    "metrics": _Kind(metric_classes.factory, _SIDES, {}),
    "benchmark": _Kind(metric_classes.factory, _SIDES, {**_CONFIG, **_LOGS}),
}


def _all() -> Iterator[tuple[str, Callable[[], RemoteMethod]]]:
    """The names of all methods, each with what makes it: a request needs one of them."""
    version = "The release of BenchmarkSTT followed."
    yield _plain("version", lambda: COMPATIBLE_VERSION, version)
    for name, kind in _KINDS.items():
        title = f"Names and descriptions of what `{name}` offers."
        yield _plain(f"list.{name}", partial(_listed, kind), title)
        for config in kind.classes:
            yield f"{name}.{config.name}", partial(_method, name, kind, config)
    yield _plain("help", descriptions, "Names and descriptions of all methods.")


def _plain(
    name: str, function: Callable[..., Any], title: str
) -> tuple[str, Callable[[], RemoteMethod]]:
    return name, partial(RemoteMethod, name, function, inspect.Signature(), title)


def _listed(kind: _Kind) -> dict[str, str]:
    return {config.name: config.docs for config in kind.classes}


def _method(heading: str, kind: _Kind, config: ClassConfig) -> RemoteMethod:
    def run(**given: Any) -> Any:
        own = [given.pop(item, None) for item in (*kind.first, *kind.last)]
        return getattr(callbacks, heading)(config.cls, *own, **given)

    of = inspect.Parameter
    required = [of(item, of.POSITIONAL_OR_KEYWORD) for item in (*kind.first, *config.required_args)]
    optional = [
        of(item, of.POSITIONAL_OR_KEYWORD, default=None)
        for item in (*config.optional_args, *kind.last)
    ]
    notes = "\n".join(f"{one}\n    {note}" for one, note in {**kind.first, **kind.last}.items())
    text = f"{config.docs}\n\nIn every request\n----------------\n{notes}"
    return RemoteMethod(
        f"{heading}.{config.name}", run, inspect.Signature([*required, *optional]), text
    )
