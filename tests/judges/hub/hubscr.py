"""Our hubscr against the original on random cases.

    python tests/judges/hub/hubscr.py [--cases N] [--seed S] [--keep FOLDER]

Compared are the exit status, standard output, every file left behind, and of the error output the
lines that are hubscr's own; usage texts, places in the original's source and remarks of its
interpreter are not. Of drawings (`-G`) the log is compared, and the figures of the pages. Debian's
sclite has no language models, so that of `-K` what is filtered is compared.
"""

import argparse
import os
import random
import re
import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.asclite.programs import comparable
from tests.judges.frame import (
    Judge,
    Verdict,
    judge_cases,
    original,
    run_forked,
    run_limited,
    run_with,
)
from tests.judges.hub.tools import figures
from tests.judges.sclite.compare import Outcome, translated, unified_difference

MAP = b"""\
;; a map for all that is drawn
* name "drawn.glm"
* desc "words of the random cases"
* format = 'NIST1'
* max_nrules = '100'
* copy_no_hit = 'T'
* case_sensitive = 'F'
;;
[UH] => [%HESITATION] / [ ] __ [ ]
[UM] => [%HESITATION] / [ ] __ [ ]
[GREY] => [GRAY] / [ ] __ [ ]
[TODAY] => [TO DAY] / [ ] __ [ ]
[THE BOAT] => [BOAT] / [ ] __ [ ]
;;
;; INPUT_DEPENDENT_APPLICATION = "ctm|hyp"
[IT'S] => [{IT IS / IT HAS}] / [ ] __ [ ]
[WE'LL] => [WE WILL] / [ ] __ [ ]
"""
LABELS = b"""\
;; CATEGORY "0" "" ""
;; LABEL "O" "Overall" "all"
;; LABEL "F" "Female" "women"
;; LABEL "M" "Male" "men"
"""
SAID = "the boat uh um grey today it's we'll rain-coat sun- no yes Under over a b c"
WORDS = SAID.split()
# Words of languages that have filters of their own; one character a byte.
OF_LANGUAGE = {
    "german": "haus tuer haustuer haus-tuer stadtplan Stadtplanhaus haustuer- (haustuer) t\xfcr",
    "spanish": "ni\xf1o NI\xd1O se\xf1or \xf7 a\xff",
    "mandarin": "\xb0\xa1 \xb5\xc4\xc8\xcb \xd6\xd0\xb9\xfa \xb5\xc4",
    "arabic": "\u0622\u0628 \u0623\u0628 \u0627\u0628\u064b \u0625\u0628\u064c\u0628".encode().decode(
        "latin-1"
    ),
    "lexical arabic": "\xc7\xe4\xc8\xea\xca \xc8\xc7\xe4\xc8\xea\xca \xe4\xe4\xc8\xea\xca \xc8\xea\xca \xc7\xe4\xc7",
}
LEXICONS = {
    "german": b"haus\ntuer\nhaus-tuer\nstadt-plan\nST\xc4DTE\n",
    "arabic": b"il+beet \xc7\xe4\xc8\xea\xca p 1 noun+article\n"
    b"bi+il+beet \xc8\xc7\xe4\xc8\xea\xca p 1 noun+article\n"
    b"li+il+beet \xe4\xe4\xc8\xea\xca p 1 noun+article\nbeet \xc8\xea\xca p 1 noun\n"
    b"o+il+a \xc7\xe4\xc7 p 1 a:b+article\n",
}
MODEL = Path(__file__).resolve().parents[2] / "golden" / "lm" / "models" / "uni.blm"
ODD = ("{ one / two }", "(sea)", "((sky))", "{ / so }", "uh-huh", "-land", "caf\xe9", "<b>", "50")


class Case(NamedTuple):
    """Arguments, input files and standard input."""

    arguments: list[str]
    files: dict[str, bytes]
    stdin: bytes = b""


