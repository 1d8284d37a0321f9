"""Random and provoking lines scored by a recipe and by its original, line by line and in batches.

Lines have single blanks (`plain`), or runs of blanks and blanks of Unicode (`blanks`), or tabs and
vertical tabs (`tabs`); differences are counted for each. The originals come from the package index:
`python -m tests.judges.recipes.run --recipe jiwer --cases 100000`; other options name sources.
"""

import argparse
import json
import math
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import scoring
from scoring.score.rates import ErrorRates
from scoring.text.recipes import recipe_named
from tests.judges.conformance.inputs import PHRASES
from tests.judges.meeteval.run import meeting
from tests.judges.recipes.originals import ORIGINALS, Original, load, seglst, trn, version_of
from tests.judges.recipes.sources import Score

BATCH = 50
# What normalisers and tokenisers have rules for; phrases of several words are between two strokes.
_PROVOKING = (
    "kinda | sorta | dunno | cause | zero | oh | one | two | ten | eleven | nineteen | thirty | "
    "fourty | ninety | hundreds | thousand | million | trillion | ones | twenties | sixes | first "
    "| fifth | twelfth | twenty-first | thirtieth | hundredth | fourths | halves | and | point | "
    "half | double | triple | minus | plus | percent | per cent | dollars | cent | cents | pounds "
    "| euros | pence | an | i | I | he'd been | she's got | there's | y'all | ain't | couldn't | "
    "I'ma | wanna | gotta | would've done | 'tis | James' | the's | 's | 've | ma'am | Mrs. | St. "
    "| Prof. | Lt. | Jr. | etc. | 4th | '90s | 90s | 007 | .5 | 5. | 3.14 | 1.2.3 | 1,00 | "
    "1.000,50 | 10.000 | 10 000 | 12:30 | 1/2 | 3\u00bd | x\u00b2 | \uff11\uff12 | \u0663 | "
    "\u0967 | 1e5 | %50 | % | $ | $0.50 | \u00a53.99 | \u00a220 | 5\u00a2 | $-5 | -7 | +3 | #1 | "
    "A1 | b2b | 4x4 | 1a | 123456789012345678901234567890 | 000 | 00 | 0 | 1 | 99 | 1001 | 1984 | "
    "um | mhm | uh-huh | Hmm. | realised | travelling | theatre | mum | Steven | Allen | [un "
    "closed | (open | ( | ) | ] | > | < | [a(b]c) | [] | () | (()) | <<a>> | {x} | [x) | "
    "na\u00efve | Stra\u00dfe | \u0152uvre | \u00c6r\u00f8 | \u0141\u00f3d\u017a | \u0110 | "
    "\u00f0 | \u01c6 | \u1e9e | \u0149 | \u0131 | \u212b | \u00aa | \u2122 | \u2014 | \u2010 | "
    "\u00b7 | \u00b0 | \u2032 | \u201cq\u201d | \u201eq\u201d | \u00abq\u00bb | 'q' | q; | q! | "
    "\u00a1q | r\\s | t_u | v|w | a&b | a@b.c | http://x.y/z | U.S. | e.g. | Ph.D. | wi-fi | "
    "all-right | all right | how ever | some times | l'homme | aujourd'hui | un'ora | S\u00e3o | "
    "Bahn hof | Bahnhof | week end | weekend | a\u00adb | \u200d | \u2060 | x\u200by | \ufe0f | "
    "\u2764\ufe0f | \U0001f469\u200d\U0001f469 | \U0001f1e9\U0001f1ea | a\u0300\u0301 | \u0301 | "
    "\u0345 | \u03a3 | \u03c2 | \u1f40\u0394\u03a5\u03a3 | \u01f0 | \u0390 | \ud55c\uad6d | "
    "\u30ab\u30bf | \uff76\uff80 | \u30fc | \u3005 | \u3007 | \u4f60\uff0c\u4e16\u3002 | \uff0c | "
    "\u300c\u5f15\u300d | \uff01 | \u4e2da\u56fd | a\u4e2db | \u4e2d,\u56fd | \uff11 | \u337f | "
    "\u2460 | \u2167 | \u093e | \u0644\u064e\u0627"
)
WORDS = (
    *("a", "b", "the", "The", "THE", "cat", "cats", "don't", "don\u2019t", "it's", "O'Neil", "uh"),
    *("twenty", "five", "25", "$5.50", "50%", "1,000", "3rd", "colour", "color", "Mr.", "well-known"),
    *("[noise]", "<unk>", "(laugh)", "word,", "\u00bfqu\u00e9?", "\u00e9", "e\u0301", "\u00c9"),
    *("\u00df", "SS", "\u0130stanbul", "\ufb01", "\uff21", "\u4f60\u597d", "\u0e01\u0e33\u0e25"),
    *("\u0939\u093f\u0928\u094d\u0926\u0940", "\u0627\u0644", "\U0001f600", "\u200b", "\ufeffa"),
    *("-", "--", "...", "&", "a/b", "@", "*", "#", "{", "}", "\u2026", "\u00a3", "\u00bd"),
    *PHRASES, *_PROVOKING.split(" | "),
)  # fmt: skip
BLANKS = {
    "plain": (" ",),
    "blanks": (" ", " ", " ", "  ", "   ", "\u00a0", "\u3000", "\u3000\u00a0", " \u2028", "\x1c"),
    "tabs": (" ", " ", " ", "\t", " \t ", "\x0b", "\t\t"),
}


