"""Random transcript text: words with everything sclite treats specially, and their corruption.

Text is kept as `str` in which one character is one byte (Latin-1), so that bytes from 0x80 on
need no second kind of string.
"""

from dataclasses import dataclass
from random import Random

CONSONANTS = "bdfgklmnprstvz"
VOWELS = "aeiou"
HIGH = [
    "caf\u00c3\u00a9",  # UTF-8 for an accented letter
    "\u00c3\u0089t\u00c3\u00a9",
    "na\u00efve",  # a bare Latin-1 byte
    "\u00c9",
    "x\u00a0y",
    "\u00b0\u00a1\u00b0\u00a2",  # two two-byte characters
]
ODD = ['"', "a:b", "a,b", "<x>", "%d", "%", "&", "a/b", "/c", "}", "x}", "=", "a=b", "'t", "5", "-"]
DECORATIONS = (
    "upper",
    "tag",
    "escape",
    "star",
    "optional",
    "fragment",
    "high",
    "null",
    "odd",
    "long",
    "empty",
)


@dataclass(frozen=True)
class Style:
    """What the words of one case look like: the vocabulary and how often each oddity occurs."""

    words: tuple[str, ...]
    rates: dict[str, float]
    reference_alternations: float
    hypothesis_alternations: float
    repeats: float
    error_rate: float


def random_word(rng: Random) -> str:
    """A pronounceable word of one to four syllables."""
    syllables = rng.choice((1, 1, 2, 2, 3, 4))
    return "".join(rng.choice(CONSONANTS) + rng.choice(VOWELS) for _ in range(syllables))


def random_style(rng: Random) -> Style:
    """Draw a style: plain and tiny vocabularies often, every oddity now and then."""
    size = rng.choice((2, 3, 4, 4, 8, 20, 200))
    words = tuple("abcd"[:size]) if size <= 4 else tuple(random_word(rng) for _ in range(size))
    rates = dict.fromkeys(DECORATIONS, 0.0)
    if rng.random() < 0.65:
        for name in rng.sample(DECORATIONS, rng.randint(1, 5)):
            rates[name] = rng.choice((0.02, 0.1, 0.3))
    rates["empty"] = min(rates["empty"], 0.02)
    return Style(
        words=words,
        rates=rates,
        reference_alternations=rng.choice((0, 0, 0, 0.1, 0.4)),
        hypothesis_alternations=rng.choice((0, 0, 0, 0, 0.1, 0.3)),
        repeats=rng.choice((0.0, 0.1, 0.5)),
        error_rate=rng.choice((0.0, 0.1, 0.25, 0.5, 0.9)),
    )


def decorate(rng: Random, word: str, style: Style) -> str:
    """Apply the style's oddities to one plain word."""
    rates = style.rates
    if rng.random() < rates["null"]:
        return "@"
    if rng.random() < rates["odd"]:
        return rng.choice(ODD)
    if rng.random() < rates["empty"]:
        return rng.choice((";z", "\\", ";"))
    if rng.random() < rates["high"]:
        word = rng.choice(HIGH)
    if rng.random() < rates["long"]:
        word = (word * 20)[: rng.randint(15, 30)]
    if rng.random() < rates["upper"]:
        word = rng.choice((word.upper(), word[:1].upper() + word[1:]))
    if rng.random() < rates["fragment"]:
        word = rng.choice((word + "-", "-" + word, word[:1] + "-", "-" + word[-1:], "-"))
    if rng.random() < rates["escape"]:
        word = rng.choice((word + "\\;x", "\\" + word, word[:1] + "\\" + word[1:], word + "\\\\"))
    if rng.random() < rates["star"]:
        word += rng.choice(("*", "*", "**"))
    if rng.random() < rates["optional"]:
        word = f"({word})"
    if rng.random() < rates["tag"]:
        word += rng.choice((";t", ";t;u", ";1;2;3", ";;u", ";", ";T\\;x"))
    return word


def random_words(rng: Random, style: Style, count: int) -> list[str]:
    """`count` words of the style, with the repetitions that make ties."""
    words: list[str] = []
    for _ in range(count):
        if words and rng.random() < style.repeats:
            words.append(rng.choice(words[-3:]))
        else:
            words.append(decorate(rng, rng.choice(style.words), style))
    return words


def corrupt(rng: Random, style: Style, words: list[str]) -> list[str]:
    """A hypothesis for `words`: substitutions, deletions and insertions at the style's rate."""
    result: list[str] = []
    for word in words:
        if rng.random() >= style.error_rate:
            result.append(word)
            continue
        kind = rng.choice("sssddii")
        if kind != "d":
            result.append(decorate(rng, rng.choice(style.words), style))
        if kind == "i":
            result.append(word)
    if rng.random() < style.error_rate / 4:
        rng.shuffle(result)
    return result


def alternation(rng: Random, style: Style, word: str, depth: int = 0) -> str:
    """An alternation with `word` among its alternatives, possibly nested."""
    pieces: list[str] = []
    for position in range(rng.choice((1, 2, 2, 2, 3))):
        roll = rng.random()
        if roll < 0.15:
            pieces.append("@")
        elif roll < 0.30 and depth < 2:
            nested = alternation(rng, style, rng.choice(style.words), depth + 1)
            pieces.append(" ".join(rng.sample([nested, rng.choice(style.words)], 2)))
        elif roll < 0.45:
            pieces.append(" ".join(random_words(rng, style, rng.randint(2, 3))))
        else:
            pieces.append(word if position == 0 else decorate(rng, rng.choice(style.words), style))
    rng.shuffle(pieces)
    pieces = [piece.replace("}", "") if "{" not in piece else piece for piece in pieces]
    pieces = [piece if piece.strip(" /") else "e" for piece in pieces]
    if rng.random() < 0.05:
        pieces.append("")  # an empty alternative vanishes
    blank = rng.choice((" ", " ", ""))
    return "{" + blank + f"{blank}/{blank}".join(pieces) + blank + "}"


def transcript(rng: Random, style: Style, words: list[str], rate: float) -> str:
    """The words as the text of an utterance, some of them inside alternations."""
    parts: list[str] = []
    for word in words:
        if rng.random() < rate:
            part = alternation(rng, style, word)
            if rng.random() < 0.15:  # a word glued to the closing brace is a word of its own
                part += rng.choice(style.words)
            parts.append(part)
        else:
            parts.append(word)
    separator = " " if rng.random() < 0.9 else rng.choice(("  ", "\t", " \t "))
    return separator.join(parts)


def plain_words(text_words: list[str]) -> list[str]:
    """Words fit for one field of a ctm line: no blanks inside, none empty."""
    return [word for word in text_words if word and not word.isspace()]