def draw(seed: int, number: int) -> Case:
    """A case; the same for the same numbers."""
    rng = random.Random(f"hubscr {seed} {number}")
    if rng.random() < 0.1:
        return Case([rng.choice(["sortCTM", "sortSTM"])], {}, _unsorted(rng))
    language = rng.choices(
        ["english", "English", "spanish", "italian", "arabic", "mandarin", "german"],
        [12, 2, 3, 2, 4, 3, 4],
    )[0]
    if language == "english" and rng.random() < 0.35:
        return _with_rttm(rng)
    hub = rng.choice(["hub4", "hub5", "HUB5", "rt-stt"])
    options = ["-g", "g.glm", "-l", language, "-h", hub]
    options += ["-V"] if rng.random() < 0.4 else []
    options += ["-v"] if rng.random() < 0.3 and hub != "rt-stt" else []
    options += ["-p", "/nowhere:/here"] if rng.random() < 0.1 else []
    options += ["-Z"] if rng.random() < 0.05 else []
    options += ["-n", "all"] if rng.random() < 0.2 else []
    options += ["-e", "the test"] if rng.random() < 0.2 else []
    files = {"g.glm": MAP}
    words = OF_LANGUAGE.get(language, "")
    if language == "arabic":
        options += [one for one in ("-H", "-T") if rng.random() < 0.5]
    if language == "german" or (language == "arabic" and rng.random() < 0.5):
        options += ["-L", "l.lex"]
        files["l.lex"] = LEXICONS[language]
        words = OF_LANGUAGE.get(f"lexical {language}", words)
    if language == "german" or (language == "arabic" and "l.lex" not in files):
        options += ["-d"]
    if rng.random() < 0.1:
        options += ["-w", "w.lst"]
        files["w.lst"] = b"the 0.5\nboat 2\n"
    elif rng.random() < 0.05:
        options += ["-K", "m.blm"]
        files["m.blm"] = MODEL.read_bytes()
    # half a character of Chinese is whatever the original finds after it
    odd = [one for one in ODD if language != "mandarin" or one.isascii()]
    segments = [*_segments(rng, [*WORDS, *words.split() * 3], odd)]
    aligned = language == "english" and rng.random() < 0.35
    if aligned:
        options += ["-a", *rng.choice([[], ["-o", "2"], ["-o4", "-C", "-B", "512"], ["-m", "1:2"]])]
        options += ["-G"] if rng.random() < 0.3 else []
    files["r.stm"] = _stm(rng, segments)
    hypotheses: list[str] = []
    for index in range(rng.choices([1, 2, 3], [5, 3, 2])[0]):
        name = f"h{index}.ctm"
        extended = hub == "rt-stt" and rng.random() < 0.8
        files[name] = _ctm(rng, segments, words.split() or WORDS, extended=extended)
        parts = [name]
        if rng.random() < 0.3:
            parts += [rng.choice(["", f"sys{index}", rf"Sys\ {index}"])]
            parts += [f"out{index}"] if rng.random() < 0.5 else []
        hypotheses.append(r"\#".join(parts))
    arguments = [*options, "-r", "r.stm", *hypotheses]
    if rng.random() < 0.12:
        arguments = _spoilt(rng, arguments)
    return Case(arguments, files)


def _with_rttm(rng: random.Random) -> Case:
    """A case with records of words and speakers: English, by asclite, who spoke with or without."""
    hub = rng.choice(["sastt", "sastt", "sastt", "rt-stt", "hub5"])
    options = ["-g", "g.glm", "-l", "english", "-h", hub, "-a", "-f", "rttm"]
    options += ["-V"] if rng.random() < 0.6 else []
    options += ["-G"] if rng.random() < 0.2 else []
    options += rng.choice([[], [], ["-o", "1"], ["-C"], ["-m", "1:2"]])
    files = {"g.glm": MAP}
    # two people who talk at once, each at times of their own
    turns: list[tuple[str, float, float, list[str]]] = []
    for at, name in enumerate(("amy", "bob", "cat")[: rng.randint(1, 3)]):
        now = 0.013 * at + rng.choice([0.5, 1.5])
        for _ in range(rng.randint(1, 3)):
            said = [rng.choice(WORDS) for _ in range(rng.randint(1, 5))]
            end = round(now + len(said) * 0.41 + 0.1, 3)
            turns.append((name, now, end, said))
            now = round(end + rng.choice([0.2, 1.7]), 3)
    reference = "r.rttm" if rng.random() < 0.6 else "r.stm"
    if reference == "r.rttm":
        options += ["-F", "rttm"]
        files[reference] = _rttm(rng, turns, ["amy", "bob", "cat"], certain=True)
    else:
        sex = {"amy": "female", "bob": "male", "cat": "female"}
        lines = [
            f"f1 1 {name} {begin:.3f} {end:.3f} <o,{sex[name]},{sex[name]}> {' '.join(said)}\n"
            for name, begin, end, said in turns
        ]
        files[reference] = "".join(lines).encode("latin-1")
    if hub == "sastt" and rng.random() < 0.3:
        options += ["-u", "u.uem"]
        files["u.uem"] = b"f1 1 0.7 %d\n" % rng.randint(3, 20)
    hypotheses = [f"h{index}.rttm" for index in range(rng.choice([1, 1, 2]))]
    for name in hypotheses:
        files[name] = _rttm(rng, turns, ["x", "y", "x"], certain=False)
    arguments = [*options, "-r", reference, *hypotheses]
    if rng.random() < 0.1:
        arguments = _spoilt(rng, arguments)
    return Case(arguments, files)


