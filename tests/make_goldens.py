"""Make goldens again, with the originals and nothing else.

    python tests/make_goldens.py sclite|rover|sc_stats|hub/md-eval [name …]

A case has `what` (one line), `command` or `arguments` (quoted for a shell) and its input files; one
of `sc_stats` has `scoring`, a line of sclite's arguments for every system (files from
`sc_stats/systems`; the line `text …` adds the rest of the line and a newline as it is), from which
its `stdin` is made. Debian's program runs on them, and what it wrote, its standard output, its exit
status and its error output, if any, become the parts below `expected/`, and its version and command
`ORIGIN.md`. Our own programs take no part, so the two can disagree.
"""

import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.golden_case import FOLDER, Golden, golden_cases
from tests.judge import judge
from tests.judges.frame import limited
from tests.judges.md_eval.run import without_usage as without_usage_of_md_eval
from tests.judges.sc_stats.generate import Case
from tests.judges.sc_stats.programs import run_original
from tests.judges.sc_stats.programs import without_usage as without_usage_of_sc_stats
from tests.judges.sclite.compare import without_dates, without_usage
from tests.judges.sclite.programs import Original, run_in

STAMP = re.compile(rb"\(run on [^)]*\)")
SYSTEMS = FOLDER / "sc_stats" / "systems"
ORIGIN = "Made by {programs} of Debian's package sctk {version}{colon}\n\n{commands}\n\n{changed}\n"
CLEANED = "usage text cut out of the error output; nothing else was changed."
MADE_HERE = "on input files written for this case. "


