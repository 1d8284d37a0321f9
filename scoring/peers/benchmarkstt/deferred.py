"""Values for log messages that are computed only when they are needed.

>>> str(DeferredCallback("{}-{}".format, 1, 2)), DeferredList(lambda: [3, 4])[1]
('1-2', 4)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any


class DeferredCallback:
    """A text that a function computes each time the text is printed."""

    def __init__(self, cb: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
        self._text = partial(cb, *args, **kwargs)

    def __str__(self) -> str:
        return str(self._text())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}:{self._text()!r}>"


class DeferredList:
    """A list that a function computes when the list is first used."""

    def __init__(self, cb: Callable[[], list[Any]]) -> None:
        self._call = cb

    @cached_property
    def list(self) -> list[Any]:
        """The computed list."""
        return self._call()

    def __getitem__(self, item: Any) -> Any:
        return self.list[item]
