"""Random clips beside the Open ASR Leaderboard's own audit of errors of a reference.

    python -m tests.judges.leaderboard_audit.run --original FOLDER [--cases N] [--seed S] [--write FILE]

The folder is a clone of huggingface/open_asr_leaderboard; its `benchmark_fitting/ref_error_utils.py`
is called as its own script calls it. `--write` writes the cases, with what the original counts.
"""

import argparse
import json
import random
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import scoring

COMMIT = "d1e99b25524814332d6868a5645e568670834cfb"
TEXT = (
    "we met mr brown today the cat sat on a mat and commission act acted anti corruption "
    "anticorruption i thank you president naive naïve 20 twenty"
)
WORDS = TEXT.split()
EDITS = (("keep", 14), ("replace", 3), ("drop", 2), ("add", 2), ("join", 1))


def text(draw: random.Random, words: list[str], changes: float) -> list[str]:
    """Words with some of them changed; sometimes none, all others, or a loop."""
    kind = draw.random()
    if kind < 0.04:
        return []
    if kind < 0.08:
        return [draw.choice(WORDS) for _ in range(draw.randint(0, 12))]
    result: list[str] = []
    for place, word in enumerate([*words, ""]):
        edge = place in (0, len(words))
        if draw.random() < (0.3 * changes if edge else 0.1 * changes):
            result += [draw.choice(WORDS) for _ in range(draw.randint(1, 3))]
        if draw.random() >= changes or not word:
            result += [word] if word else []
            continue
        names, weights = zip(*EDITS, strict=True)
        match draw.choices(names, weights)[0]:
            case "replace":
                result += [draw.choice(WORDS) for _ in range(draw.randint(1, 2))]
            case "add":
                result += [word, draw.choice(WORDS)]
            case "join":
                result = [*result[:-1], "".join([*result[-1:], word])]
            case "keep":
                result.append(word)
    return result * draw.choice([1] * 20 + [4])


def case(draw: random.Random) -> dict[str, Any]:
    """References, corrections and a hypothesis that follows either or neither of them."""
    clips = []
    for _ in range(draw.randint(1, 4)):
        original = [draw.choice(WORDS) for _ in range(draw.choice([0, 1, 2, 3, 5, 9, 14]))]
        corrected = text(draw, original, 0.5)
        heard = text(draw, draw.choice([original, corrected, corrected]), draw.choice([0, 0.2]))
        clips.append([" ".join(words) for words in (original, corrected, heard)])
    return {"clips": clips}


def said_by(program: Any, clips: list[list[str]]) -> dict[str, int]:
    """What the original counts."""
    edits = []
    for row, (original, corrected, heard) in enumerate(clips):
        found = program.find_ref_errors(original.split(), corrected, {"system": heard})
        for edit in found:
            edit.clip_key = str(row)
        edits += found
    rates = program.ref_error_agreement(edits).get("system")
    follows, either = (rates["n_ref"], rates["n_eligible"]) if rates else (0, 0)
    return {
        "original": follows,
        "corrected": either - follows,
        "neither": len(edits) - either,
        "decided": rates["n_clips"] if rates else 0,
    }


def ours(clips: list[list[str]]) -> dict[str, int]:
    """What the measure counts."""
    sides = [{f"u{row}": clip[side] for row, clip in enumerate(clips)} for side in range(3)]
    rates = scoring.wer(
        sides[0],
        sides[2],
        measures=["reference-errors"],
        measure_options={"corrected": sides[1]},
    )
    totals = rates.measured["reference-errors"].columns.totals()
    return {name: totals[name] for name in ("original", "corrected", "neither", "decided")}


def main() -> int:
    """Compare, and write the cases if asked to; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--original", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    sys.path.insert(0, str(Path(options.original) / "benchmark_fitting"))
    program = import_module("ref_error_utils")
    draw = random.Random(options.seed)
    cases = [case(draw) for _ in range(options.cases)]
    sums, different = dict.fromkeys(("original", "corrected", "neither", "decided"), 0), 0
    for each in cases:
        each["counts"] = said_by(program, each["clips"])
        for name, number in each["counts"].items():
            sums[name] += number
        if ours(each["clips"]) != each["counts"]:
            different += 1
            print(f"different: {each}, ours: {ours(each['clips'])}")
    print(f"{len(cases)} cases, {sums}: {different} different")
    if options.write is not None:
        head = {
            "tool": "benchmark_fitting of huggingface/open_asr_leaderboard",
            "version": COMMIT,
            "command": "find_ref_errors(original.split(), corrected, {'system': heard}), "
            "ref_error_agreement(edits); clips are original, corrected, heard",
        }
        lines = ",\n".join(json.dumps(each, ensure_ascii=False) for each in cases)
        document = json.dumps(head, indent=1)[:-2] + f',\n "cases": [\n{lines}\n]}}\n'
        options.write.write_text(document, "utf-8")
    return int(different > 0 or not any(sums.values()))


if __name__ == "__main__":
    sys.exit(main())
