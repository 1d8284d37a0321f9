"""Our validators and RTTM tools against the originals on random cases.

    python tests/judges/hub/tools.py [--program NAME …] [--cases N] [--seed S]

Of the pages of align2html.pl the names and figures are compared. Where the order of an original
changes from run to run, lines that may change places are sorted before they are compared. Perl's
own warnings, and where in a script it died, are cut out.
"""

import argparse
import io
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.cli.nist.sctk import PROGRAMS
from tests.judge import judge
from tests.judges.asclite.cases import draw as draw_speech_at_once
from tests.judges.asclite.programs import in_a_folder
from tests.judges.frame import Judge, Verdict, judge_cases, limited

ROW = re.compile(rb"<tr>.*?</tr>", re.DOTALL)
CELL = re.compile(rb"<td[^>]*>(.*?)</td>", re.DOTALL)
TAG = re.compile(rb"<[^>]*>")
SECONDS_LONG = re.compile(rb"\A\d+\.\d+\Z")
PAGES = "pages"
PERL_PLACE = re.compile(rb" at \S+ line \d+(, <\w*> line \d+)?\.$", re.MULTILINE)
PERL_WARNING = re.compile(
    rb"^(Use of uninitialized|Argument \"|readline\(\) on closed).*\n", re.MULTILINE
)
OUR_WARNING = re.compile(rb"^chfilt\.pl: warning: .*\n", re.MULTILINE)
DIED_BY_CHANCE = re.compile(rb"division by zero|Can't (?:call|use|locate)")
REFUSED = b"expected a turn without blanks before it"
BY_CHANCE = (25, 1)
"""Numbers of the system's last error, with which Perl dies by chance, for 255."""
OVERLAP = re.compile(rb"(?<=from the same speaker overlap\n).*", re.DOTALL)
USAGE = re.compile(rb"^(?:Usage|Version: )", re.MULTILINE)
TOOLS = "tools"
LOTS = {"mergectm2rttm.pl": 12, "slatreport.pl": 40}
"""How often a program that draws lots, or sums in the order of its hashes, is run at most."""


class Case(NamedTuple):
    """One run: arguments, files by name, standard input, and the program, once it is drawn."""

    arguments: tuple[str, ...]
    files: Mapping[str, bytes]
    stdin: bytes = b""
    program: str = ""


class Outcome(NamedTuple):
    """What a run gave, in a form that may be compared."""

    status: int
    stdout: bytes
    stderr: bytes


def some(draw: random.Random, choices: str) -> str:
    """One of the words of a text; `_` stands for none."""
    word = draw.choice(choices.split())
    return "" if word == "_" else word


def text_of(draw: random.Random, lines: Iterable[str]) -> bytes:
    """Lines, at times with odd ones between them, or without the last line's end."""
    made: list[str] = []
    for line in lines:
        if draw.random() < 0.04:
            made.append(draw.choice(["", "  ", ";; note", " ;; note", "; one", "a", "a b c", "\t"]))
        if draw.random() < 0.04:
            line = draw.choice([" " + line, line + " ", line + "\r", line.replace(" ", "\t", 2)])
        made.append(line)
    text = "\n".join(made) + ("" if draw.random() < 0.05 else "\n")
    return text.encode("latin-1")


CTM_TOKENS = "word it's a. b.c x-y -uh %bcack %HESITATION a@b <ALT_BEGIN> <ALT> <ALT_END> (uh) w0rd d\xe9j\xe0 's x<ALT>y 5 ;; %bcnack.x"
NUMBERS = "0 1 0.5 12.25 1. .5 -1 NA 1e3 * 00.10 x"


