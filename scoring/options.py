"""Which edits cost what, and which of several cheapest alignments is taken, by name."""

from __future__ import annotations

from typing import NamedTuple

from scoring.model import SCLITE_COSTS, UNIT_COSTS, Costs, Ties
from scoring.normalize.units import UNITS as UNITS
from scoring.normalize.units import checked_unit
from scoring.version import VERSION


class Profile(NamedTuple):
    """A way to align.

    Attributes
    ----------
    name
        As people type it.
    costs, ties
        As of `scoring.align`.
    title
        One line for people.
    """

    name: str
    costs: Costs
    ties: Ties
    title: str


_ALL = (
    Profile("sclite", SCLITE_COSTS, "sclite", "costs 4, 3, 3 and ties of NIST's sclite"),
    Profile("levenshtein", UNIT_COSTS, "sclite", "unit costs, ties of sclite"),
    Profile("kaldi", UNIT_COSTS, "compute-wer", "Kaldi's compute-wer: its %WER line"),
    Profile("align-text", UNIT_COSTS, "align-text", "Kaldi's align-text: its per_utt, ops"),
)
PROFILES = {profile.name: profile for profile in _ALL}


def profile_named(name: str) -> Profile:
    """The profile of this name.

    Raises
    ------
    ValueError
        If there is none.

    Examples
    --------
    >>> profile_named("kaldi").costs
    Costs(substitution=1, deletion=1, insertion=1)
    """
    try:
        return PROFILES[name]
    except KeyError:
        known = ", ".join(PROFILES)
        raise ValueError(f"profile: expected one of {known}, found {name!r}") from None


class Rules(NamedTuple):
    """Everything that decides about the numbers; printed with them as their signature.

    Attributes
    ----------
    profile
        Name of the profile.
    missing
        What becomes of a reference without hypothesis: `error`, `delete` (its words count as
        deleted) or `skip` (it is left out).
    ignore_case
        Words that differ only in case are equal (Unicode's full case folding).
    forgive_optional
        Leaving out a word the reference marks as optional is no error.
    unit
        `word`, `char`, `grapheme` or `mixed`: see `scoring.normalize.units`.
    normalization
        Signature of the pipeline both sides went through; `none` without.
    """

    profile: str = "sclite"
    missing: str = "delete"
    ignore_case: bool = False
    forgive_optional: bool = False
    unit: str = "word"
    normalization: str = "none"

    def signature(self, matched_by: str) -> str:
        """One line that names every choice.

        Examples
        --------
        >>> Rules("kaldi").signature("identifier").rpartition("|")[0]
        'wer|unit:word|norm:none|align:kaldi(1,1,1)|ties:compute-wer|missing:delete|match:identifier'
        """
        profile = profile_named(self.profile)
        parts = [
            "wer",
            f"unit:{self.unit}",
            f"norm:{self._normalization()}",
            f"align:{profile.name}({','.join(map(str, profile.costs))})",
            f"ties:{profile.ties}",
            f"missing:{self.missing}",
            f"match:{matched_by}",
        ]
        if self.forgive_optional:
            parts.append("optional:forgiven")
        return "|".join([*parts, f"v:{VERSION}"])

    def _normalization(self) -> str:
        if not self.ignore_case:
            return self.normalization
        return "casefold" if self.normalization == "none" else f"{self.normalization}+casefold"


MISSING = ("error", "delete", "skip")


def checked_rules(rules: Rules) -> Rules:
    """The rules, each in its one spelling.

    Raises
    ------
    ValueError
        If a name in them means nothing.
    """
    profile_named(rules.profile)
    if rules.missing not in MISSING:
        raise ValueError(f"missing: expected {', '.join(MISSING)}, found {rules.missing!r}")
    return rules._replace(unit=checked_unit(rules.unit))
