"""The command lines of NIST's programs: a table of rules, and one scanner.

An option begins with a dash and takes the values after it. Arguments are scanned from left to
right. The scan ends at the first argument that is neither an option nor a value; it and all later
arguments are skipped.

A word is an argument without a dash.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os

from scoring.cli.nist.drop_in import complain, usage
from scoring.model.errors import OriginalError
from scoring.nist.transcripts.characters import byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, ClassVar, TypeAlias

# Takes the values of an option that has just been read.
ArgumentRule: TypeAlias = "Callable[[Arguments], object]"


def leading_number(text: str) -> int:
    """Return the integer at the start of a text like C's `atoi`, limited to the range of `int`."""
    text = text.lstrip(" \t\n\v\f\r")
    unsigned = text[text[:1] in ("+", "-") :]
    digits = unsigned[: len(unsigned) - len(unsigned.lstrip("0123456789"))]
    # Python converts at most 4,300 digits
    size = int(digits.lstrip("0")[:20] or "0")
    number = -size if text[:1] == "-" else size
    return max(-(1 << 31), min(number, (1 << 31) - 1))


def argument_text(argument: str) -> str:
    """Return a command-line argument as byte text, as reports print it."""
    return byte_text(os.fsencode(argument))


class UsageError(OriginalError):
    """A command line that NIST's program rejects.

    The text begins with the usage text of `program`, then `lead`.
    """

    program: ClassVar[str] = ""
    lead: ClassVar[str] = ""

    def __init__(self, problem: str | None, output: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.output = output

    def __str__(self) -> str:
        text = usage(self.program)
        return text if self.problem is None else f"{text}{self.lead}{self.problem}\n\n"


class Arguments:
    """The arguments that are not scanned yet, and the options that rules set."""

    def __init__(
        self,
        arguments: Sequence[str],
        error: type[UsageError],
        options: Any,
        warn: Callable[[str], None] = complain,
    ) -> None:
        self._arguments = arguments
        self._position = 0
        self.error = error
        self.options = options
        self.warn = warn
        self.given: set[str] = set()

    def __len__(self) -> int:
        """Return the number of arguments that are not scanned yet."""
        return len(self._arguments) - self._position

    def walk(self, rules: Mapping[str, ArgumentRule]) -> list[str]:
        """Apply the rule of each option; return the arguments that follow the options."""
        while len(self) and self._arguments[self._position].startswith("-"):
            argument = self._arguments[self._position]
            self._position += 1
            if argument not in rules:
                # the original names it on standard output
                raise self.error(None, f"Illegal argument: {argument}\n")
            self.given.add(argument)
            rules[argument](self)
        return list(self._arguments[self._position :])

    def mandatory(self, missing: str) -> str:
        """Return the next argument, even if it begins with a dash.

        Without one, raise UsageError with the text `missing`.
        """
        if not len(self):
            raise self.error(missing)
        self._position += 1
        return self._arguments[self._position - 1]

    def file(self, missing: str, dashed: str) -> str:
        """Return the next argument, which must not begin with a dash.

        The errors are `missing` without an argument, and `dashed` for an argument with a dash.
        """
        value = self.mandatory(missing)
        if value.startswith("-"):
            raise self.error(dashed)
        return value

    def optional(self) -> str | None:
        """Return the next argument, or None if it begins with a dash or no argument remains."""
        if len(self) and not self._arguments[self._position].startswith("-"):
            self._position += 1
            return self._arguments[self._position - 1]
        return None

    def words(self, missing: str) -> list[str]:
        """Return the next arguments up to an option; raise UsageError if there are none."""
        if not len(self):
            raise self.error(missing)
        return list(iter(self.optional, None))


def switch(field: str) -> ArgumentRule:
    """Return a rule that sets a field to true."""
    return lambda line: setattr(line.options, field, True)


def value(field: str | None, missing: str, read: Callable[[str], Any] = str) -> ArgumentRule:
    """Return a rule that sets a field to the value of the next argument."""

    def rule(line: Arguments) -> None:
        text = line.mandatory(missing)
        if field is not None:
            setattr(line.options, field, read(text))

    return rule


def choice(field: str, choices: Iterable[str], missing: str, wrong: str) -> ArgumentRule:
    """Return a rule that sets a field to the next argument, which must be one of the choices."""

    def rule(line: Arguments) -> None:
        text = line.mandatory(missing)
        if text not in choices:
            raise line.error(wrong.format(text))
        setattr(line.options, field, text)

    return rule


def several(field: str, choices: Iterable[str], wrong: str) -> ArgumentRule:
    """Return a rule that sets a field to the set of the next words, which must be in `choices`."""

    def rule(line: Arguments) -> None:
        words = list(iter(line.optional, None))
        for word in words:
            if word not in choices:
                raise line.error(wrong.format(word))
        setattr(line.options, field, set(words))

    return rule


def toggled(
    field: str,
    meanings: Mapping[str, Iterable[str]],
    missing: str,
    unknown: str,
    resets: Mapping[str, Iterable[str]] | None = None,
) -> ArgumentRule:
    """Return a rule for an option whose words add members to a set, or remove present members.

    `meanings` has the members for each word; if a word is in `resets`, its members replace the set.
    """

    def rule(line: Arguments) -> None:
        selected: set[str] = getattr(line.options, field)
        for word in line.words(missing):
            if word in (resets or {}):
                selected.clear()
                selected.update((resets or {})[word])
            elif word in meanings:
                selected.symmetric_difference_update(meanings[word])
            else:
                line.warn(f"{unknown} '{word}'\n")

    return rule
