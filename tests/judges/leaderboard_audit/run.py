"""Random clips beside the Open ASR Leaderboard's own audits: errors and renderings of a reference.

    python -m tests.judges.leaderboard_audit.run --original FOLDER [--audit renderings] [--cases N]
        [--seed S] [--write FILE]

The folder is a clone of huggingface/open_asr_leaderboard; functions of its `benchmark_fitting` are
called as its own scripts call them. For `renderings` its normaliser needs the packages regex and
more-itertools. `--write` writes the cases, with what the original counts.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import scoring

COMMIT = "d1e99b25524814332d6868a5645e568670834cfb"
TEXT = (
    "we met mr brown today the cat sat on a mat and commission act acted anti corruption "
    "anticorruption i thank you president naive naïve 20 twenty"
)
WORDS = TEXT.split()
FORMS = [
    *(["colour", "color"], ["Mr.", "mister", "mr"], ["TV", "T.V.", "T. V.", "t v", "TV,"]),
    *(["e-mail", "email", "e mail"], ["twenty-one", "21", "twenty one"], ["21st", "twenty-first"]),
    *(["etc.", "et cetera", "etcetera"], ["DVD", "D.V.D.", "d v d"], ["centre", "center"]),
    *(["ninety", "90"], ["x-ray", "xray"], ["uid", "U I D"], ["grey", "gray"], ["11", "eleven"]),
]
OTHERS = [
    *("API", "a.p.i.", "A P I", "wi-fi", "wifi", "wi fi", "wi\u2013fi", "t-shirt", "sci fi"),
    *("et-cetera", "twenty", "one", "11th", "11st", "13", "99", "year", "fy", "20", "years", "'45"),
    *("1999", "20%", "$20", "3.14", "12:30", "ninety", "nine", "tenth", "first", "second"),
    *("fiscal", "tv.show", "T.V.show", '"colour"', "re-colour", "i", "a", "s", "x", "t", "v"),
    *(
        "the",
        "cat",
        "sat",
        "on",
        "um",
        "don't",
        "it's",
        "hello",
        "(laughs)",
        "we",
        "met",
        "Mister,",
    ),
]
EDITS = {"keep": 14, "replace": 3, "drop": 2, "add": 2, "join": 1}


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
        match draw.choices(list(EDITS), list(EDITS.values()))[0]:
            case "replace":
                result += [draw.choice(WORDS) for _ in range(draw.randint(1, 2))]
            case "add":
                result += [word, draw.choice(WORDS)]
            case "join":
                result = [*result[:-1], "".join([*result[-1:], word])]
            case "keep":
                result.append(word)
    return result * draw.choice([1] * 20 + [4])


def error_case(draw: random.Random) -> list[list[str]]:
    """References, corrections and a hypothesis that follows either or neither of them."""
    clips = []
    for _ in range(draw.randint(1, 4)):
        original = [draw.choice(WORDS) for _ in range(draw.choice([0, 1, 2, 3, 5, 9, 14]))]
        corrected = text(draw, original, 0.5)
        heard = text(draw, draw.choice([original, corrected, corrected]), draw.choice([0, 0.2]))
        clips.append([" ".join(words) for words in (original, corrected, heard)])
    return clips


def errors_of(program: Any, clips: list[list[str]]) -> dict[str, int]:
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


def our_errors(clips: list[list[str]], folder: str = "") -> dict[str, int]:
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


def rendering_case(draw: random.Random) -> list[list[str]]:
    """References with forms of all families, and hypotheses with the same or other forms."""
    clips = []
    for _ in range(draw.randint(1, 4)):
        spoken = [
            draw.choice(draw.choice(FORMS)) if draw.random() < 0.4 else draw.choice(OTHERS)
            for _ in range(draw.randint(0, 14))
        ]
        heard: list[str] = []
        for item in spoken:
            kind = draw.random()
            if kind < 0.08:
                continue
            if kind < 0.16:
                heard.append(draw.choice(OTHERS))
            family = next((forms for forms in FORMS if item in forms), [item])
            form = draw.choice(family) if draw.random() < 0.5 else item
            heard.append(form.upper() if draw.random() < 0.1 else form)
        clips.append([" ".join(spoken), " ".join(heard)])
    return clips


def renderings_of(program: Any, clips: list[list[str]]) -> dict[str, int]:
    """What the original counts of each class."""
    classes = program.score_pairs(clips)["by_class"]
    return {
        f"{kind}_{part}": int(number)
        for kind, numbers in classes.items()
        for part, number in zip(("agreed", "eligible"), numbers, strict=True)
    }


def our_renderings(clips: list[list[str]], folder: str) -> dict[str, int]:
    """What the measure counts with the lists of a clone."""
    sides = [{f"u{row}": clip[side] for row, clip in enumerate(clips)} for side in range(2)]
    rates = scoring.wer(*sides)
    part = scoring.measure(rates, "renderings", {"leaderboard": folder})
    totals = part.columns.totals()
    return {name: totals[name] for name in part.measure.columns}


class Audit(NamedTuple):
    """An audit of the leaderboard: its module, how cases are drawn, and what both count."""

    module: str
    draw: Callable[[random.Random], list[list[str]]]
    theirs: Callable[[Any, list[list[str]]], dict[str, int]]
    ours: Callable[[list[list[str]], str], dict[str, int]]
    command: str


AUDITS = {
    "errors": Audit(
        "ref_error_utils",
        error_case,
        errors_of,
        our_errors,
        "find_ref_errors(original.split(), corrected, {'system': heard}), "
        "ref_error_agreement(edits); clips are original, corrected, heard",
    ),
    "renderings": Audit(
        "ref_rendering_utils",
        rendering_case,
        renderings_of,
        our_renderings,
        "score_pairs(clips)['by_class']; clips are reference, hypothesis",
    ),
}


def main() -> int:
    """Compare, and write the cases if asked to; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--original", required=True)
    parser.add_argument("--audit", choices=AUDITS, default="errors")
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    audit = AUDITS[options.audit]
    sys.path[:0] = [str(Path(options.original) / "benchmark_fitting"), options.original]
    program = import_module(audit.module)
    draw = random.Random(options.seed)
    cases: list[dict[str, Any]] = []
    sums, different = Counter[str](), 0
    for _ in range(options.cases):
        clips = audit.draw(draw)
        counts, own = audit.theirs(program, clips), audit.ours(clips, options.original)
        cases.append({"clips": clips, "counts": counts})
        sums.update(counts)
        if own != counts:
            different += 1
            print(f"different: {clips}: {counts}, ours: {own}")
    print(f"{len(cases)} cases, {dict(sums)}: {different} different")
    if options.write is not None:
        head = {
            "tool": "benchmark_fitting of huggingface/open_asr_leaderboard",
            "version": COMMIT,
            "command": audit.command,
        }
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
        document = json.dumps(head, indent=1)[:-2] + f',\n "cases": [\n{lines}\n]}}\n'
        options.write.write_text(document, "utf-8")
    return int(different > 0 or not any(sums.values()))


if __name__ == "__main__":
    sys.exit(main())
