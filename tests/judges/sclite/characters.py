"""Cases of `-e` and `-c`: encodings, localised case, broken bytes, characters as units.

Text is byte text here as everywhere in the generator: one character of `str` is one byte.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from tests.judges.sclite import timed, trn
from tests.judges.sclite.case import Case
from tests.judges.sclite.options import Choice, Option, draw, hypothesis_option
from tests.judges.sclite.text import DECORATIONS, Style

ENCODINGS = ("utf-8", "utf-8", "utf-8", "gb", "euc", "ext_ascii", "ascii")
CODECS = {"utf-8": "utf-8", "gb": "gbk", "euc": "gb2312", "ext_ascii": "latin-1"}
ASCII = "a b c ab AB a-b I i"
# Words of a language or a kind of character, by encoding; none is longer than 40 bytes.
ALPHABETS: dict[str, dict[str, str]] = {
    "utf-8": {
        "babel_turkish": "\u0130I \u0131i I\u015e\u0131K \u0130\u011e\u00dc \u00e7\u00d6 \u00c2",
        "babel_vietnamese": "\u1ea4\u1ea5 vi\u1ec6T \u0110\u00e3 \u01a0\u01b0 \u1ef8\u1ef9",
        "babel_lithuanian": "\u0104\u010d \u017d\u0173 \u016a \u016b\u0117 A\u0118",
        "babel_kurmanji": "\u00ca\u015e \u00ea\u015f \u00ce\u00fb \u00e7A",
        "babel_cebuano": "\u00d1o \u00f1O pi\u00d1a",
        "babel_kazakh": "\u0416\u0451 \u0401\u0436 \u0492\u0493 \u04d8 \u04e9\u0406 \u0457",
        "babel_mongolian": "\u0416\u04ae \u0436\u04af \u04e8\u04e9 \u0419 \u0404",
        "babel_guarani": "G\u0303a g\u0303A \u00d1\u1ebc \u1ebd\u00d5 g\u0302 \u0303g",
        "generic": "\u00e9t\u00e9 \u00c9T\u00c9 na\u00efve \u03a9\u03c9 \u00df",
        "cantonese": "\u5514\u8a72 \u4f62\u54cb \u563a\u4fc2 ok\u5566 \u5514",
        "arabic": "\u0643\u062a\u0627\u0628 \u0627\u0644\u0643\u062a\u0628 \u0643 \u0643\u064e",
        "marks": "e\u0301 E\u0301 n\u0303a \U0001f600x \U0001f468\u200d\U0001f469 \u00a0 x\u3000y",
    },
    "gb": {
        "gb": "\u4e2d\u6587 \u4e2d a\u6587 A\u4e2dB \u6587-\u4e2d",
        # second bytes below 0x80, capitals and braces' neighbours among them
        "gbk": "\u4e02 \u4e04\u4e05A \u4e42 a\u4e51b \u4e8a",
    },
    "euc": {"gb": "\u4e2d\u6587 \u4e2d A\u4e2dB \u6587"},
    "ext_ascii": {"latin-1": "\u00e9t\u00e9 \u00c9T\u00c9 \u00d7 \u00f7 \u00df \u00ff y"},
    "ascii": {"latin-1": "\u00e9t\u00e9 \u00c9T\u00c9 x\u00a0y"},
}
# Characters that swallow what follows them, and forms no encoder writes, blind to the right.
BROKEN = {
    "utf-8": (
        "a\xc3 b",
        "\xe4\xb8 x",
        "\xc3/y",
        "\xc3;t",
        "\xc3Ab",
        "\xc1\x89",  # an overlong I
        "\xe0\x83\x89",
        "\xed\xa0\x80",
        "\xf8\x88\x80\x80\x80",
        "\xc3\x09z",
        "\xc3-z",
        "\xc3@x",
    ),
    "gb": ("a\xb0 b", "\xb0/y", "\xb0;t", "\xb0Ab", "\xb0}z", "\xb0-z", "\xb0@x"),
}
LOCALIZATIONS = tuple(name for name in ALPHABETS["utf-8"] if name.startswith(("babel", "generic")))
NO_CHARACTER = ("\xff", "\x80", "\xfe", "\xbf", "\xfc\x80\x80\x80\x80\x80", "\xfdxxxxx")
DECORATED = ("null", "optional", "tag", "star", "odd")
GROUP = re.compile(rb"\{[^\n]*\}|<ALT_BEGIN>(?s:.*?)<ALT_END>", re.IGNORECASE)


@dataclass(frozen=True)
class Language:
    """An encoding, the localisation that fits its words, and the words as bytes."""

    encoding: str
    localization: str
    words: tuple[str, ...]


def random_language(rng: Random) -> Language:
    """Words of one or two kinds of character in one encoding, some of them broken."""
    encoding = rng.choice(ENCODINGS)
    alphabets = ALPHABETS[encoding]
    names = rng.sample(sorted(alphabets), min(len(alphabets), rng.choice((1, 1, 2))))
    drawn = [ASCII, *[alphabets[name] for name in names]]
    codec = CODECS.get(encoding, "latin-1")
    words = [word.encode(codec).decode("latin-1") for text in drawn for word in text.split(" ")]
    words = [word for word in words if "{" not in word]
    broken = BROKEN.get("gb" if encoding == "euc" else encoding, ())
    if broken and rng.random() < 0.25:
        words += rng.sample(broken, rng.choice((1, 2, 4)))
    # whole words only: half a character would swallow what follows it
    words += [rng.choice((f"{word}-", f"-{word}")) for word in rng.sample(words, 2)]
    localization = names[0] if names[0] in LOCALIZATIONS else "generic"
    return Language(encoding, localization, tuple(words))


def encoding_options(rng: Random, language: Language) -> list[Option]:
    """`-e`, mostly with the localisation that fits the words."""
    if language.encoding == "ascii" and rng.random() < 0.7:
        return []
    spelt = rng.choice((language.encoding, language.encoding, language.encoding.upper()))
    if language.encoding == "utf-8" and rng.random() < 0.75:
        name = language.localization if rng.random() < 0.8 else rng.choice(LOCALIZATIONS)
        return [("-e", spelt, rng.choice((name, name, name.upper())))]
    return [("-e", spelt, "babel_turkish") if rng.random() < 0.1 else ("-e", spelt)]


def character_units(rng: Random) -> list[Option]:
    """`-c` in one of its forms, or not at all."""
    if rng.random() < 0.35:
        return []
    return [("-c", *rng.choice(((), (), ("NOASCII",), ("DH",), ("NOASCII", "DH"))))]


def random_character_style(rng: Random, words: Sequence[str]) -> Style:
    """The words with marks that leave their characters whole."""
    rates = dict.fromkeys(DECORATIONS, 0.0)
    for name in rng.sample(DECORATED, rng.choice((0, 0, 1, 2))):
        rates[name] = rng.choice((0.05, 0.2))
    return Style(
        words=tuple(rng.sample(list(words), min(len(words), rng.choice((3, 6, 50))))),
        rates=rates,
        reference_alternations=rng.choice((0.0, 0.0, 0.2)),
        hypothesis_alternations=rng.choice((0.0, 0.0, 0.15)),
        repeats=rng.choice((0.0, 0.2)),
        error_rate=rng.choice((0.1, 0.4, 0.7)),
    )


def drawn(rng: Random, style: Style, own: list[Option], *, confidences: bool) -> Choice:
    """The options of a case; word weights exclude `-c`."""
    # `draw` takes -T as the sign to leave word weights out
    exclusive: tuple[Option, ...] = (("-T",),) if any(one[0] == "-c" for one in own) else ()
    choice = draw(rng, confidences=confidences, words=style.words, exclusive=exclusive)
    choice.options = [*own, *(option for option in choice.options if option != ("-T",))]
    rng.shuffle(choice.options)
    return choice


def single_optional(content: bytes) -> bytes:
    """At most one word in parentheses in each group of alternatives.

    Of two that leave the same place, `-c` splits one after the other without end.
    """

    def one(group: re.Match[bytes]) -> bytes:
        head, opening, tail = group[0].partition(b"(")
        inner, closing, rest = tail.partition(b")")
        return head + opening + inner + closing + re.sub(rb"[()]", b"", rest)

    return GROUP.sub(one, content)


def with_no_character(rng: Random, content: bytes) -> bytes:
    """A line with bytes that are no character, in front of one of its words."""
    lines = content.split(b"\n")
    # in a definition it is found, or not, when definitions are compared
    choice = [at for at, line in enumerate(lines[:-1]) if b'"' not in line]
    if not choice:
        return content
    at = rng.choice(choice)
    words = lines[at].split(b" ")
    place = rng.randrange(len(words))
    words[place] = rng.choice(NO_CHARACTER).encode("latin-1") + words[place]
    lines[at] = b" ".join(words)
    return b"\n".join(lines)


def trn_files(rng: Random, style: Style, language: Language, choice: Choice) -> dict[str, bytes]:
    """Reference and hypothesis, and their options; identifiers in the language, too."""
    kind = rng.choice(trn.ID_TYPES)
    utterances = trn.random_utterances(rng, style, kind, lengths=(3, 6, 10))
    letters = [word for word in language.words if word.isalpha() and not word.isascii()]
    # wsj cuts names after three bytes, which may be half a character
    if language.encoding == "utf-8" and letters and kind != "wsj" and rng.random() < 0.3:
        name = rng.choice(letters)
        utterances = [replace(one, identifier=f"({name}{one.identifier[1:]}") for one in utterances]
    else:
        utterances = [
            replace(one, identifier="".join(c for c in one.identifier if c.isascii()))
            for one in utterances
        ]
    choice.options[0:0] = [("-r", "ref.trn"), ("-i", kind)]
    choice.options.append(hypothesis_option(rng, "hyp.trn", "trn"))
    return {
        "ref.trn": trn.reference_file(rng, utterances),
        "hyp.trn": trn.hypothesis_file(rng, style, utterances),
    }


def timed_files(rng: Random, style: Style, choice: Choice) -> dict[str, bytes]:
    """Reference segments and a timed hypothesis, and their options."""
    labels, lines = timed.definitions(rng)
    everything = timed.recordings(rng, style, labels)
    lines = lines + timed.stm_lines(rng, everything)
    choice.options.insert(0, ("-r", "ref.stm", "stm"))
    choice.options.append(hypothesis_option(rng, "hyp.ctm", "ctm"))
    return {
        "ref.stm": timed.encoded(rng, lines),
        "hyp.ctm": timed.encoded(rng, timed.hypothesis_lines(rng, style, everything)),
    }


def character_case(rng: Random, name: str) -> Case:
    """Draw one case of trn with trn or stm with ctm in some encoding."""
    language = random_language(rng)
    style = random_character_style(rng, language.words)
    units = character_units(rng)
    if units and rng.random() < 0.1:
        style = replace(style, words=(*style.words, "a@b", "@@"))
    choice = drawn(rng, style, [*encoding_options(rng, language), *units], confidences=True)
    is_timed = rng.random() < 0.4
    if is_timed:
        files = timed_files(rng, style, choice)
    else:
        choice.options = [option for option in choice.options if option[0] != "-C"]
        files = trn_files(rng, style, language, choice)
    if units and ("-D",) in choice.options:
        files = {path: single_optional(content) for path, content in files.items()}
    if rng.random() < 0.04:
        path = rng.choice(sorted(files))
        files[path] = with_no_character(rng, files[path])
    return choice.case(name, "characters", files)
