"""BenchmarkSTT's remote methods, as pure functions of a method name and its parameters.

A parameter or the text of a config may name files. Their real paths, with links followed, must be
below one directory.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.model.special_errors import FORBIDDEN, SecurityError
from scoring.peers.benchmarkstt import COMPATIBLE_VERSION, callbacks
from scoring.peers.benchmarkstt import metrics as metric_classes
from scoring.peers.benchmarkstt import normalization as normalizer_classes
from scoring.peers.benchmarkstt.callbacks import InvalidParametersError
from scoring.peers.benchmarkstt.factory import ClassConfig
from scoring.peers.benchmarkstt.file_access import is_safe_path, restricted
from scoring.serve.errors import InvalidParamsError, MethodError, MethodNotFoundError
from scoring.serve.parameters import Context, Method, bound, table, text
from scoring.serve.settings import Limits
from scoring.text.config_file import ConfigSectionNotFoundError

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


def call(
    name: str,
    params: Mapping[str, Any] | Sequence[Any] = (),
    root: str | os.PathLike[str] | None = None,
) -> Any:
    """Return the result of a method; parameters are given by name or in order.

    Files must lie below `root` (None: the working directory). Raises MethodNotFoundError,
    InvalidParamsError or MethodError, each with its own code and text.

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
    context = Context(os.fspath(root or os.getcwd()), Limits(pattern=sys.maxsize))
    return method.call(context, **bound(method.parameters, params))


def _run(context: Context, work: Callable[..., Any], arguments: Mapping[str, Any]) -> Any:
    """Return the result of a method; without a root in `context`, it cannot read files."""
    root, limits, _ = context
    for name in PATHS:
        value = arguments.get(name)
        if value is not None and (
            root is None or not value or "\0" in value or not is_safe_path(value, root)
        ):
            raise _refusal(name, FORBIDDEN)
    search = arguments.get("search", "")
    if len(search) > limits.pattern:
        expected = f"expected at most {limits.pattern} characters"
        raise InvalidParamsError(f"search: {expected}, found {len(search)}")
    with restricted(_NOWHERE if root is None else root):
        try:
            return work(**arguments)
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


def _refusal(field: str | None, message: str, **place: object) -> InvalidParamsError:
    return InvalidParamsError(json.dumps({"message": message, **place, "field": field}))


def _explained(error: Exception, arguments: Mapping[str, Any]) -> InvalidParamsError:
    """Return an error that names the invalid parameter and, if known, the position in it."""
    if isinstance(error, re.error):
        patterns = {arguments.get(name): name for name in ("replace", "search")}
        source = patterns.get(error.pattern, "config")
        place = {} if error.pos is None or source == "config" else {"char": error.pos + 1}
        return _refusal(source, error.msg, **place)
    message = " ".join(map(str, error.args))
    if isinstance(error, OSError):
        message = error.strerror or ""
    fields = next(fields for kind, fields in _FIELDS if isinstance(error, kind))
    names = (getattr(error, "option", ""), *fields)
    field = next((name for name in names if arguments.get(name) is not None), None)
    return _refusal(field, message)


class _Kind(NamedTuple):
    """A group of classes, and the parameters that all of these classes share.

    The parameters in `first` precede those of a class, and the parameters in `last` follow them.
    """

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


def descriptions() -> dict[str, str]:
    """Return the names and descriptions of all methods, in the order of `help`."""
    return {name: method.description for name, method in methods().items()}


def methods() -> dict[str, Method]:
    """Return all methods by name, in the order of `help`."""
    title = "The release of BenchmarkSTT followed."
    rows = [Method("version", title, (), lambda _: COMPATIBLE_VERSION)]
    for name, kind in _KINDS.items():
        docs = {config.name: config.docs for config in kind.classes}
        title = f"Names and descriptions of what `{name}` offers."
        rows.append(Method(f"list.{name}", title, (), lambda _, docs=docs: docs))
        rows += (_method(name, kind, config) for config in kind.classes)
    title = "Names and descriptions of all methods."
    rows.append(Method("help", title, (), lambda _: descriptions()))
    return {method.name: method for method in rows}


def _method(heading: str, kind: _Kind, config: ClassConfig) -> Method:
    ours = (*kind.first, *kind.last)

    def call(context: Context, **arguments: Any) -> Any:
        def work(**arguments: Any) -> Any:
            first = [arguments.pop(name, None) for name in ours]
            return getattr(callbacks, heading)(config.cls, *first, **arguments)

        values = {name: value for name, value in arguments.items() if value is not None}
        return _run(context, work, values)

    def check(name: str) -> Callable[[Any], Any]:
        return text if name in (*_TEXTS, *PATHS) else lambda value: value

    required = {**kind.first, **dict.fromkeys(config.required_args, "")}
    optional = {**dict.fromkeys(config.optional_args, ""), **kind.last}
    rows = [(name, check(name), title) for name, title in required.items()]
    more = [(name, check(name), title, None) for name, title in optional.items()]
    return Method(f"{heading}.{config.name}", config.docs, table(*rows, *more), call)
