"""The encodings in which bytes that are not UTF-8 are likely to be text."""

from __future__ import annotations

import codecs

from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

GUESSED = (
    *("cp1252", "cp1250", "cp1254", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
)
"""The encodings that `auto` detects, by their names in charset-normalizer."""
GUESSED_FROM = 1 << 16
ASCII = bytes(range(128))
PUNCTUATION = frozenset(b"\x85\x91\x92\x93\x94\x96\x97\xa0")
"""Quotes, dashes and the ellipsis of Windows, alike in its encodings of Europe."""
PAIRED = lazy_pattern(rb"[\x80-\xff]{3}")
"""More such bytes in a row than English has."""
PUNCTUATION_OF_MAC = lazy_pattern(
    rb"(?<=[a-z0-9.,!?])[\xc9\xd1\xd3\xd5]|(?<=[\s(])[\xd2\xd4](?=[A-Za-z])"
    rb"|(?<=[\s.,!?])[\xd0\xd1](?=\s)|(?<=[a-z0-9])[\xd0](?=[a-z0-9])"
)
"""Quotes, dashes and the ellipsis of Mac Roman, where no capital letters of Windows can be."""
OPENING_OF_MAC = frozenset((b"\xd2", b"\xd4"))
"""Those before words, where capital letters of Windows can be, too."""
LAST_OF_ALPHABETS = "\u2e7f"
JOINERS = "\xa0\xad\xb4\xb7\u2010\u2013\u2014\u2018\u2019\u2026"
READABLE = frozenset("\t\n\r\f\v\xa0\xad\u3000")
"""Characters of text that Python does not count as printable."""
LATIN_LETTERS = {
    "cp1252": tuple(
        map(
            frozenset,
            (
                *("àâæçéèêëîïôœùûüÿ", "àèéìíîòóùú", "áéíñóúü", "áàâãçéêíóôõúü", "äöüß"),
                *("æøåéèêóòô", "åäöéü", "áæðéíóöúýþ", "éèêëïöü", "àçéèíïóòúü"),
            ),
        )
    ),
    "cp1250": tuple(
        map(
            frozenset,
            (
                *("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž"),
                *("áéíóöőúüű", "čćđšž", "ăâîşţ"),
            ),
        )
    ),
}
"""Letters beside ASCII of the languages that are written in an encoding."""
HIRAGANA = frozenset(map(chr, range(0x3041, 0x3097)))
FREQUENT = {
    "cp932": HIRAGANA,
    "euc_jp": HIRAGANA,
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
        "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    ),
    "big5": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
        "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
    ),
    "cp949": frozenset(
        "이다는에고의가을하지를은한도로기서있나사시아어리자그해대만으정일인스수보요니"
    ),
}
"""Letters that texts in an encoding of East Asia hardly lack: kana, characters or syllables."""
LEAST_FREQUENT, FEWEST_LETTERS = 0.2, 8
"""The share of such letters in a text of an encoding, and the fewest letters that show it."""
KNOWN_LETTERS = 0.98
CONFIDENCE = 0.9
MARGIN = 0.05


def is_damaged_utf8(data: bytes) -> bool:
    """Return True if bytes have half as many characters of UTF-8 as bytes that are not UTF-8."""
    text = data.decode("utf-8", "ignore")
    damaged = len(data) - len(text.encode())
    return 2 * (len(text) - len(text.encode("ascii", "ignore"))) > damaged


def likely_encodings(data: bytes) -> list[str]:
    """Return the likely encodings of bytes that are not UTF-8; of damaged UTF-8, none."""
    if is_damaged_utf8(data):
        return []
    if set(data.translate(None, ASCII)) <= PUNCTUATION and not PAIRED.search(data):
        return ["cp1252"]
    signs = PUNCTUATION_OF_MAC.findall(data)
    if len(signs) == len(data.translate(None, ASCII)) and not {*signs} <= OPENING_OF_MAC:
        return ["mac_roman"]
    lines = (line for line in data.splitlines(keepends=True) if not line.isascii())
    sample = b"".join(lines)[:GUESSED_FROM]
    asian = _asian_encodings(sample)
    names = asian if len(asian) == 1 else [name for name, _ in _readings(sample)]
    if names and {*names} <= {*LATIN_LETTERS, "another"}:
        names = _latin_encodings(data)
    if len(names) != 1:
        return names
    try:
        text = data.decode(names[0])
    except UnicodeDecodeError:
        return []
    return names if all(c.isprintable() or c in READABLE for c in text) else []


