"""Steps that are functions of installed modules. Only callers and command lines can name them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from scoring.model.errors import OptionValueError
from scoring.text.pipeline import DIGITS
from scoring.text.step import Step, put

if TYPE_CHECKING:
    from types import ModuleType


@dataclass(frozen=True, slots=True, init=False, repr=False)
class NamedFunction(Step):
    """A function of an installed module, such as a word segmenter: `python:jieba:lcut`.

    The function takes a text and returns a text or a list of words. The signature has the version
    of the module's distribution or, if unknown, the first digits of a hash of the module's file.
    """

    name = "python"
    removes = True
    function: str
    _function: Callable[[str], object]
    _origin: str

    def __init__(self, function: str) -> None:
        module_name, colon, path = function.partition(":")
        if not (module_name and colon and path):
            raise OptionValueError(
                "python", expected="python:MODULE:FUNCTION", found=repr(function)
            )
        from importlib import import_module

        try:
            module = import_module(module_name)
            found: object = module
            for part in path.split("."):
                found = getattr(found, part)
        except (ImportError, AttributeError) as problem:
            expected = "expected a function of an installed module"
            raise OptionValueError("python", f"{expected}, found {function!r}: {problem}") from None
        if not callable(found):
            raise OptionValueError("python", expected="a function", found=repr(function))
        put(self, function=function, _function=found, _origin=_version_of(module))

    @property
    def origin(self) -> str:
        """The module's distribution and version, or a hash of its file."""
        return f"{self.function} {self._origin}"

    def __call__(self, text: str) -> str:
        """Call the function on a text.

        Raises
        ------
        TypeError
            If it returns neither a text nor a list of texts.
        """
        result = self._function(text)
        words = [result] if isinstance(result, str) else result
        if not isinstance(words, list | tuple) or not all(isinstance(w, str) for w in words):
            expected = "expected a text or a list of words"
            raise TypeError(f"{self.function}: {expected}, found {type(result).__name__}")
        return " ".join(words)


def _version_of(module: ModuleType) -> str:
    """Return the distribution of a module with its version, or a hash of its file."""
    import platform
    from hashlib import sha256

    if distribution := _distribution_of(module.__name__.partition(".")[0]):
        return distribution
    if module.__spec__ is not None and module.__spec__.origin == "built-in":
        return f"Python {platform.python_version()}"
    path = getattr(module, "__file__", None)
    if path is None or not os.path.isfile(path):
        return "of unknown version"
    standard = os.path.dirname(os.__file__)
    if os.path.dirname(path).startswith(standard) and "site-packages" not in path:
        return f"Python {platform.python_version()}"
    with open(path, "rb") as file:
        return f"sha256 {sha256(file.read()).hexdigest()[:DIGITS]}"


def _distribution_of(package: str) -> str | None:
    """Return the first distribution that has a package or module, with its version.

    `packages_distributions` has the same answer, but parses the names of all files of all
    distributions.
    """
    from importlib.metadata import distributions

    for distribution in distributions():
        declared = (distribution.read_text("top_level.txt") or "").split()
        listed = "" if declared else distribution.read_text("RECORD")
        if listed is None or package in listed:
            declared = [
                path.parts[0].removesuffix(".py")
                for path in distribution.files or ()
                if path.suffix == ".py"
            ]
        if package in declared:
            return f"{distribution.metadata['Name']} {distribution.version}"
    return None
