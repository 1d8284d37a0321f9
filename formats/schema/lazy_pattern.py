"""Regular expressions that are compiled at their first use.

A module of a start path defines its patterns this way, because compiling is most of its import.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import AnyStr


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression that is compiled at its first use."""
    return _LazyPattern(text, flags)  # type: ignore[return-value]


class _LazyPattern:
    """Has the methods of a compiled pattern; the first use of one fills in all."""

    __slots__ = (
        *("_flags", "_text", "findall", "finditer", "flags", "fullmatch", "groupindex", "groups"),
        *("match", "pattern", "scanner", "search", "split", "sub", "subn"),
    )

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> object:
        import re

        if name not in self.__slots__:
            raise AttributeError(name)
        compiled = re.compile(self._text, self._flags)
        for each in self.__slots__:
            if each[0] != "_":
                setattr(self, each, getattr(compiled, each))
        value: object = getattr(self, name)
        return value
