"""Numbers as the originals read them: by the beginning of a text, else 0."""

from __future__ import annotations

import re

NUMBER = re.compile(rb"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")


def leading_number(text: bytes) -> float:
    """The number a text begins with, 0 if it begins with none.

    Examples
    --------
    >>> leading_number(b"1.50*"), leading_number(b"<NA>")
    (1.5, 0.0)
    """
    found = NUMBER.match(text)
    return float(found[1]) if found else 0.0
