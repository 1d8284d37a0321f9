"""The letters with upper and lower case in each localization of option `-e utf-8`.

Each table is the same as sclite's. Only the letters of the table and A to Z have a case, whatever
Unicode defines. For example, `babel_turkish` lacks Â, and the German localization lacks Ü.
"""

from __future__ import annotations

# First capital, last capital, step between capitals, distance from a capital to its small letter.
_Stretch = tuple[int, int, int, int]


def _singles(*capitals: int, distance: int) -> tuple[_Stretch, ...]:
    return tuple((capital, capital, 1, distance) for capital in capitals)


_CYRILLIC: _Stretch = (0x0410, 0x042F, 1, 0x20)

_TABLES: dict[str, tuple[_Stretch, ...]] = {
    "generic": (),
    "babel_turkish": (
        (0x0049, 0x0049, 1, 0x0131 - 0x0049),
        (0x0130, 0x0130, 1, 0x0069 - 0x0130),
        *_singles(0x00C7, 0x00D6, 0x00DC, distance=0x20),
        *_singles(0x011E, 0x015E, distance=1),
    ),
    "babel_vietnamese": (
        (0x00C0, 0x00C3, 1, 0x20),
        (0x00C8, 0x00CA, 1, 0x20),
        (0x00CC, 0x00CD, 1, 0x20),
        (0x00D2, 0x00D5, 1, 0x20),
        *_singles(0x00D9, 0x00DA, 0x00DD, distance=0x20),
        *_singles(0x0102, 0x0110, 0x0128, 0x0168, 0x01A0, 0x01AF, distance=1),
        (0x1EA0, 0x1EF8, 2, 1),
    ),
    "babel_lithuanian": _singles(
        0x0104, 0x010C, 0x0116, 0x0118, 0x012E, 0x0160, 0x016A, 0x0172, 0x017D, distance=1
    ),
    "babel_kurmanji": (
        *_singles(0x00C7, 0x00CA, 0x00CE, 0x00DB, distance=0x20),
        (0x015E, 0x015E, 1, 1),
    ),
    "babel_cebuano": ((0x00D1, 0x00D1, 1, 0x20),),
    "babel_kazakh": (
        _CYRILLIC,
        *_singles(0x0401, 0x0406, distance=0x50),
        *_singles(0x0492, 0x049A, 0x04A2, 0x04AE, 0x04B0, 0x04BA, 0x04D8, 0x04E8, distance=1),
    ),
    "babel_mongolian": (
        _CYRILLIC,
        (0x0401, 0x0401, 1, 0x50),
        *_singles(0x04AE, 0x04E8, distance=1),
    ),
    "babel_guarani": (
        *_singles(
            0x00C1, 0x00C3, 0x00C9, 0x00CD, 0x00D1, 0x00D3, 0x00D5, 0x00DA, 0x00DD, distance=0x20
        ),
        *_singles(0x0128, 0x0168, 0x1EBC, 0x1EF8, distance=1),
    ),
    "ukrainian": (
        (0x0400, 0x040F, 1, 0x50),
        _CYRILLIC,
        (0x0460, 0x0480, 2, 1),
        (0x048A, 0x04BE, 2, 1),
        (0x04C1, 0x04CD, 2, 1),
        (0x04D0, 0x04FE, 2, 1),
    ),
}


def case_pairs(localization: str) -> dict[int, int]:
    """Return the small letter of each capital; A to Z are included only if they differ from ASCII.

    >>> {chr(capital): chr(small) for capital, small in case_pairs("babel_cebuano").items()}
    {'Ñ': 'ñ'}
    """
    return {
        capital: capital + distance
        for first, last, step, distance in _TABLES[localization]
        for capital in range(first, last + 1, step)
    }
