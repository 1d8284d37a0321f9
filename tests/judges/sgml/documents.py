"""Random documents in sclite's SGML, whole and damaged, for readers of it."""

import random
import re
from collections.abc import Sequence

MEASURES = ("r_t1+t2", "h_t1+t2", "r_conf", "h_conf", "r_weight", "h_weight")
DROPPED = ("h_spkr", "h_isSpkrSub")
WORDS = ("a", "b", "cat", "x:y", "h,i", "a;b", "\xe9t\xe9", "@", "uh-", "<b>", "", "word")
# More than any path has: the original writes beyond the end of a path that says too little.
CAPACITY = 999
STRAY_LINES = ("", "x", '<FOO a="b">', "</FOO>", "</>")
# A place that ends before its last comma: the original looks for the rest after its end.
CUT_SHORT = re.compile('(?:^|:)(?:[CSDIMT]|D,"[^"]*")(?:$|:)', re.MULTILINE)
# A value without closing quote: the original reads on after the line.
UNCLOSED = re.compile('^<(?:[^=\n]*="[^"\n]*")*[^=\n]*="[^"\n]*$', re.MULTILINE)
# A path whose capacity was damaged: the original makes room for five places.
NO_CAPACITY = re.compile('^<PATH(?!.* word_cnt="9)', re.MULTILINE)
CHARACTERS = '"",:;<>/ =\nCSDI.+0x'


def place(rng: random.Random, measures: Sequence[str], newlines: bool) -> str:
    """One place of an alignment."""
    letter = rng.choices("CSDIMT", [10, 3, 2, 2, 0.05, 0.05])[0]
    fields = [letter]
    fields += [f'"{rng.choice(WORDS)}"' if letter != missing else "" for missing in "ID"]
    for measure in measures:
        if letter == ("I" if measure.startswith("r_") else "D"):
            fields.append("")
        elif "t1" in measure:
            fields.append(f"{rng.random() * 9:.3f}+{rng.random() * 9:.3f}")
        elif measure in DROPPED:
            fields.append(rng.choice(("", "x", "1")))
        else:
            fields.append(f"{rng.random():f}")
    return ("\n" if newlines else ",").join(fields)


def path(
    rng: random.Random, number: int, sequence: int | None, measures: Sequence[str], newlines: bool
) -> list[str]:
    """The lines of an utterance."""
    attributes = [f'id="({number})" word_cnt="{CAPACITY}"']
    for name, value, probability in (
        ("labels", "<o>", 0.2),
        ("file", "f", 0.2),
        ("channel", "A", 0.2),
        ("sequence", str(sequence), sequence is not None),
        ("R_T1", "1.25", 0.2),
        ("R_T2", "2", 0.2),
        ("H_T1", "1.25", 0.1),
        ("H_T2", "2", 0.1),
        ("char_align", "1", 0.05),
        ("case_sense", "1", 0.2),
        ("hyp_weight", "1", 0.05),
        ("ref_weight", "1", 0.05),
    ):
        if rng.random() < probability:
            attributes.append(f'{name}="{value}"')
    if measures:
        attributes.append(f'word_aux="{",".join(measures)}"')
    places = [place(rng, measures, newlines) for _ in range(rng.choice((0, 1, 2, 5, 9)))]
    several_lines = rng.random() < 0.05
    separator = "\n" if newlines or several_lines else ":"
    return [f"<PATH {' '.join(attributes)}>", separator.join(places), "</PATH>"]


def document(rng: random.Random, *, newlines: bool = False) -> str:
    """One to three systems."""
    lines: list[str] = []
    for system in range(rng.choice((1, 1, 2, 3))):
        attributes = [f'title="s{system}"']
        attributes += ['ref_fname="r"'] * (rng.random() < 0.5)
        attributes += ['hyp_fname="h"'] * (rng.random() < 0.5)
        if rng.random() < 0.5:
            attributes.append('creation_date="d" format="2.4" frag_corr="FALSE" opt_del="TRUE"')
            attributes.append('weight_ali="TRUE" weight_filename="w"')
        lines.append(f"<SYSTEM {' '.join(attributes)}>")
        if rng.random() < 0.3:
            lines += ['<LABEL id="o" title="O" desc="ov">', "</LABEL>"]
        if rng.random() < 0.3:
            lines += ['<CATEGORY id="0" title="" desc="">', "</CATEGORY>"]
        sequence = 0
        numbered = rng.random() < 0.8
        for _ in range(rng.choice((0, 1, 2, 3))):
            lines.append(f'<SPEAKER id="{rng.choice("abc")}">')
            usual = rng.sample([*MEASURES, *DROPPED], rng.choice((0, 0, 1, 2, 3, 5)))
            for number in range(rng.choice((0, 1, 2, 4))):
                measures = usual if rng.random() < 0.9 else rng.sample(MEASURES, rng.choice((0, 1)))
                lines += path(rng, number, sequence if numbered else None, measures, newlines)
                sequence += 1
            lines.append("</SPEAKER>")
        lines.append("</SYSTEM>")
    return "\n".join(lines) + "\n"


def damaged(rng: random.Random, text: str) -> str:
    """The document with nothing, a character or a line wrong in a few places."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        at, kind = rng.randrange(len(text)), rng.random()
        if kind < 0.3:
            text = text[:at] + text[at + 1 :]
        elif kind < 0.6:
            text = text[:at] + rng.choice(CHARACTERS) + text[at:]
        elif kind < 0.8:
            text = text[:at] + rng.choice(CHARACTERS) + text[at + 1 :]
        else:
            lines = text.split("\n")
            line = rng.randrange(len(lines))
            if kind < 0.87:
                del lines[line]
            else:
                lines.insert(line, rng.choice(lines if kind < 0.94 else STRAY_LINES))
            text = "\n".join(lines)
    return text


def is_undefined(text: str) -> bool:
    """Whether the original reads old memory or writes beyond the end of its own."""
    return any(fault.search(text) for fault in (CUT_SHORT, UNCLOSED, NO_CAPACITY))
