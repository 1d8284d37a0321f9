"""Fresh random cases of every drop-in program beside the originals that are installed.

    python -m tests.judges.twins [--program NAME …] [--cases N] [--seed S] [--keep FOLDER]

One line of figures for each program; each difference with the smallest input that was found. An
original that is not there is skipped with a line. SCTK's programs come with Debian's package sctk;
folders with F4DE's KWSEval and Kaldi's programs are given in `SCLITE_KIT_JUDGES`. The same seed
draws the same cases; without one, it is drawn, too, and printed. The exit status is 1 if anything
differs, or nothing was compared.
"""

import argparse
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.judge import judge
from tests.judges.frame import WHERE, Judge, add_options, failures
from tests.judges.hub.filters import DRAWS
from tests.judges.hub.tools import JUDGED
from tests.judges.kaldi.run import PROGRAMS as OF_KALDI


class Twin(NamedTuple):
    """Where a program and its original are compared."""

    module: str  # below `tests.judges`; its `JUDGE`
    words: tuple[str, ...] = ()  # options of that judge
    original: str = ""  # if it has another name


TWINS = {
    "sclite": Twin("sclite.run"),
    "sclite -P": Twin("sgml.run", original="sclite"),
    "sc_stats": Twin("sc_stats.run"),
    "sclite | sc_stats": Twin("sc_stats.run", ("--scored",), "sc_stats"),
    "rover": Twin("rover.run"),
    "asclite": Twin("asclite.run"),
    "hubscr.pl": Twin("hub.hubscr"),
    "md-eval.pl": Twin("md_eval.run"),
    **{name: Twin("hub.filters", ("--program", name)) for name in DRAWS},
    **{name: Twin("hub.tools", ("--program", name)) for name in JUDGED},
    "KWSEval": Twin("kws.run"),
    **{name: Twin("kaldi.run", ("--program", name)) for name in OF_KALDI},
}


def compare(name: str, options: argparse.Namespace) -> int | None:
    """Compare a program with its original; how many cases differ, None without an original."""
    twin = TWINS[name]
    if judge(twin.original or name) is None:
        print(f"{name}: skipped, no original ({WHERE})", flush=True)
        return None
    judged: Judge[Any] = import_module(f"tests.judges.{twin.module}").JUDGE
    chosen = judged.options(twin.words)
    shared = {key: value for key, value in vars(options).items() if key != "program"}
    if options.keep is not None:
        shared["keep"] = options.keep / name.replace(" ", "")
    print(f"{name}: ", end="", flush=True)
    return failures(judged.run(argparse.Namespace(**{**vars(chosen), **shared})))


def main() -> int:
    """Compare the programs that the command line names, or all; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--program", nargs="+", choices=TWINS, default=[*TWINS], metavar="NAME")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    add_options(parser, 100, random.randrange(1 << 30))
    options = parser.parse_args()
    results = [compare(name, options) for name in options.program]
    return int(any(results) or all(result is None for result in results))


if __name__ == "__main__":
    sys.exit(main())
