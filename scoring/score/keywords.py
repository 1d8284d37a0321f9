"""The scoring functions as the package exports them, with each option as a keyword in their help.

Here they also take a table with the names of its two columns, and the error of a wrong call says
what to write instead. Commands import `scoring.score` directly, because creating the
signatures takes longer than scoring two lines.
"""

from __future__ import annotations

import re
from functools import partial, wraps
from inspect import Parameter, cleandoc, signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

from scoring import score
from scoring.model.errors import ScoringError
from scoring.options import Options, keyword_parameters
from scoring.results import real_numbers

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol, TypeAlias, overload

    from typing_extensions import Unpack

    from scoring.model.aliases import CharacterUnit
    from scoring.options import Choices, ChoicesOfCharacters, ProfileName
    from scoring.pages.notebook import NamedRates
    from scoring.score.rates import ErrorRates
    from scoring.sides.given import Given, SeveralSystems

    class _DataFrame(Protocol):
        @property
        def columns(self) -> Any: ...
        def __getitem__(self, name: Any, /) -> Any: ...

    class _ArrowTable(Protocol):
        @property
        def column_names(self) -> list[str]: ...
        def __getitem__(self, name: Any, /) -> Any: ...

    TableOfTexts: TypeAlias = _DataFrame | _ArrowTable
    NamedColumns: TypeAlias = list[str] | tuple[str, ...]

__all__ = ["cer", "mer", "ser", "wer", "wil", "wip"]
_SIDES = ("reference", "hypothesis")
# What other packages call the two sides.
_SYNONYMS = {
    **dict.fromkeys(("ref", "references", "truth", "target"), "reference"),
    **dict.fromkeys(("hyp", "hypotheses", "pred", "prediction", "predictions"), "hypothesis"),
}
# Python programs may ask whether a result is a number.
real_numbers()
_Scorer = TypeVar("_Scorer", bound="Callable[..., Any]")


def _with_tables(function: _Scorer) -> _Scorer:
    """Return a scoring function that also takes a table and columns, and explains wrong calls."""

    @wraps(function)
    def scored(*sides: Any, **choices: Any) -> Any:
        if len(sides) == 1 and all(_are_names(choices.get(name)) for name in _SIDES):
            if not _is_table(sides[0]):
                raise TypeError(_not_a_table(function.__name__, sides[0], choices))
            from scoring.score.frames import score_table

            return score_table(function, sides[0], choices)
        try:
            return function(*sides, **choices)
        except TypeError as problem:
            from scoring.model.calls import advice_on_call

            example = partial(_example, function.__name__)
            advice = advice_on_call(problem, scored, (sides, choices), _SYNONYMS, example)
            if advice is None:
                raise
            raise TypeError(advice) from None
        except ScoringError as error:
            # a mapping of lists has utterances, and often was meant to have systems
            from scoring.sides.matching import MatchingError

            if isinstance(error, MatchingError) and _are_lists(sides):
                text = f"{error}; lists of several systems: Systems({{'A': [...], 'B': [...]}})"
                error.args = (text, *error.args[1:])
            raise

    scored.__module__ = __name__  # by which pickle finds it
    return cast("_Scorer", scored)


def _are_lists(sides: tuple[Any, ...]) -> bool:
    """Return True for a list of references, and lists of the same length by name."""
    if len(sides) != len(_SIDES):
        return False
    reference, hypothesis = sides
    return (
        isinstance(reference, list)
        and isinstance(hypothesis, dict)
        and all(
            isinstance(texts, list) and len(texts) == len(reference)
            for texts in hypothesis.values()
        )
    )


def _are_names(value: Any) -> bool:
    """Return True for the name of a column, or for a list of names."""
    is_list = isinstance(value, (list, tuple)) and bool(value)
    return isinstance(value, str) or (is_list and all(isinstance(name, str) for name in value))


def _is_table(value: Any) -> bool:
    return hasattr(value, "columns") or hasattr(value, "column_names")


