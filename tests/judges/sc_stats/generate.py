"""Random ensembles of systems as SGML, and command lines of sc_stats, for comparing programs.

Inputs on which the original reads memory it has not set are left out: see `arguments_for`.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

WORDS = ["a", "be", "cat", "door", "eight", "fox", "goose", "house", "I", "jam", "king", "lemon"]
WORDS += ["man", "night", "o'clock", "p.m.", "x:y", "k;l"]
NAMES = ["ann", "bob", "cyd", "dora", "eve", "finn", "gus", "hal", "ivy", "jon", "kay", "lou"]
NAMES += ["mia", "ned", "oz", "pat", "quin", "ray", "sue", "tom"]
TITLES = (
    "alpha-1",
    "bravo-22",
    "charlie",
    "delta.ctm",
    "echo_echo_echo_echo",
    "sys0",
    "a-rather-long-title-of-a-system-17",
    "x y z w",
    "exp/chain/tdnn1g_sp/decode_eval2000_sw1_tg/score_10_0.0/eval2000.ctm",
    "experiments/conformer_large/decode_test_other_lm/hyp",
)
TESTS = ("mapsswe", "sign", "wilc", "mcn", "anovar")
LONGEST_ANOVAR_NAME = 16


@dataclass(frozen=True)
class Case:
    """Standard input and the arguments of one run of sc_stats."""

    name: str
    arguments: tuple[str, ...]
    stdin: bytes


@dataclass(frozen=True)
class Shape:
    """What an ensemble is like, as far as it decides which options can be judged."""

    systems: int
    speakers: int
    same_speakers: bool
    titles: tuple[str, ...]
    names: tuple[str, ...]
    labelled: bool
    confident: bool


Place = tuple[str, str, str]


def recognised(rng: random.Random, words: Sequence[str], error_rate: float) -> list[Place]:
    """An alignment of a reference: every place its letter and its two words."""
    places: list[Place] = []
    for word in words:
        while rng.random() < error_rate / 4:
            places.append(("I", "", rng.choice(WORDS)))
        if rng.random() >= error_rate:
            places.append(("C", word, word))
        elif rng.random() < 0.7:
            places.append(("S", word, rng.choice(WORDS)))
        else:
            places.append(("D", word, ""))
    while rng.random() < error_rate / 3:
        places.append(("I", "", rng.choice(WORDS)))
    return places


def place_text(rng: random.Random, place: Place, measures: Sequence[str], right: float) -> str:
    """A place as it stands in SGML."""
    letter, reference, hypothesis = place
    fields = [
        letter,
        f'"{reference}"' if reference else "",
        f'"{hypothesis}"' if hypothesis else "",
    ]
    for measure in measures:
        present = reference if measure.startswith("r_") else hypothesis
        if not present:
            fields.append("")
        elif measure.endswith("t1+t2"):
            start = rng.randrange(9000) / 1000
            fields.append(f"{start:.3f}+{start + 0.25:.3f}")
        else:
            level = rng.random() ** (0.4 if letter == "C" else right)
            fields.append(f"{level:f}")
    return ",".join(fields)


def ensemble(rng: random.Random) -> tuple[Shape, bytes]:
    """Some systems on the same reference."""
    systems = rng.choice((1, 2, 2, 2, 3, 3, 4, 6))
    speakers = rng.choice((1, 2, 3, 4, 4, 6, 10, 20, 33))
    if rng.random() < 0.5:
        speakers = max(speakers, systems)
    long_titles = rng.random() < 0.3
    titles = (
        tuple(rng.sample(TITLES if long_titles else TITLES[:4], systems)[:systems])
        if (systems <= (len(TITLES) if long_titles else 4))
        else tuple(f"system-{number}" for number in range(systems))
    )
    names = tuple(
        NAMES[number] if number < len(NAMES) else f"speaker{number}" for number in range(speakers)
    )
    if rng.random() < 0.1:
        names = tuple(f"{name}-of-some-length" for name in names)
    labelled, confident = rng.random() < 0.3, rng.random() < 0.3
    same_speakers = rng.random() < 0.85
    paths = reference(rng, names, labelled)
    rates = [rng.choice((0.02, 0.02, 0.1, 0.1, 0.25, 0.25, 0.5, 0.9)) for _ in titles]
    if rng.random() < 0.15:
        rates[0] = 0.0
    if rng.random() < 0.02:
        rates = [0.0] * systems
    parts: list[str] = []
    copied: list[str] | None = None
    for number, title in enumerate(titles):
        body = copied
        if body is None or rng.random() > 0.1:
            shown = list(names)
            if not same_speakers and number and rng.random() < 0.7:
                shown = rng.sample(shown, rng.randint(1, len(shown)))
            whole = confident and rng.random() < 0.85
            body = list(spoken(rng, shown, paths, rates[number], whole, same_speakers))
        copied = body
        parts.append(f'<SYSTEM title="{title}" ref_fname="ref.trn" hyp_fname="{title}.trn">\n')
        if labelled:
            parts += definitions()
        parts += body
        parts.append("</SYSTEM>\n")
    shape = Shape(systems, speakers, same_speakers, titles, names, labelled, confident)
    return shape, "".join(parts).encode("latin-1")


@dataclass(frozen=True)
class Path:
    """An utterance of the reference: identifier, attributes of its tag, words."""

    identifier: str
    attributes: str
    words: tuple[str, ...]


def reference(rng: random.Random, names: Sequence[str], labelled: bool) -> dict[str, list[Path]]:
    """The utterances of every speaker."""
    most = rng.choice((1, 3, 6)) if len(names) < 12 else 3
    length = rng.choice((3, 8, 20, 60))
    paths: dict[str, list[Path]] = {}
    sequence = 0
    case_sensitive = rng.random() < 0.2
    timed = rng.random() < 0.3
    for name in names:
        own = paths[name] = []
        group = rng.choice("mf")
        for number in range(rng.randint(0 if rng.random() < 0.1 else 1, most)):
            attributes = ""
            if labelled and rng.random() < 0.95:
                attributes += f' labels="<o,{group},{rng.choice(("n", "b", ""))}>"'
            if timed:
                attributes += f' file="{name}" channel="A"'
            attributes += f' sequence="{sequence}"'
            if timed:
                attributes += f' R_T1="{sequence}.250" R_T2="{sequence + 1}.000"'
            if case_sensitive:
                attributes += ' case_sense="1"'
            words = [rng.choice(WORDS) for _ in range(rng.randint(0, length))]
            own.append(Path(f"({name}-{number:03d})", attributes, tuple(words)))
            sequence += 1
    return paths


def definitions() -> Iterator[str]:
    """Labels and categories."""
    for kind, identifier, title, description in (
        ("LABEL", "o", "Overall", "All of it"),
        ("LABEL", "M", "Male", "Men"),
        ("LABEL", "F", "Female// speakers", "Women"),
        ("LABEL", "n", "Noise", "Noisy speech"),
        ("LABEL", "b", "Band", "Band-limited speech"),
        ("LABEL", "u", "Unused", "Nothing has it"),
        ("CATEGORY", "0", "", ""),
        ("CATEGORY", "1", "Sex", "Of the speaker"),
        ("CATEGORY", "2", "Channel//condition", "What it sounds like"),
    ):
        yield f'<{kind} id="{identifier}" title="{title}" desc="{description}">\n</{kind}>\n'


def spoken(
    rng: random.Random,
    speakers: Sequence[str],
    paths: dict[str, list[Path]],
    error_rate: float,
    confident: bool,
    same_speakers: bool,
) -> Iterator[str]:
    """What a system made of the reference, from the first SPEAKER tag on."""
    measures = ["h_conf"] if confident else []
    if rng.random() < 0.2:
        measures.insert(0, "h_t1+t2")
    drops = 0.1 if not same_speakers and rng.random() < 0.5 else 0.0
    changes = 0.2 if rng.random() < 0.05 else 0.0
    right = rng.choice((1.0, 2.0))
    for name in speakers:
        yield f'<SPEAKER id="{name}">\n'
        for path in paths[name]:
            if rng.random() < drops:
                continue
            words = path.words
            if rng.random() < changes and words:
                words = (*words[:-1], "changed")
            places = recognised(rng, words, error_rate)
            listed = f' word_aux="{",".join(measures)}"' if measures else ""
            yield f'<PATH id="{path.identifier}" word_cnt="{len(places)}"{path.attributes}{listed}>\n'
            yield ":".join(place_text(rng, place, measures, right) for place in places)
            yield "\n</PATH>\n"
        yield "</SPEAKER>\n"


def arguments_for(rng: random.Random, shape: Shape) -> tuple[str, ...]:
    """A command line the original can be trusted with.

    Left out are: comparisons of speakers where systems have different ones; analyses of variance
    with more systems than speakers or long names; detailed sign tests of short titles; plots of
    more than 33 curves; a unified matrix of nothing but reports; labels that are not defined.
    """
    verbose, unified = rng.random() < 0.5, rng.random() < 0.3
    names = [*shape.titles, *shape.names]
    tests = [test for test in TESTS if rng.random() < 0.5]
    if shape.systems > shape.speakers or max(map(len, names)) > LONGEST_ANOVAR_NAME:
        tests = [test for test in tests if test != "anovar"]
    if verbose and sum(sorted(map(len, shape.titles))[:2]) < 10:
        tests = [test for test in tests if test != "sign"]
    graphs = [graph for graph in ("range", "grange", "grange2", "det") if rng.random() < 0.3]
    reports = [report for report in ("sum", "rsum", "es", "res", "prn") if rng.random() < 0.3]
    if shape.labelled and rng.random() < 0.5:
        reports.append("lur")
    if not shape.same_speakers:
        unified = False
        tests = [test for test in tests if test in ("mapsswe", "mcn")]
        graphs = [graph for graph in graphs if graph == "det"]
        reports = [report for report in reports if report not in ("sum", "rsum")]
    if rng.random() < 0.1:
        tests.append("mapsswe_seg")
    rng.shuffle(tests)
    if not tests and not graphs:
        unified = False
    options = [("-t", *tests)] if tests else []
    options += [("-g", *graphs)] if graphs else []
    options += [("-r", *reports)] if reports else []
    options += [("-v",)] if verbose else []
    options += [("-u",)] if unified else []
    if rng.random() < 0.7:
        options.append(
            ("-e", rng.choice(("Demo", "Some Very Long Description of an Ensemble", "")))
        )
    options.append(("-n", rng.choice(("-", "out", "out", "a.b"))))
    if rng.random() < 0.2:
        options.append(("-O", rng.choice(("dir", "dir", "missing"))))
    if rng.random() < 0.2:
        options.append(("-l", rng.choice(("60", "120", "200"))))
    if rng.random() < 0.1:
        options.append(("-f", rng.choice(("0", "2"))))
    rng.shuffle(options)
    return ("-p", *(word for option in options for word in option))


ODD_OPTIONS: tuple[tuple[str, ...], ...] = (
    ("-t", "std4"),
    ("-t", "mcn", "mcn"),
    ("-t", "std4", "mapsswe"),
    ("-t", "anovar", "std4"),
    ("-t", "foo", "mcn", "all"),
    ("-t",),
    ("-r",),
    ("-r", "npr", "es"),
    ("-r", "es", "none"),
    ("-g", "foo", "range"),
    ("-g",),
    ("-w",),
    ("-v",),
    ("-u",),
    ("-a", "file", "other"),
    ("-a",),
    ("-f", "W"),
    ("-f",),
    ("-l",),
    ("-n",),
    ("-e",),
    ("-O",),
    ("-x",),
    ("--help",),
    ("stray", "-t", "mcn"),
    ("-e", "\xe9\xe8", "-r", "es"),
)


def odd_arguments(rng: random.Random, shape: Shape) -> tuple[str, ...]:
    """A command line with options that are wrong, contradictory or rare."""
    options = rng.sample(ODD_OPTIONS, rng.randint(1, 4))
    if rng.random() < 0.5:
        options.append(("-n", "out"))
    rng.shuffle(options)
    # without -p the packaged version reads nothing; the version we follow reads all the same
    arguments = ("-p", *(word for option in options for word in option))
    if not {"-w", "std4", "range"}.intersection(arguments):
        arguments = tuple(word for word in arguments if word != "-u")
    verbose_signs = "-v" in arguments and {"std4", "-w"}.intersection(arguments)
    short = verbose_signs and sum(sorted(map(len, shape.titles))[:2]) < 10
    return ("-p",) if short or not shape.same_speakers else arguments


def generate(seed: int, number: int) -> Case:
    """The case of a seed and a number, always the same."""
    rng = random.Random(f"sc_stats {seed} {number}")
    shape, stdin = ensemble(rng)
    draw = odd_arguments if number % 10 == 9 else arguments_for
    return Case(f"{seed}-{number:05d}", draw(rng, shape), stdin)
