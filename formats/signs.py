"""Errors about content that does not show what a format's content shows (`FormatSpec.sign`).

Loaded only when there is such an error: a text that no format knows is told with the five likeliest
formats and what keeps it from being each of them; a file read as a format by force, with nothing of
that format in it, with what was expected.
"""

from __future__ import annotations

import io
import re
from itertools import islice

from formats.errors import FormatError, SyntaxFormatError, UnknownFormatError, quoted
from formats.head import Head

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from formats.source import Source
    from formats.spec import FormatSpec, Sniff

__all__ = ["looks", "nothing_of", "unknown"]

NAME = re.compile(r'"(\w+)"')
MOST_LIKELY = 5
LONGEST_NAMES = 50
LONGEST_REASON = 75
"""Characters of a reader's reason; the whole has to stay short enough for one line."""
DEEPEST = 6
ENOUGH = 20


def looks(head: Head) -> str:
    """What a text is, as far as its beginning tells: ``JSON with "a", "b"``; may be empty."""
    if head.shape == "xml" and head.root is not None:
        return f"XML with the root element {quoted(head.root)}"
    if head.shape != "json":
        return ""
    first = head.first_object
    if first:
        names = list(first)
        most = 5
        while most > 1 and sum(map(len, names[:most])) > LONGEST_NAMES:
            most -= 1
        shown = ", ".join(map(quoted, names[:most]))
        return f"JSON with {shown}" + (", …" if len(names) > most else "")
    return "an empty list" if head.json == [] else ""


def nothing_of(spec: FormatSpec, head: Head, path: str) -> FormatError:
    """What to raise when a file read as `spec` has nothing in it of that format."""
    return SyntaxFormatError(
        path=path,
        expected=f"content of {spec.name}: {spec.sign}",
        found=looks(head) or "nothing of it",
    )


def unknown(
    source: Source,
    head: Head,
    answers: Sequence[tuple[FormatSpec, Sniff]],
    sharing: Sequence[str],
    names: Sequence[str],
) -> FormatError:
    """What to raise when no format is sure of a text: the likeliest, and what is against each.

    Parameters
    ----------
    answers: how sure each format is.
    sharing: names of formats that share the file's ending.
    names: names of all formats.
    """
    if not any(map(str.strip, head)):
        return UnknownFormatError(
            "the file is empty, so its content is of no known format: name one (--from)",
            path=source.name,
            candidates=names,
        )
    there = frozenset(_member_names(head.json, 0)) if head.shape == "json" else frozenset()
    told = []
    for number, (spec, answer) in enumerate(answers):
        closeness, reason = _closeness(spec, head, there)
        likeness = (answer, closeness, spec.name in sharing, -number)
        told.append((likeness, spec.name, "likely" if answer else reason))
    likely = sorted(told, reverse=True)[:MOST_LIKELY]
    shown = looks(head)
    reasons = ", ".join(f"{name} ({reason})" for _, name, reason in likely)
    return UnknownFormatError(
        f"the content is of no known format{f' ({shown})' if shown else ''}: name one (--from). "
        f"Likeliest: {reasons}",
        path=source.name,
        candidates=[name for _, name, _ in likely],
    )


def _closeness(spec: FormatSpec, head: Head, there: frozenset[str]) -> tuple[int, str]:
    """How much in a text is as in a format, and what is not; `there` are names in JSON."""
    sign = spec.sign
    if head.shape != spec.shape:
        return -1, f"no {sign}"
    if head.shape == "xml":
        return 0, f"no root {sign.rpartition(' ')[2]}"
    if head.shape == "json":
        wanted = NAME.findall(sign)
        missing = next((name for name in wanted if name not in there), None)
        reason = "not in their places" if missing is None else f"no {quoted(missing)}"
        return sum(name in there for name in wanted), reason
    from formats.source import open_source

    count = 0
    try:
        with open_source(io.StringIO("\n".join(head))) as source:
            for _ in spec.read(source):
                count += 1
                if count == ENOUGH:
                    break
    except FormatError as error:
        reason = error.message
        return count, reason if len(reason) <= LONGEST_REASON else f"no {sign}"
    return count, "possible" if count else f"no {sign}"


def _member_names(value: object, depth: int) -> Iterator[str]:
    """Names of members, down to some depth, in the first objects of each list."""
    if depth > DEEPEST:
        return
    inner: Iterable[object] = ()
    if isinstance(value, dict):
        yield from value
        inner = value.values()
    elif isinstance(value, list):
        inner = value
    for one in islice(inner, ENOUGH):
        yield from _member_names(one, depth + 1)
