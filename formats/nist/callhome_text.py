"""Extraction of the words of a CallHome transcript, as in NIST's `chfilt`.

Text is bytes in the encoding that LDC used for the language: ASCII for English, Latin-1 for Spanish
and German, GB 2312 for Mandarin, EUC-JP for Japanese, UTF-8 for Arabic.
"""

import re
from dataclasses import dataclass

from formats.schema import lazy_pattern

ENCODINGS = {
    "english": "utf-8",
    "arabic": "utf-8",
    "german": "latin-1",
    "spanish": "latin-1",
    "mandarin": "gb2312",
    "japanese": "euc-jp",
}
LATIN = ("german", "spanish")
TO_CAPITALS = bytes.maketrans(bytes(range(0xE0, 0x100)), bytes(range(0xC0, 0xE0)))
HESITATION = b"%HESITATION"
ARABIC_HESITATION = b"%" + "تردّد".encode()


class TangledError(ValueError):
    """Raised for marks with invalid nesting, on which `chfilt` hangs or crashes."""


def _words(text: str, encoding: str = "ascii") -> bytes:
    return b"|".join(re.escape(word.encode(encoding)) for word in text.split())


# Words that are hesitations, by language; a blank belongs to each side of a word.
HESITATIONS = {
    "english": _words("UH UM EH MM AH HM HUH HA ER OOF HEE ACH EEE EW"),
    "spanish": _words("AAA EEE III MMM EMM AMM IMM EH MMH OH UH EY UY PSS HM UF SHH PFF OY HA AH"),
    "german": _words("ÄH MM ÄHM HM HA EI UH HÄ HO UFF OI HUH BAH UI", "latin-1"),
}
ARABIC_HESITATIONS = re.compile(rb"[%% ](?:%b) " % _words("أه إيه أم أوو هاي مهم", "utf-8"))
ARABIC_BACK_CHANNEL = re.compile(rb"(?<!%%)%%+(%b) " % "أهه".encode())
ARABIC_NOISES = re.compile(rb"%%(?:%b)\\* " % _words("صمت إنقطاع ضجّة تنفّس سعال ضحك أصوات", "utf-8"))
ARABIC_PLUS = re.compile(rb"\s\+(\S+)\+\s")
CROSSING = "%تداخل".encode()
MARKS = {
    "english": b"&*+@",
    "german": b"&+%",
    "spanish": b"+%",
    "arabic": b"&",
    "mandarin": b"&+",
    "japanese": b"+",
}
JAPANESE_MARKS = {
    b"\xa1\xa2 ": b", ",
    b"\xa1\xa3 ": b". ",
    b"\xa1\xa4 ": b", ",
    b"\xa1\xa8 ": b"; ",
    b"\xa1\xa9 ": b"? ",
    b"\xa1\xaa ": b"! ",
    b"\xa1\xd7 ": b" ",
    b" \xa1\xd6": b" ",
}

BEFORE_OPENING = re.compile(rb"\s\(\(")
BEHIND_CLOSING = re.compile(rb"\)\)\s")
FOREIGN = re.compile(rb"<foreign\s+language=[^<>]+>([^<>]+)</foreign>", re.IGNORECASE)
UNSURE_FOREIGN = re.compile(rb"\(\(\s*%b\s*\)\)" % FOREIGN.pattern, re.IGNORECASE)
VOCAL_NOISE = re.compile(rb"\{[^{}]*\}")
PUNCTUATION = lazy_pattern(rb'--|[.,?!;"]')
ASIDE = re.compile(rb"<as/>[^<>]+</as>", re.IGNORECASE)
ASIDE_TAG = re.compile(rb"</*aside/*>")
NAME_MARK = re.compile(rb"[\^*@](\S)")
NOTHING_HEARD = re.compile(rb"\(\(\s*\)\)")
LETTER = re.compile(rb"~([A-Za-z-])")
OTHER_LANGUAGE = re.compile(rb"<\s*\S{1,200}\s([^<>]*)>")
TAG = re.compile(rb"<[^<>]*>")
BLANK_OR_CLOSING = re.compile(rb"\s+(\)?)")
BEHIND_BRACKET = re.compile(rb"\(\s+")
UNSURE = re.compile(rb"\(\(([^()]*(?:\([^()]*\)[^()]*)*)\)\)")
UNSURE_TAG_ALONE = re.compile(rb"\(\((\s*<[^<>]+>\s*)\)\)")
UNSURE_TAG_FIRST = re.compile(rb"\(\((\s*<[^<>]+>\s*)(?!\s)([^)]{0,1000})\)\)")
UNSURE_ITEM = re.compile(rb"\([^\s(){}]+\)|\{[^{}]+\}|[^ \t\n\r\f(){}]+")
FRAGMENT_END = re.compile(rb"[-=](\s)")
FRAGMENT_START = re.compile(rb"\s[-=](\S*)")
WORD_AND_BLANK = re.compile(rb"(\S+)(\s?)")
# two bytes of the upper half make a character, for the original also with others between them
JAPANESE_CHARACTER = re.compile(rb"[\x7f-\xff][\x00-\x7e]*[\x7f-\xff]")
JAPANESE_MARK = re.compile(rb"\xa1[\xa1-\xb8\xba\xbb\xbd-\xff]")
JAPANESE_OPENING = re.compile(rb"\xa1\xe3([\x00-\x7f])")
JAPANESE_CLOSING = re.compile(rb"([\x00-\x7f])\xa1\xe4")
JAPANESE_REST = re.compile(rb"\xa1[\xa1-\xae] ")
IN_TAG = re.compile(rb"<[^>]*")
BETWEEN_SIGNS = re.compile(rb"@([^@]+)@")
STARRED = re.compile(rb"\*([^*]+)\*")
MANDARIN_PAUSE = re.compile(rb"\xa3[\xac\xad] ")
MANDARIN_PERCENT = re.compile(rb"(?<=\s)%(?=\S)|(?<=\s\()%|%(?=\s)")
MANDARIN_WORDS = re.compile(rb"\s(?:\xda\xc0|\xdf\xc0|\xe0\xc5|\xdf\xed|\xba\xc7)\s")
ENGLISH_WORDS = re.compile(rb"[\s(]%%*(?i:%b)[\s)]" % HESITATIONS["english"])
LATIN_WORDS = {
    "german": re.compile(rb" (?i:%b) " % HESITATIONS["german"]),
    "spanish": re.compile(rb" (?i:%b) " % HESITATIONS["spanish"]),
}
MHM = re.compile(rb"[\s(]%*(MHM)[\s)]", re.IGNORECASE)
SPACES = re.compile(rb" +")
CLOSED_TAG = re.compile(rb"<[^\s<>]+>")


