"""Our diarisation errors by dscore's rules against its own steps, on random turns and regions.

    python tests/judges/der/dscore.py [--cases N] [--seed S]

dscore is no package. What its `score.py` does is done here, apart from our code: turns are cut at
the borders of the regions, those of a speaker that overlap are united, md-eval (SCTK's) scores what
is left, and the JER is taken on frames of 10 ms, with the mapping of speakers at which it is least.
Where md-eval has no reference to score, it says nothing, and the case is left aside.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import numpy as np
import scipy  # whose parts load when they are used

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.tasks.speakers.der.score import der
from tests.judge import judge
from tests.judges.der.run import Turns, draw

Regions = list[tuple[float, float]]
# Times have three decimals at most; a frame's share of the JER of a short speaker is large.
MOST_SECONDS, MOST_JACCARD = 3e-6, 2e-3
AMOUNTS = ("SCORED SPEAKER", "MISSED SPEAKER", "FALARM SPEAKER", "SPEAKER ERROR")


def placed(turn: tuple[str, float, float], chance: random.Random) -> tuple[str, float, float]:
    """At other hundredths, which frames see, from 0 on: as drawn, mappings are often tied."""
    begin, end = (round(time * 10) * 10 + chance.randrange(10) for time in turn[1:])
    return turn[0], max(0, begin) / 100, end / 100


def prepared(turns: Turns, regions: Regions) -> Turns:
    """Cut at the regions' borders, and each speaker's united where they overlap."""
    found: Turns = []
    for speaker in sorted({who for who, *_ in turns}):
        own: list[tuple[float, float]] = []
        for begin, end in sorted((begin, end) for who, begin, end in turns if who == speaker):
            for first, last in regions:
                start, stop = max(begin, first), min(end, last)
                if start >= stop:
                    continue
                if own and any(start < other and one < stop for one, other in own):
                    touched = [(one, other) for one, other in own if start < other and one < stop]
                    own = [one for one in own if one not in touched]
                    start = min(start, *(one for one, _ in touched))
                    stop = max(stop, *(other for _, other in touched))
                own.append((start, stop))
        found += [(speaker, start, stop) for start, stop in sorted(own)]
    return found


def of_md_eval(program: Path, sides: Sequence[Turns], regions: Regions, *more: str) -> list[float]:
    """Scored, missed, falsely and wrongly assigned seconds; empty if there is nothing scored."""
    folder = program.parent
    for name, turns in zip(("reference.rttm", "hypothesis.rttm"), sides, strict=True):
        lines = (
            f"SPEAKER r 1 {begin:.6f} {end - begin:.6f} <NA> <NA> {who} <NA> <NA>\n"
            for who, begin, end in turns
        )
        (folder / name).write_text("".join(lines))
    (folder / "r.uem").write_text("".join(f"r 1 {one:.6f} {other:.6f}\n" for one, other in regions))
    files = ("-r", "reference.rttm", "-s", "hypothesis.rttm", "-u", "r.uem")
    command = [str(program), "-af", *files, *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    found = [re.findall(rf"{name} TIME =\s*([\d.]+) secs", done.stdout) for name in AMOUNTS]
    return [float(one[-1]) for one in found] if all(found) else []


def frames(turns: Turns, regions: Regions) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Who speaks in which frame of the regions."""
    names = sorted({who for who, *_ in turns})
    count = round(max(end for _, end in regions) * 100)
    spoken = np.zeros((count, len(names)), dtype=np.int64)
    kept = np.zeros(count, dtype=bool)
    for who, begin, end in turns:
        spoken[_frame(begin) : _frame(end), names.index(who)] = 1
    for begin, end in regions:
        kept[_frame(begin) : _frame(end)] = True
    return spoken[kept]


def _frame(time: float) -> int:
    return int(np.ceil(time * 100 - 1e-6))


def jaccard(sides: Sequence[Turns], regions: Regions) -> float:
    """The mean Jaccard error at its least."""
    own, other = (frames(turns, regions) for turns in sides)
    if not other.shape[1]:
        return 1.0
    both = own.T @ other
    errors = 1 - both / (own.sum(axis=0)[:, None] + other.sum(axis=0) - both)
    rows, columns = scipy.optimize.linear_sum_assignment(errors)
    each = np.ones(own.shape[1])
    each[rows] = errors[rows, columns]
    return float(each.mean())


def is_tied(sides: Sequence[Turns]) -> bool:
    """Whether several mappings have the most time in common: md-eval takes one, we another."""
    common: Counter[tuple[str, str | None]] = Counter()
    for who, begin, end in sides[0]:
        for other, start, stop in sides[1]:
            common[who, other] += max(
                0, round(min(end, stop) * 100) - round(max(begin, start) * 100)
            )
    names = [sorted({who for who, *_ in turns}) for turns in sides]
    partners = [*names[1], *[None] * len(names[0])]
    mappings = {
        tuple(zip(names[0], one, strict=True)) for one in permutations(partners, len(names[0]))
    }
    sums = Counter(sum(common[pair] for pair in mapping) for mapping in mappings)
    return sums[max(sums)] > 1


def main() -> int:
    """Draw and compare; 1 if anything differs, or there is no md-eval."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    original = judge("md-eval.pl")
    if original is None:
        print("md-eval is not installed")
        return 1
    differing = silent = tied = 0
    with tempfile.TemporaryDirectory(prefix="dscore-") as folder:
        program = Path(folder, "md-eval.pl")
        text = Path(original).read_text("latin-1")
        program.write_text(re.sub(r"=%10\.2f secs", "=%f secs", text), "latin-1")
        program.chmod(0o755)
        for number in range(options.cases):
            reference, hypothesis, collar, skip = draw(options.seed, number)
            chance = random.Random(f"dscore {options.seed} {number}")
            drawn = [[placed(turn, chance) for turn in side] for side in (reference, hypothesis)]
            drawn = [[turn for turn in side if turn[1] < turn[2]] for side in drawn]
            times = [time for side in drawn for _, *turn in side for time in turn]
            regions = [(min(times), max(times))]
            given = None
            if chance.random() < 0.6:
                borders = sorted(chance.sample(range(3400), chance.choice((2, 4))))
                pairs = zip(borders[::2], borders[1::2], strict=True)
                regions = [(one / 100, other / 100) for one, other in pairs]
                given = {"r": regions}
            sides = [prepared(turns, regions) for turns in drawn]
            more = ["-c", str(collar), *(["-1"] if skip else [])]
            expected = of_md_eval(program, sides, regions, *more) if sides[0] else []
            if not expected:
                silent += 1
                continue
            expected.append(jaccard(sides, regions))
            found = der(
                {"r": drawn[0]},
                {"r": drawn[1]},
                collar=collar,
                skip_overlap=skip,
                region=given,
                like="dscore",
            )
            ours = [ns / 1e9 for ns in found.amounts]
            ours.append(found.jaccard_error_rate or 0.0)
            margins = (*[MOST_SECONDS] * 4, MOST_JACCARD)
            triples = zip(ours, expected, margins, strict=True)
            if any(abs(one - other) > margin for one, other, margin in triples):
                if is_tied(sides):
                    tied += 1
                    continue
                differing += 1
                print(f"case {number}: {expected}\n{' ' * 9}ours: {ours}")
    print(
        f"seed {options.seed}: {options.cases} cases, {differing} differ, {tied} tied mappings come out otherwise, {silent} without a reference to score"
    )
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
