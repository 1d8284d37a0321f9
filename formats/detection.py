"""Detection rules: the members or root elements that a format's content shows, without its reader.

Rules of JSON are paths, of which the first values of a file or the elements of its first list are
tried. ``a.b`` is a member of a member, of a list that of any element; ``a[]`` is a list; ``a+b``
needs both in one object, and goes on with the last; ``a/b`` is either name, ``*`` any, ``**`` every
member; ``a?`` is the member or the object itself; ``a=x|y*`` is one of these texts, ``a=#`` a whole
number, ``a=`` an empty text or list; ``{a+b?}`` is an object of these names alone. A path that
begins with ``$.`` is tried in objects of the top level only, one that begins with ``[].`` in
elements of a list only.

Rules of XML are the local names of root elements, with ``+`` further texts that must be there.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.spec import Sniff

if TYPE_CHECKING:
    from formats.beginning import Head

__all__ = ["ListedFormat", "has_path", "sniff_listed"]


class ListedFormat(NamedTuple):
    """A row of the registry: the module of a format, and its data before loading."""

    name: str
    shape: str
    """How its content begins: ``text``, ``xml`` or ``json``."""
    home: str
    """Its module, and with a colon the name of its spec there if that is not ``SPEC``."""
    suffixes: tuple[str, ...] = ()
    """Endings that mean this format; with a slash before, whole file names."""
    shared: tuple[str, ...] = ()
    """Endings that this format has in common with others: they decide nothing."""
    keeps_bytes: bool = False
    """Whether it reads text with stray bytes in it, so that these do not end the detection."""
    may_be_yaml: bool = False
    """Whether its JSON may be written as YAML, too."""
    sure: str = ""
    """Rules for content of this format, with blanks between; without any its reader is asked."""
    possible: str = ""
    """Rules for content that may be of this format."""
    excluded: str = ""
    """Rules for content that is of another format, whatever else it shows."""
    asks_reader: bool = False
    """Whether the reader is asked, too, where no format is sure by its rules."""


MOST_ELEMENTS = 50
"""Elements of a list that are looked into."""


def sniff_listed(listed: ListedFormat, head: Head) -> Sniff:
    """How sure the rules of a format are of a beginning."""
    if listed.shape != head.shape and not (listed.may_be_yaml and head.is_yaml):
        return Sniff.NO
    fits = has_root if listed.shape == "xml" else has_path
    if any(fits(head, rule) for rule in listed.excluded.split()):
        return Sniff.NO
    if any(fits(head, rule) for rule in listed.sure.split()):
        return Sniff.SURE
    return Sniff.MAYBE if any(fits(head, rule) for rule in listed.possible.split()) else Sniff.NO


def has_root(head: Head, rule: str) -> bool:
    """Whether XML has this root element, and every text that follows it in the rule."""
    root, *texts = rule.split("+")
    return head.root == root and all(text in "\n".join(head) for text in texts)


def has_path(head: Head, path: str) -> bool:
    """Whether JSON has the members of a path.

    >>> from formats.beginning import Head
    >>> has_path(Head(['[{"words": [{"word": "a", "start": 1}]}]']), "words[].word+start=#")
    True
    """
    values: Iterable[object]
    if path.startswith("[]."):
        values = [v for top in head.json_values() if isinstance(top, list) for v in top]
    elif path.startswith("$."):
        values = [top for top in head.json_values() if not isinstance(top, list)]
    else:
        values = head.json_values()
    steps = path.removeprefix("[].").removeprefix("$.").split(".")
    return any(_has(value, steps) for value in values)


def _has(value: Any, steps: list[str]) -> bool:
    if not steps:
        return True
    if isinstance(value, list):
        return any(_has(element, steps) for element in value[:MOST_ELEMENTS])
    if not isinstance(value, dict):
        return False
    step, *rest = steps
    if step == "**":
        # The last member of a beginning may be cut.
        inner = list(value.values())
        return bool(inner) and all(_has(member, rest) for member in inner[:-1] or inner)
    if step.endswith("?"):
        return _has(value.get(step[:-1]), rest) or _has(value, rest)
    names = step.strip("{}").split("+")
    bare = {name.partition("=")[0].removesuffix("[]").rstrip("?") for name in names}
    if step.startswith("{") and not value.keys() <= bare:
        return False
    matching = [_members(value, name) for name in names if not name.endswith("?")]
    return all(matching) and any(_has(member, rest) for member in matching[-1])


def _members(value: dict[str, Any], rule: str) -> list[Any]:
    """The members of an object that fit one name of a path."""
    name, equals, pattern = rule.partition("=")
    names = name.removesuffix("[]").split("/")
    values = [v for key, v in value.items() if key in names or _is_like(key, names)]
    if name.endswith("[]"):
        values = [member for member in values if isinstance(member, list)]
    return [member for member in values if _fits(member, pattern)] if equals else values


def _is_like(key: str, names: list[str]) -> bool:
    return any("*" in name and fnmatchcase(key, name) for name in names)


def _fits(member: object, pattern: str) -> bool:
    if pattern == "#":
        return isinstance(member, int) and not isinstance(member, bool)
    if not pattern:
        return member in ("", [])
    return isinstance(member, str) and any(fnmatchcase(member, p) for p in pattern.split("|"))