def draw_ctm(draw: random.Random) -> Case:
    """A case of `ctmValidator.pl`."""
    lines = []
    for _ in range(draw.randrange(6)):
        fields = [some(draw, "f1 f-2_x f.1 caf\xe9"), some(draw, "A B C 1 12 a")]
        fields += [some(draw, NUMBERS), some(draw, NUMBERS), some(draw, CTM_TOKENS)]
        fields += [some(draw, NUMBERS), some(draw, "lex fp LEX frag noscore bad"), "s.1", "x"]
        lines.append(" ".join(fields[: draw.choice([3, 5, 5, 6, 6, 7, 8, 9])]))
    language = draw.choice([(), (), ("-l", "English"), ("-l", "german"), ("-x",), ("-l",)])
    return Case((*language, "-i", "v.ctm"), {"v.ctm": text_of(draw, lines)})


STM_PARTS = "a b O' o' ' 's 'll 'x ( ) (( . - % %hesitation %bcack { } / @ 5 \xe9 ! # d'etre ] < <,>./-] ~ z _ x"


def draw_stm(draw: random.Random) -> Case:
    """A case of `stmValidator.pl`."""
    lines = []
    for _ in range(draw.randrange(6)):
        head = [some(draw, "f g"), some(draw, "A B 1"), "s", "0", "1"][: draw.choice([5] * 9 + [3])]
        if draw.random() < 0.7:
            head.append(some(draw, "<o,f0> <> < <a>b"))
        words = [
            "".join(some(draw, STM_PARTS) for _ in range(draw.choice([1, 1, 2, 3, 4])))
            for _ in range(draw.randrange(7))
        ]
        if draw.random() < 0.1:
            words.insert(0, "IGNORE_TIME_SEGMENT_IN_SCORING")
        if draw.random() < 0.1:
            words.append(draw.choice([";; gone", ';; LABEL "a" "b" "c"', "x;;y"]))
        lines.append(" ".join((*head, *words)))
    options = draw.choice([(), (), ("-l", "Arabic"), ("-s",), ("-sl", "mandarin"), ("-z",)])
    return Case((*options, "-i", "v.stm"), {"v.stm": text_of(draw, lines)})


SUBTYPES = {
    "SU": "statement question Foo",
    "EDIT": "repetition restart <NA>",
    "FILLER": "filled_pause other bad",
    "IP": "edit filler edit&filler other x",
    "LEXEME": "lex lex fp alpha <NA>",
    "NON-LEX": "laugh burp",
    "SPKR-INFO": "adult_male unknown Child",
    "SEGMENT": "eval <NA> x",
    "CB": "clausal x",
    "NON-SPEECH": "noise x",
}
WORDS = (
    "w well-known %uh a_b {_a_/_b_} {_a_{_b_/_c_}_/_d_} (x) a. a.'s \xe9\xe9. <NA> x- 5 it's [a]"
)


def draw_rttm_line(draw: random.Random, order: float) -> str:
    """One record; `order` is how often its fields are in order."""
    kind = some(draw, "LEXEME LEXEME LEXEME SPEAKER SU EDIT FILLER IP NOSCORE")
    if draw.random() > order:
        kind = some(draw, f"{' '.join(SUBTYPES)} NO_RT_METADATA A/P lexeme FOO XSPEAKER")
    begin, duration = draw.randrange(12) / 2, draw.choice([0.0, 0.5, 1, 1.5, 2, 5, 0.4995])
    times = [f"{begin:g}", "<NA>" if kind in ("IP", "CB") else f"{duration:g}"]
    text, subtype = "<NA>", "<NA>"
    known = SUBTYPES.get(kind.upper())
    if known is not None:
        subtype = known.split()[0] if draw.random() < order else some(draw, known)
    if kind == "IP":
        subtype = some(draw, "edit filler edit&filler other")
    if kind.upper() == "LEXEME":
        text = "w" if draw.random() < order else some(draw, WORDS)
    speaker, sure = some(draw, "amy amy amy bob"), "<NA>"
    if kind == "NOSCORE":
        speaker = "<NA>"
    fields = [kind, "v", "1", *times, text, subtype, speaker, sure]
    if kind == "SPKR-INFO":
        fields[3:6] = ["<NA>"] * 3
    if draw.random() > order:
        place = draw.randrange(1, 9)
        fields[place] = some(draw, "<NA> <na> -1 .5 5. 1* 1** x 2 3 V w 1.5 AMY <NA>*")
    if draw.random() > order:
        del fields[draw.randrange(9) :]
    elif draw.random() < 0.1:
        fields += ["3.1", "x"][: draw.choice([1, 1, 2])]
    return " ".join(fields)


