"""The basis for scoring another hypothesis alike; `scoring.results.stored` records it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from scoring.options import Options
    from scoring.sides.corpus import Corpus


class Basis(NamedTuple):
    """The references as read, and the options, of a result or of its record.

    Attributes
    ----------
    references
        As read, before matching and normalisation; empty where the record lacks them.
    options
        None where the recorded ones cannot be applied here.
    recorded
        The options as recorded; None: not recorded yet.
    problem
        Why options cannot be applied; empty otherwise.
    has_displays
        A side's file has displayed forms of words beside those that are scored.
    """

    references: tuple[Corpus, ...]
    options: Options | None
    recorded: Mapping[str, object] | None = None
    problem: str = ""
    has_displays: bool = False
