"""How NIST's programs read their arguments, and refuse them.

The list is walked from left to right while arguments begin with a dash; an option takes the
values behind it. The first argument in the place of an option that has no dash ends the walk, and
what follows is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from scoring.errors import OriginalError

LEADING_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")


def leading_number(text: str) -> int:
    """C's `atoi`.

    Examples
    --------
    >>> leading_number(" -3x"), leading_number("x")
    (-3, 0)
    """
    found = LEADING_NUMBER.match(text)
    return int(found[1]) if found else 0


class UsageError(OriginalError):
    """A command line the original refuses; the text has the usage in front.

    `usage` is the usage text of the program, `lead` what stands between it and the problem.
    """

    usage: ClassVar[str] = ""
    lead: ClassVar[str] = ""

    def __init__(self, problem: str | None, output: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.output = output

    @classmethod
    def illegal(cls, argument: str) -> UsageError:
        """An argument that is no option; the original names it on standard output."""
        return cls(None, f"Illegal argument: {argument}\n")

    def __str__(self) -> str:
        return self.usage if self.problem is None else f"{self.usage}{self.lead}{self.problem}\n\n"


class Arguments:
    """Arguments on the way from left to right.

    Parameters
    ----------
    arguments
        Without the program's name.
    error
        The program's own kind of refusal.
    """

    def __init__(self, arguments: Sequence[str], error: type[UsageError]) -> None:
        self._arguments = arguments
        self._error = error
        self._at = 0

    def __len__(self) -> int:
        """How many are left."""
        return len(self._arguments) - self._at

    def walk(self, handlers: Mapping[str, Callable[[], None]]) -> list[str]:
        """Handle option by option; what is left behind a stray word.

        Raises
        ------
        UsageError
            If an argument is no option.
        """
        while len(self) and self._arguments[self._at].startswith("-"):
            argument = self._arguments[self._at]
            self._at += 1
            handler = handlers.get(argument)
            if handler is None:
                raise self._error.illegal(argument)
            handler()
        return list(self._arguments[self._at :])

    def mandatory(self, missing: str) -> str:
        """The next argument, whatever it looks like.

        Raises
        ------
        UsageError
            With the text `missing`, if there is none.
        """
        if not len(self):
            raise self._error(missing)
        self._at += 1
        return self._arguments[self._at - 1]

    def file(self, missing: str, dashed: str) -> str:
        """The next argument, which must not start with a dash.

        Raises
        ------
        UsageError
            With the text `missing` or `dashed`.
        """
        value = self.mandatory(missing)
        if value.startswith("-"):
            raise self._error(dashed)
        return value

    def optional(self) -> str | None:
        """The next argument, if it does not start with a dash."""
        if len(self) and not self._arguments[self._at].startswith("-"):
            self._at += 1
            return self._arguments[self._at - 1]
        return None