def draw_rttm_check(draw: random.Random) -> Case:
    """A case of `rttmValidator.pl`: most have records in order that lie to each other anyhow."""
    order = draw.choice([1.0, 1.0, 1.0, 0.98, 0.7])
    lines = [f"SPKR-INFO v 1 <NA> <NA> <NA> unknown {name} <NA>" for name in ("amy", "bob", "<NA>")]
    lines = lines[: draw.choice([3, 3, 3, 2, 1])]
    place = 0.0
    is_neat = draw.random() < 0.6
    for _ in range(draw.randrange(10)):
        if not is_neat:
            lines.append(draw_rttm_line(draw, order))
            continue
        # a sentence of two words, with an edit or filler and its point, each at times left out
        start, middle, place = place, place + 0.5, place + draw.choice([1.0, 1.0, 1.5])
        neat = [
            f"SU v 1 {start:g} 1 <NA> statement amy <NA>",
            f"SPEAKER v 1 {start:g} 1 <NA> <NA> amy <NA>",
            f"LEXEME v 1 {start:g} 0.5 w lex amy .5",
            f"LEXEME v 1 {middle:g} 0.5 w lex amy .5",
            f"EDIT v 1 {start:g} 0.5 <NA> restart amy <NA>",
            f"FILLER v 1 {middle:g} 0.5 <NA> other amy <NA>",
            f"IP v 1 {draw.choice([start, middle, middle, place]):g} <NA> <NA> {some(draw, 'edit filler edit&filler edit&filler other')} amy <NA>",
        ]
        lines += [line for line in neat if draw.random() < 0.9]
    if draw.random() < 0.1:
        lines.append("NOSCORE v 1 0.5 1 <NA> <NA> <NA> <NA>")
    if draw.random() < 0.1:
        lines.insert(0, ";; EXP-ID: " + draw.choice(["x_bnews_y", "cts", "none"]))
    if draw.random() < 0.5:
        draw.shuffle(lines)
    flags = [f"-{letter}" for letter in "uspefS" if draw.random() < 0.2]
    name = draw.choice(["v.rttm", "v.rttm", "v.x.rttm", "V.rttm"])
    return Case(("-t", *flags, "-i", name), {name: text_of(draw, lines)})


def draw_rttm(draw: random.Random, faults: float = 0.02) -> bytes:
    """An rttm for the tools."""
    lines = []
    for _ in range(draw.randrange(12)):
        kind = some(draw, "SPEAKER SPEAKER SPEAKER LEXEME LEXEME SU IP NOSCORE SEGMENT A/P")
        if draw.random() < 0.05:
            kind = some(draw, "SPKR-INFO NORTMETADATA XSPEAKER")
        begin = some(draw, "0 1 1.0 1.00 2.5 .5 3.25 10 0.75 4 <NA>")
        duration = some(draw, "0.5 1 1.000 .25 2 <NA>")
        text = some(draw, "w (uh) \xe9 <NA>")
        fields = [kind, some(draw, "a b"), some(draw, "1 2 10"), begin, duration, text]
        fields += [some(draw, "lex lex fp edit&filler <NA>"), some(draw, "amy bob"), "<NA>", "9"]
        if kind == "SPKR-INFO":
            fields[3:6] = ["<NA>"] * 3
        if draw.random() < 0.1:
            fields[8] = some(draw, "0.5 1 .5")
        if draw.random() < faults:
            fields[draw.randrange(9)] = some(draw, "-1 1. x <NA> a;;b 1e3 +")
        lines.append(" ".join(fields[: draw.choice([9, 9, 9, 10])]))
    draw.shuffle(lines)
    if draw.random() < 1 - 10 * faults:
        return ("\n".join(lines) + "\n").encode("latin-1") if lines else b""
    return text_of(draw, lines)