def package_version() -> str:
    """The version of the installed package, as the package manager gives it."""
    query = ["dpkg-query", "--showformat=${Version}", "--show", "sctk"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout


def results(
    status: int | None, stdout: bytes, stderr: bytes, files: dict[str, bytes]
) -> dict[str, bytes]:
    """What a run wrote, by the names of parts."""
    made = {**files, "stdout": stdout, "status": b"%d\n" % (status or 0)}
    return {**made, "stderr": stderr} if stderr else made


def of_sclite(case: Golden, version: str) -> Golden:
    """One case of sclite made anew."""
    with tempfile.TemporaryDirectory(prefix="sclite-golden-") as place:
        work, streams = Path(place, "work"), Path(place, "streams")
        case.lay_out(work)
        streams.mkdir()
        if "stdin" in case.parts:
            (streams / "stdin").write_bytes(case.parts["stdin"])
        outcome = run_in(Original(), case.arguments, work, streams)
    if not outcome.finished:
        raise SystemExit(f"{case.name}: the original did not finish (status {outcome.status})")
    made = results(
        outcome.status, outcome.stdout, without_usage(outcome.stderr), dict(outcome.files)
    )
    origin = ORIGIN.format(
        programs="sclite",
        version=version,
        colon=" with",
        commands=f"    sctk sclite {case.text('command')}",
        changed=f"{MADE_HERE}The date of creation was replaced by CREATION-DATE and the\n{CLEANED}",
    )
    return case.with_results({name: without_dates(part) for name, part in made.items()}, origin)


def of_rover(case: Golden, version: str) -> Golden:
    """One case of rover made anew."""
    program = judge("rover")
    assert program is not None
    with tempfile.TemporaryDirectory(prefix="rover-golden-") as place:
        case.lay_out(Path(place))
        done = subprocess.run(
            limited([program, *case.arguments], 1, 200_000),
            cwd=place,
            capture_output=True,
        )
        written = {path.name: path.read_bytes() for path in Path(place).iterdir()}
    if done.returncode < 0:
        raise SystemExit(f"{case.name}: the original did not finish (status {done.returncode})")
    files = {name: part for name, part in written.items() if name not in case.inputs}
    origin = ORIGIN.format(
        programs="rover",
        version=version,
        colon=" with",
        commands=f"    sctk rover {case.text('arguments')}",
        changed=f"{MADE_HERE}Nothing was changed.",
    )
    return case.with_results(results(done.returncode, done.stdout, done.stderr, files), origin)


def aligned(line: str) -> bytes:
    """The alignments of one line of `scoring`."""
    if line.startswith("text "):
        return line.removeprefix("text ").encode() + b"\n"
    program = judge("sclite")
    assert program is not None
    done = subprocess.run(
        limited([program, *shlex.split(line), "-o", "sgml", "stdout", "-f", "0"]),
        cwd=SYSTEMS,
        capture_output=True,
        env={"LC_ALL": "C", "TZ": "UTC"},
        check=True,
    )
    return without_dates(done.stdout)


def of_sc_stats(case: Golden, version: str) -> Golden:
    """One case of sc_stats made anew."""
    scoring = case.text("scoring").splitlines()
    stdin = b"".join(map(aligned, scoring))
    outcome = run_original(Case(case.name, tuple(case.arguments), stdin))
    if not outcome.finished:
        raise SystemExit(f"{case.name}: the original did not finish (status {outcome.status})")
    stderr = without_usage_of_sc_stats(outcome.stderr)
    made = results(outcome.status, outcome.stdout, stderr, dict(outcome.files))
    commands = [
        f"    sctk sclite {line} -o sgml stdout -f 0 >> stdin"
        for line in scoring
        if not line.startswith("text ")
    ]
    origin = ORIGIN.format(
        programs="sclite and sc_stats",
        version=version,
        colon=":",
        commands="\n".join([*commands, f"    sctk sc_stats {case.text('arguments')} < stdin"]),
        changed="on the files in `systems/`, written for this project. The dates of creation were "
        f"replaced by\nCREATION-DATE and the {CLEANED}",
    )
    return Golden(case.path, {**case.parts, "stdin": stdin}).with_results(made, origin)


def of_md_eval(case: Golden, version: str) -> Golden:
    """One case of md-eval.pl made anew, if it comes out alike whatever the order of hashes."""
    program = judge("md-eval.pl")
    assert program is not None
    found = []
    for order in range(12):
        with tempfile.TemporaryDirectory(prefix="md-eval-golden-") as place:
            case.lay_out(Path(place))
            done = subprocess.run(
                [program, *case.arguments[1:]],
                cwd=place,
                capture_output=True,
                env={"PERL_HASH_SEED": str(order), "PERL_PERTURB_KEYS": "2"},
            )
            written = {path.name: path.read_bytes() for path in Path(place).iterdir()}
        files = {name: part for name, part in written.items() if name not in case.inputs}
        stdout = STAMP.sub(b"(run on DATE)", done.stdout).replace(
            program.encode(), b"md-eval.pl", 1
        )
        stderr = without_usage_of_md_eval(done.stderr)
        found.append(results(done.returncode, stdout, stderr, files))
    if any(one != found[0] for one in found):
        raise SystemExit(f"{case.name}: the original does not always give the same")
    origin = ORIGIN.format(
        programs="md-eval.pl",
        version=version,
        colon=" with",
        commands=f"    {case.text('command')}",
        changed=f"{MADE_HERE}The date, the folder of the program and its usage text were cut out.",
    )
    return case.with_results(found[0], origin)


MAKERS: dict[str, Callable[[Golden, str], Golden]] = {
    "sclite": of_sclite,
    "rover": of_rover,
    "sc_stats": of_sc_stats,
    "hub/md-eval": of_md_eval,
}


def main(words: Sequence[str]) -> int:
    """Make the named cases of a folder, or all of them."""
    group, *names = words or [""]
    if group not in MAKERS:
        print(f"expected one of {', '.join(MAKERS)}, found {group!r}", file=sys.stderr)
        return 2
    known = {case.name: case for case in golden_cases(group)}
    unknown = sorted({*names} - {*known})
    if unknown:
        print(f"no such case: {', '.join(unknown)}", file=sys.stderr)
        return 2
    if judge("sclite") is None:
        print("sctk is not installed: there is no judge", file=sys.stderr)
        return 1
    version = package_version()
    for name in names or known:
        MAKERS[group](known[name], version).save()
    print(f"{len(names or known)} cases made with sctk {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
