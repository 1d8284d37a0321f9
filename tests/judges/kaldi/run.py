"""Kaldi's scoring programs and scripts against the originals on random tables.

    python tests/judges/kaldi/run.py [--program NAME …] [--cases N] [--seed S]

Of the error output nothing is compared: it has versions and lines of sources, and ours says more.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import (
    Judge,
    Verdict,
    judge_cases,
    original,
    run_forked,
    run_limited,
    run_with,
)
from tests.judges.sclite.compare import Outcome, unified_difference

TABLES = ("compute-wer", "compute-wer-bootci", "align-text")
SCRIPTS = {
    "wer_per_utt_details.pl": "per-utt",
    "wer_per_spk_details.pl": "per-spk",
    "wer_ops_details.pl": "ops",
}
PROGRAMS = (*TABLES, *SCRIPTS)
WORDS = ["a", "b", "c", "d", "aa", "a-b", "<UNK>", "é", "it's", "[noise]"]
NUMBERS = ("--replications=30", "--replications=1", "--replications=500")
KEYS = [f"{speaker}-{number}" for speaker in ("ann", "bo", "cy") for number in (1, 2, 3, 10)]


class Case(NamedTuple):
    """A call of a program: arguments, files, standard input."""

    program: str
    arguments: tuple[str, ...]
    files: dict[str, bytes]
    stdin: bytes = b""


def _changed(draw: random.Random, words: Sequence[str], rate: float) -> list[str]:
    """Words with errors."""
    made = []
    for word in words:
        kind = draw.random() / rate
        if kind >= 0.3:
            made.append(draw.choice(WORDS) if kind < 0.7 else word)
        if 0.7 <= kind < 1:
            made.append(draw.choice(WORDS))
    return made


def _table(draw: random.Random, texts: dict[str, list[str]], order: Sequence[str]) -> bytes:
    blank = draw.choice([" ", " ", " ", "\t", "  "])
    lines = [f"{key}{blank if texts[key] else ' '}{' '.join(texts[key])}" for key in order]
    return "".join(f"{line}\n" for line in lines).encode()


def draw_tables(draw: random.Random, program: str) -> Case:
    """A case of one of the programs that read tables."""
    keys = sorted(draw.sample(KEYS, draw.choice([1, 2, 4, 8])))
    longest = draw.choice([3, 8, 20])
    truth = {key: draw.choices(WORDS, k=draw.randint(1, longest)) for key in keys}
    files = {"ref": _table(draw, truth, keys)}
    systems = draw.choice([1, 2]) if program == "compute-wer-bootci" else 1
    missing = draw.random() < 0.3
    for number in range(systems):
        rate = draw.choice([0.05, 0.2, 0.6])
        heard = {key: _changed(draw, words, rate) for key, words in truth.items()}
        order = [key for key in keys if not (missing and draw.random() < 0.3)]
        if draw.random() < 0.3:
            draw.shuffle(order)
        files[f"hyp{number}"] = _table(draw, heard, order)
    if program == "align-text":
        options = [one for one in ("--special-symbol=***", "--separator=|") if draw.random() < 0.2]
    else:
        modes = ("--mode=present", "--mode=all", "--mode=strict")
        options = [draw.choice(modes)] * (draw.random() < 0.8)
        if program == "compute-wer-bootci":
            options += [draw.choice(NUMBERS)] * (draw.random() < 0.9)
        elif draw.random() < 0.5:
            options.append("--text=true")
    tables = [f"ark:{name}" for name in files]
    target = ("ark,t:-",) if program == "align-text" else ()
    return Case(program, (*options, *tables, *target), files)


def draw_script(draw: random.Random, program: str) -> Case:
    """A case of one of the scripts; the input of the last two is of the first one's kind."""
    keys = sorted(draw.sample(KEYS, draw.choice([1, 2, 4, 8])))
    rows = {}
    for key in keys:
        words = draw.choices(WORDS, k=draw.randint(1, draw.choice([3, 8])))
        pairs = []
        for word in words:
            kind = draw.random()
            if kind < 0.1:
                pairs.append(("<eps>", draw.choice(WORDS)))
            pairs.append(
                (word, draw.choice(WORDS) if kind > 0.8 else "<eps>" if kind > 0.7 else word)
            )
        rows[key] = pairs
    if program == "wer_per_utt_details.pl":
        hidden = [f"--no-output-{name}" for name in ("ref", "hyp", "ops", "csid")]
        options = [one for one in hidden if draw.random() < 0.15]
        text = "".join(
            f"{key} {' ; '.join(' '.join(pair) for pair in pairs)} \n"
            for key, pairs in rows.items()
        )
        return Case(program, tuple(options), {}, text.encode())
    lines = [line for key, pairs in rows.items() for line in _details(key, pairs)]
    files = {}
    if program == "wer_per_spk_details.pl":
        files["utt2spk"] = "".join(f"{key} {key.split('-')[0]}\n" for key in keys).encode()
    return Case(program, tuple(files), files, "".join(f"{line}\n" for line in lines).encode())


def _details(key: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    """The four lines of an utterance."""
    letters = [
        "I" if left == "<eps>" else "D" if right == "<eps>" else "C" if left == right else "S"
        for left, right in pairs
    ]
    counts = " ".join(str(letters.count(letter)) for letter in "CSID")
    return [
        f"{key} ref  {'  '.join(left for left, _ in pairs)}",
        f"{key} hyp  {'  '.join(right for _, right in pairs)}",
        f"{key} op  {'  '.join(letters)}",
        f"{key} #csid {counts}",
    ]


def draw_case(program: str, seed: int, number: int) -> Case:
    """A case of a program, the same for the same numbers."""
    draw = random.Random(f"{program} {seed} {number}")
    return (draw_tables if program in TABLES else draw_script)(draw, program)


def run_original(case: Case) -> Outcome:
    """Run the original."""
    command = [original(case.program), *case.arguments]
    return run_with(case.files, partial(run_limited, command), case.stdin)


def run_ours(case: Case) -> Outcome:
    """Run ours in a fork of this process."""
    from scoring.cli.peers.kaldi import main

    words = [SCRIPTS.get(case.program, case.program), *case.arguments]
    return run_with(case.files, partial(run_forked, main, words), case.stdin)


def _compared(outcome: Outcome) -> dict[str, bytes]:
    return {**outcome.files, "<stdout>": outcome.stdout, "<status>": b"%d" % (outcome.status or 0)}


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case of each program in turn."""
    programs = options.program
    return draw_case(programs[number % len(programs)], options.seed, number // len(programs))


def compare(_: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    truth, ours = run_original(case), run_ours(case)
    files = {**case.files, "stdin": case.stdin}
    report = f"{case.program} {' '.join(case.arguments)}\n"
    if b"Traceback (most recent call last)" in ours.stderr or not ours.finished:
        return Verdict("traceback", report + ours.stderr.decode("latin-1"), files)
    if not truth.finished:
        return Verdict("original fails")
    difference = unified_difference(_compared(truth), _compared(ours))
    return Verdict("different" if difference else "same", report + difference, files)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--program", nargs="*", choices=PROGRAMS, default=[*PROGRAMS])


JUDGE = Judge(__doc__, "compute-wer", draw, compare, 100 * len(PROGRAMS), add_options)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
