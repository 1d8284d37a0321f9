"""Cases of `-S`: the same characters in other words on either side, and lexicons to put them right.

Alphabets are small and lexicon entries overlap, so that many paths cost the same.
"""

import re
from dataclasses import replace
from random import Random

from tests.judges.sclite import timed, trn
from tests.judges.sclite.case import Case
from tests.judges.sclite.options import Choice, Option, draw, hypothesis_option
from tests.judges.sclite.text import DECORATIONS, Style, corrupt, transcript

LEXICON = "words.lex"
DIRECTORY = "lexicon.d"
# Encodings of `-e` with their alphabets, a character of an alphabet being a word here.
ALPHABETS: dict[str, tuple[str, ...]] = {
    "ascii": ("a b", "a b c", "a b C -", "a \u00e9 \u00c9"),
    "utf-8": (
        "a b \u4e2d",
        "\u4e2d \u6587",
        "a B \u00e9 \u00c9",
        "\u0130 I i \U0001f600",
        "g\u0303 g a",
    ),
    "gb": ("a b \u4e2d", "\u4e2d \u6587", "a B \u6587"),
    "ext_ascii": ("a B \u00e9 \u00c9",),
}
CODECS = {"utf-8": "utf-8", "gb": "gb2312"}
DECORATED = ("null", "optional", "tag", "star", "odd", "fragment", "upper", "escape")
WHOLE = DECORATED[:5]  # these never tear a character of several bytes
GROUP = re.compile(rb"\{[^\n]*\}|<ALT_BEGIN>(?s:.*?)<ALT_END>", re.IGNORECASE)


def random_word(rng: Random, alphabet: tuple[str, ...]) -> tuple[str, ...]:
    """The characters of a word."""
    return tuple(rng.choice(alphabet) for _ in range(rng.choice((1, 1, 2, 2, 3, 4))))


def joinable(word: str) -> bool:
    """Letters and bytes from 0x80 on: nothing sclite treats specially."""
    return all(character.isalpha() or character >= "\x80" for character in word)


class Vocabulary:
    """Words of a small alphabet, and how to write the same characters as other words."""

    def __init__(self, rng: Random, encoding: str) -> None:
        self._rng = rng
        # one character of `str` is one byte from here on, as everywhere in the generator
        codec = CODECS.get(encoding, "latin-1")
        drawn = rng.choice(ALPHABETS[encoding]).split(" ")
        alphabet = tuple(character.encode(codec).decode("latin-1") for character in drawn)
        self._characters = {
            "".join(word): word
            for word in (random_word(rng, alphabet) for _ in range(rng.choice((3, 6, 12))))
        }
        self.words = tuple(self._characters)

    def rewritten(self, words: list[str]) -> list[str]:
        """Some words split, some neighbours put together."""
        rng = self._rng
        result: list[str] = []
        for word in words:
            characters = self._characters.get(word, (word,))
            cut = rng.randint(1, len(characters) - 1) if len(characters) > 1 else 0
            if cut and rng.random() < 0.3:
                result += ["".join(characters[:cut]), "".join(characters[cut:])]
            elif result and joinable(word) and joinable(result[-1]) and rng.random() < 0.3:
                result[-1] += word
            else:
                result.append(word)
        return result

    def lexicon(self) -> bytes:
        """Words, their neighbours' combinations, and now and then what does not belong there."""
        rng = self._rng
        entries = set(rng.sample(self.words, rng.randint(1, len(self.words))))
        for _ in range(rng.choice((0, 4, 10))):
            entries.add("".join(rng.choice(self.words) for _ in range(2)))
        if rng.random() < 0.1:
            entries.add(rng.choice(("@", "a-", "-", "a*", "(a)", "")))
        lines = [entry.encode("latin-1") for entry in sorted(entries)]
        if rng.random() < 0.15:
            rng.shuffle(lines)
        if rng.random() < 0.2:
            tail = rng.choice((b" a p", b"\tx", b"\r", b"\0z", b"\v"))
            lines = [line + rng.choice((b"", tail)) for line in lines]
        if rng.random() < 0.1:
            lines.insert(rng.randint(0, len(lines)), rng.choice((b"", b"  a", lines[0], b"\ta")))
        return b"\n".join(lines) + rng.choice((b"\n", b"\n", b""))


def random_style(rng: Random, words: tuple[str, ...], oddities: tuple[str, ...]) -> Style:
    """Few oddities, alternations often."""
    rates = dict.fromkeys(DECORATIONS, 0.0)
    if rng.random() < 0.6:
        for name in rng.sample(oddities, rng.randint(1, 3)):
            rates[name] = rng.choice((0.05, 0.2))
    return Style(
        words=words,
        rates=rates,
        reference_alternations=rng.choice((0.0, 0.0, 0.1, 0.3)),
        hypothesis_alternations=rng.choice((0.0, 0.0, 0.1, 0.3)),
        repeats=rng.choice((0.0, 0.3)),
        error_rate=rng.choice((0.0, 0.1, 0.3)),
    )


