"""Benchmark of error rates of meetings: processor time of ours, of meeteval's and of pyannote's.

    python benchmarks/meetings.py

The program prints a line for each measure: the seconds of both sides, their ratio, and the memory
that the calls of each side added. `run.py --rows meetings` shows the same figures. The seconds are
those of the fastest call; a side makes up to five calls, and none after six seconds. Each side runs
in a separate process. Meetings are drawn with 2.5 words per second; 12 % of the words are wrong,
and 5 % of the segments have a wrong speaker.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

Segments = list[dict[str, Any]]
# The measure, speakers, seconds, streams, and its collar.
CASES = (
    ("cpwer", 8, 3600, 8, None),
    ("tcpwer", 8, 3600, 8, 5),
    ("orcwer", 4, 600, 2, None),
    ("tcorcwer", 8, 3600, 8, 5),
    ("greedy_orcwer", 8, 3600, 8, None),
    ("greedy_tcorcwer", 8, 3600, 8, 5),
    ("der", 8, 3600, 8, None),
)
SIDES = ("ours", "theirs")
# So often a side is called, or until it took so long.
MOST_CALLS, MOST_SECONDS = 5, 6.0


def meeting(speakers: int, seconds: int, streams: int, seed: int = 1) -> tuple[Segments, Segments]:
    """Draw a meeting; return its reference and its hypothesis."""
    chance = random.Random(seed)
    vocabulary = [f"w{number}" for number in range(2000)]
    sides: tuple[Segments, Segments] = ([], [])
    start = 0.0
    while start < seconds:
        count, speaker = chance.randint(3, 16), chance.randrange(speakers)
        said = [
            vocabulary[min(int(chance.paretovariate(0.6)), len(vocabulary) - 1)]
            for _ in range(count)
        ]
        heard: list[str] = []
        for word in said:
            draw = chance.random()
            if draw >= 0.05:
                heard.append(chance.choice(vocabulary) if draw < 0.12 else word)
        stream = speaker if chance.random() > 0.05 else chance.randrange(speakers)
        times = {"start_time": round(start, 3), "end_time": round(start + count / 2.5, 3)}
        for side, name, words in zip(
            sides, (f"A{speaker}", f"X{stream % streams}"), (said, heard), strict=True
        ):
            side.append({"session_id": "s", "speaker": name, **times, "words": " ".join(words)})
        start += 0.95 * count / 2.5
    return sides


def function_of(side: str, name: str) -> Callable[..., float]:
    """Return a function that scores two lists of segments; it returns errors, or a rate."""
    if name == "der":
        return _our_diarisation if side == "ours" else _pyannote
    if side == "ours":
        from scoring.peers import meeteval as module
    else:
        import meeteval.wer as module  # type: ignore[import-not-found, no-redef, unused-ignore]
    function = getattr(module, name)

    def errors(reference: Segments, hypothesis: Segments, **options: float) -> float:
        [rate] = function(reference, hypothesis, **options).values()
        return float(rate.errors)

    return errors


def _our_diarisation(reference: Segments, hypothesis: Segments) -> float:
    import scoring

    sides = (
        {"s": [(row["speaker"], row["start_time"], row["end_time"]) for row in rows]}
        for rows in (reference, hypothesis)
    )
    return round(float(scoring.der(*sides, like="pyannote")), 9)


def _pyannote(reference: Segments, hypothesis: Segments) -> float:
    from pyannote.core import (  # type: ignore[import-not-found, unused-ignore]
        Annotation,
        Segment,
    )
    from pyannote.metrics.diarization import (  # type: ignore[import-not-found, unused-ignore]
        DiarizationErrorRate,
    )

    sides = []
    for rows in (reference, hypothesis):
        turns = Annotation(uri="s")
        for number, row in enumerate(rows):
            turns[Segment(row["start_time"], row["end_time"]), number] = row["speaker"]
        sides.append(turns)
    return round(float(DiarizationErrorRate()(*sides)), 9)


def measured(side: str, name: str) -> dict[str, float]:
    """Call a function several times; return seconds (of the fastest call), errors and megabytes.

    The megabytes are the memory that all calls together added.
    """
    speakers, seconds, streams, collar = next(case[1:] for case in CASES if case[0] == name)
    options = {} if collar is None else {"collar": collar}
    function = function_of(side, name)
    warm = meeting(2, 20, 2)
    warnings.simplefilter("ignore")
    function(*warm, **options)
    before = getrusage(RUSAGE_SELF).ru_maxrss
    sides = meeting(speakers, seconds, streams)
    spent: list[float] = []
    errors = 0.0
    while len(spent) < MOST_CALLS and sum(spent) < MOST_SECONDS:
        begin = process_time()
        errors = function(*sides, **options)
        spent.append(process_time() - begin)
    more = (getrusage(RUSAGE_SELF).ru_maxrss - before) / 1024
    return {"seconds": min(spent), "errors": errors, "megabytes": more}


def of_process(side: str, name: str) -> dict[str, float]:
    """Measure a function in a process of its own; return nothing if its package is missing."""
    done = subprocess.run([sys.executable, __file__, side, name], capture_output=True, text=True)
    if done.returncode:
        if "ModuleNotFoundError" in done.stderr:
            return {}
        raise RuntimeError(done.stderr)
    figures: dict[str, float] = json.loads(done.stdout)
    return figures


def main(argv: list[str]) -> int:
    """Time all measures, and print a line for each.

    With arguments (a side and a measure), time only this measure, in this process.
    """
    if argv:
        sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
        print(json.dumps(measured(*argv)))
        return 0
    for name, *_ in CASES:
        ours, theirs = (of_process(side, name) for side in SIDES)
        if not theirs:
            print(f"{name:16} {ours['seconds']:8.3f} s, other program not installed", flush=True)
            continue
        same = "" if ours["errors"] == theirs["errors"] else "  ERRORS DIFFER"
        print(
            f"{name:16} {ours['seconds']:8.3f} s {theirs['seconds']:8.3f} s "
            f"{theirs['seconds'] / ours['seconds']:6.1f}× {ours['megabytes']:7.0f} MB "
            f"{theirs['megabytes']:7.0f} MB{same}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