def draw_sort(draw: random.Random) -> Case:
    """A case of `rttmSort.pl`."""
    if draw.random() < 0.5:
        return Case((), {}, draw_rttm(draw))
    return Case(("x.rttm", "y.rttm"), {"x.rttm": draw_rttm(draw), "y.rttm": draw_rttm(draw)})


def draw_smooth(draw: random.Random) -> Case:
    """A case of `rttmSmooth.pl`."""
    gap = draw.choice([(), (), ("-s", "0.5"), ("-s", "0"), ("--s=1",), ("-s", "x"), ("-y",)])
    return Case(gap, {}, draw_rttm(draw, 0.05))


def draw_words(draw: random.Random) -> Case:
    """A case of `rttm2ctm.pl`."""
    files = {"x.rttm": draw_rttm(draw)}
    return Case(draw.choice([(), ("-i", "x.rttm"), ("-i", "none")]), files, draw_rttm(draw))


def draw_speech(draw: random.Random) -> Case:
    """A case of `spkr2sad.pl`."""
    return Case((), {}, draw_rttm(draw, 0.05))


def draw_turns(draw: random.Random) -> Case:
    """A case of `stm2rttm.pl`."""
    lines, ends = [], dict.fromkeys("xyz", 0.0)
    overlap = -0.1 if draw.random() < 0.1 else 0.0
    sexes = {name: some(draw, "male female unk unknown m") for name in "xyz"}
    if draw.random() < 0.6:
        sexes = {name: some(draw, "male female") for name in "xyz"}
    for _ in range(draw.randrange(14)):
        name = draw.choice("xyz")
        begin = ends[name] + draw.choice([0, 0.1, 0.3, 0.31, 0.5, 0.7, 2, overlap])
        ends[name] = round(begin + draw.choice([0.5, 1, 1.25]), 2)
        speaker = (
            name if draw.random() < 0.95 else some(draw, "Excluded_Region inter_segment_gap q")
        )
        sex = sexes[name] if draw.random() < 0.98 else "male"
        label = some(draw, f"<o,{sex},{sex}> <o,{sex},{sex}> <o,{sex},{sex}> <o,x,{sex}> <o>")
        fields = ["f", "1", speaker, f"{begin:g}", f"{ends[name]:g}", label, "some words"]
        lines.append(" ".join(fields[: draw.choice([7, 7, 7, 6])]))
    if draw.random() < 0.3:
        draw.shuffle(lines)
    evaluation = some(draw, "rt02 rt04s rt05s rt05s rt05s rt09")
    options = draw.choice([("-e", evaluation)] * 9 + [("--evaluation=" + evaluation,), ()])
    return Case(options, {}, text_of(draw, lines))


