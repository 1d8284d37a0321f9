"""Cases of `-e`, `-c` and `-S`: encodings, localised case, characters, inferred segmentation."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from tests.differential import trn
from tests.differential.case import Case
from tests.differential.options import Option, draw, hypothesis_option
from tests.differential.text import DECORATIONS, Style

LEXICON = "lexicon.txt"
ENCODINGS: dict[str, tuple[str, str]] = {
    "utf-8": (
        "utf-8",
        "a b c ab AB \u00e9t\u00e9 \u00c9T\u00c9 \u4e2d\u6587 \u0130 I \u0131 "
        "\u0416\u0436 na\u00efve",
    ),
    "gb": ("gb2312", "a b c ab AB \u4e2d\u6587 \u4e2d a\u6587 A\u4e2dB"),
    "euc": ("gb2312", "a b c ab AB \u4e2d\u6587 \u4e2d"),
    "ext_ascii": ("latin-1", "a b c ab AB \u00e9t\u00e9 \u00c9T\u00c9 \u00d7 \u00df \u00ff"),
    "ascii": ("latin-1", "a b c ab AB \u00e9t\u00e9 \u00c9T\u00c9 x\u00a0y"),
}
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
    "BABEL_Turkish",
)


def character_options(rng: Random, encoding: str) -> list[Option]:
    """`-e` with a localisation now and then, and `-c` or `-S`."""
    options: list[Option] = []
    if encoding != "ascii" or rng.random() < 0.3:
        named = rng.random() < (0.6 if encoding == "utf-8" else 0.1)
        options.append(("-e", encoding, rng.choice(LOCALIZATIONS)) if named else ("-e", encoding))
    roll = rng.random()
    if roll < 0.5:
        options.append(("-c", *rng.choice(((), ("NOASCII",), ("DH",), ("NOASCII", "DH")))))
    elif roll < 0.7:
        flag: Option = ("ASCIITOO",) if rng.random() < 0.5 else ()
        options.append(("-S", rng.choice(("algo1", "algo2")), LEXICON, *flag))
    return options


def character_case(rng: Random, name: str) -> Case:
    """Draw one trn case in some encoding."""
    encoding = rng.choice(("utf-8", "utf-8", "utf-8", *ENCODINGS))
    codec, vocabulary = ENCODINGS[encoding]
    # One character of `str` is one byte from here on, as everywhere in the generator.
    words = tuple(word.encode(codec).decode("latin-1") for word in vocabulary.split(" "))
    # Fragments are made of whole words only: half a character would swallow what follows it.
    words += tuple(rng.choice((f"{word}-", f"-{word}")) for word in rng.sample(words, 2))
    style = Style(
        words=words,
        rates=dict.fromkeys(DECORATIONS, 0.0) | {"optional": rng.choice((0.0, 0.1))},
        reference_alternations=rng.choice((0.0, 0.0, 0.2)),
        hypothesis_alternations=rng.choice((0.0, 0.0, 0.1)),
        repeats=0.2,
        error_rate=rng.choice((0.1, 0.4)),
    )
    kind = rng.choice(trn.ID_TYPES)
    # Ids stay in ASCII, for the same reason.
    utterances = [
        replace(one, identifier="".join(c for c in one.identifier if c.isascii()))
        for one in trn.random_utterances(rng, style, kind, lengths=(3, 6, 10))
    ]
    own = character_options(rng, encoding)
    # Word weights exclude -c and -S, as -T does, which `draw` takes as the sign to leave them out.
    choice = draw(rng, confidences=False, words=words, exclusive=(("-T",),))
    choice.options = [option for option in choice.options if option != ("-T",)]
    choice.options = [("-r", "ref.trn"), ("-i", kind), *own, *choice.options]
    choice.options.append(hypothesis_option(rng, "hyp.trn", "trn"))
    files = {
        "ref.trn": trn.reference_file(rng, utterances),
        "hyp.trn": trn.hypothesis_file(rng, style, utterances),
    }
    if any(option[0] == "-S" for option in own):
        entries = {word.encode("latin-1") for word in words}
        files[LEXICON] = b"".join(entry + b"\n" for entry in sorted(entries))
    return Case(
        name=name,
        kind="characters",
        options=tuple(choice.options),
        files=files,
        directories=tuple(choice.directories),
        features=frozenset(style.features | choice.features | {f"encoding {encoding}"}),
    )
