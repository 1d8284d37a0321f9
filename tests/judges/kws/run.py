"""Our KWSEval against F4DE's on random searches.

    python tests/judges/kws/run.py [--cases N] [--seed S] [--keep FOLDER]

F4DE sums over keywords in the order of its hashes, which changes from run to run: ours has to be
the result of one of these orders. Of runs that fail only that they do is compared. Every search has
a reference, in each subset: without one the columns are in the order of the hashes, and an empty RTTM fails. The optimum with
``-inc`` is not compared: the original drops keywords that follow one without a reference in that order.
"""

import argparse
import random
import re
import sys
from functools import partial
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import (
    ENVIRONMENT,
    Judge,
    Verdict,
    judge_cases,
    original,
    run_forked,
    run_limited,
    run_with,
)
from tests.judges.sclite.compare import Outcome, unified_difference

ORDERS = 12
"""So many orders of hashes are tried."""
VOCABULARY = ("aa", "bb", "cc", "dd")
ALIGNMENT = "alignment.csv"
NUMBERS = ("-k 0.3", "-K 2", "-p 0.001", "-p 0.02", "-n 2", "-S 0.25", "-F 0.25")
FLAGS = ("-inc", "-c", "-P", "-zGOptimum", "-zGSupremum", "-zGMAP", "-w -O -B", "--ExcludeCounts")


class Case(NamedTuple):
    """The arguments and input files of one run."""

    arguments: tuple[str, ...]
    files: dict[str, bytes]


def draw_case(seed: int, number: int) -> Case:
    """A search on a grid of time, full of ties; the same for the same numbers."""
    draw = random.Random(f"kws {seed} {number}")
    length = draw.choice((45, 50, 60.5, 100, 1000))
    recordings = ("a", "b")[: draw.choice((1, 1, 2))]
    keywords = {
        f"K{n}": " ".join(draw.choices(VOCABULARY, k=draw.choice((1, 1, 1, 2))))
        for n in range(1, draw.choice((1, 1, 2, 3, 5)) + 1)
    }
    arguments = _arguments(draw)
    if "-w" in arguments:  # both subsets have a reference
        keywords["K2"] = keywords["K1"]
    words: dict[str, list[tuple[float, str]]] = {name: [] for name in recordings}
    for name in recordings:
        time = 1.0
        while time < 40 and draw.random() < 0.9:
            words[name].append((time, draw.choice(VOCABULARY)))
            time += draw.choice((0.5, 0.5, 1, 3))
    for number, word in enumerate(keywords["K1"].split()):
        words[recordings[0]].append((42 + number / 2, word))
    excerpts = "".join(
        f'<excerpt audio_filename="{name}.sph" channel="1" tbeg="0" dur="{length}"'
        f' source_type="cts"/>\n'
        for name in recordings
    )
    total = length * len(recordings)
    rttm = [
        f"LEXEME {name} 1 {time:.3f} 0.400 {word} lex s1 0.5"
        for name in recordings
        for time, word in words[name]
    ]
    return Case(
        arguments,
        {
            "ecf.xml": f'<ecf source_signal_duration="{total}" language="english" version="t">\n'
            f"{excerpts}</ecf>\n".encode(),
            "kwlist.xml": _kwlist(keywords).encode(),
            "rttm": "".join(f"{line}\n" for line in rttm).encode(),
            "kwslist.xml": _kwslist(draw, keywords, words).encode(),
        },
    )


def _arguments(draw: random.Random) -> tuple[str, ...]:
    words = [
        "-e",
        "ecf.xml",
        "-t",
        "kwlist.xml",
        "-s",
        "kwslist.xml",
        "-r",
        "rttm",
        "-o",
        "-b",
        "-f",
    ]
    words.append(draw.choice(("-", "out.")))
    for option in draw.sample(NUMBERS, draw.choice((0, 0, 1, 2))):
        words += option.split()
    for option in draw.sample(FLAGS, draw.choice((0, 1, 1, 2))):
        words += [option[:3], option[3:]] if option.startswith("-zG") else option.split()
    if draw.random() < 0.2:
        words += ["-y", "CSV"]
    return tuple(words)