def _rttm(
    rng: random.Random,
    turns: Sequence[tuple[str, float, float, list[str]]],
    names: Sequence[str],
    *,
    certain: bool,
) -> bytes:
    """What was said, or what was heard of it, by some names."""
    heard_as = dict(zip(("amy", "bob", "cat"), names, strict=True))
    lines = [f"SPKR-INFO f1 1 <NA> <NA> <NA> unknown {name} <NA>" for name in {*names}]
    lines.sort()
    for name, begin, end, said in turns:
        shift = 0.0 if certain else rng.choice([0, 0, 0.061, -0.037])
        start, length = begin + shift, end - begin
        speaker = heard_as[name]
        lines.append(f"SPEAKER f1 1 {start:.3f} {length:.3f} <NA> <NA> {speaker} <NA>")
        for at, word in enumerate(said):
            chance = rng.random()
            if not certain and chance < 0.15:
                continue
            word = rng.choice(WORDS) if not certain and chance < 0.3 else word
            kind = rng.choice(["lex"] * 6 + ["fp", "frag", "other"])
            sure = rng.choice(["<NA>", "0.5", "0.93"])
            fields = [f"LEXEME f1 1 {start + at * 0.41:.3f} 0.35", word, kind, speaker, sure]
            lines.append(" ".join(fields))
    if rng.random() < 0.3:
        rng.shuffle(lines)
    return "".join(f"{line}\n" for line in lines).encode("latin-1")


def _unsorted(rng: random.Random) -> bytes:
    """Lines for a sorter: odd gaps, comments, times that are none, a last line without end."""
    lines = [
        rng.choice(["", "", " ", "\t"])
        + rng.choice(["f1", "f2", "F1", ";;", ";; f1"])
        + rng.choice([" ", " ", "  ", "\t"])
        + rng.choice(["A", "B", "1"])
        + rng.choice([" s ", " s ", " ", "  1e1 "])
        + rng.choice(["9", "10", "1.5x", ".5", "-1", "*", "9.0", "+2e0", ""])
        + rng.choice([" 1 a", " \r", ""])
        for _ in range(rng.randint(0, 12))
    ]
    lines += rng.choice([[], [""], [" \t"], ["f1"]])
    return "\n".join(lines).encode() + rng.choice([b"\n", b"\n", b""])


def _spoilt(rng: random.Random, arguments: list[str]) -> list[str]:
    """A command line of which something is wrong."""
    way = rng.randrange(4)
    if way == 0:
        index = rng.randrange(len(arguments))
        return arguments[:index] + arguments[index + 1 :]
    if way == 1:
        extra = [["-m", "x"], ["-m", "3:2"], ["-o", "2"], ["-L", "l"], ["-H"], ["-a"], ["-h", "x"]]
        return rng.choice(extra) + arguments
    if way == 2:
        return [one.replace("r.stm", "none.stm") for one in arguments]
    return [*arguments, rng.choice(["none.ctm", "-v"])]


def _segments(
    rng: random.Random, vocabulary: Sequence[str], odd: Sequence[str]
) -> Iterator[tuple[str, str, str, float, float, list[str]]]:
    for file in rng.sample(["f1", "f2", "F3"], rng.randint(1, 2)):
        for channel in rng.sample("AB1", rng.randint(1, 2)):
            now = 0.0
            for _ in range(rng.randint(1, 4)):
                words = [
                    rng.choice(odd if rng.random() < 0.06 else vocabulary)
                    for _ in range(rng.randint(0, 7))
                ]
                end = now + 0.5 + len(words) * 0.4
                yield file, channel, rng.choice(["amy", "bob"]), now, end, words
                now = end + rng.choice([0, 0.5])


