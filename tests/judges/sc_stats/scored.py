"""Random transcripts, scored by the original sclite into what sc_stats compares."""

import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.judges.frame import ENVIRONMENT, SECONDS, limited, original
from tests.judges.sc_stats.generate import (
    NAMES,
    TITLES,
    WORDS,
    Case,
    Shape,
    arguments_for,
    recognised,
)


def scored_case(seed: int, number: int) -> Case:
    """A case whose standard input the original sclite makes, from trn files.

    Raises
    ------
    FileNotFoundError
        If the original is not installed.
    """
    rng = random.Random(f"scored {seed} {number}")
    titles = tuple(rng.sample(TITLES, rng.choice((2, 3))))
    speakers = tuple(rng.sample(NAMES, rng.randint(3, 8)))
    reference = [
        (f"{name}-{utterance:02d}", [rng.choice(WORDS) for _ in range(rng.randint(1, 15))])
        for name in speakers
        for utterance in range(rng.randint(1, 4))
    ]
    files = {"ref.trn": transcript(reference)}
    for title in titles:
        rate = rng.choice((0.05, 0.15, 0.3))
        spoken = [
            (name, [place[2] for place in recognised(rng, words, rate) if place[2]])
            for name, words in reference
        ]
        files[f"{title}.trn"] = transcript(spoken)
    shape = Shape(len(titles), len(speakers), True, titles, speakers, False, False)
    arguments = arguments_for(rng, shape)
    flags = ["-s"] if rng.random() < 0.3 else []
    stdin = b"".join(
        aligned(files, ["-h", f"{title}.trn", "trn", title, *flags]) for title in titles
    )
    return Case(f"scored-{seed}-{number:05d}", arguments, stdin)


def transcript(utterances: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A trn file."""
    return "".join(f"{' '.join(words)} ({name})\n" for name, words in utterances)


def aligned(files: dict[str, str], arguments: Sequence[str]) -> bytes:
    """What `sclite -o sgml stdout` prints."""
    program = original("sclite")
    with tempfile.TemporaryDirectory(prefix="sc_stats-scored-") as place:
        for name, content in files.items():
            path = Path(place, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, "latin-1")
        command = [program, "-r", "ref.trn", *arguments, "-i", "spu_id"]
        done = subprocess.run(
            limited([*command, "-o", "sgml", "stdout", "-f", "0"]),
            cwd=place,
            capture_output=True,
            env=ENVIRONMENT,
            timeout=2 * SECONDS,
            check=True,
        )
    return done.stdout