def _kwlist(keywords: dict[str, str]) -> str:
    entries = "".join(
        f'<kw kwid="{name}"><kwtext>{text}</kwtext></kw>\n' for name, text in keywords.items()
    )
    return (
        '<kwlist ecf_filename="e" version="1" language="english" encoding="UTF-8"'
        f' compareNormalize="">\n{entries}</kwlist>\n'
    )


def _kwslist(
    draw: random.Random, keywords: dict[str, str], words: dict[str, list[tuple[float, str]]]
) -> str:
    cut = draw.choice((0.3, 0.5, 0.5, 0.8))
    scores = draw.choice(((0.1, 0.4, 0.5, 0.8, 0.9), tuple(n / 100 for n in range(100))))
    lists = []
    for name, text in keywords.items():
        rows = []
        for recording, spoken in words.items():
            times = [time for time, word in spoken if text.startswith(word)]
            times = [time + draw.choice((0, 0.1, 0.3)) for time in times if draw.random() < 0.7]
            times += [draw.randrange(1, 30) + 0.5 for _ in range(draw.choice((0, 0, 1, 3)))]
            for time in times:
                score = draw.choice(scores)
                decision = "YES" if score >= cut or draw.random() < 0.005 else "NO"
                rows.append(
                    f'<kw file="{recording}" channel="1" tbeg="{time:g}" dur="0.2"'
                    f' score="{score:g}" decision="{decision}"/>\n'
                )
        oov = {"K1": "0", "K2": "1"}.get(name) or draw.choice("001")
        lists.append(
            f'<detected_kwlist kwid={quoteattr(name)} search_time="1" oov_count="{oov}">\n'
            f"{''.join(rows)}</detected_kwlist>\n"
        )
    head = '<kwslist kwlist_filename="k" language="english" system_id="s">'
    return f"{head}\n{''.join(lists)}</kwslist>\n"


def run_original(case: Case, order: int) -> Outcome:
    """Run F4DE's program, with one of the orders of its hashes."""
    command = [original("KWSEval"), *case.arguments]
    environment = {**ENVIRONMENT, "PERL_HASH_SEED": str(order), "PERL_PERTURB_KEYS": "0"}
    return run_with(case.files, partial(run_limited, command, environment=environment))


def run_ours(case: Case) -> Outcome:
    """Run ours in a fork of this process."""
    from scoring.cli.tasks.kws import kwseval

    return run_with(case.files, partial(run_forked, kwseval, case.arguments))


def parts_of(outcome: Outcome) -> dict[str, bytes]:
    """What is compared of a run; the lines of an alignment are in the order of hashes."""
    if outcome.status:
        return {"<status>": b"fails"}
    files = {
        name: b"\n".join(sorted(data.splitlines())) if name.endswith(ALIGNMENT) else data
        for name, data in outcome.files.items()
    }
    return {**files, "<stdout>": re.sub(rb"(?m)^.*alignment\.csv.*\n", b"", outcome.stdout)}


def compare(_: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    if not case.files["rttm"].strip() or {"-inc", "Optimum"} <= {*case.arguments}:
        return Verdict("not judged")
    ours = run_ours(case)
    report = f"KWSEval {' '.join(case.arguments)}\n"
    if b"Traceback (most recent call last)" in ours.stderr or not ours.finished:
        return Verdict("traceback", report + ours.stderr.decode("latin-1"), case.files)
    difference = ""
    for order in range(ORDERS):
        truth = run_original(case, order)
        if not truth.finished:
            return Verdict("original fails")
        other = unified_difference(parts_of(truth), parts_of(ours))
        if not other:
            return Verdict("same failure" if truth.status else "same")
        difference = difference or other
        if truth.status or ours.status:
            difference += f"\n{truth.stderr.decode('latin-1')}\n{ours.stderr.decode('latin-1')}"
            break
    return Verdict("different", report + difference, case.files)


JUDGE = Judge(
    __doc__, "KWSEval", lambda options, number: draw_case(options.seed, number), compare, 200
)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
