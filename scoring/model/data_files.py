"""Texts that are installed with the packages: tables of languages, styles, scripts, pages, a demo.

In the sources, each text is a file. A wheel has all texts below a folder in one compressed file of
this folder, a JSON object of the texts by their paths in the folder.
"""

from __future__ import annotations

import os

from formats.schema import cache, module_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

PACKED = {"packed.json.gz": "gzip", "packed.json.bz2": "bz2"}
"""The names of a compressed file, and the modules that decompress it."""


def names_in(folder: str) -> list[str]:
    """Return the paths of the texts below a folder, relative to it and with slashes, sorted."""
    packed = _packed(folder)
    if packed is not None:
        return sorted(packed)
    files = ((above, name) for above, _, names in os.walk(folder) for name in names)
    paths = (os.path.relpath(os.path.join(above, name), folder) for above, name in files)
    return sorted(path.replace(os.sep, "/") for path in paths)


def text_of(folder: str, name: str) -> str:
    """Return a text below a folder; line ends are those of the file."""
    packed = _packed(folder)
    if packed is not None:
        return packed[name]
    with open(os.path.join(folder, name), "rb") as file:
        return file.read().decode("utf-8")


def path_of(folder: str, name: str) -> str:
    """Return the path of the file that has a text below a folder."""
    return os.path.join(folder, _packed_name(folder) or name)


def _packed_name(folder: str) -> str:
    """Return the name of the compressed file of a folder; empty in the sources."""
    return next((name for name in PACKED if os.path.isfile(os.path.join(folder, name))), "")


@cache
def _packed(folder: str) -> Mapping[str, str] | None:
    """Return the texts of a compressed file by their names; `None` in the sources."""
    name = _packed_name(folder)
    if not name:
        return None
    import json

    with open(os.path.join(folder, name), "rb") as file:
        texts: dict[str, str] = json.loads(module_named(PACKED[name]).decompress(file.read()))
    return texts
