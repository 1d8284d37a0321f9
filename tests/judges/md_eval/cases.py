"""Random rttm, uem and options for md-eval."""

from random import Random
from typing import NamedTuple

from tests.judges.md_eval.metadata import GLM, line_of, metadata_options, transcript

SOUNDS = ("laugh", "cough", "other")


class Case(NamedTuple):
    """A command line and its files."""

    arguments: list[str]
    files: dict[str, bytes]


def draw(seed: int, number: int) -> Case:
    """A case; equal numbers give equal cases."""
    random = Random(f"{seed}/{number}")
    places = [(f"rec{at}", str(at % 2 + 1)) for at in range(random.choice((1, 1, 2, 3)))]
    decimals = random.choice((0, 1, 2, 2, 2, 3))
    length = random.choice((5, 20, 60))
    options = _options(random)
    if number % 3:
        options += metadata_options(random)
        files = _with_metadata(random, places, length, decimals)
        if random.random() < 0.15:
            files["words.glm"] = GLM
            options += ["-g", "words.glm"]
    else:
        files = {
            "ref.rttm": _rttm(random, places, "ABC", length, decimals, is_reference=True),
            "sys.rttm": _rttm(random, places, "wxyz", length, decimals, is_reference=False),
        }
    if random.random() < 0.3:
        lines = []
        for name, channel in places:
            if random.random() < 0.9:
                cuts = sorted(random.sample(range(10 * length), 4))
                first, *_, last = cuts
                spans = [cuts[:2], cuts[2:]] if random.random() < 0.3 else [[first, last]]
                ending = random.choice(("", ".sph", ".wav"))
                lines += [f"dir/{name}{ending} {channel} {a / 10} {b / 10}" for a, b in spans]
        if lines:
            files["map.uem"] = "".join(f"{line}\n" for line in lines).encode()
            options += ["-u", "map.uem"]
    if random.random() < 0.1:
        files |= {"refs": b"ref.rttm\n", "systems": b"sys.rttm\n"}
        return Case([*options, "-R", "refs", "-S", "systems"], files)
    return Case([*options, "-r", "ref.rttm", "-s", "sys.rttm"], files)


def _with_metadata(
    random: Random, places: list[tuple[str, str]], length: int, decimals: int
) -> dict[str, bytes]:
    """Files with words and metadata; the system may lack a channel."""
    sides: list[list[str]] = [[], []]
    for name, channel in places:
        drawn = transcript(random, length)
        is_missing = random.random() < 0.04
        for side, marks in zip(sides, drawn, strict=True):
            if is_missing and side is sides[1]:
                continue
            side += [line_of(mark, name, channel, decimals) for mark in marks]
            for speaker in sorted({mark.speaker for mark in marks} - {"<NA>"}):
                if random.random() < 0.5:
                    kind = random.choice(("adult_male", "adult_female", "child", "unknown"))
                    side.append(f"SPKR-INFO {name} {channel} <NA> <NA> <NA> {kind} {speaker} <NA>")
    for side in sides:
        if random.random() < 0.5:
            random.shuffle(side)
    files = ("".join(f"{line}\n" for line in side).encode() for side in sides)
    return dict(zip(("ref.rttm", "sys.rttm"), files, strict=True))


def _options(random: Random) -> list[str]:
    options: list[str] = []
    if random.random() < 0.6:
        options += ["-c", random.choice(("0", "0.25", "0.1", ".5", "1", "0.125"))]
    for flag, share in (("-1", 0.3), ("-m", 0.3), ("-v", 0.2), ("-o", 0.1)):
        if random.random() < share:
            options.append(flag)
    if random.random() < 0.3:
        options.append(
            "-"
            + random.choice(("", "o", "d"))
            + "a"
            + random.choice(("c", "f", "cf", "fcs", "g", "CSG"))
        )
    if random.random() < 0.3:
        options += ["-M", "map.csv"]
    return options


def _rttm(
    random: Random,
    places: list[tuple[str, str]],
    names: str,
    length: int,
    decimals: int,
    *,
    is_reference: bool,
) -> bytes:
    lines = [";; made for this"] if random.random() < 0.2 else []
    overlapping = random.random() < 0.15
    for name, channel in places:
        if not is_reference and random.random() < 0.05:
            continue
        for speaker in random.sample(names, random.randint(1, len(names))):
            if random.random() < 0.1:
                lines.append(f"SPKR-INFO {name} {channel} <NA> <NA> <NA> unknown {speaker} <NA>")
            time = random.uniform(0, length / 4)
            while time < length:
                span = random.choice((0.0, 0.3, 1.0, 3.0, length / 5)) * random.random()
                lines.append(_line("SPEAKER", name, channel, time, span, decimals, "<NA>", speaker))
                gap = random.expovariate(4 / length) * random.choice((0, 1, 1, 1))
                time = round(time, decimals) + round(span, decimals)
                time += -span / 2 if overlapping and random.random() < 0.3 else gap + 1e-9
                if span == 0:
                    time += length / 10
        for kind, subtype, share in (
            ("NOSCORE", "<NA>", 0.15),
            ("NON-LEX", random.choice(SOUNDS), 0.15),
            ("LEXEME", "lex", 0.2),
            ("NON-SPEECH", "noise", 0.1),
            ("SEGMENT", "eval", 0.1),
        ):
            if random.random() < share:
                for _ in range(random.randint(1, 12 if kind == "LEXEME" else 3)):
                    begin, span = random.uniform(0, length), random.uniform(0, length / 12)
                    lines.append(_line(kind, name, channel, begin, span, decimals, subtype, "A"))
    random.shuffle(lines)
    return "".join(f"{line}\n" for line in lines).encode()


def _line(
    kind: str,
    name: str,
    channel: str,
    begin: float,
    span: float,
    decimals: int,
    subtype: str,
    speaker: str,
) -> str:
    text = "a-b" if kind == "LEXEME" and begin > span * 9 else "<NA>"
    return f"{kind} {name} {channel} {begin:.{decimals}f} {span:.{decimals}f} {text} {subtype} {speaker} <NA>"
