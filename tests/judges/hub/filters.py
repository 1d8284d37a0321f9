"""The filters of hub evaluations against the originals on random cases.

    python tests/judges/hub/filters.py [--cases N] [--seed S] [--program NAME] [--core native|plain]

Output, files and whether the exit status is 0 must be the same, and error output but for what Perl
adds to it. Where an original crashes ours must end in order.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judge import judge
from tests.judges.frame import Judge, Verdict, judge_cases

NO_RULE = b"no arrow, line="
UNKNOWN_FORMAT = re.compile(rb"^  format = '(?!NIST1')", re.MULTILINE)
MAP, LEXICON = "m.glm", "l.lex"
PERL_REMARK = re.compile(
    rb"(?:Use of uninitialized value|splice\(\) offset past end|Argument .* isn't numeric"
    rb"|substr outside of string|Negative repeat).*"
)
PERL_PLACE = re.compile(rb" at \S+ line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$")
TEMPORARY_MAP = re.compile(rb"/tmp/hs_filt\.glm\.\d+")
WHITE = (" ", " ", " ", "  ", "\t", " \t")
WORDS = [
    "a", "b", "ab", "A", "B", "uh-huh", "x-", "-y", "a--b", "(a)", "(a", "b)", "it's", "and/or",
    "é", "{a/b}", "@", "1", "0.5", ";;c", "<o>", "c_d",
]  # fmt: skip


class Case(NamedTuple):
    """A call of a program: its words, its files, and its standard input."""

    words: list[str]
    files: dict[str, bytes]
    stdin: bytes


class Outcome(NamedTuple):
    """What a run gave; of the status only whether it is 0 counts, but for rfilter1."""

    status: int
    stdout: bytes
    stderr: bytes


def some(draw: random.Random, words: list[str], most: int = 6) -> list[str]:
    return draw.choices(words, k=draw.randrange(most + 1))


def text(draw: random.Random, words: list[str] = WORDS, most: int = 6) -> str:
    """Words with white space between them, and at times around them."""
    made = "".join(word + draw.choice(WHITE) for word in some(draw, words, most))
    return made if draw.random() < 0.3 else made.strip()


def ended(draw: random.Random, lines: list[str], encoding: str = "utf-8") -> bytes:
    """A file of lines, the last of which may lack its end."""
    end = "" if lines and draw.random() < 0.1 else "\n" if lines else ""
    return ("\n".join(lines) + end).encode(encoding)


SIDES = ["[ ]", "[a]", "[ a ]", "b", "", "[B]", '"a b"', "[A b]", "[it's]", "(", "[)]", "é", "'d'"]
TARGETS = [*SIDES, "[{a b / c}]", "e/f", "[x-y]", "[a / ]", "[(a b)]", "[%HES]", "[1]"]
CONTEXTS = ["", "", " / [ ] __ [ ]", " / [ ] __ [ ]", " / [a] __", " / __ [b]", " /[x] __ [ ]"]
CONTEXTS += [" / [a_b] __ [c]", " / [a/b] __ [c]", " / [ ]__[ ]", " / [é] _ [ ]", "/", " / [ ] [ ]"]
AUXILIARY = ["* name 'n'", '* desc "a case_sensitive thing"', "* max_nrules = '30'"]
AUXILIARY += ["* case_sensitive 'F'", "* CASE_SENSITIVE 'no'", "* case_sensitive = 'yes'"]
AUXILIARY += ["* copy_no_hit = 'T'", "* format 'NIST1'", '* max_nrules "17 and more']
RARE = ["* copy_no_hit 'F'", "* max_nrules = 200", "* max_nrules '2'", "   ;; indented", "no rule"]
RARE += ["* format 'NIST2'", "[long] => [" + 70 * "ab" + "]"]
PARTS = ["ctm", "ref|HYP", "stm|trn", ".", "", "rttm", r"\bt", "hyp"]


def draw_map(draw: random.Random, parts: bool = False, odd: float = 0.1) -> bytes:
    """A map; with `parts`, some of it for some formats only."""
    first = draw.choice(
        [";;", ";; map", ";; map", "#", "*" if odd > 0.05 else ";;", "", "[a] => [b]"]
    )
    lines = [first, *some(draw, AUXILIARY, 3)]
    for _ in range(draw.randrange(1, 12)):
        if draw.random() < odd / 5:
            lines.append(draw.choice(RARE))
        if parts and draw.random() < 0.15:
            lines.append(f';; INPUT_DEPENDENT_APPLICATION = "{draw.choice(PARTS)}"')
        side = draw.choice(SIDES[:7] + [f"[{word}]" for word in WORDS])
        arrow = draw.choice([" => ", " => ", " => ", "=>", " =>", "  =>\t"])
        end = draw.choice(["", "", "", " ;; c", "\r", " ; c"])
        lines.append(side + arrow + draw.choice(TARGETS) + draw.choice(CONTEXTS) + end)
        if draw.random() < odd:
            line = [*lines[-1]]
            line[draw.randrange(len(line))] = draw.choice("[]/_=> \"';*")
            lines[-1] = "".join(line)
    return ended(draw, lines, draw.choice(["utf-8", "utf-8", "latin-1"]))


def draw_rfilter1(draw: random.Random) -> Case:
    lines = [text(draw, [*WORDS, "b b", "[", "]"], 8) for _ in range(draw.randrange(6))]
    level = ["1"] if draw.random() < 0.2 else []
    return Case(["rfilter1", MAP, *level], {MAP: draw_map(draw)}, ended(draw, lines))


def draw_stm(draw: random.Random) -> str:
    header = ["f", draw.choice("1A"), "s" * draw.randrange(1, 4), "0", draw.choice(["1.5", "1"])]
    if draw.random() < 0.08:
        header = header[: draw.randrange(6)]
    label = draw.choice(["", "<o,f0>", "<o>", "<unk>", "<o><p>", "<>", "<o", "<a b>", "w<o>"])
    words = draw.choice([WORDS, WORDS[:6], [word for word in WORDS if "(" not in word]])
    glue = draw.choice([" ", " ", " ", "\t", "", "  "])
    return draw.choice(["", "", " "]) + " ".join(header) + glue + f"{label} {text(draw, words)}"


def draw_ctm(draw: random.Random) -> str:
    place = [draw.choice(["f", "g{"]), "A", draw.choice(["0.12", "1", "*", "1e1"])]
    place += [draw.choice(["0.3", ".25", "*", "0"]), draw.choice(WORDS)]
    rest = draw.choice(
        [[], ["0.9"], ["-"], ["0.9", "lex"], ["NA", "lex", "spk"], ["1", "lex", "2"]]
    )
    fields = [*place, *rest]
    if draw.random() < 0.06:
        fields = fields[: draw.randrange(len(fields))]
    return draw.choice(["", "", " "]) + draw.choice(WHITE).join(fields) + draw.choice(["", " "])


def draw_trn(draw: random.Random) -> str:
    words = draw.choice([WORDS, WORDS[:6]])
    return text(draw, words) + draw.choice([" ", "", "(x)"]) + draw.choice(["(u-1)"] * 15 + [""])


def draw_rttm(draw: random.Random) -> str:
    kind = draw.choice(["LEXEME", "LEXEME", "LEXEME", "SPEAKER", " LEXEME", "LEXEMES"])
    subtype = draw.choice(["lex", "lex", "fp", "frag", "other", "un-lex", "<NA>"])
    fields = [kind, "f", "1", "0.5", "0.2", draw.choice(WORDS), subtype, "s", "<NA>"]
    if draw.random() < 0.06:
        fields = fields[: draw.randrange(len(fields))]
    return draw.choice(WHITE).join(fields)


LINES: dict[str, Callable[[random.Random], str]] = {
    "stm": draw_stm,
    "ctm": draw_ctm,
    "trn": draw_trn,
    "rttm": draw_rttm,
    "txt": text,
}


def draw_lines(draw: random.Random, format_: str, comments: list[str]) -> list[str]:
    lines = [LINES[format_](draw) for _ in range(draw.randrange(8))]
    for number in range(len(lines)):
        if draw.random() < 0.1:
            lines[number] = draw.choice(comments)
        elif draw.random() < 0.015:
            lines[number] = draw.choice(["", " ", "\v", "a"])
    return lines


def draw_csrfilt(draw: random.Random) -> Case:
    format_ = draw.choice([*LINES])
    words = ["csrfilt.sh", "-i", format_]
    if draw.random() < 0.4:
        words += ["-t", draw.choice(["ref", "hyp"])]
    words += [switch for switch in ("-dh", "-s", "-e") if draw.random() < 0.35]
    files = {MAP: draw_map(draw, parts=True, odd=0.02)}
    if draw.random() < 0.05:
        words.append(draw.choice(["-x", "-i", "-t"]))
    words += [MAP, *draw.choice([[]] * 12 + [[MAP], [MAP, MAP], ["none"]])]
    lines = draw_lines(draw, format_, [";; a (b) c", " ;; a", ";;", "; a"])
    return Case(words, files, ended(draw, lines, draw.choice(["utf-8", "latin-1"])))


ARABIC = [base + mark for base in ("\u0622\u0628", "\u0623", "\u0628\u0627", "\u0625", "(\u0627")
          for mark in ("", "\u064b", "\u064c)", "\u064d\u0628", "\u0627", ")")]  # fmt: skip
ROMANISED = [
    "il+$ams", "bi+il+beet", "&il+qamar", "fa+il+walad", "li+il+bint", "**il", "**iS", "run**",
    "il+*a", "il+", "x",
]  # fmt: skip
COMMENTS = [";; il+a b c d e", "#x y", "  ;; k l m n o"]


def draw_text_lines(draw: random.Random, format_: str, words: list[str]) -> list[str]:
    lines: list[str] = []
    for _ in range(draw.randrange(7)):
        line = text(draw, words)
        if format_ == "stm":
            label = draw.choice(["", "<o> ", "<o,f0,x>\t", "<o", "<a>b "])
            line = f"f 1 s 0 {draw.choice(['1', '2.5'])}{draw.choice(WHITE)}{label}{line}"
        elif format_ == "ctm":
            rest = draw.choice(["", " 0.5", " 0.5 lex", "\tNA lex s"])
            line = f"f{draw.choice(WHITE)}1 0.{draw.randrange(99)} .31 {draw.choice(words)}{rest}"
        if draw.random() < 0.08:
            line = " ".join(line.split()[: draw.randrange(6)])
        lines.append(draw.choice(["", "", "", " ", "\t"]) + line)
        if draw.random() < 0.1:
            lines.append(draw.choice(COMMENTS))
    return lines


def in_and_out(draw: random.Random, words: list[str], data: bytes, files: dict[str, bytes]) -> Case:
    if draw.random() < 0.2:
        return Case([*words, "in", "out"], {**files, "in": data}, b"")
    return Case([*words, "-", "-"], files, data)


def draw_arabic(draw: random.Random, program: str) -> Case:
    format_ = draw.choice(["txt", "ctm", "stm"])
    words = [program, *(["-i", format_] if format_ != "txt" or draw.random() < 0.5 else [])]
    if program.startswith("tanween") and draw.random() < 0.4:
        words.append("-a")
    if draw.random() < 0.05:
        words += draw.choice([["-i", "foo"], ["-z"], ["x"]])
    data = ended(draw, draw_text_lines(draw, format_, [*ARABIC, "a", "b)"]))
    return in_and_out(draw, words, data, {})


def draw_def_art(draw: random.Random) -> Case:
    format_ = draw.choice(["txt", "ctm", "stm"])
    words = ["def_art.pl", "-i", format_] if draw.random() < 0.95 else ["def_art.pl"]
    files: dict[str, bytes] = {}
    vocabulary = ROMANISED
    if draw.random() < 0.5:
        letters = "\u0627\u0644\u0634\u0645\u0644\u0644\u0628"
        script = ["".join(draw.choices(letters, k=draw.randrange(1, 6))) for _ in range(8)]
        morphology = ["noun+article", "x:noun+article", "noun", "a:b+article:c"]
        lines = [
            f"{draw.choice(ROMANISED)}{draw.choice(WHITE)}{draw.choice(script)} p 1 "
            + draw.choice(morphology)
            for _ in range(draw.randrange(9))
        ]
        files[LEXICON] = ended(draw, lines, "iso8859-6")
        words += ["-s", LEXICON, *(["-t"] if draw.random() < 0.4 else [])]
        vocabulary = [*script, *ROMANISED[:4]]
    lines = draw_text_lines(draw, format_, vocabulary)
    return in_and_out(draw, words, ended(draw, lines, "iso8859-6"), files)


PIECES = [
    "haus", "tuer", "s", "en", "schluessel", "stadt", "plan", "bau", "tür", "ab", "a", "n",
    "ens", "nen",
]  # fmt: skip


def draw_acomp(draw: random.Random) -> Case:
    format_ = draw.choice(["txt", "ctm", "stm"])
    words = ["acomp.pl", "-i", format_]
    words += [switch for switch in ("-t", "-s", "-f") if draw.random() < 0.4]
    if draw.random() < 0.5:
        words += ["-m", draw.choice("1234")]
    entries = [draw.choice(["-", "_", "", "-"]).join(some(draw, PIECES, 3)) for _ in range(9)]
    lexicon = ended(draw, [entry + draw.choice(["", " x"]) for entry in entries], "latin-1")
    compounds = ["".join(draw.choices(PIECES, k=draw.randrange(1, 5))) for _ in range(6)]
    marked = [
        draw.choice(["{}", "{}", "{}-", "({})", "({}-)", "-{}"]).format(one) for one in compounds
    ]
    data = ended(draw, draw_text_lines(draw, format_, [*marked, "und"]), "latin-1")
    if draw.random() < 0.95:
        words += ["-l", LEXICON]
    return in_and_out(draw, words, data, {LEXICON: lexicon})


DRAWS: dict[str, Callable[[random.Random], Case]] = {
    "rfilter1": draw_rfilter1,
    "csrfilt.sh": draw_csrfilt,
    "hamzaNorm.pl": lambda draw: draw_arabic(draw, "hamzaNorm.pl"),
    "tanweenFilt.pl": lambda draw: draw_arabic(draw, "tanweenFilt.pl"),
    "def_art.pl": draw_def_art,
    "acomp.pl": draw_acomp,
}


def draw_case(program: str, seed: int, number: int) -> Case:
    """A case of a program, the same for the same numbers."""
    return DRAWS[program](random.Random(f"{program} {seed} {number}"))


def run_original(case: Case, folder: Path) -> Outcome:
    """Run the original in a folder with the case's files."""
    path = judge(case.words[0])
    assert path is not None
    done = subprocess.run(
        [path, *case.words[1:]],
        cwd=folder,
        env={"PATH": f"{Path(path).parent}:/usr/bin:/bin", "LC_ALL": "C"},
        input=case.stdin,
        capture_output=True,
        timeout=20,
    )
    return Outcome(done.returncode, done.stdout, done.stderr)


