"""Persons who are named in two ways: with a role at first (``ANN EX, CEO``), then without it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

FEWEST_RETURNING = 2
"""How often the shorter name of a person occurs at least, if it is only the last name."""


def shorter_names(names: Iterable[str]) -> dict[str, str]:
    """Return the names that occur once, each with the returning name of the same person.

    The shorter name comes later, and has no role in parentheses or after a comma; or it is what the
    parentheses have; or it is the last name of only one full name, both in capitals. A name with
    two roles, as in ``Ann (Bern)`` and ``Ann (Rome)``, is left as it is, because these may be two
    persons. Small letters in the parentheses are a direction, which is no part of the name.

    >>> shorter_names(["Ann (host)", "Bob", "Ann", "Bob", "Ann"])
    {'Ann (host)': 'Ann'}
    >>> shorter_names(["ANN EX", "BOB LEE", "EX", "LEE", "EX", "LEE"])
    {'ANN EX': 'EX', 'BOB LEE': 'LEE'}
    >>> shorter_names(["Ann", "Bob", "Ann", "Bob (nods)", "Ann (sitting down)", "Ann(calm)", "Bob"])
    {'Bob (nods)': 'Bob', 'Ann (sitting down)': 'Ann', 'Ann(calm)': 'Ann'}
    >>> shorter_names(["Life Agent (LA)", "Bob", "LA", "Bob"])
    {'Life Agent (LA)': 'LA'}
    """
    order = list(names)
    counts = Counter(order)
    last = {name: n for n, name in enumerate(order)}
    shorter = {}
    for n, name in enumerate(order):
        if counts[name] > 1:
            continue
        plain = without_role(name)
        final = plain.rpartition(" ")[2]
        is_known = last.get(plain, -1) > n or (
            role_of(name)[:1].islower() and counts[plain] >= FEWEST_RETURNING
        )
        if plain != name and is_known:
            shorter[name] = plain
        elif last.get(role_of(name), -1) > n:
            shorter[name] = role_of(name)
        elif plain.isupper() and last.get(final, -1) > n and counts[final] >= FEWEST_RETURNING:
            shorter[name] = final
    full = {(without_role(name), brief) for name, brief in shorter.items()}
    roles = Counter(
        brief for name, brief in shorter.items()
        if without_role(name) == brief and not role_of(name)[:1].islower()
    )  # fmt: skip
    of_several = Counter(brief for name, brief in full if name != brief)
    return {
        name: brief for name, brief in shorter.items()
        if (of_several[brief] if without_role(name) != brief else roles[brief]) < 2
    }  # fmt: skip


def without_role(name: str) -> str:
    """Return a name without the role in parentheses or after a comma behind it."""
    return name.partition("(" if name.endswith(")") else ",")[0].rstrip()


def role_of(name: str) -> str:
    """Return what the parentheses at the end of a name have; empty without them."""
    return name.rpartition("(")[2][:-1].strip() if name.endswith(")") else ""
