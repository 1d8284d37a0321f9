"""Frozen recipes: all choices behind a number that others publish, by name and date.

A recipe is a JSON file in this folder. It has the scoring options (`options`, and `characters` for
character scores), the options that the caller may choose (`free`, in addition to options for
reading files), their defaults (`usual`), and how the original computes its printed number from
counts (`headline`). A file is never changed once it is published: a correction gets a new date.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from formats.schema.errors import OptionError, close_names
from scoring.model.errors import OptionValueError

if TYPE_CHECKING:
    from scoring.model.counts import Counts

DIGITS = 16
EVERY = "*"  # as what a recipe leaves free: all options


class RecipeError(OptionError, OptionValueError):
    """Raised for a recipe that does not exist, or for an option that contradicts a recipe."""

    def __init__(
        self,
        option: str,
        problem: str | None = None,
        *,
        expected: str | None = None,
        found: str | None = None,
    ) -> None:
        OptionError.__init__(self, expected=expected, found=found)
        OptionValueError.__init__(self, option, problem, expected=expected, found=found)
        self.message = f"{self.option}: {self.problem}"

    def __reduce__(self) -> tuple[object, ...]:
        return OptionValueError.__reduce__(self)


@dataclass(frozen=True, slots=True)
class Headline:
    """The rule by which the original derives its printed number from counts.

    Attributes
    ----------
    average
        `corpus`: errors of all utterances over their reference words; `utterances`: the mean of
        the rates of utterances.
    scale
        `ratio`: errors / words; `percent`: 100 * errors / words; `100*ratio`: 100 * (errors /
        words), whose last bit may differ, and with it a rounded decimal.
    precision
        `double` or `single`: the floating-point numbers in which the original divides.
    decimals
        Decimals that are kept; None: all.
    empty
        The rate of texts without reference words: `none`, or the number of `insertions`.
    sets
        How the numbers of several sets become one: `none` or `mean`, rounded again.
    """

    average: Literal["corpus", "utterances"] = "corpus"
    scale: Literal["ratio", "percent", "100*ratio"] = "percent"
    precision: Literal["double", "single"] = "double"
    decimals: int | None = None
    empty: Literal["none", "insertions"] = "none"
    sets: Literal["none", "mean"] = "none"

    def value(self, total: Counts, utterances: Iterable[Counts]) -> float | None:
        """Return the number for a data set, from its total or its utterances; None if undefined."""
        sums = utterances if self.average == "utterances" else [total]
        rates = [rate for rate in map(self._rate, sums) if rate is not None]
        if not rates:
            return None
        mean = sum(rates) / len(rates)
        return self._rounded(100 * mean if self.scale == "100*ratio" else mean)

    def mean(self, values: Iterable[float]) -> float:
        """Return the printed number for several data sets, given the printed number of each set."""
        numbers = list(values)
        return self._rounded(sum(numbers) / len(numbers))

    def text(self, value: float | None) -> str:
        """Return a printed number as text, with all its decimals."""
        if value is None:
            return "n/a"
        digits = str(value) if self.decimals is None else f"{value:.{self.decimals}f}"
        return digits if self.scale == "ratio" else f"{digits} %"

    def _rate(self, counts: Counts) -> float | None:
        words, factor = counts.reference_tokens, 100 if self.scale == "percent" else 1
        if not words:
            return float(factor * counts.insertions) if self.empty == "insertions" else None
        return factor * counts.errors / words

    def _rounded(self, number: float) -> float:
        if self.precision == "single":
            [number] = array("f", [number])
        return number if self.decimals is None else round(number, self.decimals)


# What every recipe states: what is counted, and how it is aligned.
ALWAYS = ("unit", "profile", "missing")


@dataclass(frozen=True, slots=True)
class Recipe:
    """All choices behind a published number; `name` includes the date, as in `open-asr@2026-08`."""

    name: str
    title: str
    source: str
    date: str
    options: Mapping[str, Any]
    headline: Headline
    characters: Mapping[str, Any] | None = None
    free: tuple[str, ...] = ()
    usual: Mapping[str, Any] = field(default_factory=dict)
    arithmetic: Literal["exact", "meeteval"] = "exact"

    @property
    def hash(self) -> str:
        """The first digits of the SHA-256 of all choices; title and source do not count."""
        choices = asdict(self)
        for name in ("title", "source"):
            del choices[name]
        if not self.usual:
            del choices["usual"]
        text = json.dumps(choices, sort_keys=True, separators=(",", ":"))
        return sha256(text.encode("ascii")).hexdigest()[:DIGITS]

    def fixes(self, name: str) -> bool:
        """Return True if the recipe fixes the option."""
        return name not in self.free and EVERY not in self.free

    def fixed(self, defaults: Mapping[str, Any], unit: object = None) -> dict[str, Any]:
        """Return the value of every option that the recipe fixes.

        Parameters
        ----------
        defaults
            The options that recipes may fix, with their values without a recipe.
        unit
            The unit of the score. For a unit of characters, the recipe's options for characters
            apply.
        """
        values = dict(self.options)
        if self.characters is not None and unit == self.characters["unit"] != values.get("unit"):
            values |= self.characters
        return {
            name: values.get(name, default)
            for name, default in defaults.items()
            if self.fixes(name)
        }

    def states(self, name: str) -> bool:
        """Return True if the recipe's file has a value for the option."""
        stated = self.options.get(name) or (self.characters or {}).get(name)
        return self.fixes(name) and (name in ALWAYS or bool(stated))

    def check(self, choices: Mapping[str, Any], defaults: Mapping[str, Any]) -> None:
        """Check that choices agree with the recipe.

        Raises
        ------
        RecipeError
            If a choice contradicts the recipe; the error names the option and both values.
        """
        expected = self.fixed(defaults, choices.get("unit"))
        for name, value in choices.items():
            if self.states(name) and not _agrees(name, value, expected[name]):
                shown = value.title if hasattr(value, "placed") else value
                raise RecipeError(
                    name,
                    expected=f"{expected[name]!r}, as in the recipe {self.name}",
                    found=repr(shown),
                )


