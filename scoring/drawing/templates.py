"""Templates of pages; every inserted text is escaped."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from scoring.model.data_files import text_of

if TYPE_CHECKING:
    from jinja2 import Environment


def pieces(
    template: str, values: Mapping[str, object], room: str = "scoring.pages.html"
) -> Iterator[bytes]:
    """Fill in a template, and yield the page in pieces of UTF-8.

    Lone surrogates, which mark undecodable bytes, are escaped.
    """
    for piece in _environment(room).get_template(template).generate(values):
        yield piece.encode("utf-8", "backslashreplace")


@cache
def _environment(room: str) -> Environment:
    """Make the environment of a package: a process compiles each template once for all pages."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    return Environment(
        loader=PackageLoader(room),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )


def rendered(template: str, values: Mapping[str, object], *room: str) -> bytes:
    """Return a whole page from a template.

    `room` is the package with the template, by default `scoring.pages.html`.
    """
    return b"".join(pieces(template, values, *room))


def embedded(
    styles: Sequence[str], scripts: Sequence[str], *, style: str = "", script: str = ""
) -> dict[str, str]:
    """Return the style and the script of a page, with their hashes for the page's security policy.

    `style` and `script` are texts to add after those of the files.
    """
    style = "".join(map(asset, styles)) + style
    script = '"use strict";\n(() => {\n' + "".join(map(asset, scripts)) + script + "})();\n"
    hashes = {"style_hash": _hash_of(style), "script_hash": _hash_of(script)}
    return {"style": style, "script": script, **hashes}


def asset(name: str, room: str = "scoring.pages.html") -> str:
    """Return the text of a file among the `assets` of a package."""
    return text_of(str(files(room) / "assets"), name)


def _hash_of(text: str) -> str:
    digest = base64.b64encode(sha256(text.encode("utf-8")).digest()).decode("ascii")
    return f"sha256-{digest}"
