"""The encodings of option `-e`, without validation, as in sclite.

The first byte determines the length of a character, and the following bytes are never checked. A
truncated character therefore swallows the bytes after it, even blanks, but never a line end.
Strings compare like their bytes. In every encoding, the first byte of a longer character is
greater, so that the byte order is sclite's order of characters.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scoring.nist.transcripts.characters import BadCharacter, Characters, byte_text, to_bytes
from scoring.nist.transcripts.localizations import case_pairs

_CAPITALS = bytes(range(0xC0, 0xE0))
_SMALL = bytes(range(0xE0, 0x100))
_LOWER = bytes.maketrans(_CAPITALS, _SMALL)
_UPPER = bytes.maketrans(_SMALL, _CAPITALS)


# A UTF-8 character of several bytes, by its first byte.
_LONG = (
    rb"[\xc0-\xdf][^\n\0]?|[\xe0-\xef][^\n\0]{0,2}|[\xf0-\xf7][^\n\0]{0,3}"
    rb"|[\xf8-\xfb][^\n\0]{0,4}|[\xfc\xfd][^\n\0]{0,5}"
)
_LETTERS = re.compile(rb"[A-Za-z]+|" + _LONG)
_ASCII = {code: code + 0x20 for code in range(ord("A"), ord("Z") + 1)}


class ExtendedAscii(Characters):
    r"""Latin-1 as in sclite: 0xC0 to 0xDF are capitals, including the multiplication sign.

    >>> ExtendedAscii().fold(b"\xc9A\xd7").hex(), ascii(ExtendedAscii().upper("\xe9\xff"))
    ('e961f7', "'\\xc9\\xdf'")
    """

    def lower(self, data: bytes) -> bytes:
        """Return data in lower case, even if case matters."""
        return data.lower().translate(_LOWER)

    def upper(self, text: str) -> str:
        """Return byte text in upper case."""
        return byte_text(to_bytes(text).upper().translate(_UPPER))


class _LongCharacters(Characters):
    """Base of encodings with characters of several bytes; a pattern matches a character."""

    # One character, or a byte that is none; it never reaches over the end of a line.
    character: re.Pattern[bytes]
    character_of_text: re.Pattern[str]

    def split(self, text: str) -> list[str]:
        """Split byte text into characters; invalid bytes become single characters."""
        if text.isascii():
            return list(text)
        return self.character_of_text.findall(text)

    def length(self, text: str) -> int:
        """Return the number of characters of byte text.

        Characters that `split` joins count separately.
        """
        return len(text) if text.isascii() else len(self.character.findall(to_bytes(text)))

    def is_ascii(self, character: str) -> bool:
        """Return True if a character is a single byte below 0x80."""
        return len(character) == 1 and character < "\x80"


class TwoByte(_LongCharacters):
    r"""GB 2312 and EUC: a byte of 0x80 or more and the next byte form one character.

    >>> characters = TwoByte()
    >>> characters.fold(b"A\xb0AB"), characters.split("A\xb0{B")
    (b'a\xb0Ab', ['A', '\xb0{', 'B'])
    >>> characters.shape(b"\xb0{ x")
    b'\xb0\xff x'
    """

    character = re.compile(rb"[\x80-\xff][^\n\0]?|[^\x80-\xff]")
    character_of_text = re.compile(byte_text(character.pattern))
    # a byte below 0x80 after an odd number of others
    _swallowed = re.compile(rb"(?<![\x80-\xff])(?:[\x80-\xff]{2})*[\x80-\xff]([^\x80-\xff\n\0])")

    def shape(self, data: bytes) -> bytes:
        """Return data of equal length in which each byte below 0x80 is a character of its own."""
        places = self._second_bytes(data)
        if not places:
            return data
        shape = bytearray(data)
        for index in places:
            shape[index] = 0xFF
        return bytes(shape)

    def lower(self, data: bytes) -> bytes:
        """Return data with its single-byte letters in lower case, even if case matters."""
        return self._restored(data.lower(), data)

    def upper(self, text: str) -> str:
        """Return byte text with its single-byte letters in upper case."""
        data = to_bytes(text)
        return byte_text(self._restored(data.upper(), data))

    def _restored(self, changed: bytes, data: bytes) -> bytes:
        places = self._second_bytes(data)
        if not places:
            return changed
        restored = bytearray(changed)
        for index in places:
            restored[index] = data[index]
        return bytes(restored)

    def _second_bytes(self, data: bytes) -> list[int]:
        """Return the positions of bytes below 0x80 that are the second byte of a character."""
        if data.isascii():
            return []
        return [match.start(1) for match in self._swallowed.finditer(data)]


class Utf8(_LongCharacters):
    r"""UTF-8 with the letters of one localization.

    Invalid first bytes and the forms of six bytes are errors. Overlong forms, surrogates and forms
    of five bytes are accepted.

    >>> turkish = Utf8("babel_turkish")
    >>> ascii(turkish.fold("\u0130I\u00c7".encode()).decode())
    "'i\\u0131\\xe7'"
    >>> ascii(Utf8().fold("\u00c9E".encode()).decode())
    "'\\xc9e'"
    >>> print(Utf8().first_bad(b"a \xff").offset)
    2
    """

    character = re.compile(rb"[\x00-\x7f]|" + _LONG + rb"|[\x80-\xff]")
    character_of_text = re.compile(byte_text(character.pattern))
    _with_length = re.compile(rb"(?:[\x00-\x7f]+|" + _LONG + rb")*")
    _with_code_point = re.compile(rb"(?:[\x00-\x7f]+|(?![\xfc\xfd])(?:" + _LONG + rb"))*")
    _tilde = "g\xcc\x83"  # the Guarani letter that Unicode has no single character for

    def __init__(self, localization: str = "generic", case_sensitive: bool = False) -> None:
        super().__init__(case_sensitive)
        pairs = case_pairs(localization)
        self._small = _Case.of(pairs, _ASCII, bytes.lower)
        self._capital = _Case.of(_reversed(pairs), _reversed(_ASCII), bytes.upper)
        self.keeps_lengths = not pairs or case_sensitive
        self._digraphs = localization == "babel_guarani"

    def lower(self, data: bytes) -> bytes:
        """Return data in lower case, even if case matters."""
        return _mapped(data, self._small)

    def upper(self, text: str) -> str:
        """Return byte text in upper case; the number of bytes may change."""
        return byte_text(_mapped(to_bytes(text), self._capital))

    def shape(self, data: bytes) -> bytes:
        """Return data of equal length in which each byte below 0x80 is a character of its own."""
        if _is_strict(data):
            return data

        def hidden(character: re.Match[bytes]) -> bytes:
            text = character[0]
            return text if len(text) == 1 else b"\xff" * len(text)

        lines = data.split(b"\n")
        return b"\n".join(
            [line if _is_strict(line) else self.character.sub(hidden, line) for line in lines]
        )

    def first_bad(self, data: bytes, *, lengths_only: bool = False) -> BadCharacter | None:
        """Return the first bytes that are invalid or have no code point, or None."""
        if _is_strict(data):
            return None
        good = self._with_length if lengths_only else self._with_code_point
        begin = 0
        for line in data.split(b"\n"):
            if not _is_strict(line):
                match = good.match(line)
                end = 0 if match is None else match.end()
                if end < len(line) and line[end] in (0xFC, 0xFD):
                    problem = "Attempt to codepoint for 6-byte UTF8 codepoint is not supported"
                    return BadCharacter(begin + end, f"Error: {problem}", False)
                if end < len(line):
                    problem = "UTF-8 parsing of character size failed. first char"
                    return BadCharacter(begin + end, f"Error: {problem} {line[end]:x} ", True)
            begin += len(line) + 1
        return None

    def split(self, text: str) -> list[str]:
        """Split byte text into characters; in Guarani, g with a tilde is one character."""
        characters = super().split(text)
        if not self._digraphs or self._tilde[1:] not in text:
            return characters
        joined: list[str] = []
        for character in characters:
            if character == self._tilde[1:] and joined and joined[-1] in ("g", "G"):
                joined[-1] += character
            else:
                joined.append(character)
        return joined


def _is_strict(data: bytes) -> bool:
    """Return True if the data are strict UTF-8."""
    if data.isascii():
        return True
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


class _Case(NamedTuple):
    """A mapping of code points to lower or upper case."""

    pairs: Mapping[int, int]  # those of the localization
    table: Mapping[int, int]  # the same and, as far as they are not among them, A to Z
    # Does it to ASCII letters; None where the localization departs from A to Z
    in_ascii: Callable[[bytes], bytes] | None

    @classmethod
    def of(
        cls,
        pairs: Mapping[int, int],
        ascii_pairs: Mapping[int, int],
        in_ascii: Callable[[bytes], bytes],
    ) -> _Case:
        """Return the case mapping of a localization.

        The mapping of ASCII applies to all characters that the localization does not list.
        """
        return cls(
            pairs, {**ascii_pairs, **pairs}, None if min(pairs, default=128) < 128 else in_ascii
        )


def _reversed(pairs: Mapping[int, int]) -> dict[int, int]:
    return {small: capital for capital, small in pairs.items()}


def _mapped(data: bytes, case: _Case) -> bytes:
    """Return lines with the case changed as `case` maps code points."""
    if case.in_ascii is not None and (not case.pairs or data.isascii()) and _is_strict(data):
        return case.in_ascii(data)
    try:
        return data.decode("utf-8").translate(case.table).encode("utf-8")
    except UnicodeDecodeError:
        if b"\n" in data:
            return b"\n".join([_mapped(line, case) for line in data.split(b"\n")])

    # a line that is not quite UTF-8
    def replaced(match: re.Match[bytes]) -> bytes:
        character = match[0]
        if character[0] < 0x80:
            return character.decode("ascii").translate(case.table).encode("utf-8")
        # as an overlong form a letter of ASCII has a case only if the localization names it
        code = case.pairs.get(_code_point(character))
        return character if code is None else chr(code).encode("utf-8")

    return _LETTERS.sub(replaced, data)


def _code_point(character: bytes) -> int:
    """Return the code point in the bits of a long character; -1 if it is too short."""
    first = character[0]
    length = 2 if first < 0xE0 else 3 if first < 0xF0 else 4 if first < 0xF8 else 5
    if len(character) < length:
        return -1
    code = first & (0x7F >> length)
    for byte in character[1:]:
        code = code << 6 | byte & 0x3F
    return code
