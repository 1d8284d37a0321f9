"""Text that was encoded in UTF-8 twice: its bytes were read as Windows-1252, and encoded again.

``é`` becomes ``Ã©``. Such a text is decoded once more, if this is possible for all its characters:
then no character is a guess. Readers decide this for a whole file. If only some letters of a file
are misread, it is read as written; who compares it with another text finds the letters meant there
by `misread_forms`.
"""

from __future__ import annotations

from formats.schema import lazy_pattern

SPECIAL = {
    ord(bytes([byte]).decode("cp1252")): byte
    for byte in range(0x80, 0xA0)
    if byte not in b"\x81\x8d\x8f\x90\x9d"
}
"""The bytes of Windows-1252 whose characters have other numbers, by these."""
OF_WINDOWS = {byte: chr(number) for number, byte in SPECIAL.items()}
"""The characters of these bytes."""
RUN = lazy_pattern(r"[^\x00-\x7f]{1,1000}")
ESCAPES = lazy_pattern(r"(?:\\u00[89a-fA-F][0-9a-fA-F]){1,200}")
OTHER_ESCAPE = lazy_pattern(r"\\\\u00|\\u(?!00)[0-9a-fA-F]{4}")
"""Escapes of bytes in JSON, and those of other letters or with a backslash of their own."""
OF_CONTROLS = {chr(byte): sign for byte, sign in OF_WINDOWS.items()}
CONTROL = lazy_pattern("[\x80\x82-\x84\x86-\x8c\x8e\x91-\x9c\x9e\x9f]")
"""Control characters whose bytes are signs in Windows-1252, and a pattern of these; U+0085 may be
the end of a line.
"""
BESIDE_LETTERS = lazy_pattern(
    "[a-z]{2}\x92(?:s|t|m|d|re|ve|ll)(?!\\w)|(?<!\\w)(?:[cdjlmnst]|qu)\x92[a-z\u00e0-\u017f]{3}"
    "|\x93[A-Za-z\u00c0-\u017f][^\x93\x94\\n]{1,200}\x94"
)
"""Such characters where their signs are: ``it’s``, ``l’œuvre``, ``“late”``; by chance they are
elsewhere, and what we write must be read as it is.
"""
BESIDE_ESCAPES = lazy_pattern(
    r"[a-z]{2}\\u0092(?:s|t|m|d|re|ve|ll)(?!\w)|(?<!\w)(?:[cdjlmnst]|qu)\\u0092[a-z]{3}"
    r"|\\u0093[A-Za-z][^\n\"]{1,200}?\\u0094"
)
ESCAPED_CONTROL = lazy_pattern(r"(?<!\\)((?:\\\\){0,20})\\u00(8[0-46-9a-cA-CeE]|9[1-9a-cA-CeEfF])")
"""An escape of such a control character in JSON, and the backslashes above it."""
FEWEST, SHARE = 2, 0.5
"""The fewest places that show a text as encoded twice, and the share of those that may be."""


def decoded_again(text: str) -> str | None:
    """Return the text decoded once more; `None` unless this is possible for all its characters.

    >>> decoded_again("cafÃ© â€“ olÃ©"), decoded_again("café olé"), decoded_again("so")
    ('café – olé', None, None)
    """
    meant = None
    while sum(len(run) > 1 for run in RUN.findall(text)) >= FEWEST:
        if (more := _meant(text)) is None:
            break
        meant = text = more  # it may have been encoded more often
    if meant is None or not all(c.isprintable() or c.isspace() for c in _letters(meant)):
        return None
    return meant.removeprefix("\ufeff")


def misread_forms(letter: str) -> tuple[str, str]:
    r"""Return what the bytes of a letter in UTF-8 are in Windows-1252 and in Latin-1.

    >>> misread_forms("é"), misread_forms("’")
    (('Ã©', 'Ã©'), ('â€™', 'â\x80\x99'))
    """
    latin = letter.encode("utf-8").decode("latin-1")
    return latin.translate(OF_WINDOWS), latin


def with_signs_of_windows(text: str) -> tuple[str, str]:
    r"""Return the text with signs for the control characters that have their bytes, and the first.

    So text in Windows-1252 looks that was read as Latin-1. The second text is empty if there are
    none, or if none is where its sign may be.

    >>> with_signs_of_windows("it\x92s \x93late\x94\x85"), with_signs_of_windows("so \x92")
    (('it’s “late”…', '’'), ('so \x92', ''))
    """
    first = CONTROL.search(text)
    if first is None or BESIDE_LETTERS.search(text) is None:
        return text, ""
    return text.translate(OF_WINDOWS), OF_CONTROLS[first[0]]


def with_signs_for_escapes(text: str) -> tuple[str, str]:
    r"""Return JSON with signs for escapes of such control characters, and the first sign.

    >>> with_signs_for_escapes(r'"it\u0092s"'), with_signs_for_escapes(r'"a \\\\u0092"')[1]
    (('"it’s"', '’'), '')
    """
    first = ESCAPED_CONTROL.search(text)
    if first is None or BESIDE_ESCAPES.search(text) is None:
        return text, ""
    meant = ESCAPED_CONTROL.sub(lambda match: match[1] + OF_WINDOWS[int(match[2], 16)], text)
    return meant, OF_WINDOWS[int(first[2], 16)]


def doubtful_places(text: str) -> list[str]:
    """Return the places that may be encoded twice, if they are most of those that are not ASCII.

    >>> doubtful_places("cafÃ© olÃ©, é")
    ['Ã©', 'Ã©']
    """
    runs = RUN.findall(text)
    places = [run for run in runs if len(run) > 1 and _meant(run) is not None]
    return places if len(places) >= max(FEWEST, SHARE * len(runs)) else []


def letters_of_escapes(text: str) -> tuple[str, str]:
    r"""Return JSON with letters for escapes of their bytes in UTF-8, and how the first looks.

    The text is unchanged, and the second text empty, unless this is possible for all escapes.

    >>> letters_of_escapes(r'"caf\u00c3\u00a9"'), letters_of_escapes(r'"caf\u00e9"')[1]
    (('"café"', 'Ã©'), '')
    """
    runs = dict.fromkeys(ESCAPES.findall(text))
    if not runs or not text.isascii() or OTHER_ESCAPE.search(text):
        return text, ""
    looks = {run: bytes.fromhex(run.replace("\\u00", "")).decode("latin-1") for run in runs}
    letters = {run: _meant(look) for run, look in looks.items()}
    if not all(some is not None and some.isprintable() for some in letters.values()):
        return text, ""
    meant = ESCAPES.sub(lambda match: letters[match[0]] or "", text)
    return meant, next(iter(looks.values()))


def _meant(text: str) -> str | None:
    try:
        return text.translate(SPECIAL).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None


def _letters(text: str) -> str:
    """Return the characters that are not ASCII, each once."""
    return "".join(
        {*text}.difference(map(chr, range(128)), "\ufeff\xad\u200b\u200c\u200d\u200e\u200f")
    )
