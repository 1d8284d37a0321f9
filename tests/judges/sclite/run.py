"""Compare our sclite with the original on random cases.

    python tests/judges/sclite/run.py --cases 3000 --seed 1 --jobs 2
    python tests/judges/sclite/run.py --replay differences/trn-1-00017

Every difference is saved as a folder with the case, both outputs and a unified diff; `--replay`
runs such a folder again. `--original-only` judges the generator instead of us: it tells on how
many cases the original crashes or hangs, and what the cases cover.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.sclite.case import INPUTS, Case
from tests.judges.sclite.compare import (
    Outcome,
    actual_parts,
    difference,
    differing,
    expected_parts,
    not_judged,
)
from tests.judges.sclite.generate import DEFAULT_KINDS, KINDS, cases
from tests.judges.sclite.minimise import minimised
from tests.judges.sclite.programs import Original, Ours, OursAsProcess, Program, run_case

VERDICTS = ("same", "different", "not judged", "original fails", "traceback")


@dataclass(frozen=True)
class Judgement:
    """The verdict on one case with what is needed to report it."""

    case: Case
    verdict: str
    difference: str = ""
    original: Outcome | None = None
    ours: Outcome | None = None

    @property
    def places(self) -> set[str]:
        """The files and streams that differ, files by their suffix only."""
        if self.original is None or self.ours is None:
            return set()
        names = differing(
            expected_parts(self.original), actual_parts(self.ours, self.original.stderr)
        )
        return {name.rpartition(".")[2] for name in names}


@dataclass
class Tally:
    """Verdicts per kind, and the statuses of the original."""

    verdicts: dict[str, Counter[str]] = field(default_factory=dict)
    statuses: dict[str, Counter[str]] = field(default_factory=dict)
    features: Counter[str] = field(default_factory=Counter)

    def add(self, judgement: Judgement) -> None:
        """Count one judgement."""
        self.verdicts.setdefault(judgement.case.kind, Counter())[judgement.verdict] += 1
        self.features.update(judgement.case.features)
        if judgement.original is not None:
            status = f"status {judgement.original.status}"
            self.statuses.setdefault(judgement.case.kind, Counter())[status] += 1

    def table(self) -> str:
        """Verdicts by kind."""
        columns = [name for name in VERDICTS if any(row[name] for row in self.verdicts.values())]
        lines = ["  ".join([f"{'kind':<12}", *[f"{name:>14}" for name in columns]])]
        for kind, row in sorted(self.verdicts.items()):
            lines.append("  ".join([f"{kind:<12}", *[f"{row[name]:>14}" for name in columns]]))
        for kind, row in sorted(self.statuses.items()):
            found = ", ".join(f"{name} {count} times" for name, count in sorted(row.items()))
            lines.append(f"{kind}: the original ended with {found}")
        return "\n".join(lines)


def judge(case: Case, original: Program, ours: Program | None) -> Judgement:
    """Run both programs on a case and compare."""
    reason = not_judged(case)
    if reason is not None:
        return Judgement(case, "not judged", reason)
    truth = run_case(original, case)
    if ours is None:
        return Judgement(case, "same" if truth.finished else "original fails", original=truth)
    result = run_case(ours, case)
    if b"Traceback (most recent call last)" in result.stderr or not result.finished:
        text = difference(truth, result)
        return Judgement(case, "traceback", text or "our run did not finish", truth, result)
    if not truth.finished:
        return Judgement(case, "original fails", original=truth, ours=result)
    text = difference(truth, result)
    return Judgement(case, "different" if text else "same", text, truth, result)


class Runner:
    """Judges cases in threads, each with a worker of its own."""

    def __init__(self, core: str, *, processes: bool, original_only: bool) -> None:
        self._original = Original()
        self._core = core
        self._processes = processes
        self._original_only = original_only
        self._local = threading.local()
        self._workers: list[Ours] = []

    def ours(self) -> Program | None:
        """The program of the calling thread, started when first asked for."""
        if self._original_only:
            return None
        if self._processes:
            return OursAsProcess(self._core)
        worker: Ours | None = getattr(self._local, "worker", None)
        if worker is None:
            worker = self._local.worker = Ours(self._core)
            self._workers.append(worker)
        return worker

    def judge(self, case: Case) -> Judgement:
        """Judge one case with this thread's programs."""
        return judge(case, self._original, self.ours())

    def close(self) -> None:
        """End the workers."""
        for worker in self._workers:
            worker.close()


