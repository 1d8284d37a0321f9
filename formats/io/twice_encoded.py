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
