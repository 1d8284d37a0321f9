"""Makes the goldens of Kaldi's scoring folders, with Kaldi's own scripts and programs.

    python -m tests.judges.kaldi.make --kaldi GIT_DIRECTORY --programs FOLDER [NAME …]

The scripts are those of a clone of Kaldi, some of them of an early commit; FOLDER has the programs
compute-wer, align-text and compute-wer-bootci. Texts are drawn at random. Lattices play no part in
scoring but for their paths, so the programs that read them are stand-ins, which print the drawn
hypotheses of a pair of weights as numbers of words. Everything after them is Kaldi's.
"""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.golden_case import FOLDER, Golden

COMMIT, EARLY = "f4007661023b98b8081fd875029f0dee62242fd1", "406b3348c"
LMWT, PENALTIES = (9, 10, 11), ("0.0", "0.5")
DECODE, GRAPH, DATA = Path("exp/tri/decode_test"), Path("exp/tri/graph"), Path("data/test")
OUTPUT = FOLDER / "kaldi" / "folders"
WSJ, NEW = "egs/wsj/s5", "egs/wsj/s5/steps/scoring/score_kaldi_{}.sh"
SWEEP = f"--min-lmwt {LMWT[0]} --max-lmwt {LMWT[-1]}"
BOTH = f"{SWEEP} --word-ins-penalty {','.join(PENALTIES)}"
WORDS = [
    "the",
    "a",
    "old",
    "new",
    "house",
    "light",
    "was",
    "cold",
    "it",
    "in",
    "morning",
    "good",
    "people",
    "came",
    "to",
    "see",
    "who",
]
HAN = [
    "今天",
    "天气",
    "很",
    "好",
    "我们",
    "去",
    "公园",
    "看",
    "花",
    "他",
    "说",
    "明天",
    "可能",
    "下雨",
]
PHONES = ["aa", "b", "ch", "d", "eh", "f", "g", "iy", "k", "l", "m", "n", "ow", "p", "s", "t"]
MARKS = ["<UNK>", "<unk>", "[noise]", "[BREATH]", "<NOISE>"]
STAND_IN = """#!{python}
import json, sys
weights = json.load(sys.stdin) if sys.argv[-2] == "ark:-" else {{"penalty": "0.0"}}
for word in sys.argv[1:]:
    name, _, value = word.partition("=")
    if name in ("--lm-scale", "--inv-acoustic-scale"):
        weights["scale"] = value
    elif name == "--word-ins-penalty":
        weights["penalty"] = value
is_last = "best-path" in sys.argv[0] or "mbr" in sys.argv[0]
place = sys.argv[-1].partition(":")[2]
output = sys.stdout if place == "-" else open(place, "w")
drawn = "drawn/{{scale}}_{{penalty}}"
output.write(open(drawn.format(**weights)).read() if is_last else json.dumps(weights))
"""
LATTICE_TOOLS = ["scale", "add-penalty", "best-path", "prune", "mbr-decode"]


class Recipe(NamedTuple):
    """A script with its options and what is drawn for it."""

    scripts: tuple[str, ...]
    options: str = SWEEP
    words: tuple[str, ...] = tuple(WORDS)
    marks: bool = False  # whether words that are no words are drawn
    missing: int = 0  # hypotheses that are not there
    commit: str = COMMIT
    shared: bool = True  # whether the reference is that of the other recipes
    rate: float = 0.2


def _old(path: str) -> tuple[str, ...]:
    return (f"egs/{path}",)