def run_ours(case: Case, folder: Path) -> Outcome:
    """Run ours in this process, in a folder with the case's files."""
    from scoring.cli.nist.hubscr import call

    here = os.getcwd()
    os.chdir(folder)
    try:
        done = call(case.words, case.stdin, ("stdout", "stderr"))
    finally:
        os.chdir(here)
    return Outcome(done.status, done.output, done.said)


def compared(outcome: Outcome, program: str) -> Outcome:
    """What of an outcome is compared."""
    kept = []
    for line in outcome.stderr.splitlines(keepends=True):
        end = line[len(line.rstrip(b"\n")) :]
        bare = PERL_PLACE.sub(b"", TEMPORARY_MAP.sub(MAP.encode(), line.rstrip(b"\n")))
        ours = bare.startswith(f"{program}: warning: ".encode())
        if not ours and not PERL_REMARK.match(bare):
            kept.append(bare + end)
    stdout, stderr = outcome.stdout, b"".join(kept)
    status = outcome.status if program == "rfilter1" else bool(outcome.status)
    if b"Usage: " in stdout:
        stdout = b"\n".join(stdout.rstrip().split(b"\n")[-1:])
    if outcome.status and program.endswith(".pl"):
        stderr = b"" if b"Usage: " in stderr else stderr
    if program == "csrfilt.sh":
        stderr = stderr.replace(b"failed\n", b"failed")
    return Outcome(status, stdout, stderr)