def _asian_encodings(sample: bytes) -> list[str]:
    """Return the encodings of East Asia in which a text has the letters that are frequent there.

    >>> _asian_encodings("それはそうですね。".encode("cp932"))
    ['cp932']
    >>> _asian_encodings("c'était déjà l'été".encode("cp1252"))
    []
    """
    encodings = []
    for name, frequent in FREQUENT.items():
        decoder = codecs.getincrementaldecoder(name)()  # the last letter may be cut
        try:
            letters = [c for c in decoder.decode(sample) if not c.isascii() and c.isalpha()]
        except UnicodeDecodeError:
            continue
        known = sum(letter in frequent for letter in letters)
        if len(letters) >= FEWEST_LETTERS and known >= LEAST_FREQUENT * len(letters):
            encodings.append(name)
    return encodings


def differing(data: bytes, names: Sequence[str]) -> int:
    """Return how many characters are not the same in all encodings, or are in none of the first.

    If a character has several bytes in one of them, all are different.
    """
    if len(names) < 2:
        return 0
    texts = [data.decode(name, "replace") for name in names]
    if {*map(len, texts)} != {len(data)}:
        return len(data)
    return sum(len({*signs}) > 1 for signs in zip(*texts, strict=True))


def _latin_encodings(data: bytes) -> list[str]:
    """Return the encodings in which nearly all letters of a text are those of one language.

    Those of Western and of Central Europe have many letters in common; a text of these alone is
    the same in both.
    """
    from collections import Counter

    if data.decode("cp1252", "replace") == data.decode("cp1250", "replace"):
        return ["cp1252"]
    fitting = []
    for name, alphabets in LATIN_LETTERS.items():
        text = data.decode(name, "replace")
        foreign = Counter(c for c in text.lower() if c.isalpha() and not c.isascii())
        known = (sum(foreign[letter] for letter in letters) for letters in alphabets)
        is_known = max(known) >= KNOWN_LETTERS * sum(foreign.values())
        if is_known and not _mixes_scripts(text):
            fitting.append(name)
    return fitting if len(fitting) == 1 else [*LATIN_LETTERS]


def _readings(sample: bytes) -> list[tuple[str, str]]:
    """Return the most likely encodings of a text, each with the decoded text.

    The confidence is 1 - `chaos` of charset-normalizer, and within `MARGIN` of the best. If Western
    and Central European letters are both likely, without a language, there are two readings.
    """
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=list(GUESSED), enable_fallback=False)
    likely = [m for m in matches if 1 - m.chaos >= CONFIDENCE and not _mixes_scripts(str(m))]
    if not likely:
        return []
    most = max(1 - m.chaos for m in likely)
    likely = [m for m in likely if 1 - m.chaos > most - MARGIN]
    readings: dict[str, str] = {}
    for match in likely:
        names = {match.encoding, *match.could_be_from_charset}
        name = "cp1252" if "cp1252" in names else match.encoding
        readings.setdefault(str(match), name)
    distinct = [(name, text) for text, name in readings.items()]
    is_latin = len(distinct) > 1 and all(name in ("cp1252", "cp1250") for name, _ in distinct)
    if is_latin and not any(match.coherence for match in likely):
        distinct.append(("another", ""))
    return distinct


def _mixes_scripts(text: str) -> bool:
    """Return True if words mix Latin letters with symbols or with letters of other alphabets.

    Most ideographs stand beside others; one within a Latin word is a wrong reading of its letters.
    """
    import unicodedata

    others = mixed = ideographs = lone = 0
    for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if sign > LAST_OF_ALPHABETS:
            ideographs += 1
            is_beside = any(c.isascii() and c.isalpha() for c in (before, after))
            lone += is_beside and max(before, after) <= LAST_OF_ALPHABETS
        if sign.isascii() or sign > LAST_OF_ALPHABETS or sign in JOINERS:
            continue
        others += 1
        if not unicodedata.name(sign, "").startswith("LATIN"):
            neighbours = sum(unicodedata.name(c, "").startswith("LATIN") for c in (before, after))
            is_letter = sign.isalnum() or unicodedata.category(sign) == "Mn"
            mixed += neighbours > (0 if is_letter else 1)
    return mixed > others / 50 or 2 * lone > ideographs
