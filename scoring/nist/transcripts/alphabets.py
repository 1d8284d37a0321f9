"""The encodings and localizations of option `-e`."""

from __future__ import annotations

from scoring.nist.transcripts.characters import Characters

ENCODINGS = ("ascii", "ext_ascii", "gb", "euc", "utf-8")
LOCALIZATIONS = (
    "generic",
    "babel_turkish",
    "babel_vietnamese",
    "babel_lithuanian",
    "babel_kurmanji",
    "babel_cebuano",
    "babel_kazakh",
    "babel_mongolian",
    "babel_guarani",
    "ukrainian",
)


def characters_of(
    encoding: str = "ascii", localization: str = "generic", *, case_sensitive: bool = False
) -> Characters:
    """Return the character set that option `-e` selects.

    >>> characters_of("ext_ascii").fold(bytes([0xC9])).hex()
    'e9'
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"expected an encoding of {', '.join(ENCODINGS)}, found {encoding!r}")
    if localization not in LOCALIZATIONS:
        raise ValueError(
            f"expected a localization of {', '.join(LOCALIZATIONS)}, found {localization!r}"
        )
    if encoding == "ascii":
        return Characters(case_sensitive)
    from scoring.nist.transcripts.encodings import ExtendedAscii, TwoByte, Utf8

    if encoding == "utf-8":
        return Utf8(localization, case_sensitive)
    return (ExtendedAscii if encoding == "ext_ascii" else TwoByte)(case_sensitive)