def difference(case: Case) -> str | None:
    """What differs, empty if nothing does; None where the original cannot be followed.

    It crashes, or does not look at rules that stand after a format it does not know: ours refuses
    the first that is none, and shows the others where the original shows old memory.
    """
    program = case.words[0]
    with tempfile.TemporaryDirectory(prefix="filters-") as place:
        outcomes, written = [], []
        for run in (run_original, run_ours):
            folder = Path(place, run.__name__)
            folder.mkdir()
            for name, content in case.files.items():
                (folder / name).write_bytes(content)
            outcomes.append(run(case, folder))
            written.append({path.name: path.read_bytes() for path in folder.iterdir()})
    truth, ours = outcomes
    if b"Traceback" in ours.stderr:
        return ours.stderr.decode("latin-1")
    said = truth.stderr
    if (
        truth.status < 0
        or b"Segmentation" in said
        or b"division by zero" in said
        or b"Aborted" in said
        or (b"invalid format" in said and NO_RULE in ours.stderr)
        or UNKNOWN_FORMAT.search(said)
    ):
        return None
    pairs: list[tuple[str, object, object]]
    pairs = [*zip(Outcome._fields, compared(truth, program), compared(ours, program), strict=True)]
    pairs.append(("files", written[0], written[1]))
    return "\n".join(f"{name}:\n  {one!r}\n  {two!r}" for name, one, two in pairs if one != two)


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case of each program in turn."""
    programs = [options.program] if options.program else [*DRAWS]
    return draw_case(programs[number % len(programs)], options.seed, number // len(programs))


def verdict(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    os.environ["SCORING_ALIGN"] = options.core
    text = difference(case)
    name = "no judge" if text is None else "different" if text else "same"
    report = f"{' '.join(case.words)}\n{case.files}\n{case.stdin!r}\n{text}"
    return Verdict(name, report, case.files)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--program", choices=[*DRAWS], help="one only")
    parser.add_argument("--core", choices=("native", "plain"), default="native")


JUDGE = Judge(__doc__, "sclite", draw, verdict, 500 * len(DRAWS), add_options, first_words=1)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
