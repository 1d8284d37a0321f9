"""Random inputs for asclite: speakers who overlap, few words, so that many paths cost the same."""

from collections.abc import Callable
from random import Random
from typing import NamedTuple

SPEAKERS = ("ann", "Bob", "cid", "dee")
PLACES = (("meet", "1"), ("meet", "1"), ("meet", "2"), ("talk", "1"))


class Case(NamedTuple):
    """The files of a run, and its arguments."""

    files: dict[str, bytes]
    arguments: list[str]


def draw(seed: int, number: int) -> Case:
    """The case of that number; the same on every machine."""
    random = Random(f"asclite {seed} {number}")
    return _KINDS[random.choices(list(_KINDS), (5, 4, 4, 3, 2))[0]](random)


def _word(random: Random) -> str:
    word = random.choice("abcd") * random.randint(1, 2)
    style = random.random()
    if style < 0.05:
        return word.upper()
    if style < 0.1:
        return f"({word})"
    if style < 0.15:
        return random.choice((f"{word}-", f"-{word}", "-"))
    return word


def _text(random: Random, most: int) -> str:
    words = [_word(random) for _ in range(random.randint(0, most))]
    if random.random() < 0.12:
        branches = [" ".join(_word(random) for _ in range(random.randint(1, 2))) for _ in "ab"]
        if random.random() < 0.4:
            branches[random.randrange(2)] = "@"
        words.insert(random.randint(0, len(words)), f"{{ {' / '.join(branches)} }}")
    return " ".join(words)


def _time(random: Random, low: float, high: float) -> float:
    return round(random.uniform(low, high), random.choice((1, 2, 3)))


def _spans(random: Random) -> list[tuple[float, float]]:
    """Times of the segments of a speaker, mostly one after the other."""
    spans = []
    at = 0.0
    for _ in range(random.randint(1, 3)):
        begin = _time(random, at, at + 3)
        end = _time(random, begin + 0.3, begin + 4)
        spans.append((begin, end))
        at = end
    if random.random() < 0.06:
        random.shuffle(spans)
    return spans


def _stm(random: Random, places: list[tuple[str, str]]) -> str:
    lines = []
    if random.random() < 0.2:
        lines.append(';; LABEL "O" "Overall" "All"')
    for file, channel in places:
        speakers = random.sample(SPEAKERS, random.choice((1, 2, 2, 3, 3, 4)))
        most = 5 if len(speakers) < 3 else 2 if len(speakers) < 4 else 1
        turns = [(*span, speaker) for speaker in speakers for span in _spans(random)]
        if random.random() < 0.7:
            turns.sort()
        for begin, end, speaker in turns:
            label = random.choice(("", "", "", "<O,F> "))
            text = _text(random, most)
            if random.random() < 0.03:
                text = "IGNORE_TIME_SEGMENT_IN_SCORING"
            lines.append(f"{file} {channel} {speaker} {begin:.3f} {end:.3f} {label}{text}")
    return "".join(f"{line}\n" for line in lines)


def _heard(random: Random, most: int) -> list[tuple[float, float, str]]:
    at = 0.0
    words = []
    for _ in range(random.randint(0, most)):
        at = _time(random, at, at + 1.5)
        words.append((at, _time(random, 0.05, 0.6), _word(random)))
    if random.random() < 0.05:
        random.shuffle(words)
    return words


def _ctm(random: Random, places: list[tuple[str, str]]) -> str:
    lines = []
    confident = random.random() < 0.4
    for file, channel in places:
        words = _heard(random, 9)
        for begin, length, word in words:
            score = f" {random.random():.3f}" if confident and random.random() < 0.9 else ""
            lines.append(f"{file} {channel} {begin:.3f} {length:.3f} {word}{score}")
        if words and random.random() < 0.1:
            begin = words[-1][0]
            rows = [f"{begin + k / 10:.3f} 0.100 {_word(random)}" for k in range(3)]
            marks = [f"* * <{name}>" for name in ("ALT_BEGIN", "ALT", "ALT_END")]
            inner = [marks[0], rows[0], marks[1], *rows[1:], marks[2], f"{begin + 1:.3f} 0.100 z"]
            lines += [f"{file} {channel} {row}" for row in inner]
    return "".join(f"{line}\n" for line in lines)


def _lexeme(random: Random, place: tuple[str, str], row: tuple[float, float, str], who: str) -> str:
    begin, length, word = row
    kind = random.choice(("lex",) * 8 + ("fp", "frag", "un-lex", "laugh"))
    word = word.strip("()") or "a"
    if random.random() < 0.1:
        word = random.choice((f"{word}_b", f"a#{word}", f"{{a_{word}/c}}", f"{{_{word}_/_@_}}"))
    score = random.choice(("<NA>", "0.5", f"{random.random():.2f}"))
    return f"LEXEME {' '.join(place)} {begin:.3f} {length:.3f} {word} {kind} {who} {score}"


def _rttm_heard(random: Random, places: list[tuple[str, str]]) -> str:
    lines = []
    for place in places:
        for stream in ("s1", "S2")[: random.randint(1, 2)]:
            rows = _heard(random, 5)
            lines += [_lexeme(random, place, row, stream) for row in rows]
    return "".join(f"{line}\n" for line in lines)