def save(judgement: Judgement, folder: Path) -> Path:
    """Write a case with both outputs and their difference into a folder of its own."""
    place = folder / judgement.case.name
    shutil.rmtree(place, ignore_errors=True)
    judgement.case.save(place)
    for side, outcome in (("original", judgement.original), ("ours", judgement.ours)):
        if outcome is None:
            continue
        target = place / side
        target.mkdir()
        (target / "status").write_text(f"{outcome.status}\n", "ascii")
        contents = {**outcome.files, "stdout": outcome.stdout, "stderr": outcome.stderr}
        for name, content in contents.items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    (place / "difference.diff").write_text(
        judgement.difference + "\n", "utf-8", errors="surrogateescape"
    )
    return place


def smaller(judgement: Judgement, runner: Runner) -> Judgement:
    """The judgement of the minimised case, which differs in the same places."""
    places = judgement.places

    def differs(case: Case) -> bool:
        found = runner.judge(case)
        return found.verdict == judgement.verdict and found.places <= places

    return runner.judge(minimised(judgement.case, differs))


def parser() -> argparse.ArgumentParser:
    """The options of this command."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--cases", type=int, default=3000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--jobs", type=int, default=2)
    options.add_argument("--kinds", default=",".join(DEFAULT_KINDS), help=f"of {', '.join(KINDS)}")
    options.add_argument("--core", choices=("native", "plain"), default="native")
    options.add_argument("--process", action="store_true", help="a fresh interpreter per run")
    options.add_argument("--original-only", action="store_true", help="judge the generator")
    options.add_argument("--coverage", action="store_true", help="print how often things occur")
    options.add_argument("--minimise", action="store_true", help="make saved cases smaller")
    options.add_argument("--save", type=Path, default=Path("differences"), metavar="DIR")
    options.add_argument("--most", type=int, default=20, help="how many differences to save")
    options.add_argument("--replay", type=Path, metavar="DIR", help="run one saved case again")
    return options


def replay(folder: Path, runner: Runner) -> int:
    """Run one saved case and print the difference."""
    judgement = runner.judge(Case.load(folder))
    print(f"in {folder / INPUTS}: sclite {' '.join(judgement.case.arguments)}")
    print(f"{judgement.verdict}\n{judgement.difference}")
    return int(judgement.verdict in ("different", "traceback"))


def run(arguments: argparse.Namespace, runner: Runner) -> int:
    """Judge many cases, save the differences, print the summary."""
    kinds = arguments.kinds.split(",")
    unknown = sorted({*kinds} - {*KINDS})
    if unknown:
        print(f"no such kind: {', '.join(unknown)} (known: {', '.join(KINDS)})", file=sys.stderr)
        return 2
    tally = Tally()
    saved = 0
    wanted = {"original fails"} if arguments.original_only else {"different", "traceback"}
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for judgement in pool.map(runner.judge, cases(kinds, arguments.seed, arguments.cases)):
            tally.add(judgement)
            if judgement.verdict in wanted and saved < arguments.most:
                saved += 1
                if arguments.minimise:
                    judgement = smaller(judgement, runner)
                print(f"{judgement.verdict}: {save(judgement, arguments.save)}")
    print(tally.table())
    if arguments.coverage:
        for name, count in sorted(tally.features.items()):
            print(f"{count:6d}  {name}")
    failures = sum(row["different"] + row["traceback"] for row in tally.verdicts.values())
    return int(failures > 0)


def main(words: Sequence[str] | None = None) -> int:
    """Run the command; 0 means no difference."""
    arguments = parser().parse_args(words)
    runner = Runner(
        arguments.core, processes=arguments.process, original_only=arguments.original_only
    )
    try:
        if arguments.replay is not None:
            return replay(arguments.replay, runner)
        return run(arguments, runner)
    finally:
        runner.close()


if __name__ == "__main__":
    sys.exit(main())
