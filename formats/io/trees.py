"""Folders that a format reads as one input, and file name patterns.

A folder is recognised by file names only; no file is opened. The format's reader gets the folder as
a source without text and opens the files that it needs (`formats.io.source.Source.below`,
`beside`).
"""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterator
from functools import partial

from formats.io.errors import UnreadableFileError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

TREES = (
    ("commonvoice", ("validated.tsv", "clips")),
    ("commonvoice", ("train.tsv", "test.tsv", "clips")),
    ("nxt", ("[Ww]ords/*.words.xml", "[Ss]egments/*.segments.xml")),
    ("librispeech", ("transcripts.txt", "segments.txt")),
    ("librispeech", ("*/transcripts.txt", "*/segments.txt")),
)
"""Names of formats, and patterns that all fit something in a folder of theirs."""
CHAPTERS = tuple(f"{'*/' * depth}*.trans.t[xs][tv]" for depth in range(4))


def tree_of(
    folder: str | os.PathLike[str], below: Callable[[str], Iterator[str]] | None = None
) -> str | None:
    """Return the format of the corpus in a folder; `None` if it holds none.

    `below` finds the files in the folder that match a pattern.
    """
    below = below or partial(glob.iglob, root_dir=folder)
    for name, patterns in TREES:
        if all(next(below(pattern), None) is not None for pattern in patterns):
            return name
    root = os.path.abspath(folder)
    lists = (name for pattern in CHAPTERS for name in below(pattern))
    return "librispeech" if any(_is_chapter(os.path.join(root, name)) for name in lists) else None


def _is_chapter(path: str) -> bool:
    """Return True if a file is named after the two folders that contain it (speaker, chapter)."""
    speaker, chapter, name = ["", "", *path.split(os.sep)][-3:]
    return name.partition(".")[0] in (f"{speaker}-{chapter}", f"{speaker}_{chapter}")


def fitting(pattern: str) -> list[str]:
    """Return the sorted, unique paths that match a pattern; hidden files only if it names them.

    Unlike in `glob`, ``**`` does not follow links to folders, because a link may lead back to a
    parent folder.
    """
    return sorted(set(_fitting(pattern)))


def _fitting(pattern: str) -> Iterator[str]:
    parts = pattern.split("/")
    if "**" not in parts:
        yield from glob.iglob(pattern)
        return
    index = parts.index("**")
    top, rest = "/".join([*parts[:index], ""]), "/".join(parts[index + 1 :])
    for root in glob.iglob(top) if top else [""]:
        for folder, names, _ in os.walk(root or ".", onerror=_refuse):
            names[:] = [name for name in names if not name.startswith(".")]
            inside = folder if root else os.path.relpath(folder, ".").removeprefix(".")
            if inside and not rest:
                yield inside.rstrip("/") or "/"
            yield from _fitting(os.path.join(glob.escape(inside), rest or "*"))


def _refuse(problem: OSError) -> NoReturn:
    reason = (problem.strerror or f"{problem}").lower()
    raise UnreadableFileError(f"cannot be read: {reason}", path=problem.filename) from None
