"""How NIST's programs read their arguments, and refuse them.

The list is walked from left to right while arguments begin with a dash; an option takes the
values after it. The first argument in the place of an option that has no dash ends the walk, and
what follows is passed over.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from scoring.errors import OriginalError
from scoring.nist.transcripts.characters import byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # What takes the values of an option that has just been read.
    Handler: TypeAlias = Callable[[], object]

NO_RESETS: Mapping[str, Iterable[str]] = {}
LEADING_NUMBER = re.compile(r"[ \t\n\v\f\r]*([+-]?[0-9]+)")


def leading_number(text: str) -> int:
    """C's `atoi`; what an `int` does not hold becomes its limit."""
    found = LEADING_NUMBER.match(text)
    if not found:
        return 0
    # Python converts at most 4,300 digits
    sign, digits = found[1][0] == "-", found[1].lstrip("+-").lstrip("0")[:20] or "0"
    number = -int(digits) if sign else int(digits)
    return max(-(1 << 31), min(number, (1 << 31) - 1))


def argument_text(argument: str) -> str:
    """An argument as byte text, as reports show it."""
    return byte_text(os.fsencode(argument))


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
    """Arguments on the way from left to right."""

    def __init__(
        self, arguments: Sequence[str], error: type[UsageError], options: object = None
    ) -> None:
        self._arguments = arguments
        self._error = error
        self._options = options
        self._at = 0
        self.given: set[str] = set()

    def __len__(self) -> int:
        """How many are left."""
        return len(self._arguments) - self._at

    def walk(self, handlers: Mapping[str, Handler]) -> list[str]:
        """Handle option by option; what is left behind a stray word."""
        while len(self) and self._arguments[self._at].startswith("-"):
            argument = self._arguments[self._at]
            self._at += 1
            handler = handlers.get(argument)
            if handler is None:
                raise self._error.illegal(argument)
            self.given.add(argument)
            handler()
        return list(self._arguments[self._at :])

    def mandatory(self, missing: str) -> str:
        """The next argument, whatever it looks like."""
        if not len(self):
            raise self._error(missing)
        self._at += 1
        return self._arguments[self._at - 1]

    def file(self, missing: str, dashed: str) -> str:
        """The next argument, which must not start with a dash."""
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

    def words(self, missing: str) -> list[str]:
        """The arguments up to the next option."""
        if not len(self):
            raise self._error(missing)
        return list(iter(self.optional, None))

    def switch(self, attribute: str) -> Handler:
        """What sets an attribute to true."""
        return lambda: setattr(self._options, attribute, True)

    def value(self, attribute: str, missing: str, read: Callable[[str], Any] = str) -> Handler:
        """What sets an attribute to what is read from the next argument."""
        return lambda: setattr(self._options, attribute, read(self.mandatory(missing)))

    def choice(self, attribute: str, known: Iterable[str], missing: str, wrong: str) -> Handler:
        """The same of an argument that has to be one of some, else `wrong` is said of it."""

        def read(text: str) -> str:
            if text not in known:
                raise self._error(wrong.format(text))
            return text

        return self.value(attribute, missing, read)

    def several(self, attribute: str, known: Iterable[str], wrong: str) -> Handler:
        """What sets an attribute to the set of the words that follow, each of which is known."""

        def handle() -> None:
            found = list(iter(self.optional, None))
            for word in found:
                if word not in known:
                    raise self._error(wrong.format(word))
            setattr(self._options, attribute, set(found))

        return handle

    def toggled(
        self,
        attribute: str,
        known: Mapping[str, Iterable[str]],
        what: tuple[str, str],
        warn: Callable[[str], None],
        resets: Mapping[str, Iterable[str]] = NO_RESETS,
    ) -> Handler:
        """What turns on, or off again, what each of the words that follow stands for."""

        def handle() -> None:
            selected: set[str] = getattr(self._options, attribute)
            for word in self.words(what[0]):
                if word in resets:
                    selected.clear()
                    selected.update(resets[word])
                elif word in known:
                    selected.symmetric_difference_update(known[word])
                else:
                    warn(f"{what[1]} '{word}'\n")

        return handle
