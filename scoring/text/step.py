"""The base class of steps: pure functions from text to text, with a name and a version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import ClassVar, TypeAlias

from formats.schema.plugins import origin_of

# The name of a file, which in files of pipelines is relative to their folder.
FileName: TypeAlias = str


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """Base of all steps.

    A step is immutable, can be pickled and compared, and always returns the same text for the same
    input. Steps are frozen data classes. Fields without an underscore are their arguments.
    """

    name: ClassVar[str]  # as people type it
    version: ClassVar[int] = 1  # raised when the same text gives another result; in the signature
    removes: ClassVar[bool] = False  # may remove letters or marks (categories L and M)
    word_by_word: ClassVar[bool] = False  # `by_word` is true whatever the arguments are
    side: ClassVar[str | None] = None  # the side it is for; None: both
    reads_written: ClassVar[bool] = False  # sees the text as written, before all other steps
    # all values of the arguments that have few; None among them means that there may be none
    choices: ClassVar[Mapping[str, Sequence[str | None]]] = {}

    def __post_init__(self) -> None:
        for argument in fields(self):
            if argument.name in self.choices:
                value, choices = getattr(self, argument.name), self.choices[argument.name]
                for item in value if isinstance(argument.default, tuple) else (value,):
                    if item not in choices:
                        expected = ", ".join(filter(None, choices))
                        problem = f"{argument.name}: expected {expected}, found {item!r}"
                        raise ValueError(f"{self.name}: {problem}")

    def __call__(self, text: str) -> str:
        """Return the text after this step."""
        raise NotImplementedError

    @property
    def origin(self) -> str:
        """Package and version of a plug-in step; empty for steps of this package."""
        is_ours = type(self).__module__.startswith("scoring.")
        return "" if is_ours else origin_of("step", type(self))

    @property
    def signed_name(self) -> str:
        """The name with its origin, for signatures."""
        return f"{self.name}({self.origin})" if self.origin else self.name

    @property
    def by_word(self) -> bool:
        """True if the result for a text equals the results for its words, joined by blanks."""
        return self.word_by_word

    @property
    def steps(self) -> tuple[Step, ...]:
        """The basic steps: the step itself, or the steps that it contains."""
        return (self,)

    @property
    def script(self) -> str:
        """The script of the texts that the step applies to; empty for any script."""
        return ""

    def arguments(self) -> Mapping[str, object]:
        """Return the arguments by name; values are texts, numbers, flags, or tuples of these."""
        names = sorted(field.name for field in fields(self) if field.name[0] != "_")
        return {name: getattr(self, name) for name in names}

    def table(self) -> str | None:
        """Return a hash of the table that the step uses; None without a table."""
        return None

    def __str__(self) -> str:
        arguments = [f"{name}={_short(value)}" for name, value in self.arguments().items() if value]
        return f"{self.name}({', '.join(arguments)})" if arguments else self.name

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={value!r}" for name, value in self.arguments().items())
        return f"{type(self).__name__}({arguments})"


@dataclass(frozen=True, slots=True, repr=False)
class Gathered(Step):
    """Base of steps that apply the steps of a file, in order."""

    removes = True
    file: str | None = field(compare=False)  # their source; None: they were given as text
    _rules: tuple[Step, ...]

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps in order."""
        return self._rules

    def __call__(self, text: str) -> str:
        """Return the text after all steps."""
        for rule in self._rules:
            text = rule(text)
        return text


def _short(value: object) -> str:
    if isinstance(value, tuple):
        return "+".join(map(str, value))
    return repr(value) if isinstance(value, str) and not value.isidentifier() else str(value)


def put(value: object, **contents: object) -> None:
    """Set fields of a frozen data class, inside its constructor."""
    for name, content in contents.items():
        object.__setattr__(value, name, content)


def has_blank(text: str) -> bool:
    """Return True if a text contains white space, so that it may span words."""
    return any(character.isspace() for character in text)