def draw_merge(draw: random.Random) -> Case:
    """A case of `mergectm2rttm.pl`, with one word where speakers overlap: it is drawn who says it."""
    turns, words, place = [], [], 0.0
    is_crowded = draw.random() < 0.2
    for name in ("amy", "bob"):
        if draw.random() < 0.9:
            turns.append(f"SPKR-INFO a 1 <NA> <NA> <NA> unknown {name} <NA>")
    for _ in range(draw.randrange(6)):
        begin = round(place + draw.choice([0.1, 0.3, -0.4 * is_crowded * (place > 0), 1]), 2)
        place = round(begin + draw.choice([0.5, 1, 2]), 2)
        turns.append(f"SPEAKER a 1 {begin:g} {place - begin:g} <NA> <NA> {some(draw, 'amy bob')} 1")
    for _ in range(1 if is_crowded else draw.randrange(10)):
        begin, sure = draw.randrange(60) / 8, some(draw, "0.5 0.5 0.5 1 <NA>")
        kind = some(draw, "lex lex lex fp")
        words.append(
            f"a 1 {begin:.3f} {some(draw, '0.1 0.25 1')} {some(draw, 'w x-y')} {sure} {kind}"
        )
    if draw.random() < 0.5:
        draw.shuffle(turns)
    files = {"r.rttm": turns, "h.ctm": words}
    made = {name: "".join(line + "\n" for line in lines).encode() for name, lines in files.items()}
    return Case(("-r", "r.rttm", "--ctmfile", "h.ctm", "-p", TOOLS), made)


def draw_latency(draw: random.Random) -> Case:
    """A case of `slatreport.pl`."""
    lines = []
    for _ in range(draw.choice([0, 1, 2, 5, 20])):
        begin, late = draw.randrange(1000) / 100, draw.randrange(1, 4000) / 1000
        kind, subtype = draw.choice([("LEXEME", "lex"), ("SPEAKER", "<NA>"), ("IP", "edit")])
        duration = "<NA>" if kind == "IP" else some(draw, "0.25 1 2.5 0.1 0.33")
        put_out = f"{begin + late:g}" if draw.random() < 0.9 else "<NA>"
        fields = [kind, some(draw, "f g"), some(draw, "1 2"), f"{begin:g}", duration, "<NA>"]
        fields += [subtype, some(draw, "amy bob"), "<NA>", put_out]
        lines.append(" ".join(fields if draw.random() < 0.995 else fields[:9]))
    options = [
        option
        for option in ("-tLEXEME", "-sedit,lex", "--file=f", "-c=1", "-n=amy,bob", "-H=3", "-H=1")
        if draw.random() < 0.15
    ]
    options = [part for option in options for part in re.split("=|(?<=-[ts])", option)]
    text = "".join(line + "\n" for line in lines).encode()
    if draw.random() < 0.1:
        text = text_of(draw, lines)
    target = draw.choice(["/dev/null", "out"])
    return Case(("-i", "x.rttm", "-o", target, *options), {"x.rttm": text})


LANGUAGES = "english english english english german spanish mandarin japanese arabic dutch"
CALLHOME_PARTS = (
    "hello uh %uh UM yes. no, ok? ((maybe)) ((so it)) (( )) {laugh} [noise] [[note]] wor- -ld a-b- "
    '<French_bon> &Bob **xx** *y* +z+ @w ~u ~s. ^Name # // -- = it\'s well-known x= (%mm) "q" B1: '
    "</aside> <as/> %%oh mhm ; \xe4h \xc4H h\xe4 aaa \xdf\xc0 \xbf"
)
MISSISSIPPI_PARTS = CALLHOME_PARTS.replace("~u", "~u~s ~n~'s mhm @x *x <as/> so </as> MHM")
ARABIC_PARTS = (
    "أه %أه أهه %%أهه %أجنبي %صمت %ضحك\\ ** +كلمة+ &اسم كلمة (( كلمة )) %تداخل x %تداخل\\"
)
MANDARIN_PARTS = (
    "<_a_b> @w@ *y* %z (%z z% \xa3\xac \xda\xc0 \xb0\xa1 (( \xb0\xa1 )) &\xb0\xa1 <E_w_x>"
)
JAPANESE_PARTS = (
    "\xa4\xa2 \xa1\xa2 \xa4\xa2\xa1\xa3 \xa1\xd6\xa4\xa2\xa1\xd7 \xa1\xe3a a\xa1\xe4 x= +\xa4\xa2+"
)
SPANISH_PARTS = "\xbfqu\xe9 %eh mmm **a** +b+ <English_yes> \xa1oy! ahora ((s\xed)) n- \xbb"
OF_LANGUAGE = {
    "arabic": ARABIC_PARTS.encode().decode("latin-1"),
    "mandarin": MANDARIN_PARTS,
    "japanese": JAPANESE_PARTS,
    "spanish": SPANISH_PARTS,
}
CONTRACTED = "<contraction e_form=\"[we=>we][are=>'re]\">we're"


