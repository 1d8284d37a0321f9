"""What every step is: a named, versioned, pure function from text to text, and a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from scoring.model import Value


class Step(Value):
    """Base of all steps.

    A step is immutable, can be pickled and compared, and gives the same text for the same text.
    Its arguments are its slots without an underscore, by the names of its constructor.

    Attributes
    ----------
    name
        As people type it.
    version
        Raised whenever the same text gives another result; part of the signature.
    removes
        Whether it may remove letters or marks (Unicode categories L and M), not only rewrite them.
    word_by_word
        Whether `by_word` is true whatever the arguments are.
    by_word
        Whether the result for a text is that for its words, joined by blanks: such steps need to
        see every different word only once.
    """

    __slots__: tuple[str, ...] = ()
    name: ClassVar[str]
    version: ClassVar[int] = 1
    removes: ClassVar[bool] = False
    word_by_word: ClassVar[bool] = False

    def __call__(self, text: str) -> str:
        """The text after this step."""
        raise NotImplementedError

    @property
    def by_word(self) -> bool:
        """Whether every word can be taken for itself."""
        return self.word_by_word

    @property
    def steps(self) -> tuple[Step, ...]:
        """What this step consists of: itself, unless it gathers others."""
        return (self,)

    def arguments(self) -> Mapping[str, object]:
        """The arguments by name; texts, numbers, flags and tuples of these."""
        return {slot: getattr(self, slot) for slot in self._slots if not slot.startswith("_")}

    def table(self) -> str | None:
        """A hash of the table of this package that the step goes by; None if it needs none."""
        return None

    def __str__(self) -> str:
        given = [f"{name}={_short(value)}" for name, value in self.arguments().items() if value]
        return f"{self.name}({', '.join(given)})" if given else self.name

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.arguments().items())
        return f"{type(self).__name__}({given})"


class Gathered(Step):
    """Base of what consists of other steps, one after the other, that a file names."""

    __slots__ = ("_rules", "file")
    uncompared = frozenset({"file"})
    removes = True
    file: str | None  # where they come from, for people; None: they were given as text
    _rules: tuple[Step, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return self._rules

    def __call__(self, text: str) -> str:
        """The text after all steps."""
        for rule in self._rules:
            text = rule(text)
        return text


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return repr(value) if isinstance(value, str) and not value.isidentifier() else str(value)


def put(made: Value, **slots: object) -> None:
    """Fill slots of a value, for its constructor."""
    for name, value in slots.items():
        object.__setattr__(made, name, value)


def has_blank(text: str) -> bool:
    """Whether there is any whitespace in it, so that it may span words."""
    return any(character.isspace() for character in text)