def _stm(
    rng: random.Random, segments: Sequence[tuple[str, str, str, float, float, list[str]]]
) -> bytes:
    labels = rng.choice(["<o,f>", "<o,m>", "<O,M>", ""])
    lines = [
        f"{file} {channel} {speaker} {begin:.2f} {end:.2f} {labels} {' '.join(words)}".encode(
            "latin-1"
        )
        for file, channel, speaker, begin, end, words in segments
    ]
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), b"  ;; a remark")
    if rng.random() < 0.2:
        lines.insert(rng.randrange(len(lines) + 1), b"")
    return (LABELS if labels else b"") + b"\n".join(lines) + b"\n"


def _ctm(
    rng: random.Random,
    segments: Sequence[tuple[str, str, str, float, float, list[str]]],
    vocabulary: Sequence[str],
    *,
    extended: bool,
) -> bytes:
    confident = rng.random() < 0.5
    lines: list[bytes] = []
    for file, channel, _, begin, _, words in segments:
        now = begin + 0.1
        for word in words:
            draw = rng.random()
            # of an alternative without words the original makes half a file, and goes on
            if draw < 0.1 or (" " in word and draw < 0.9) or word == "{ / so }":
                continue
            said = rng.choice(vocabulary) if draw < 0.25 else word.replace(" ", "")
            gap = rng.choice([" ", " ", " ", "\t"]) if rng.random() < 0.05 else " "
            line = f"{file}{gap}{channel} {now:.2f} {rng.choice(['0.20', '.3'])} {said}"
            if extended:
                sure = rng.choice(["NA", "na", "0.7"])
                line += f" {sure} {rng.choice(['lex', 'lex', 'fp', 'non-lex'])} amy"
            elif confident:
                line += f" {rng.choice(['0.1', '0.50', '0.9', '1.0'])}"
            lines.append(line.encode("latin-1"))
            now += 0.4
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if rng.random() < 0.2:
        lines.insert(0, b";; remark")
    return b"\n".join(lines) + (b"\n" if lines else b"")


