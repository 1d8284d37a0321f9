"""Persons who are named in two ways, or with a role beside the name: ``ANN EX, CEO``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from formats.reading.speakers import is_label

FEWEST_RETURNING = 2
"""How often the shorter name of a person occurs at least, if it is only the last name."""
SHORTEST_SPELT = 3
"""The fewest characters of a name that may differ in capitals alone; ``a`` and ``A`` are codes."""


def shorter_names(names: Iterable[str], *, have_roles: bool = True) -> dict[str, str]:
    """Return names of persons with another name, each with the name that is used for the person.

    A name with a role has the name without it, if the file has no second role for this name, and if
    names may have roles: those of a chat are as in somebody's list of addresses (`have_roles`). A
    comma is only before a role if several words or persons are before it: ``Ex, Ann`` is a name.
    Names that differ in capitals alone have the spelling that is most frequent.

    Of names that occur once, the shorter name comes later, and has no role; or it is what the
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
    >>> shorter_names(["Ann Ex (Acme)", "Bob Lee, CEO", "Ann Ex (Acme)", "Lee, Bob", "ANN EX"])
    {'Ann Ex (Acme)': 'Ann Ex', 'Bob Lee, CEO': 'Bob Lee', 'ANN EX': 'Ann Ex'}
    """
    order = list(names)
    counts = Counter(order)
    last = {name: n for n, name in enumerate(order)}
    shorter = {}
    for n, name in enumerate(order):
        if counts[name] > 1 and not (have_roles and name[-1:] == ")"):
            continue  # nobody acts
        plain = without_role(name)
        does_act = have_roles and role_of(name)[:1].islower()
        if counts[name] > 1 and not (does_act and counts[plain] >= FEWEST_RETURNING):
            continue
        final = plain.rpartition(" ")[2]
        is_known = last.get(plain, -1) > n or (
            role_of(name)[:1].islower() and counts[plain] >= FEWEST_RETURNING
        )
        if plain != name and is_known and role_beside(name) not in counts:
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
    shorter = {
        name: brief for name, brief in shorter.items()
        if (of_several[brief] if without_role(name) != brief else roles[brief]) < 2
    }  # fmt: skip
    only = _without_only_role(counts, shorter) if have_roles else {}
    return _of_one_spelling({**only, **shorter}, counts)


def _without_only_role(counts: Counter[str], shorter: dict[str, str]) -> dict[str, str]:
    """Return the names with a role that is the only one of this name, without it.

    Another person is no role: ``Ann Ex, Bob Lee`` speak together.
    """
    plain = {name: without_role(name) for name in counts if not is_label(name)}
    beside = {name: role_beside(name) for name in plain if plain[name] not in ("", name)}
    persons = {*plain.values()}
    beside = {name: role for name, role in beside.items() if role and role not in persons}
    of_name = Counter(plain[name] for name in beside)
    of_role = Counter(role for name, role in beside.items() if not name.endswith(")"))
    is_before_comma = max(of_role.values(), default=0) > 1
    return {
        name: plain[name] for name in beside
        if of_name[plain[name]] == 1 and name not in shorter and not plain[name].startswith("The ")
        and (name.endswith(")") or " " in plain[name] or is_before_comma)
    }  # fmt: skip


def _of_one_spelling(shorter: dict[str, str], counts: Counter[str]) -> dict[str, str]:
    """Add the names that differ from a more frequent one in capitals alone."""
    used: Counter[str] = Counter()
    for name, count in counts.items():
        used[shorter.get(name, name)] += count
    spelt: dict[str, str] = {}
    for name, _ in used.most_common():
        spelt.setdefault(name.casefold(), name)
    if len(spelt) == len(used):
        return shorter
    named = {name: spelt[shorter.get(name, name).casefold()] for name in counts}
    return {
        name: brief for name, brief in named.items()
        if name != brief and (name in shorter or len(name) >= SHORTEST_SPELT)
    }  # fmt: skip


def without_role(name: str) -> str:
    """Return a name without the role in parentheses or after a comma behind it."""
    return name.partition("(" if name.endswith(")") else ",")[0].rstrip()


def role_of(name: str) -> str:
    """Return what the parentheses at the end of a name have; empty without them."""
    return name.rpartition("(")[2][:-1].strip() if name.endswith(")") else ""


def role_beside(name: str) -> str:
    """Return the role in parentheses or after a comma behind a name; empty without one."""
    return name[len(without_role(name)) :].strip(" ,()")