# Marks in sclite's files: `(uh)` is scored otherwise. A byte order mark at the beginning of a file is
# no word here.
MARKS = frozenset("{}/@()\ufeff")
WORDS_OF_TRN = (
    *(word for word in WORDS if not MARKS.intersection(word)),
    *("well;", "a;tag;b", r"a\;b", r"a\b", "\\", "well*", "a**", "wo*rd", "*a", "a;b*", "a*;b"),
    *("{ the / a }", "{ cat / @ }", "{ a b / c / The cat }"),
)


def line(chance: random.Random, kind: str, vocabulary: Sequence[str]) -> str:
    """A line of up to nine words."""
    words = [chance.choice(vocabulary) for _ in range(chance.choice((0, 1, 2, 3, 4, 6, 9)))]
    return _joined(chance, words, kind)


def _joined(chance: random.Random, words: list[str], kind: str) -> str:
    text = "".join(word + chance.choice(BLANKS[kind]) for word in words)
    return text.rstrip(" ") if kind == "plain" else chance.choice(("", *BLANKS[kind])) + text


def changed(chance: random.Random, text: str, kind: str, vocabulary: Sequence[str]) -> str:
    """A hypothesis for a line: words dropped, replaced, inserted, and other blanks."""
    if chance.random() < 0.1:
        return line(chance, kind, vocabulary)
    words = text.split() if vocabulary is WORDS else re.findall(r"\{[^}]*\}|\S+", text)
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        place = chance.randrange(len(words) + 1)
        words[place : place + chance.choice((0, 1, 1))] = chance.choice(
            ([], [chance.choice(vocabulary)])
        )
    return _joined(chance, words, kind)


def draw(original: Original, chance: random.Random, options: Any) -> tuple[str, Any, Any]:
    """The kind of blanks of a batch, and its references and hypotheses."""
    kind = chance.choice(options.blanks)
    vocabulary: Sequence[str] = WORDS
    if original.module == "meeteval":
        sides = (_session(chance, number) for number in range(options.batch))
        references, hypotheses = map(list, zip(*sides, strict=True))
        return "plain", references, hypotheses
    if original.module == "sclite":
        # blanks of Unicode would touch the braces
        vocabulary = [word for word in WORDS_OF_TRN if kind != "blanks" or word[0] != "{"]
    if original.module in ("espnet", "seame"):
        vocabulary = [word for word in WORDS_OF_TRN if word[0] != "{"]
    references = [line(chance, kind, vocabulary) for _ in range(options.batch)]
    return kind, references, [changed(chance, text, kind, vocabulary) for text in references]


def _session(chance: random.Random, number: int) -> Iterator[str]:
    for side in meeting(chance):
        yield json.dumps([{**row, "session_id": f"s{number:06}"} for row in side])