def _rttm_spoken(random: Random, places: list[tuple[str, str]]) -> str:
    lines = []
    for place in places:
        speakers = random.sample(SPEAKERS, random.choice((1, 2, 2, 3)))
        for speaker in speakers:
            for begin, end in _spans(random):
                name = " ".join(place)
                lines.append(
                    f"SPEAKER {name} {begin:.3f} {end - begin:.3f} <NA> <NA> {speaker} <NA>"
                )
                count = random.randint(0, 3)
                for k in range(count):
                    length = (end - begin) / count
                    row = (begin + k * length, length * 0.9, _word(random))
                    lines.append(_lexeme(random, place, row, speaker))
    return "".join(f"{line}\n" for line in lines)


def _options(random: Random, *, timed: bool = True) -> list[str]:
    """Options that any alignment takes."""
    wanted: list[tuple[float, list[str]]] = [
        (0.2, ["-s"]),
        (0.3, ["-F"]),
        (0.35, random.choice((["-D"], ["-D", "ref"], ["-D", "hyp"], ["-D", "both"]))),
        (0.1, ["-wordalign-cost"]),
    ]
    if timed:
        wanted += [
            (0.4, ["-noisg"]),
            (0.2, ["-adaptive-cost"]),
            (0.2, ["-word-time-align", str(random.choice((0, 300, 1000)))]),
            (0.1, ["-time-prune", str(random.choice((100, 500)))]),
            (0.1, ["-overlap-limit", str(random.randint(1, 4))]),
            (0.05, ["-overlap-min", "2"]),
            (0.05, ["-force-memory-compression"]),
            (0.05, ["-difficulty-limit", "0.000001"]),
            (0.05, ["-min-difficulty-limit", "0.0000001"]),
            (0.05, ["-spkrautooverlap", random.choice(("ref", "hyp", "both"))]),
        ]
    options = [word for share, words in wanted if random.random() < share for word in words]
    reports = random.choice((["sgml"], ["sgml", "sum"], ["rsum"], ["sum", "rsum", "sgml"]))
    if random.random() < 0.8:
        reports = [*reports, "stdout"]
    return [*options, "-f", str(random.choice((0, 3, 4, 5, 6, 7))), "-o", *reports]


def _places(random: Random) -> list[tuple[str, str]]:
    return sorted(set(random.sample(PLACES, random.choice((1, 1, 1, 2)))))


def _uem(random: Random, places: list[tuple[str, str]]) -> tuple[dict[str, bytes], list[str]]:
    if random.random() < 0.7:
        return {}, []
    lines = []
    for file, channel in places:
        end = _time(random, 4, 30)
        lines.append(f"{file} {channel} 0.000 {end:.3f}\n")
        if random.random() < 0.3:
            lines.append(f"{file} {channel} {end + 1:.3f} {end + 9:.3f}\n")
    return {"u.uem": "".join(lines).encode()}, [
        "-uem",
        "u.uem",
        random.choice(("ref", "hyp", "both")),
    ]


def _timed(random: Random, spoken: str, heard: str) -> Case:
    places = _places(random)
    files = {
        f"r.{spoken}": (_stm if spoken == "stm" else _rttm_spoken)(random, places).encode(),
        f"h.{heard}": (_ctm if heard == "ctm" else _rttm_heard)(random, places).encode(),
    }
    arguments = ["-r", f"r.{spoken}", spoken, "-h", f"h.{heard}", heard]
    if random.random() < 0.3:
        arguments.append("some/Title")
    map_files, map_options = _uem(random, places)
    files |= map_files
    if heard == "rttm" and random.random() < 0.4:
        pairs = [(random.choice(SPEAKERS), stream) for stream in ("s1", "S2")]
        rows = [f"{','.join(place)},{a},{b},mapped,1" for place in places for a, b in pairs]
        files["m.csv"] = "".join(f"{row}\n" for row in rows).encode()
        map_options += ["-spkr-align", "m.csv"]
    if spoken == heard == "rttm" and random.random() < 0.3:
        map_options.append("-time-base-cost")
    return Case(files, [*arguments, *map_options, *_options(random)])


def _trn(random: Random) -> Case:
    names = [
        f"{random.choice(SPEAKERS)}{random.choice('-_')}{k}" for k in range(random.randint(1, 5))
    ]
    sides = {}
    for name in ("r", "h"):
        order = random.sample(names, len(names))
        lines = [f"{_text(random, 6)} ({one})\n" for one in order]
        sides[f"{name}.trn"] = "".join(lines).encode()
    return Case(sides, ["-r", "r.trn", "trn", "-h", "h.trn", *_options(random, timed=False)])


def _generic(random: Random) -> Case:
    places = _places(random)
    files = {}
    arguments = ["-generic-cost"]
    for name in "abc"[: random.randint(1, 3)]:
        heard = random.choice(("ctm", "rttm"))
        lines = (_ctm if heard == "ctm" else _rttm_heard)(random, places)
        kept = [line for line in lines.splitlines(keepends=True) if "*" not in line][:8]
        files[f"{name}.{heard}"] = "".join(kept).encode()
        arguments += ["-h", f"{name}.{heard}", heard, f"T{random.choice('xyz')}{name}"]
    options = [one for one in _options(random) if one not in ("sum", "rsum", "sgml")]
    if options[-1] == "-o":
        del options[-1]
    if random.random() < 0.2:
        arguments.append("-time-base-cost")
    return Case(files, [*arguments, *options])


_KINDS: dict[str, Callable[[Random], Case]] = {
    "ctm": lambda random: _timed(random, "stm", "ctm"),
    "streams": lambda random: _timed(random, "stm", "rttm"),
    "rttm": lambda random: _timed(random, "rttm", "rttm"),
    "trn": _trn,
    "generic": _generic,
}