WER, CER = (NEW.format("wer"),), (NEW.format("cer"),)
NO_STATS = f"{BOTH} --stats false"
RECIPES = {
    "details": Recipe(WER, BOTH),
    "details-marks": Recipe(WER, BOTH, marks=True),
    "details-and-characters": Recipe(WER + CER, BOTH),
    "details-many-errors": Recipe(WER, BOTH, rate=0.9),
    "details-missing": Recipe(WER, BOTH, missing=2),
    "details-of-mbr": Recipe(WER, f"{BOTH} --decode-mbr true"),
    "no-stats": Recipe(WER, NO_STATS),
    "no-stats-of-mbr": Recipe(WER, f"{NO_STATS} --decode-mbr true"),
    "no-stats-few-errors": Recipe(WER, NO_STATS, rate=0.02),
    "no-stats-many-errors": Recipe(WER, NO_STATS, rate=0.9),
    "no-stats-marks": Recipe(WER, NO_STATS, marks=True),
    "no-stats-missing": Recipe(WER, NO_STATS, missing=2),
    "no-stats-and-characters": Recipe(WER + CER, NO_STATS),
    "no-stats-han": Recipe(WER + CER, NO_STATS, tuple(HAN), shared=False),
    "no-stats-characters-only": Recipe(CER, NO_STATS, tuple(HAN), shared=False),
    "early-sums-at-data": Recipe(_old("callhome_egyptian/s5/local/score.sh"), marks=True),
    "early-numbers": Recipe(_old("aurora4/s5/local/score.sh"), marks=True),
    "early-numbers-many-errors": Recipe(_old("voxforge/s5/local/score.sh"), rate=0.9),
    "early-numbers-few-errors": Recipe(_old("gp/s5/local/score.sh"), rate=0.02),
    "early-numbers-missing": Recipe(_old("voxforge/s5/local/score.sh"), missing=1),
    "early-numbers-marks": Recipe(_old("tedlium/s5/local/score_basic.sh"), marks=True),
    "early-numbers-test": Recipe(
        _old("vystadial_cz/s5/local/score.sh"), SWEEP.replace("lmwt", "lmw")
    ),
    "early-penalties": Recipe(_old("cmu_cslu_kids/s5/local/score.sh"), BOTH, marks=True),
    "early-penalties-texts": Recipe(_old("swbd/s5c/local/score_basic.sh"), BOTH, marks=True),
    "early-texts": Recipe(_old("aspire/s5/local/score.sh"), marks=True),
    "early-texts-many-errors": Recipe(_old("aspire/s5/local/score.sh"), rate=0.9),
    "early-characters": Recipe(
        _old("hkust/s5/local/score_basic.sh"), words=tuple(HAN), commit=EARLY, shared=False
    ),
    "early-phones": Recipe(
        _old("timit/s5/local/score_basic.sh"), words=tuple(PHONES), missing=1, shared=False
    ),
    "lower-case": Recipe(
        _old("uw3/v1/local/score.sh"),
        f"{NO_STATS} --decode-mbr true",
        (*WORDS, *map(str.title, WORDS)),
        shared=False,
    ),
}


def references(recipe: Recipe, draw: random.Random) -> dict[str, list[str]]:
    """Three speakers with three utterances each; one of these is short."""
    names = [f"{speaker}-{number}" for speaker in ("ann", "bo", "cy") for number in (1, 2, 3)]
    sizes = [1 if name == "bo-2" else draw.randrange(4, 9) for name in names]
    return {
        name: draw.choices(recipe.words, k=size) for name, size in zip(names, sizes, strict=True)
    }


def recognised(words: list[str], recipe: Recipe, draw: random.Random) -> Iterator[str]:
    """The words with errors."""
    for word in words:
        kind = draw.random() / recipe.rate
        if kind >= 0.3:
            yield draw.choice(recipe.words) if kind < 0.7 else word
        if 0.7 <= kind < 1:
            yield draw.choice(recipe.words)
        if recipe.marks and draw.random() < 0.1:
            yield draw.choice(MARKS)


def lay_out(recipe: Recipe, work: Path, draw: random.Random) -> None:
    """Write the data, the symbols and the hypotheses of all weights."""
    spoken = references(recipe, random.Random(1) if recipe.shared else draw)
    for folder in (DATA, GRAPH, DECODE, Path("drawn"), Path("stand-ins")):
        (work / folder).mkdir(parents=True)
    write(work / DATA / "text", (f"{name} {' '.join(words)}" for name, words in spoken.items()))
    write(work / DATA / "utt2spk", (f"{name} {name[:-2]}" for name in spoken))
    numbers = {word: n for n, word in enumerate(dict.fromkeys(["<eps>", *recipe.words, *MARKS]))}
    write(work / GRAPH / "words.txt", (f"{word} {n}" for word, n in numbers.items()))
    (work / DECODE / "lat.1.gz").touch()
    (work / DECODE / "num_jobs").write_text("1\n")
    (work / DECODE.parent / "final.mdl").touch()
    left = draw.sample(sorted(spoken), len(spoken) - recipe.missing)
    for penalty in PENALTIES:
        for weight in LMWT:
            rows = (
                f"{name} {' '.join(str(numbers[word]) for word in recognised(spoken[name], recipe, draw))}"
                for name in sorted(left)
            )
            write(work / "drawn" / f"{weight}_{penalty}", rows)
    for tool in LATTICE_TOOLS:
        program = work / "stand-ins" / f"lattice-{tool}"
        program.write_text(STAND_IN.format(python=sys.executable))
        program.chmod(0o755)


def write(path: Path, lines: Iterator[str]) -> None:
    """Write lines."""
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")