def compare(
    recipe: str, original: Original, program: Any, chance: random.Random, options: Any
) -> Counter[str]:
    """Score a batch on both sides; what was compared and what differs, by kind of blanks."""
    kind, *sides = draw(original, chance, options)
    theirs = original.score(program, sides[0], sides[1], options.characters)
    if options.golden is not None:
        write_golden(recipe, original, sides, theirs, options)
    rates = score_by_recipe(recipe, sides[0], sides[1], options.characters)
    answers = zip(*sides, theirs.lines, original.ours(rates), strict=True)
    different = [row for row in answers if row[2] != row[3]]
    rows = [f"{row[0]!r} {row[1]!r}: original {row[2]}, recipe {row[3]}" for row in different]
    found = Counter({f"{kind}: lines": len(sides[0]), f"{kind}: numbers": 1})
    found += Counter({f"{kind}: lines that differ": len(rows)})
    if theirs.number != rates.headline:
        found[f"{kind}: numbers that differ"] += 1
        rows.append(f"batch: original {theirs.number}, recipe {rates.headline}")
    for row in rows[: options.show]:
        print(f"{kind}: {row}")
    options.show -= len(rows[: options.show])
    return found


def write_golden(
    recipe: str, original: Original, sides: list[Any], theirs: Score, options: Any
) -> None:
    """Write what the original says of a batch; the last batch stays."""
    record = {
        "recipe": recipe,
        "characters": options.characters,
        "tool": original.module,
        "version": version_of(original.module),
        "command": f"python -m tests.judges.recipes.run {' '.join(sys.argv[1:])}",
        "number": theirs.number,
        "lines": list(zip(*sides, theirs.lines, strict=True)),
    }
    rows = json.dumps(record, ensure_ascii=True).replace(', ["', ',\n["')
    options.golden.write_text(rows + "\n", "utf-8", newline="\n")


def score_by_recipe(
    recipe: str, references: list[str], hypotheses: list[str], characters: bool
) -> ErrorRates:
    """Our scores of lines, or of files where the original reads such."""
    score = scoring.cer if characters else scoring.wer
    if not recipe.startswith(("sclite", "meeteval")):
        return score(references, hypotheses, like=recipe)
    name, write = ("trn", trn) if recipe.startswith("sclite") else ("seglst.json", seglst)
    with tempfile.TemporaryDirectory() as folder:
        paths = Path(folder, f"ref.{name}"), Path(folder, f"hyp.{name}")
        for path, texts in zip(paths, (references, hypotheses), strict=True):
            path.write_text(write(texts), "utf-8", newline="\n")
        return score(*paths, like=recipe)


def main() -> int:
    """Compare as many lines as the command line asks for; 1 if plain lines differ."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--recipe", required=True)
    parser.add_argument("--cases", type=int, default=1000, help="lines")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=BATCH, help="lines of a number")
    parser.add_argument("--blanks", nargs="+", choices=list(BLANKS), default=list(BLANKS))
    parser.add_argument("--characters", action="store_true")
    parser.add_argument("--show", type=int, default=5, help="differences to print")
    parser.add_argument("--golden", type=Path, help="write the lines and answers as JSON")
    parser.add_argument("--kaldi", type=Path, help="program compute-wer of Kaldi")
    parser.add_argument("--original", type=Path, help="folder of the original's sources")
    options = parser.parse_args()
    recipe = recipe_named(options.recipe).name
    original = ORIGINALS.get(recipe)
    if original is None:
        print(f"{recipe}: no original to compare with; known: {', '.join(ORIGINALS)}")
        return 1
    try:
        program = load(original.module, options)
    except (ImportError, FileNotFoundError) as problem:
        print(f"{recipe}: skipped: its original is not installed ({problem})")
        return 0
    chance, found = random.Random(options.seed), Counter[str]()
    for _ in range(math.ceil(options.cases / options.batch)):
        found += compare(recipe, original, program, chance, options)
    print(
        f"{recipe}, seed {options.seed}: " + ", ".join(f"{k} {v}" for k, v in sorted(found.items()))
    )
    return int(any(name.startswith("plain") and "differ" in name for name in found))


if __name__ == "__main__":
    sys.exit(main())
