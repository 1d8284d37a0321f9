"""The templates of this room, which escape every text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


def pieces(template: str, values: Mapping[str, object]) -> Iterator[bytes]:
    """A page in pieces of UTF-8; a lone surrogate, from bytes that are no text, as an escape."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("scoring.pages.html"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    for piece in environment.get_template(template).generate(values):
        yield piece.encode("utf-8", "backslashreplace")


def rendered(template: str, values: Mapping[str, object]) -> bytes:
    """A page as a whole."""
    return b"".join(pieces(template, values))
