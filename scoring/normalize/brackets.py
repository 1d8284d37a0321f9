"""Annotations in brackets."""

from __future__ import annotations

import re

from scoring.normalize.step import Step, put

_PAIRS = {
    "square": r"\[[^\[\]]*\]",
    "angle": r"<[^<>]*>",
    "round": r"\([^()]*\)",
    "curly": r"\{[^{}]*\}",
}
BRACKETS = tuple(_PAIRS)


class Brackets(Step):
    """What stands in brackets goes, brackets inside brackets too: `[noise]`, `<unk>`.

    An opening bracket without its closing one stays, and what follows it.

    Parameters
    ----------
    kinds
        Which brackets.

    Examples
    --------
    >>> Brackets()("so [noise [loud]] we <unk> (perhaps) left").split()
    ['so', 'we', '(perhaps)', 'left']
    """

    __slots__ = ("_pattern", "kinds")
    uncompared = frozenset({"_pattern"})
    name = "brackets"
    removes = True
    kinds: tuple[str, ...]
    _pattern: re.Pattern[str]

    def __init__(self, kinds: tuple[str, ...] = ("square", "angle")) -> None:
        for kind in kinds:
            if kind not in _PAIRS:
                raise ValueError(f"kinds: expected {', '.join(BRACKETS)}, found {kind!r}")
        if not kinds:
            raise ValueError(f"kinds: expected some of {', '.join(BRACKETS)}, found none")
        pattern = re.compile("|".join(_PAIRS[kind] for kind in kinds))
        put(self, kinds=tuple(kinds), _pattern=pattern)

    def __call__(self, text: str) -> str:
        """The text without them."""
        count = 1
        while count:
            text, count = self._pattern.subn("", text)
        return text
