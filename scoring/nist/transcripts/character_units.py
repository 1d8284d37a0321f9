"""Option `-c`: split words into characters.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from itertools import groupby

from scoring.nist.transcripts.characters import Characters, byte_text, to_bytes

HYPHEN = "-"


class CharacterUnits:
    r"""Splits words into characters.

    >>> from scoring.nist.transcripts.input_files import characters_of
    >>> CharacterUnits(characters_of()).split("a-b")
    ['a', '-', 'b']
    >>> mixed = CharacterUnits(characters_of("gb"), keep_ascii=True, drop_hyphens=True)
    >>> mixed.split("\xb0\xa1ab-c\xb0\xa2")
    ['°¡', 'abc', '°¢']
    """

    def __init__(
        self, characters: Characters, *, keep_ascii: bool = False, drop_hyphens: bool = False
    ) -> None:
        self.characters = characters
        self.keep_ascii = keep_ascii
        self.drop_hyphens = drop_hyphens

    def split(self, text: str) -> list[str]:
        """Split a word of byte text; return no pieces if only dropped hyphens remain."""
        characters = self.characters.split(text)
        if self.drop_hyphens and HYPHEN in text:
            characters = [character for character in characters if character != HYPHEN]
        if not self.keep_ascii:
            return characters
        pieces: list[str] = []
        for together, run in groupby(characters, self.characters.is_ascii):
            alike = list(run)
            pieces += ["".join(alike)] if together else alike
        return pieces

    def shape(self, text: str) -> str:
        """Return byte text of equal length in which only ASCII characters are unchanged.

        Other bytes replace parts of longer characters.
        """
        return byte_text(self.characters.shape(to_bytes(text)))