def check_out(kaldi: Path, recipe: Recipe, work: Path) -> list[str]:
    """Bring the recipe's scripts here; the command lines."""
    wanted = {COMMIT: [f"{WSJ}/utils", f"{WSJ}/steps"]}
    places = {"utils": f"{WSJ}/utils", "steps": f"{WSJ}/steps"}
    commands = []
    for number, path in enumerate(recipe.scripts):
        recipe_folder, _, script = path.partition("/local/")
        if script:  # an early recipe's own script, with what it calls
            places["local"] = f"{recipe_folder}/local"
            wanted.setdefault(recipe.commit, []).append(places["local"])
        if script and "timit" in recipe_folder:
            places["conf"] = f"{recipe_folder}/conf"
            wanted[recipe.commit].append(places["conf"])
        name = f"local/{script}" if script else path.removeprefix(f"{WSJ}/")
        stage = "--stage 2 " * (number > 0)
        commands.append(f"{name} {recipe.options} {stage}{DATA} {GRAPH} {DECODE}")
    for commit, paths in wanted.items():
        archive = ["git", f"--git-dir={kaldi}", "archive", commit, *paths]
        data = subprocess.run(archive, capture_output=True, check=True).stdout
        subprocess.run(["tar", "x", "-C", work], input=data, check=True)
    for name, place in places.items():
        (work / name).symlink_to(place)
    return commands


def stored(path: Path) -> bool:
    """Whether a file is part of the golden: what is scored, and the commands of early recipes."""
    name = path.name
    if path.suffix == ".log":
        return path.parts[-3] == "scoring" and name.startswith("score")
    return not name.startswith(("lat.", "num_jobs", "final", "utt_"))


def of_recipe(name: str, recipe: Recipe, kaldi: Path, programs: Path) -> Golden:
    """One folder made anew."""
    with tempfile.TemporaryDirectory(prefix="kaldi-golden-") as place:
        work = Path(place).resolve()
        lay_out(recipe, work, random.Random(name))
        commands = check_out(kaldi, recipe, work)
        for version in ("sctk", "sctk-2.4.0"):
            hubscr = work / "tools" / version / "bin/hubscr.pl"  # looked for, and not called
            hubscr.parent.mkdir(parents=True)
            hubscr.touch()
        path = f"{programs.resolve()}:{work}/stand-ins:{work}/utils:{os.environ['PATH']}"
        (work / "path.sh").write_text(f"export LC_ALL=C PATH={path} KALDI_ROOT={work}\n")
        for command in commands:
            outcome = subprocess.run(
                ["bash", "-c", command], cwd=work, capture_output=True, text=True
            )
            if outcome.returncode:
                raise SystemExit(f"{name}: {command}\n{outcome.stdout}{outcome.stderr}")
        parts = {
            "what": f"{name.replace('-', ' ')}\n".encode(),
            "command": f"{'; '.join(commands)}\n".encode(),
        }
        parts["ORIGIN.md"] = (
            f"Made by the scripts {', '.join(recipe.scripts)} of Kaldi, commit {recipe.commit[:9]}, and the\n"
            f"programs of commit {COMMIT[:9]}, over texts drawn at random.\n"
        ).encode()
        for folder in (DATA / "text", GRAPH / "words.txt", DECODE):
            for file in sorted((work / folder).rglob("*")) if folder == DECODE else [work / folder]:
                if file.is_file() and stored(file):
                    parts[str(file.relative_to(work))] = cleaned(file)
        for kind in ("wer", "cer"):
            if best := best_of(kind, work):
                parts[f"expected/best_{kind}"] = best
        return Golden(OUTPUT / f"{name}.case", parts)


def cleaned(file: Path) -> bytes:
    """The bytes of a file; of a log the command line only, since the rest is times and places."""
    data = file.read_bytes()
    return data.partition(b"\n")[0] + b"\n" if file.suffix == ".log" else data


def best_of(kind: str, work: Path) -> bytes:
    """The line of the best weights, as the summaries of Kaldi's recipes find it."""
    find = f"cd {DECODE} && ls {kind}_* > /dev/null 2>&1 && grep WER {kind}_* | {work}/utils/best_wer.sh"
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        ["bash", "-c", find], cwd=work, env=environment, capture_output=True
    ).stdout


def main() -> None:
    """Make all folders, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kaldi", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if not arguments.names and OUTPUT.exists():
        shutil.rmtree(OUTPUT)
    OUTPUT.mkdir(exist_ok=True)
    for name in arguments.names or RECIPES:
        of_recipe(name, RECIPES[name], arguments.kaldi, arguments.programs).save()
        print(name)


if __name__ == "__main__":
    main()