def _agrees(name: str, value: Any, expected: Any) -> bool:
    """Return True if a choice equals the recipe's; pipelines are compared by hash."""
    if name == "collar":
        return float(str(value).removesuffix("s")) == float(str(expected).removesuffix("s"))
    if isinstance(value, list) and len(value) == 1 and hasattr(value[0], "placed"):
        [value] = value
    if hasattr(value, "placed"):
        pin = expected[-1].removeprefix("#") if expected else None
        return not value.placed if pin is None else value.digest.startswith(pin)
    return bool(value == expected)


@cache
def recipes() -> dict[str, Recipe]:
    """Return the recipes by full name, in alphabetical order."""
    files = Path(__file__).parent.glob("*.json")
    frozen = (msgspec.json.decode(file.read_bytes(), type=Recipe) for file in files)
    return {recipe.name: recipe for recipe in sorted(frozen, key=lambda recipe: recipe.name)}


def recipe_named(text: str) -> Recipe:
    """Return the recipe with a name; the date may be omitted if there is only one version.

    Raises
    ------
    RecipeError
        If there is no such recipe, or several recipes fit the name.

    Examples
    --------
    >>> recipe_named("jiwer").name
    'jiwer@4'
    """
    known = recipes()
    if text in known:
        return known[text]
    name, _, date = str(text).partition("@")
    versions = [full for full in known if full.partition("@")[0] == name]
    if len(versions) == 1 and not date:
        return known[versions[0]]
    if versions:
        raise RecipeError("like", expected=" or ".join(versions), found=repr(text))
    bases = [full.partition("@")[0] for full in known]
    begun = max((base for base in bases if name.startswith(base)), key=len, default="")
    near = (begun,) if begun else close_names(name, bases)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise RecipeError(
        "like",
        expected="the name of a recipe (`scoring recipes` lists them)",
        found=f"{text!r}{meant}",
    )
