"""Text in which nothing is invisible: blanks and control characters as signs."""

from __future__ import annotations

BLANK = "·"
_FIRST_PICTURE, _DELETE, _DELETE_PICTURE, _LAST_CONTROL = 0x2400, 0x7F, "\u2421", 0x9F
_SIGNS = {
    **{code: chr(_FIRST_PICTURE + code) for code in range(0x20)},
    0x20: BLANK,
    _DELETE: _DELETE_PICTURE,
    **{code: f"\\x{code:02x}" for code in range(_DELETE + 1, _LAST_CONTROL + 1)},
}


def make_printable(text: str) -> str:
    r"""Blanks as `·`, control characters as the pictures Unicode has for them.

    The controls U+0080 to U+009F have no pictures and are written as escapes; BenchmarkSTT shows
    unrelated symbols for them and for U+007F.

    Examples
    --------
    >>> make_printable("a b\n\x1b\x85")
    'a·b␊␛\\x85'
    """
    return text.translate(_SIGNS)
