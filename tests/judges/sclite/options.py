"""Random options of sclite: alignment, output names, feedback, reports, weights."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from tests.judges.sclite.case import Case

REPORTS = (
    "sum",
    "rsum",
    "pralign",
    "pra",
    "prf",
    "all",
    "sgml",
    "nl.sgml",
    "stdout",
    "lur",
    "snt",
    "spk",
    "dtl",
    "none",
)
CONFIDENCE_REPORTS = ("det", "bhist", "hist", "sbhist")
TITLES = ("system", "my system", "a//b", "T%d", "x" * 70, "\u00e9t\u00e9")
WEIGHTS = "weights.wwl"

Option = tuple[str, ...]


@dataclass
class Choice:
    """The options drawn for a case, with the files and directories they need."""

    options: list[Option]
    files: dict[str, bytes]
    directories: list[str]

    def case(self, name: str, kind: str, files: Mapping[str, bytes]) -> Case:
        """The case of these options with its transcripts."""
        folders = tuple(self.directories)
        return Case(name, kind, tuple(self.options), {**files, **self.files}, folders)


def alignment_options(rng: Random, weighted: bool) -> list[Option]:
    """Case, fragments, optional words; and, where allowed, word weights."""
    options: list[Option] = [(flag,) for flag in ("-s", "-F", "-D") if rng.random() < 0.3]
    if weighted and rng.random() < 0.2:
        options.append(("-w", rng.choice(("unity", WEIGHTS))))
    return options


def weight_list(rng: Random, words: tuple[str, ...]) -> bytes:
    """A word-weight list over some of the words."""
    lines: list[str] = []
    if rng.random() < 0.7:
        lines.append(";; 'Headings' 'Word Spelling' 'My Weight' 'Other'")
    if rng.random() < 0.5:
        lines.append(f";; Default missing weight '{rng.choice(('1.0', '0.5', '2', '0'))}'")
    for word in words:
        if rng.random() < 0.8:
            weight = rng.choice(("1", "0.5", "0.3", "1.15", "2", "0", "11.2"))
            lines.append(f"{word} {weight}" + rng.choice(("", " 3", "\t4.5")))
    rng.shuffle(lines)
    if not lines:
        lines.append("a 1")
    return ("\n".join(lines) + "\n").encode("latin-1")


def report_options(rng: Random, weighted: bool) -> list[Option]:
    """`-o` once or twice, with the reports in a random order."""
    names = list(REPORTS) + (["wws"] if weighted else [])
    roll = rng.random()
    if roll < 0.08:
        return []
    if roll < 0.25:
        return [("-o", "all")]
    if roll < 0.45:
        return [("-o", *[name for name in names if name not in ("pralign", "all", "none")])]
    if roll < 0.55:
        return [
            ("-o", *rng.sample(names, rng.randint(1, 3))),
            ("-o", *rng.sample(names, rng.randint(1, 2))),
        ]
    return [("-o", *rng.sample(names, rng.randint(1, 6)))]


def output_options(rng: Random) -> tuple[list[Option], list[str]]:
    """`-O`, `-n`, `-l`, `-f`, and the directories to be made."""
    options: list[Option] = []
    directories: list[str] = []
    if rng.random() < 0.2:
        directory = rng.choice(("out", "out/", ".", "out/deep", "absent"))
        options.append(("-O", directory))
        if directory not in (".", "absent"):
            directories.append(directory)
    if rng.random() < 0.15:
        options.append(("-n", rng.choice(("result", "a.b", "-x"))))
    if rng.random() < 0.35:
        options.append(("-l", rng.choice(("60", "72", "80", "100", "132", "199", "1000"))))
    if rng.random() < 0.5:
        level = rng.choice(("0", "0", "1", "1", "2", "3", "4", "-1", "10", "100", "x"))
        options.append(("-f", level))
    return options, directories


def hypothesis_option(rng: Random, name: str, form: str) -> Option:
    """`-h` with or without format and title."""
    if form == "trn" and rng.random() < 0.5:
        return ("-h", name)
    if rng.random() < 0.3:
        return ("-h", name, form, rng.choice(TITLES))
    return ("-h", name, form)


def draw(
    rng: Random, *, confidences: bool, words: tuple[str, ...], exclusive: tuple[Option, ...] = ()
) -> Choice:
    """Draw all options that do not name the transcripts.

    `confidences`: the hypothesis is a ctm, so the reports of `-C` may be asked for.
    `exclusive`: options already chosen; `-T` among them rules word weights out.
    """
    options = [*exclusive, *alignment_options(rng, weighted=("-T",) not in exclusive)]
    weighted = any(option[0] == "-w" for option in options)
    files: dict[str, bytes] = {}
    if ("-w", WEIGHTS) in options:
        files[WEIGHTS] = weight_list(rng, words)
    options += report_options(rng, weighted)
    if rng.random() < (0.4 if confidences else 0.05):
        names = CONFIDENCE_REPORTS if confidences else CONFIDENCE_REPORTS[1:]
        options.append(("-C", *rng.sample(names, rng.randint(1, len(names)))))
    more, directories = output_options(rng)
    options += more
    rng.shuffle(options)
    return Choice(options, files, directories)