def without_comments(line: bytes) -> bytes:
    """Remove the parts of a line from `[[` to `]]`."""
    kept: list[bytes] = []
    at = begin = 0
    while (opening := line.find(b"[[", at)) >= 0 and (end := line.find(b"]", opening + 2)) >= 0:
        if line[end : end + 2] == b"]]":
            kept.append(line[begin:opening])
            at = begin = end + 2
        else:
            at = end
    return b"".join(kept) + line[begin:]


def _without_sounds(text: bytes) -> bytes:
    """Remove the parts of a text from `[` to `]`."""
    kept: list[bytes] = []
    at = 0
    while (opening := text.find(b"[", at)) >= 0 and (end := text.find(b"]", opening)) >= 0:
        kept.append(text[at:opening])
        at = end + 1
    return b"".join(kept) + text[at:]


@dataclass(frozen=True, slots=True)
class CallhomeText:
    """Splits the texts of turns into words.

    `is_mississippi` selects the marks of Mississippi State University's transcripts.
    """

    language: str = "english"
    is_optional: bool = False
    is_mississippi: bool = False
    folds: bool = True

    def words_of(self, text: bytes) -> bytes:
        """Return the text of a turn with one space between words, and one at each end."""
        text = text.replace(b"\t", b" ")
        text = b" %b " % text.replace(b" ", b"  ")
        text = BEHIND_CLOSING.sub(rb" )) ", BEFORE_OPENING.sub(rb" (( ", text))
        if self.is_optional:
            text = UNSURE_FOREIGN.sub(rb"((\1))", text)
        text = FOREIGN.sub(rb"((\1))" if self.is_optional else rb"\1", text)
        if self.folds and self.language != "arabic":
            text = self.folded(text)
        text = self._of_language(VOCAL_NOISE.sub(b"", text))
        text = _without_sounds(without_comments(PUNCTUATION.sub(b"", text)))
        text = text.replace(b"#", b" ") if b"#" in text else text
        text = ASIDE_TAG.sub(b"", text.replace(b"//", b""))
        if self.is_mississippi:
            text = _spelled(ASIDE.sub(b"", NAME_MARK.sub(rb"\1", text)))
        text = LETTER.sub(rb"\1.", NOTHING_HEARD.sub(b"", text)).replace(b"^", b"")
        text = self._sure(text)
        text = self._without_marks(text)
        return SPACES.sub(b" ", self._fragments(text))

    def folded(self, text: bytes) -> bytes:
        """Convert a text to capitals; in Spanish and German, also Latin-1 letters."""
        return text.upper().translate(TO_CAPITALS if self.language in LATIN else None)

    def _of_language(self, text: bytes) -> bytes:
        """Apply the steps that depend on the language; the common steps follow later."""
        if self.language == "arabic":
            said = b" (%b) " % ARABIC_HESITATION if self.is_optional else ARABIC_HESITATION
            text = ARABIC_HESITATIONS.sub(said + b" ", text)
            text = ARABIC_BACK_CHANNEL.sub(rb"\1 ", text)
            text = text.replace("%أجنبي ".encode(), b" ")
            first, last = text.find(CROSSING), text.rfind(CROSSING + b"\\ ")
            if first >= 0 and first + len(CROSSING) <= last:
                text = text[:first] + b" " + text[last + len(CROSSING) + 2 :]
            return ARABIC_NOISES.sub(b" ", text)
        if self.language == "mandarin":
            text = IN_TAG.sub(lambda match: match[0].replace(b"_", b" "), text)
            return STARRED.sub(rb"\1", BETWEEN_SIGNS.sub(rb"\1", text))
        if self.language == "japanese":
            text = JAPANESE_CHARACTER.sub(_apart, text)
            for mark, plain in JAPANESE_MARKS.items():
                text = text.replace(mark, plain)
            text = JAPANESE_OPENING.sub(rb"<\1", text)
            return JAPANESE_CLOSING.sub(rb"\1>", text)
        return text

    def _sure(self, text: bytes) -> bytes:
        """Remove the marks of unsure and foreign words, or make these words optional."""
        if not self.is_optional:
            text = BEHIND_CLOSING.sub(b" ", BEFORE_OPENING.sub(b" ", text))
            return TAG.sub(b"", OTHER_LANGUAGE.sub(rb"\1", text))
        text = BEHIND_BRACKET.sub(b"(", text)
        text = BLANK_OR_CLOSING.sub(lambda match: b")" if match[1] else match[0], text)
        before = b""
        while before != text:
            before = text
            text = UNSURE_TAG_ALONE.sub(rb"\1", text, count=1)
            text = UNSURE_TAG_FIRST.sub(rb"\1 ((\2))", text, count=1)
            text = UNSURE.sub(_next_optional, text)
        text = OTHER_LANGUAGE.sub(
            lambda match: b" ".join(
                word if word[:1] == b"(" and word[-1:] == b")" and len(word) > 2 else b"(%b)" % word
                for word in match[1].split()
            ),
            text,
        )
        return CLOSED_TAG.sub(b"", text)

    def _without_marks(self, text: bytes) -> bytes:
        """Remove the marks of words, and replace hesitations."""
        said = b" (%HESITATION) " if self.is_optional else HESITATION
        text = text.translate(None, MARKS.get(self.language, b""))
        if self.language == "spanish":
            text = text.translate(None, bytes(range(0xA0, 0xC0)))
        if self.language in LATIN:
            text = text.replace(b"**", b"")
            text = LATIN_WORDS[self.language].sub(b" " + said + b" ", text)
        if self.language == "english":
            text = ENGLISH_WORDS.sub(b" " + said + b" ", text)
            if self.is_mississippi:
                text = MHM.sub(rb" \1 ", text)
        if self.language == "arabic":
            text = ARABIC_PLUS.sub(rb" \1 ", text, count=1).replace(b"**", b"")
            text = text.replace(b" ", b"  ") + b" "
        if self.language == "mandarin":
            text = MANDARIN_PERCENT.sub(b"", MANDARIN_PAUSE.sub(b" ", text))
            text = MANDARIN_WORDS.sub(b" " + said + b" ", text)
        if self.language == "japanese":
            text = JAPANESE_REST.sub(b" ", text.replace(b"=", b"-"))
        return text

    def _fragments(self, text: bytes) -> bytes:
        """Mark each word fragment with a hyphen where it is broken off."""
        if not self.is_optional:
            return FRAGMENT_START.sub(rb" -\1 ", FRAGMENT_END.sub(rb"- ", text))
        text = WORD_AND_BLANK.sub(_optional_fragment, text)
        return FRAGMENT_START.sub(rb" (-\1) ", text)