def run_original(program: str, case: Case) -> Outcome:
    """Run the original, its helpers first on the path."""
    environment = {"PATH": f"{Path(program).parent}:/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}
    command = [program, *case.arguments]
    return run_with(case.files, partial(run_limited, command, environment=environment), case.stdin)


def run_ours(case: Case) -> Outcome:
    """Run ours in a fork."""
    from scoring.cli.nist.hubscr import main

    return run_with(case.files, partial(run_forked, main, case.arguments), case.stdin)


PLACE = re.compile(rb" at \S+ line \d+(?:, <\w+> (?:line|chunk) \d+)?\.$", re.MULTILINE)
RUN_DATE = re.compile(rb"command line \(run on [^)]*\)|(?<=\(version v13\)) run on .*")
FINDINGS = re.compile(rb"(?:^ {6}ERROR: .*\n)+", re.MULTILINE)
SHOWN = re.compile(rb"^.*(?:Exec|Command): .*$", re.MULTILINE)
LEXICAL = re.compile(rb"perl -nae '.*' +(?=\|)")
COMPLAINTS = (b"Unknown option", b"Warning: LDC", b"Failed to parse")
OWN = (b"Error: ", b"   ", *COMPLAINTS)
CRASHED = (134, 136, 139)
UNALIGNED = b"Error: ASCLITE execution failed"
OF_ASCLITE = (".sgml", ".sys", ".raw")
OTHER_SPEAKERS = b"has other speakers, or others first, than system"
COMPARED = ("Ensemble.", "all.")
UNFILTERED = b"Error: Unable to filter file"
FAILED = b"Error: SCLITE execution failed"
DRAWN = ".filt.alignments/"
LOG = ".aligninfo.csv"
TURNS = ".stm.filt.rttm"


def own_words(stderr: bytes) -> bytes:
    """The lines of the error output that are hubscr's own, without a usage text."""
    stderr = LEXICAL.sub(b"hubscr.pl lexicalCTM ", PLACE.sub(b"", stderr))
    end = max(stderr.rfind(b"\nError: "), 0)
    early = [line for line in stderr[:end].splitlines() if line.startswith(COMPLAINTS)]
    return b"\n".join([*early, *(x for x in stderr[end:].splitlines() if x.startswith(OWN))])


def parts_of(outcome: Outcome, folder: bytes = b"") -> dict[str, bytes]:
    """What is compared of a run, by name."""
    streams = {"<stdout>": outcome.stdout, "<stderr>": own_words(outcome.stderr)}
    parts = {
        name: RUN_DATE.sub(b"", translated(name, part.replace(folder, b"")))
        for name, part in {**outcome.files, **streams}.items()
        if DRAWN not in name or name.endswith(".html")
    }
    for name in parts:
        if DRAWN in name:
            parts[name] = figures(parts[name])
        elif name.endswith(LOG):
            parts[name] = comparable({"stderr": parts[name]})["stderr"]
        elif name.endswith(OF_ASCLITE):
            parts[name] = comparable({name: parts[name]})[name]
        elif name.endswith(TURNS):  # in the order of the original's hashes
            parts[name] = b"".join(sorted(parts[name].splitlines(keepends=True)))
    for name in streams:
        parts[name] = SHOWN.sub(_plain, parts[name])
        # of an rttm in the order of the original's hashes
        parts[name] = FINDINGS.sub(_in_order, parts[name])
    return {**parts, "<status>": b"%d\n" % (outcome.status or 0)}


def _in_order(findings: re.Match[bytes]) -> bytes:
    return b"".join(sorted(findings[0].splitlines(keepends=True)))


def _plain(shown: re.Match[bytes]) -> bytes:
    """A command line without quotes and double blanks."""
    return re.sub(rb"(?<=\S) +", b" ", shown[0].translate(None, b"\\'\""))


def is_beyond(arguments: Sequence[str], truth: Outcome, ours: Outcome) -> bool:
    """Whether ours goes on, or ends at once, where the page of hubscr says so."""
    language = arguments[arguments.index("-l") + 1] if "-l" in arguments else ""
    if language == "german":
        if "-d" not in arguments and "-L" in arguments:
            return ours.status in (0, 255) and b"Unable to access LDC" in truth.stderr
        # the error of a filter before the last becomes the transcript
        return UNFILTERED in ours.stderr and UNFILTERED not in truth.stderr
    if language == "arabic" and not {"-d", "-L"} & {*arguments}:
        return b"expected -L FILE, or -d" in ours.stderr
    return False


def difference(program: str, arguments: Sequence[str], truth: Outcome, ours: Outcome) -> str:
    """What is wrong with our outcome; empty if nothing is."""
    if b"Traceback" in ours.stderr:
        return f"a traceback:\n{ours.stderr.decode('latin-1')}"
    if is_beyond(arguments, truth, ours):
        return ""
    expected = parts_of(truth, os.fsencode(Path(program).parent) + b"/")
    found = parts_of(ours)
    failed = FAILED in truth.stderr and (truth.status == 255 or "-K" in arguments)
    crashed = truth.status in CRASHED or failed
    if crashed and ours.status in (0, 1):
        # a program of the chain has, where ours goes on, or says why and writes what it can;
        # asclite's log stays behind then, which a chain that comes to its end deletes
        whole = {name for name, content in truth.files.items() if content and LOG not in name}
        if UNALIGNED in truth.stderr:
            whole = {name for name in whole if not name.endswith(OF_ASCLITE)}
        expected, found = (
            {name: one[name] for name in one if name in whole} for one in (expected, found)
        )
    if OTHER_SPEAKERS in ours.stderr:
        # sc_stats pairs the speakers of systems by position, and goes on after the last
        expected, found = (
            {name: one[name] for name in one if not name.startswith(COMPARED)}
            for one in (expected, found)
        )
    return unified_difference(expected, found)


def compare(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    program = original("hubscr.pl")
    truth, ours = run_original(program, case), run_ours(case)
    if truth.status is None and ours.status is not None:
        return Verdict("original never ends")  # `align2html.pl`, for example
    text = difference(program, case.arguments, truth, ours)
    report = f"hubscr.pl {' '.join(case.arguments)}\n{text}"
    return Verdict("different" if text else "same", report, case.files)


JUDGE = Judge(
    __doc__, "hubscr.pl", lambda options, number: draw(options.seed, number), compare, 100
)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
