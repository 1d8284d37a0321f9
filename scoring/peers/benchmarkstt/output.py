"""Formats in which results are printed: reStructuredText, Markdown, JSON."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, TypeVar

from scoring.peers.benchmarkstt.factory import CoreFactory
from scoring.peers.benchmarkstt.schema import JSONEncoder, jsonable

Opened = TypeVar("Opened", bound="Output")


class Output(ABC):
    """Base of outputs: a context manager that prints results to standard output."""

    def __enter__(self: Opened) -> Opened:
        return self

    def __exit__(self, *error: object) -> None:
        return None

    @abstractmethod
    def result(self, title: str, result: Any) -> None:
        """Print a result under its title."""


class SimpleTextBase(Output):
    """Base of outputs in a text format for people."""

    @staticmethod
    def print(result: Any) -> None:
        """Print a value: a float with six digits, a mapping with a line `key: value` per member."""
        if isinstance(result, float):
            print(f"{result:.6f}")
            return
        fields = jsonable(result)
        if isinstance(fields, Mapping):
            for key, value in fields.items():
                print(f"{key}: {value!r}")
        else:
            print(result)

    def result(self, title: str, result: Any) -> None:
        """Print the result as a section with a heading."""
        print(f"{self.heading(title)}\n")
        self.print(result)
        print()

    @abstractmethod
    def heading(self, title: str) -> str:
        """Return a title in the markup of the format."""
        raise NotImplementedError


class ReStructuredText(SimpleTextBase):
    """reStructuredText: titles are underlined."""

    def heading(self, title: str) -> str:
        """Return the title, underlined."""
        return f"{title}\n{'=' * len(title)}"


class MarkDown(SimpleTextBase):
    """Markdown: titles have a `#` before them."""

    def heading(self, title: str) -> str:
        """Return the title with a `#` before it."""
        return f"# {title}"


class Json(Output):
    """A JSON list of objects `title` and `result`; floats are not rounded."""

    def __init__(self) -> None:
        self._printed: int | None = None

    def __enter__(self) -> Json:
        if self._printed is not None:
            raise ValueError("Already open")
        self._printed = 0
        sys.stdout.write("[")
        return self

    def __exit__(self, *error: object) -> None:
        sys.stdout.write("\n]\n" if self._printed else "\n\n]\n")
        self._printed = None

    def result(self, title: str, result: Any) -> None:
        """Print an element of the list."""
        if self._printed is None:
            raise ValueError("Not open")
        text = json.dumps({"title": title, "result": jsonable(result)}, cls=JSONEncoder)
        sys.stdout.write(f",\n\t{text}" if self._printed else f"\n\t{text}")
        self._printed += 1


factory: CoreFactory[Output] = CoreFactory(Output, ("result",))
factory.register(Json)
factory.register(MarkDown)
factory.register(ReStructuredText)
