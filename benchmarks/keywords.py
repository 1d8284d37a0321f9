"""Benchmark of keyword search: seconds and memory of `scoring kws` on a drawn corpus.

    python benchmarks/keywords.py [--keywords 1000] [--hours 100] [--detections 1000000]

The program draws the files ECF, KWList, RTTM and KWSList with a fixed seed, and writes them to a
temporary folder. It runs the command with every report, several times, in a separate process, and
prints the medians of processor time, elapsed time and peak resident memory. The bounds are 20 s of
processor time and 2 GB. `--write DIR` only writes the files.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus import vocabulary
from benchmarks.processes import Sample, middle, sample

FILES = ("ecf", "kwlist", "rttm", "kwslist")
WORDS_PER_HOUR = 9000
FILE_SECONDS = 1800
LONGEST_PHRASE = 3
MOST_SECONDS, MOST_BYTES = 20, 2_000_000_000


@dataclass(frozen=True)
class Shape:
    """The size of a search: keywords, hours of audio, and detections."""

    keywords: int
    hours: int
    detections: int
    seed: int = 1


@dataclass(frozen=True)
class Spoken:
    """A word that is spoken in the audio, with its times in seconds."""

    file: str
    begin: float
    duration: float
    token: str


def speech(shape: Shape, rng: Random) -> list[Spoken]:
    """Draw words by Zipf's law, distributed evenly over files of half an hour."""
    words = vocabulary(20_000, rng)
    bounds = list(accumulate(1 / (rank + 10) for rank in range(len(words))))
    per_file = WORDS_PER_HOUR * FILE_SECONDS // 3600
    step = FILE_SECONDS / per_file
    spoken = []
    for number in range(shape.hours * 3600 // FILE_SECONDS):
        for place in range(per_file):
            token = words[bisect_left(bounds, rng.random() * bounds[-1])]
            begin = place * step + 0.1 * rng.random()
            spoken.append(Spoken(f"file{number:04d}", begin, 0.9 * step, token))
    return spoken


def phrases(shape: Shape, spoken: Sequence[Spoken], rng: Random) -> list[list[str]]:
    """Draw different keywords: sequences of one to three words that are spoken at least once."""
    found: dict[tuple[str, ...], None] = {}
    while len(found) < shape.keywords:
        size = rng.randint(1, LONGEST_PHRASE)
        start = rng.randrange(len(spoken) - size)
        part = spoken[start : start + size]
        if part[0].file == part[-1].file:
            found[tuple(word.token for word in part)] = None
    return [list(phrase) for phrase in found]


def write_search(folder: Path, shape: Shape) -> None:
    """Write the files of a search: the audio, the keywords, the spoken words and the detections."""
    rng = Random(shape.seed)
    spoken = speech(shape, rng)
    keywords = phrases(shape, spoken, rng)
    paths = {name: folder / f"search.{name}" for name in FILES}
    files = sorted({word.file for word in spoken})
    _put(paths["ecf"], _ecf(files))
    _put(paths["kwlist"], _kwlist(keywords))
    _put(
        paths["rttm"],
        (
            f"LEXEME {w.file} 1 {w.begin:.2f} {w.duration:.2f} {w.token} lex spk1 0.9\n"
            for w in spoken
        ),
    )
    _put(paths["kwslist"], _kwslist(shape, spoken, keywords, files, rng))


def _put(path: Path, lines: Iterator[str]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(lines)


def _ecf(files: Sequence[str]) -> Iterator[str]:
    yield '<ecf source_signal_duration="0" language="invented" version="1">\n'
    for file in files:
        yield (
            f'<excerpt audio_filename="{file}.sph" channel="1" tbeg="0.000" '
            f'dur="{FILE_SECONDS}.000" source_type="bnews"/>\n'
        )
    yield "</ecf>\n"


def _kwlist(keywords: Sequence[Sequence[str]]) -> Iterator[str]:
    yield (
        '<kwlist ecf_filename="search.ecf" version="1" language="invented" encoding="UTF-8" '
        'compareNormalize="lowercase">\n'
    )
    for number, phrase in enumerate(keywords):
        yield f'<kw kwid="KW-{number:05d}"><kwtext>{" ".join(phrase)}</kwtext></kw>\n'
    yield "</kwlist>\n"


def _kwslist(
    shape: Shape,
    spoken: Sequence[Spoken],
    keywords: Sequence[Sequence[str]],
    files: Sequence[str],
    rng: Random,
) -> Iterator[str]:
    """Yield the text of a KWSList.

    Each keyword has a few true detections with high scores and many false ones with low scores.
    """
    at: dict[str, list[int]] = {}
    for index, word in enumerate(spoken):
        at.setdefault(word.token, []).append(index)
    yield '<kwslist kwlist_filename="search.kwlist" language="invented" system_id="drawn">\n'
    each = shape.detections // len(keywords)
    for number, phrase in enumerate(keywords):
        yield (f'<detected_kwlist kwid="KW-{number:05d}" search_time="0.100" oov_count="0">\n')
        places = [
            index
            for index in at[phrase[0]]
            if [word.token for word in spoken[index : index + len(phrase)]] == phrase
        ]
        true = [index for index in places if rng.random() < 0.8][:each]
        for index in true:
            word = spoken[index]
            score = min(max(rng.gauss(0.6, 0.2), 0.0), 1.0)
            begin = max(0.0, word.begin + rng.gauss(0, 0.1))
            yield _detection(word.file, begin, 0.3 * len(phrase), score)
        for _ in range(each - len(true)):
            score = min(max(rng.gauss(0.1, 0.2), 0.0), 1.0)
            yield _detection(rng.choice(files), rng.uniform(0, FILE_SECONDS - 1), 0.4, score)
        yield "</detected_kwlist>\n"
    yield "</kwslist>\n"


def _detection(file: str, begin: float, duration: float, score: float) -> str:
    decision = "YES" if round(score, 6) >= 0.5 else "NO"
    return (
        f'<kw file="{file}" channel="1" tbeg="{begin:.2f}" dur="{duration:.2f}" '
        f'score="{score:.6f}" decision="{decision}"/>\n'
    )


def measured(shape: Shape, repeat: int) -> Sample:
    """Run `scoring kws` with every report on a search of this size; return its time and memory."""
    with tempfile.TemporaryDirectory(prefix="sclite-keywords-") as place:
        folder = Path(place)
        # in a process of its own: what a process grew to counts for those it starts
        draw = [sys.executable, __file__, "--write", place, "--keywords", f"{shape.keywords}"]
        draw += ["--hours", f"{shape.hours}", "--detections", f"{shape.detections}"]
        subprocess.run(draw, check=True)
        command = [sys.executable, "-m", "scoring", "kws"]
        for name in FILES:
            command += [f"--{name}", f"search.{name}"]
        command += ["--root", "out", "-o", "-b", "-c", "-d", "--json", "out.json"]
        found = middle([sample(command, folder) for _ in range(repeat)])
    assert found is not None
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Measure and print; return 1 if the search has its full size and exceeds a bound."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--keywords", type=int, default=1000)
    options.add_argument("--hours", type=int, default=100)
    options.add_argument("--detections", type=int, default=1_000_000)
    options.add_argument("--repeat", type=int, default=3)
    options.add_argument("--write", type=Path, metavar="DIR", help="only write the files there")
    arguments = options.parse_args(words)
    shape = Shape(arguments.keywords, arguments.hours, arguments.detections)
    if arguments.write is not None:
        write_search(arguments.write, shape)
        return 0
    found = measured(shape, arguments.repeat)
    print(
        f"{shape.keywords:,} keywords, {shape.hours:,} hours, {shape.detections:,} detections: "
        f"{found.processor:.1f} s of a processor (at most {MOST_SECONDS}), "
        f"{found.seconds:.1f} s by the clock, "
        f"{found.peak / 1e6:,.0f} MB (at most 2,000)"
    )
    return int(found.processor > MOST_SECONDS or found.peak > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
