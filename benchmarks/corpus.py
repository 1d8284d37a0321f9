"""Synthetic corpora: words of an invented language by Zipf's law, with errors at a chosen rate.

    python benchmarks/corpus.py DIR --utterances 1000 --words 20 --errors 0.1

The command writes a pair of trn files, and an stm with ctm files, into DIR. Equal options give
equal corpora. The benchmarks use the same generator.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

ONSETS = (
    "b",
    "d",
    "f",
    "g",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "z",
    "st",
    "br",
    "pl",
    "",
)
NUCLEI = ("a", "e", "i", "o", "u", "ai", "ou")
CODAS = ("", "", "n", "r", "s", "l", "m")
WORD_SECONDS = 0.3
PAUSE_SECONDS = 0.5


@dataclass(frozen=True)
class Utterance:
    """A reference and its hypothesis."""

    speaker: str
    number: int
    reference: list[str]
    hypothesis: list[str]

    @property
    def identifier(self) -> str:
        """The utterance id without parentheses, in the form `speaker-number`."""
        return f"{self.speaker}-{self.number:06d}"


@dataclass(frozen=True)
class Shape:
    """The size and the error rate of a corpus.

    `words` is the mean number of reference words per utterance. If `even` is true, lengths are
    distributed evenly from 0.5 to 1.5 times this mean. `error_rate`, from 0 to 1, is the
    probability of an error at a word: of five errors, on average three are substitutions, one is a
    deletion and one an insertion.
    """

    utterances: int
    words: int
    vocabulary: int = 20_000
    speakers: int = 50
    error_rate: float = 0.1
    seed: int = 1
    even: bool = True


def vocabulary(size: int, rng: Random) -> list[str]:
    """Return `size` different pronounceable words.

    As in real languages, frequent words are short.
    """
    words: dict[str, None] = {}
    while len(words) < size:
        syllables = 1 + int(3 * len(words) / size + rng.random())
        parts = [rng.choice(ONSETS) + rng.choice(NUCLEI) for _ in range(syllables)]
        words["".join(parts) + rng.choice(CODAS)] = None
    return list(words)


def corrupt(words: list[str], rate: float, rng: Random, others: Iterator[str]) -> list[str]:
    """Insert errors into words: `rate` is the probability of an error at a word."""
    result: list[str] = []
    for word in words:
        if rng.random() >= rate:
            result.append(word)
            continue
        roll = rng.random()
        if roll >= 0.2:
            result.append(next(others))
        if roll >= 0.8:
            result.append(word)
    return result


def zipfian(words: Sequence[str], rng: Random) -> Iterator[str]:
    """Yield words without end; the probability of a word is inversely proportional to its rank."""
    cumulative = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    while True:
        yield from rng.choices(words, cum_weights=cumulative, k=100_000)


def generate(shape: Shape) -> list[Utterance]:
    """Draw a corpus with this shape. Equal shapes give equal corpora."""
    rng = Random(shape.seed)
    words = vocabulary(shape.vocabulary, rng)
    stream, others = zipfian(words, rng), zipfian(words, rng)
    corpus: list[Utterance] = []
    for number in range(shape.utterances):
        length = shape.words
        if shape.even:
            length = rng.randint((shape.words + 1) // 2, shape.words + shape.words // 2)
        reference = [next(stream) for _ in range(length)]
        hypothesis = corrupt(reference, shape.error_rate, rng, others)
        speaker = f"spk{number * shape.speakers // shape.utterances:03d}"
        corpus.append(Utterance(speaker, number, reference, hypothesis))
    return corpus


def write_trn(corpus: Sequence[Utterance], directory: Path) -> None:
    """Write `ref.trn` and `hyp.trn`; score them with `-i spu_id`."""
    for name in ("ref", "hyp"):
        with open(directory / f"{name}.trn", "w", encoding="ascii", newline="\n") as stream:
            for utterance in corpus:
                words = utterance.reference if name == "ref" else utterance.hypothesis
                stream.write(f"{' '.join(words)} ({utterance.identifier})\n")


def write_timed(corpus: Sequence[Utterance], directory: Path) -> None:
    """Write `ref.stm`, `ref.ctm` and `hyp.ctm`; each speaker has a recording."""
    with (
        open(directory / "ref.stm", "w", encoding="ascii", newline="\n") as stm,
        open(directory / "ref.ctm", "w", encoding="ascii", newline="\n") as words,
        open(directory / "hyp.ctm", "w", encoding="ascii", newline="\n") as ctm,
    ):
        clocks: dict[str, float] = {}
        for utterance in corpus:
            place = f"{utterance.speaker} 1"
            begin = clocks.get(utterance.speaker, 0.0)
            spoken = max(len(utterance.reference), len(utterance.hypothesis))
            end = begin + PAUSE_SECONDS + WORD_SECONDS * spoken
            clocks[utterance.speaker] = end
            text = " ".join(utterance.reference)
            stm.write(f"{place} {utterance.speaker} {begin:.2f} {end:.2f} {text}\n")
            for position, word in enumerate(utterance.reference):
                start = begin + PAUSE_SECONDS / 2 + WORD_SECONDS * position
                words.write(f"{place} {start:.2f} {WORD_SECONDS * 0.9:.2f} {word}\n")
            for position, word in enumerate(utterance.hypothesis):
                start = begin + PAUSE_SECONDS / 2 + WORD_SECONDS * position
                confidence = (hash_of(word) % 100) / 100
                ctm.write(f"{place} {start:.2f} {WORD_SECONDS * 0.9:.2f} {word} {confidence:.2f}\n")


def hash_of(word: str) -> int:
    """Return a number that depends only on the word (the built-in hash differs from run to run)."""
    value = 0
    for character in word:
        value = (value * 31 + ord(character)) % 1_000_003
    return value


def main() -> None:
    """Write a corpus to a directory."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("directory", type=Path)
    options.add_argument("--utterances", type=int, default=1000)
    options.add_argument("--words", type=int, default=20, help="mean words of an utterance")
    options.add_argument("--vocabulary", type=int, default=20_000)
    options.add_argument("--speakers", type=int, default=50)
    options.add_argument("--errors", type=float, default=0.1, help="chance of an error at a word")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--same-length", action="store_true", help="all utterances equally long")
    options.add_argument("--formats", choices=("trn", "timed", "both"), default="both")
    arguments = options.parse_args()
    corpus = generate(
        Shape(
            utterances=arguments.utterances,
            words=arguments.words,
            vocabulary=arguments.vocabulary,
            speakers=arguments.speakers,
            error_rate=arguments.errors,
            seed=arguments.seed,
            even=not arguments.same_length,
        )
    )
    arguments.directory.mkdir(parents=True, exist_ok=True)
    if arguments.formats != "timed":
        write_trn(corpus, arguments.directory)
    if arguments.formats != "trn":
        write_timed(corpus, arguments.directory)


if __name__ == "__main__":
    main()