def _not_a_table(name: str, value: Any, choices: dict[str, Any]) -> str:
    """Return the error of a call that names two columns of something that has none."""
    import os

    is_path = isinstance(value, (str, os.PathLike))
    found = repr(os.fspath(value)) if is_path else type(value).__name__
    table = f"pyarrow.parquet.read_table({found})" if is_path else "table"
    sides = ", ".join(f"{side}={choices[side]!r}" for side in _SIDES)
    return (
        f"{name}() with the names of two columns expects a table of pandas, polars or pyarrow, "
        f"found {found}; write {name}({table}, {sides})"
    )


def _example(name: str, sides: tuple[Any, ...]) -> str:
    """Return a right call in place of a wrong one with these positional arguments."""
    if sides and _is_table(sides[0]):
        return f"{name}(table, reference='text', hypothesis='pred')"
    if len(sides) <= len(_SIDES):
        return f"{name}(reference, hypothesis)"
    return f"{name}(reference, {{'A': first, 'B': second}}) for several systems"


_KEYWORDS = keyword_parameters()


def _tell_keywords() -> None:
    """Set signatures and a docstring that have each option; the source has `**choices`."""
    options = cleandoc(Options.__doc__ or "").partition("Attributes\n----------\n")[2]
    listed = options.partition("\n\n")[0]
    for function in (wer, cer, mer, wil, wip, ser):
        parameters = signature(function)
        named = [
            field for field in parameters.parameters.values() if field.kind != Parameter.VAR_KEYWORD
        ]
        others = _KEYWORDS.keys() - {field.name for field in named}
        every = [*named, *(field for name, field in _KEYWORDS.items() if name in others)]
        vars(function)["__signature__"] = parameters.replace(parameters=every)
    text = cleandoc(wer.__doc__ or "")  # later versions of Python compile it without its indents
    wer.__doc__ = re.sub(r"\*\*choices\n.*\n", lambda _: f"{listed}\n", text)


if TYPE_CHECKING:

    @overload
    def wer(
        table: TableOfTexts,
        /,
        *,
        reference: str | NamedColumns,
        hypothesis: str,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> ErrorRates: ...
    @overload
    def wer(
        table: TableOfTexts,
        /,
        *,
        reference: str | NamedColumns,
        hypothesis: NamedColumns,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> NamedRates[str, ErrorRates]: ...
    @overload
    def wer(
        reference: Given,
        hypothesis: SeveralSystems,
        *,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> NamedRates[str, ErrorRates]: ...
    @overload
    def wer(
        reference: Given,
        hypothesis: Given,
        *,
        options: Options | None = None,
        **choices: Unpack[Choices],
    ) -> ErrorRates: ...
    def wer(*sides: Any, **choices: Any) -> Any:
        """Return the word error rate: `scoring.score.wer`, also of a table."""

    @overload
    def cer(
        table: TableOfTexts,
        /,
        *,
        reference: str | NamedColumns,
        hypothesis: str,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> ErrorRates: ...
    @overload
    def cer(
        table: TableOfTexts,
        /,
        *,
        reference: str | NamedColumns,
        hypothesis: NamedColumns,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> NamedRates[str, ErrorRates]: ...
    @overload
    def cer(
        reference: Given,
        hypothesis: SeveralSystems,
        *,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> NamedRates[str, ErrorRates]: ...
    @overload
    def cer(
        reference: Given,
        hypothesis: Given,
        *,
        unit: CharacterUnit | None = None,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> ErrorRates: ...
    def cer(*sides: Any, **choices: Any) -> Any:
        """Return the character error rate: `scoring.score.cer`, also of a table."""

else:
    wer = _with_tables(score.wer)
    cer = _with_tables(score.cer)
mer = _with_tables(score.mer)
wil = _with_tables(score.wil)
wip = _with_tables(score.wip)
ser = _with_tables(score.ser)
_tell_keywords()