def draw_callhome(draw: random.Random) -> Case:
    """A case of `chfilt.pl`."""
    language = some(draw, LANGUAGES)
    is_mississippi = draw.random() < 0.15
    parts = MISSISSIPPI_PARTS if is_mississippi else CALLHOME_PARTS
    if language in OF_LANGUAGE and draw.random() < 0.7:
        parts = (
            f"{OF_LANGUAGE[language]} {CALLHOME_PARTS}"
            if draw.random() < 0.5
            else OF_LANGUAGE[language]
        )
    lines, times = [], {"A": 0.0, "B": 0.0, "A1": 0.5}
    for _ in range(draw.randrange(7)):
        words = [some(draw, parts) for _ in range(draw.randrange(7))]
        if draw.random() < 0.15:
            words.append(CONTRACTED)
        if draw.random() < 0.15:
            words.append(
                draw.choice(["<French bon jour>", "(( <Latin et al> ))", "<x>", "((a (b)))"])
            )
        name = draw.choice([*times])
        begin = round(times[name] + draw.choice([0, 0.1, 0.3, 0.75, -0.2]), 2)
        times[name] = round(begin + draw.choice([0.5, 1.25, 12]), 2)
        head = "f " * is_mississippi + f"{max(begin, 0):.2f} {times[name]:.2f} {name}: "
        lines.append(head + " ".join(words))
        if draw.random() < 0.15:
            lines.append(draw.choice(["  and on", "# comment", "", "more it's (( so ))"]))
    if draw.random() < 0.05:
        lines.insert(0, "no head")
    options = [
        option
        for option in (
            "-d",
            "-a",
            "-k",
            "-c",
            "-E",
            "-s 0.2",
            "-p 0.25",
            "-C numbers",
            "-C letters",
            "-o pem",
        )
        if draw.random() < 0.15
    ]
    options += ["-m"] * is_mississippi
    windows = ["-b 1 -e 9", "-i -b 0 -e 30", "-i"]
    words = ["-t hello=bye", "-q yes=no", "-t no=yes:uh=um:x", "-q hello=hi=uh:yes=ok:no"]
    options += [draw.choice([*windows, *words])] * (draw.random() < 0.3)
    words = " ".join([f"-l {language}", *options]).split()
    return Case((*words, "x.txt", "--", "-"), {"x.txt": text_of(draw, lines)})


def draw_log(draw: random.Random) -> Case:
    """A case of `align2html.pl`: what asclite says of people who talk at once."""
    program = judge("asclite")
    assert program is not None
    case = draw_speech_at_once(draw.randrange(1 << 30), 0)
    words = list(case.arguments)
    words[words.index("-f") + 1] = "6"
    log = in_a_folder(case.files, words, program).stderr
    mapping = case.files.get("m.csv")
    options = () if mapping is None else ("-m", "m.csv")
    files = {"log": log} if mapping is None else {"log": log, "m.csv": mapping}
    return Case(("-a", "log", "-o", PAGES, *options), files)


def figures(page: bytes) -> bytes:
    """The cells of a page's tables, a line a row; nothing of their headings, and in no order."""
    rows = [
        [
            SECONDS_LONG.sub(_to_the_millisecond, TAG.sub(b"", cell).strip())
            for cell in CELL.findall(row)
        ]
        for row in ROW.findall(page)
    ]
    for row in rows:
        row[2:5:2] = [b"%.3f" % float(cell) if cell.isdigit() else cell for cell in row[2:5:2]]
    lines = [b" | ".join(row) + b"\n" for row in rows if row[1:] and row[1][:1].isdigit()]
    if b"Summary for Meeting" in page:
        # of no speaker the original tells the sum of all recordings on the page of each
        lines = [line for line in lines if not line.startswith(b"0 | ")]
    return b"".join(sorted(lines))