def tame(content: bytes) -> bytes:
    """Leave one optional word in each alternation: several would be split for ever."""

    def one(group: re.Match[bytes]) -> bytes:
        head, opening, tail = group[0].partition(b"(")
        inner, closing, rest = tail.partition(b")")
        return head + opening + inner + closing + re.sub(rb"[()]", b"", rest)

    return GROUP.sub(one, content)


def segmentation_options(rng: Random) -> list[Option]:
    """`-S`, nearly always once; `-c` beside it means little."""
    flag: Option = ("ASCIITOO",) if rng.random() < 0.75 else ()
    lexicon = DIRECTORY if rng.random() < 0.02 else LEXICON
    options: list[Option] = [("-S", rng.choice(("algo1", "algo2")), lexicon, *flag)]
    if rng.random() < 0.04:
        options.append(("-S", rng.choice(("algo1", "algo2")), LEXICON))
    if rng.random() < 0.03:
        options.append(("-c", *rng.choice(((), ("NOASCII",)))))
    return options


def encoding_options(rng: Random, encoding: str) -> list[Option]:
    """`-e`, now and then with a localisation."""
    if encoding == "ascii":
        return []
    if rng.random() < 0.3:
        localization = rng.choice(("generic", "babel_turkish", "babel_guarani", "babel_guarani"))
        return [("-e", encoding, localization)]
    return [("-e", encoding)]


def drawn(rng: Random, style: Style, *, confidences: bool) -> Choice:
    """The options of a case; word weights exclude `-S`."""
    # `draw` takes -T as the sign to leave word weights out
    choice = draw(rng, confidences=confidences, words=style.words, exclusive=(("-T",),))
    choice.options = [option for option in choice.options if option != ("-T",)]
    choice.options += segmentation_options(rng)
    rng.shuffle(choice.options)
    choice.directories.append(DIRECTORY)
    return choice


def trn_files(
    rng: Random, style: Style, vocabulary: Vocabulary, choice: Choice
) -> dict[str, bytes]:
    """Reference and hypotheses, and their options."""
    kind = rng.choice(trn.ID_TYPES)
    utterances = [
        replace(one, identifier="".join(c for c in one.identifier if c.isascii()))
        for one in trn.random_utterances(rng, style, kind, lengths=(3, 6, 10))
    ]
    choice.options[0:0] = [("-r", "ref.trn"), ("-i", kind)]
    files = {"ref.trn": trn.reference_file(rng, utterances)}
    for path in rng.sample(trn.HYPOTHESES, rng.choice((1, 1, 2))):
        lines = []
        for one in utterances:
            words = vocabulary.rewritten(corrupt(rng, style, one.words))
            text = transcript(rng, style, words, style.hypothesis_alternations)
            lines.append(trn.trn_line(rng, f"{' ' * (text[:1] in '*;')}{text}", one.identifier))
        files[path] = trn.trn_file(trn.with_comments(rng, lines))
        choice.options.append(hypothesis_option(rng, path, "trn"))
    return files


def timed_files(
    rng: Random, style: Style, vocabulary: Vocabulary, choice: Choice
) -> dict[str, bytes]:
    """Reference segments and timed hypotheses, and their options."""
    everything = timed.recordings(rng, style, [])
    files = {"ref.stm": timed.encoded(rng, timed.stm_lines(rng, everything))}
    choice.options.insert(0, ("-r", "ref.stm", "stm"))
    for path in rng.sample(timed.HYPOTHESES, rng.choice((1, 1, 2))):
        for recording in everything[:-1]:
            for segment in recording.segments:
                segment.words = vocabulary.rewritten(segment.words)
        files[path] = timed.encoded(rng, timed.hypothesis_lines(rng, style, everything))
        choice.options.append(hypothesis_option(rng, path, "ctm"))
    return files


def passed_over(rng: Random, name: str, lexicon: bytes) -> Case:
    """With a ctm reference nothing is inferred."""
    case = timed.ctm_case(rng, name)
    return replace(
        case,
        kind="segmentation",
        options=tuple(
            [option for option in case.options if option[0] != "-w"] + segmentation_options(rng)
        ),
        files={**case.files, LEXICON: lexicon},
        directories=(*case.directories, DIRECTORY),
    )


def segmentation_case(rng: Random, name: str) -> Case:
    """Draw one case."""
    encoding = rng.choice(tuple(ALPHABETS))
    vocabulary = Vocabulary(rng, encoding)
    if rng.random() < 0.03:
        return passed_over(rng, name, vocabulary.lexicon())
    oddities = WHOLE if encoding in CODECS else DECORATED
    style = random_style(rng, vocabulary.words, oddities)
    in_time = rng.random() < 0.4
    choice = drawn(rng, style, confidences=in_time)
    choice.options += encoding_options(rng, encoding)
    make = timed_files if in_time else trn_files
    files = make(rng, style, vocabulary, choice)
    if ("-D",) in choice.options:
        files = {path: tame(content) for path, content in files.items()}
    return choice.case(name, "segmentation", {**files, LEXICON: vocabulary.lexicon()})
