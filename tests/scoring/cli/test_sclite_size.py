"""Large input: many utterances within bounded memory, and utterances sclite refuses for their size."""

import os
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from scoring.alignment.kernel import IMPLEMENTATION
from tests.programs import python

pytestmark = pytest.mark.release
MEGABYTE = 1024  # ru_maxrss counts kilobytes

MEASURE = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


WHOLE = ("-r", "ref", "-h", "hyp", "-i", "spu_id", "-o", "all")


def peak_of_sclite(folder: Path, arguments: Sequence[str] = WHOLE) -> int:
    """Peak memory of a run, by default on `ref` and `hyp`, in megabytes."""
    command = [sys.executable, "-m", "scoring.cli.nist.sclite", *arguments]
    measured = python("-c", MEASURE, *command, cwd=folder, text=True, check=True)
    status, peak = map(int, measured.stdout.split())
    assert status == 0, measured.stderr[-2000:]
    return peak // MEGABYTE


def noisy(words: list[str], random_source: random.Random) -> list[str]:
    """The words with a fifth of them replaced, dropped or doubled."""
    result: list[str] = []
    for word in words:
        chance = random_source.random()
        if chance < 0.1:
            result.append(f"w{random_source.randrange(5000)}")
        elif chance < 0.15:
            continue
        elif chance < 0.2:
            result += [word, word]
        else:
            result.append(word)
    return result


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted differently elsewhere")
@pytest.mark.skipif(IMPLEMENTATION == "plain", reason="the plain core takes minutes for this")
def test_a_hundred_thousand_utterances(tmp_path: Path) -> None:
    source = random.Random(1)
    vocabulary = [f"w{number}" for number in range(20_000)]
    with open(tmp_path / "ref", "w") as reference, open(tmp_path / "hyp", "w") as hypothesis:
        for number in range(100_000):
            words = source.choices(vocabulary, k=20)
            identifier = f"(s{number % 50}-{number:06d})"
            print(*words, identifier, file=reference)
            print(*noisy(words, source), identifier, file=hypothesis)
    assert peak_of_sclite(tmp_path) < 700
    assert re.search(r"\| Sum/Avg\| *100000 +2000000 *\|", (tmp_path / "hyp.sys").read_text())


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted differently elsewhere")
@pytest.mark.skipif(IMPLEMENTATION == "plain", reason="the plain core takes minutes for this")
@pytest.mark.parametrize("size", [50_000, 70_000])
def test_an_utterance_longer_than_the_original_takes(tmp_path: Path, size: int) -> None:
    source = random.Random(size)
    words = [f"w{source.randrange(5000)}" for _ in range(size)]
    (tmp_path / "ref").write_text(f"{' '.join(words)} (s-1)\n")
    (tmp_path / "hyp").write_text(f"{' '.join(noisy(words, source))} (s-1)\n")
    assert peak_of_sclite(tmp_path) < 500
    scores = (tmp_path / "hyp.pra").read_text().split("Scores: (#C #S #D #I) ")[1].split("\n")[0]
    correct, substitutions, deletions, _ = map(int, scores.split())
    assert correct + substitutions + deletions == size
    assert correct > 0.79 * size


SMALL, LARGE = 2_000_000, 12_000_000
# What a file takes, by the size of one of two files of equal size: 3.7 to 5.1 by machine, and 8 when both were held twice.
MOST = 6.5


def vocabulary(source: random.Random) -> list[str]:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return ["".join(source.choices(letters, k=source.randint(2, 9))) for _ in range(5000)]


def write_trn(folder: Path, size: int, words: int = 20) -> list[str]:
    """A reference of so many bytes, and a hypothesis with every tenth word another."""
    source = random.Random(12)
    known = vocabulary(source)
    written = number = 0
    with open(folder / "r", "w") as reference, open(folder / "h", "w") as hypothesis:
        while written < size:
            said = source.choices(known, k=words)
            heard = [known[-1] if at % 10 == 3 else word for at, word in enumerate(said)]
            line = f"({number // 400:04d}-{number:07d})\n"
            written += reference.write(f"{' '.join(said)} {line}")
            hypothesis.write(f"{' '.join(heard)} {line}")
            number += 1
    return ["-r", "r", "trn", "-h", "h", "trn", "-i", "spu_id"]


def write_short_trn(folder: Path, size: int) -> list[str]:
    """Utterances of eight words, whose identifiers are a third of the file."""
    return write_trn(folder, size, 8)


def write_timed(folder: Path, size: int) -> list[str]:
    """A hypothesis of so many bytes, a word a line."""
    source = random.Random(13)
    known = vocabulary(source)
    written = number = 0
    with open(folder / "r", "w") as reference, open(folder / "h", "w") as hypothesis:
        while written < size:
            file, begin = f"file{number // 400:04d}", number % 400 * 20
            said = source.choices(known, k=20)
            reference.write(f"{file} A s {begin} {begin + 19} {' '.join(said)}\n")
            for at, word in enumerate(said):
                heard = known[-1] if at % 10 == 3 else word
                written += hypothesis.write(f"{file} A {begin + at * 0.9:.2f} 0.19 {heard} 0.9\n")
            number += 1
    return ["-r", "r", "stm", "-h", "h", "ctm"]


@pytest.mark.skipif(sys.platform != "linux", reason="memory is counted differently elsewhere")
@pytest.mark.skipif(IMPLEMENTATION == "plain", reason="the plain core takes more")
@pytest.mark.skipif("LD_PRELOAD" in os.environ, reason="a sanitizer takes memory of its own")
@pytest.mark.parametrize("write", [write_trn, write_short_trn, write_timed])
def test_growth_for_every_byte_of_input(
    tmp_path: Path, write: Callable[[Path, int], list[str]]
) -> None:
    """It held each file twice while the words of both were aligned and reported: 8 bytes."""
    peaks = []
    for size in (SMALL, LARGE):
        arguments = write(tmp_path, size)
        peaks.append(peak_of_sclite(tmp_path, [*arguments, "-o", "sum", "dtl", "-f", "0"]))
    assert (peaks[1] - peaks[0]) * MEGABYTE**2 / (LARGE - SMALL) < MOST
