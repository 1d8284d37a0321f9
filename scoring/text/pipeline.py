"""An ordered list of steps that is applied to both sides. The score's signature names the steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from formats.schema import words_of_text
from scoring.model.errors import OptionValueError
from scoring.text.readings import ReadingsStep, written
from scoring.text.step import Step, put

SIDES = ("reference", "hypothesis")
DIGITS = 8


@dataclass(frozen=True, slots=True)
class Placed:
    """A step and the side to which it applies; None means both sides."""

    step: Step
    side: str | None = None

    def __post_init__(self) -> None:
        if self.side is not None and self.side not in SIDES:
            raise OptionValueError("side", expected=" or ".join(SIDES), found=repr(self.side))


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Pipeline:
    """Steps in order; an immutable value that can be pickled.

    Parameters
    ----------
    steps
        Steps, or steps for one side only.
    name
        Name of the pipeline in the signature; None: the names of its steps.
    version
        Version of the rules, for users; the signature also has a hash of the steps' content.

    Examples
    --------
    >>> from scoring.text.casing import Lowercase
    >>> from scoring.text.punctuation import Punctuation
    >>> plain = Pipeline([Lowercase(), Punctuation()])
    >>> plain("Hello, World!")
    'hello world'
    >>> plain.signature
    'lowercase+punctuation#bd1cd201'
    """

    name: str | None
    version: str | None
    placed: tuple[Placed, ...]

    def __init__(
        self,
        steps: Sequence[Step | Placed],
        name: str | None = None,
        version: str | None = None,
    ) -> None:
        placed = tuple(
            step if isinstance(step, Placed) else Placed(step, step.side) for step in steps
        )
        put(self, placed=placed, name=name, version=version)

    def __repr__(self) -> str:
        return f"<Pipeline {self.signature}>"

    @property
    def title(self) -> str:
        """The name of the pipeline.

        Without a name, the names of its steps, or `none` without steps.
        """
        return self.name or "+".join(placed.step.signed_name for placed in self.placed) or "none"

    @property
    def digest(self) -> str:
        """SHA-256 of the steps with their versions, arguments and tables, in hexadecimal.

        The hash covers rules, not the paths of their files.
        """
        import json
        from hashlib import sha256

        record = [
            [
                step.signed_name,
                step.version,
                sorted(step.arguments().items()),
                step.table(),
                placed.side,
            ]
            for placed in self.placed
            for step in leaves(placed.step)
        ]
        text = json.dumps(record, ensure_ascii=True, separators=(",", ":"))
        return sha256(text.encode("ascii")).hexdigest()

    @property
    def signature(self) -> str:
        """Name, version and the first digits of the hash; `none` for a pipeline without steps."""
        if not self.placed:
            return "none"
        version = f"({_plain(self.version)})" if self.version else ""
        return f"{_plain(self.title)}{version}#{self.digest[:DIGITS]}"

    def steps(self, side: str | None = None) -> tuple[Step, ...]:
        """Return the steps applied to a side, in order; None: the steps for both sides.

        Steps that contain other steps, such as config files, are expanded. Steps that process the
        text as written come first.
        """
        steps = [
            step
            for placed in self.placed
            if placed.side is None or placed.side == side
            for step in leaves(placed.step)
        ]
        return tuple(sorted(steps, key=lambda step: not step.reads_written))

    @property
    def is_settled_by_equal_words(self) -> bool:
        """True if utterances that are equal on both sides remain equal with any readings.

        Among the steps that add readings, only those for written forms allow this, because they add
        the same readings on both sides.
        """
        reading = [step for step in self.steps("reference") if isinstance(step, ReadingsStep)]
        is_alike = self.steps("reference") == self.steps("hypothesis")
        return is_alike and all(step.reads_written and not step.counted for step in reading)

    def __call__(self, text: str, side: str | None = None) -> str:
        """Return a text after all steps, as words with single blanks between them.

        Alternatives are written in the notation of NIST's files: `{ 50 / fifty }`.
        """
        from scoring.text.utterances import normalize_words

        words, items = normalize_words(words_of_text(text), self.steps(side))
        return " ".join(words) if items is None else written(items)

    @property
    def has_readings(self) -> bool:
        """True if the pipeline may create alternatives (needs profile `sclite`, unit `word`)."""
        return any(step.leaves_open for step in self._readings_steps())

    @property
    def has_places(self) -> bool:
        """True if the pipeline may create alternatives that count as their written words."""
        return any(step.has_places for step in self._readings_steps())

    @property
    def counts(self) -> bool:
        """True if any step counts the words that it changes."""
        return any(step.counted for step in self._readings_steps())

    def _readings_steps(self) -> list[ReadingsStep]:
        every = (step for placed in self.placed for step in leaves(placed.step))
        return [step for step in every if isinstance(step, ReadingsStep)]


def leaves(step: Step) -> tuple[Step, ...]:
    """Return the basic steps of a step: steps that contain other steps are expanded."""
    if step.steps == (step,):
        return (step,)
    return tuple(leaf for inner in step.steps for leaf in leaves(inner))


def _plain(text: str) -> str:
    """Return a name without the separators of a signature."""
    return "".join("_" if c in "|#:" or c.isspace() else c for c in text)


def joined(parts: Sequence[Pipeline]) -> Pipeline:
    """Join several pipelines into one, whose name joins their names."""
    if len(parts) == 1:
        return parts[0]
    titles = [part.title for part in parts if part.placed]
    return Pipeline([placed for part in parts for placed in part.placed], "+".join(titles) or None)


NONE = Pipeline(())