def _to_the_millisecond(found: re.Match[bytes]) -> bytes:
    return b"%.3f" % float(found[0])


def drawn(folder: Path) -> bytes:
    """The pages that a run has drawn, which are taken away, by their names and figures."""
    pages = sorted((folder / PAGES).glob("*.html"))
    text = b"".join(page.name.encode() + b"\n" + figures(page.read_bytes()) for page in pages)
    shutil.rmtree(folder / PAGES, ignore_errors=True)
    return text


def _same(lines: list[bytes]) -> list[bytes]:
    return lines


def _sorted_within(key: Callable[[list[bytes]], object]) -> Callable[[list[bytes]], list[bytes]]:
    """Lines next to each other that have the same key are sorted."""

    def normal(lines: list[bytes]) -> list[bytes]:
        made: list[bytes] = []
        block: list[bytes] = []
        for line in lines:
            if block and key(block[-1].split()) != key(line.split()):
                made += sorted(block)
                block = []
            block.append(line)
        return made + sorted(block)

    return normal


def _time(fields: list[bytes]) -> tuple[object, ...]:
    if len(fields) < 4 or fields[0] == b"SPKR-INFO":
        return ()
    return fields[1], fields[2], None if fields[3] == b"<NA>" else float(fields[3])


def _group(fields: list[bytes]) -> tuple[object, ...]:
    is_turn = fields[:1] == [b"SPEAKER"]
    return (fields[1:2], fields[7:8], fields if is_turn else None)


# How cases are drawn, and what of the output may change places.
JUDGED: dict[str, tuple[Callable[[random.Random], Case], Callable[[list[bytes]], list[bytes]]]] = {
    "ctmValidator.pl": (draw_ctm, _same),
    "stmValidator.pl": (draw_stm, _same),
    "rttmValidator.pl": (draw_rttm_check, sorted),
    "rttmSort.pl": (draw_sort, _sorted_within(_time)),
    "rttmSmooth.pl": (draw_smooth, _sorted_within(_group)),
    "rttm2ctm.pl": (draw_words, _same),
    "spkr2sad.pl": (draw_speech, _same),
    "stm2rttm.pl": (
        draw_turns,
        lambda lines: sorted(lines, key=lambda line: (line[:4], line.split()[-2:])),
    ),
    "mergectm2rttm.pl": (draw_merge, _same),
    "slatreport.pl": (draw_latency, _same),
    "chfilt.pl": (draw_callhome, _same),
    "align2html.pl": (draw_log, _same),
}


def normal(program: str, status: int, stdout: bytes, stderr: bytes) -> Outcome:
    """An outcome without what cannot be compared."""
    stderr = OUR_WARNING.sub(b"", PERL_WARNING.sub(b"", PERL_PLACE.sub(b"", stderr)))
    if USAGE.search(stderr + stdout):
        stdout = stderr = b"usage"
    # of several speakers whose segments overlap the original names the first in its order
    stderr = OVERLAP.sub(b"", stderr)
    lines = JUDGED[program][1](stdout.splitlines(keepends=True))
    said = b"\n".join(line.rstrip() for line in stderr.strip().splitlines())
    if status == BY_CHANCE[0] or (program == "slatreport.pl" and status in BY_CHANCE):
        status = 255
    return Outcome(status, b"".join(lines), said)


def lay_out(case: Case, folder: Path) -> None:
    """Write the files of a case, and the tools that two of the programs start."""
    folder.mkdir()
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    # chfilt looks for hubscr beside its folder, mergectm2rttm for its tools where it is told
    places = [(folder.parent / "hubscr", "hubscr")]
    places += [(folder / TOOLS / tool, tool) for tool in ("rttmSmooth", "rttmSort")]
    for place, tool in places:
        path = judge(tool + ".pl")
        assert path is not None
        place.mkdir(parents=True)
        (place / f"{tool}.pl").symlink_to(path)