def _spelled(text: bytes) -> bytes:
    """Write the letters after each `~` as separate words."""
    while b"~" in text:
        before = text
        text = re.sub(rb"~(\S) ", rb"\1 ", text, count=1)
        text = re.sub(rb"~(\S'[sS]) ", rb"\1 ", text, count=1)
        text = re.sub(rb"~(\S)(\S)", rb"\1 ~\2", text, count=1)
        if text == before:
            raise TangledError("a letter after ~")
    return text


def _next_optional(match: re.Match[bytes]) -> bytes:
    """Mark the unsure words in a match as optional, in the same steps as `chfilt`.

    A step has an optional and a plain word, and the last word if one remains. A tag that is not
    first in a step is a word.
    """
    items = UNSURE_ITEM.findall(match[1])
    count = len(items)
    taken = count
    if b"<" in match[1]:
        taken = int(count > 1 and items[0][:1] == b"(")
        taken += count > taken + 1 and items[taken][:1] != b"("
        taken += count == taken + 1
    words = b" ".join(one if one[:1] == b"(" else b"(%b)" % one for one in items[:taken])
    rest = b"((%b)) " % b" ".join(items[taken:]) if taken < count else b""
    return b" %b %b" % (words, rest)


def _optional_fragment(match: re.Match[bytes]) -> bytes:
    word, blank = match.groups()
    if word[-1:] not in (b"-", b"=") or not blank:
        return match[0]
    hyphen = word.rfind(b"-", 1, len(word) - 2)
    if hyphen > 0:
        return b" %b (%b-) " % (word[:hyphen], word[hyphen + 1 : -1])
    return b" (%b-) " % word[:-1]


def _apart(match: re.Match[bytes]) -> bytes:
    """Return a two-byte character. A blank follows it if it is a punctuation mark."""
    return match[0] + b" " if JAPANESE_MARK.match(match[0]) else match[0]