def run_original(program: str, case: Case, folder: Path) -> Outcome:
    """Run the original in a folder."""
    path = judge(program)
    assert path is not None
    done = subprocess.run(
        limited([path, *case.arguments]), cwd=folder, input=case.stdin, capture_output=True
    )
    return normal(program, done.returncode, done.stdout + drawn(folder), done.stderr)


def run_ours(program: str, arguments: Sequence[str], stdin: bytes, folder: Path) -> Outcome:
    """Run ours in this process, in a folder."""
    streams = sys.stdin, sys.stdout, sys.stderr
    made = [io.TextIOWrapper(io.BytesIO(content)) for content in (stdin, b"", b"")]
    before = os.getcwd()
    try:
        sys.stdin, sys.stdout, sys.stderr = made
        os.chdir(folder)
        status = PROGRAMS[program](arguments)
        for stream in made[1:]:
            stream.flush()
    finally:
        os.chdir(before)
        sys.stdin, sys.stdout, sys.stderr = streams
    stdout, stderr = (stream.buffer.getvalue() for stream in made[1:])
    return normal(program, status, stdout + drawn(folder), stderr)


def is_beyond(program: str, truth: Outcome, ours: Outcome) -> bool:
    """Whether the original writes what is no record, and ours joins or refuses it, as listed.

    Or it never ends, or divides by the number of no words.
    """
    if program == "align2html.pl":
        ended = truth.status >= 0 and not DIED_BY_CHANCE.search(truth.stderr)
        refused = b"Unknown type" in truth.stderr and b"Unknown type: line" in ours.stderr
        return refused or (ours.status == 0 and not ended)
    if program != "chfilt.pl" or b";; LABEL" not in truth.stdout:
        return False
    if REFUSED in ours.stderr:
        return ours.status != 0 and ours.stdout == b""
    # with -s records whose words -a, -q or -t has changed come in pieces
    records = truth.stdout.splitlines()[2:]
    return b"<O>" in truth.stdout and not all(b"<O>" in line for line in records)


def draw_case(program: str, seed: int, number: int) -> Case:
    """A case of a program, the same for the same numbers."""
    case = JUDGED[program][0](random.Random(f"{program} {seed} {number}"))
    return case._replace(program=program)


def compare(case: Case) -> tuple[Outcome, Outcome]:
    """Run both on a case: what the original gives, what ours gives."""
    program = case.program
    with tempfile.TemporaryDirectory(prefix="hub-case-") as place:
        folder = Path(place, "work")
        lay_out(case, folder)
        ours = run_ours(program, case.arguments, case.stdin, folder)
        for _ in range(LOTS.get(program, 1)):
            truth = run_original(program, case, folder)
            if truth == ours:
                break
        return truth, ours


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case of each program in turn."""
    program, rank = options.program[number % len(options.program)], number // len(options.program)
    return draw_case(program, options.seed, rank)


def verdict(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    program = case.program
    truth, ours = compare(case)
    files = {**case.files, "stdin": case.stdin}
    report = f"{program} {' '.join(case.arguments)}\n"
    report += "\n".join(f"{name}: {data.decode('latin-1')}" for name, data in files.items())
    if truth == ours:
        return Verdict("same failures" if truth.status else "same")
    if is_beyond(program, truth, ours):
        return Verdict("no judge")
    return Verdict("different", f"{report}\ntruth: {truth}\nours:  {ours}", files)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--program", nargs="*", choices=JUDGED, default=list(JUDGED))


JUDGE = Judge(__doc__, "rttmSort.pl", draw, verdict, 500 * len(JUDGED), add_options)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
