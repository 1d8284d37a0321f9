"""Random runs of rover: files that resemble one another, with everything odd the format allows."""

import random
from collections.abc import Sequence
from typing import NamedTuple

METHODS = ("meth1", "meth1a", "maxconf", "maxconfa", "avgconf", "oracle", "putat")
VOCABULARIES = (
    ("a", "b", "c"),
    ("the", "cat", "sat", "on", "mat", "Cat", "THE"),
    ("a", "b", "@", "b*", "c"),
    ("x", "x*", "x**", "x***", "x****", "*", "**", r"x\;y", "x;tag", "{x;y*", "x", "y"),
    ("a", "b", "%sync%time1", "%sync%time2", "@", "c"),
    ("\xe9t\xc9", "na", "\xc9", "a.b", "-", "it's"),
)


ODD_TIMES = ("1e1", "abc", "-1", "0x1p1", "-0", "1e7", "1e6", "inf", "-inf", "nan", "-nan")


class Case(NamedTuple):
    """The arguments and the input files of one run."""

    arguments: list[str]
    files: dict[str, bytes]


class _Truth(NamedTuple):
    """A word that was said."""

    start: float
    duration: float
    word: str


def draw(seed: int, number: int) -> Case:
    """The case of this number; the same for the same seed."""
    return _Drawing(random.Random(f"rover {seed} {number}")).case()


def draw_long(seed: int, number: int) -> Case:
    """A case of more words than the original holds in memory at once."""
    source = random.Random(f"long rover {seed} {number}")
    sections = [(f"c{n // 2}", "AB"[n % 2], source.randrange(1, 900)) for n in range(40)]
    if source.random() < 0.5:
        sections.insert(source.randrange(40), (sections[0][0], "A", 30))
        sections.insert(source.randrange(40), ("long", "A", source.randrange(4900, 7000)))
    files = {}
    for name in ("s0", "s1", "s2"):
        lines: list[str] = []
        confident = source.choice((0, 3000, 4999, 7001, 99999))
        for conversation, channel, count in sections:
            for word in range(count):
                if source.random() < 0.1:
                    continue
                confidence = " 0.5" if len(lines) >= confident else ""
                text = source.choice("abc")
                lines.append(f"{conversation} {channel} {word * 2} .5 {text}{confidence}\n")
        files[name] = "".join(lines).encode()
    inputs = [word for name in files for word in ("-h", name, "ctm")]
    return Case([*inputs, "-o", "out", "-m", source.choice(METHODS), "-a", "0.5"], files)


class _Drawing:
    """Draws one case."""

    def __init__(self, source: random.Random) -> None:
        self._random = source
        self._vocabulary = source.choice(VOCABULARIES)
        self._digits = source.choice((1, 2, 2, 3))
        self._confidence_style = source.choice(("all", "none", "some", "mixed", "odd"))
        self._alternations = source.random() < 0.25
        self._multiple = source.random() < 0.4
        self._noise = source.choice((0.05, 0.2, 0.5))
        self._odd = source.random() < 0.3
        self._by_time = source.random() < 0.3
        # by infinite times the original aligns with what happens to be in its memory
        self._odd_times = ODD_TIMES[: 7 if self._by_time else None]

    def _chance(self, share: float) -> bool:
        return self._random.random() < share

    def case(self) -> Case:
        count = self._random.choice((2, 2, 3, 3, 3, 4, 5, 6))
        truth = self._truth()
        files = {f"s{n}.ctm": self._file(truth, n) for n in range(count)}
        return Case(self._arguments(list(files)), files)

    def _arguments(self, names: Sequence[str]) -> list[str]:
        options = [["-h", name, "ctm"] for name in names]
        extra = [["-o", "out"], ["-m", self._random.choice(METHODS)]]
        if self._chance(0.7):
            value = self._random.choice(
                ("0", "0.1", "0.5", "0.75", "1", "1.5", "-1", ".3x", "x", "nan")
            )
            extra.append(["-a", value])
        if self._chance(0.5):
            extra.append(["-c", self._random.choice(("0", "0.5", "0.7", "0.9", "1", "-1", "2"))])
        extra += [["-s"]] * self._chance(0.3) + [["-T"]] * self._by_time
        extra += [["-f", self._random.choice("012")]] * self._chance(0.2)
        extra += [["-l", "60"]] * self._chance(0.05)
        self._random.shuffle(extra)
        at = self._random.randrange(len(extra) + 1)
        words = [word for option in extra[:at] + options + extra[at:] for word in option]
        return words + (["stray", "-f", "0"] if self._chance(0.03) else [])

    def _truth(self) -> list[tuple[str, str, list[_Truth]]]:
        sections = []
        for conversation in range(self._random.choice((1, 1, 2, 3))):
            for channel in self._random.choice(("A", "A", "1", "AB")):
                words, time = [], self._random.choice((0.0, 3.0))
                for _ in range(self._random.choice((0, 1, 2, 5, 10, 30))):
                    duration = self._random.choice((0.1, 0.3, 0.5))
                    words.append(_Truth(time, duration, self._random.choice(self._vocabulary)))
                    time += duration + self._random.choice((0, 0, 0.05, 0.3, 1.2, 2.5))
                sections.append((f"Conv{conversation}", channel, words))
        return sections

    def _file(self, truth: Sequence[tuple[str, str, list[_Truth]]], number: int) -> bytes:
        lines: list[str] = []
        confident = self._confidence_style != "none" and (
            self._confidence_style != "some" or number % 2 == 0
        )
        for conversation, channel, words in truth:
            if self._odd and self._chance(0.05):
                continue
            if self._odd and self._chance(0.05):
                channel = "Z"
            for heard in self._hear(words):
                lines += self._lines(conversation, channel, heard, confident)
        if self._chance(0.3):
            lines.insert(self._random.randrange(len(lines) + 1), ";; a comment")
        if self._odd and self._chance(0.1):
            lines.insert(self._random.randrange(len(lines) + 1), "")
        if self._odd and self._chance(0.1):
            lines.append("zz A 0 .1 late")
        if self._odd and self._chance(0.1) and lines:
            at = self._random.randrange(len(lines))
            odd = (lines[at] + "\r", lines[at][:7], " ", lines[at] + " 1 C more ", "x" * 600)
            lines[at] = self._random.choice(odd)
        ending = "" if self._chance(0.1) else "\n"
        return ("\n".join(lines) + ending * bool(lines)).encode("latin-1")

    def _hear(self, words: Sequence[_Truth]) -> list[_Truth]:
        heard = []
        for start, duration, word in words:
            draw = self._random.random()
            if draw < self._noise / 3:
                continue
            if draw < 2 * self._noise / 3:
                word = self._random.choice(self._vocabulary)
            shift = self._random.choice((0, 0, 0.01, 0.02, -0.01))
            heard.append(_Truth(start + shift, duration, word))
            if draw > 1 - self._noise / 3:
                other = self._random.choice(self._vocabulary)
                heard.append(_Truth(start + duration / 2, duration / 2, other))
        if self._odd and self._chance(0.2):
            self._random.shuffle(heard)
        return heard

    def _lines(self, conversation: str, channel: str, heard: _Truth, confident: bool) -> list[str]:
        def line(start: str, duration: str, word: str, confidence: str) -> str:
            gap = self._random.choice((" ", " ", " ", "\t", "  "))
            lead = " " if self._odd and self._chance(0.05) else ""
            fields = [conversation, channel, start, duration, word, confidence]
            return lead + gap.join(field for field in fields if field)

        start, duration = (f"{value:.{self._digits}f}" for value in heard[:2])
        if self._odd and self._chance(0.05):
            start = self._random.choice(("&&" + start, *self._odd_times))
        if self._odd and self._chance(0.03):
            duration = self._random.choice(self._odd_times)
        plain = line(start, duration, heard.word, self._confidence(confident))
        if not (self._alternations and self._chance(0.2)):
            return [plain]
        marked = [line("*", "*", "<ALT_BEGIN>", "")]
        for branch in range(self._random.choice((1, 2, 2, 3))):
            if branch:
                marked.append(line("*", "*", "<ALT>", ""))
            long = self._random.choice((1, 1, 2, 3)) if self._multiple else 1
            if self._chance(0.1):
                long = 0
            for _ in range(long):
                word = self._random.choice(self._vocabulary)
                marked.append(line(start, duration, word, self._confidence(confident)))
        marked.append(line("*", "*", self._random.choice(("<ALT_END>", "<alt_end>")), ""))
        if self._odd and self._chance(0.1):
            marked.pop(self._random.randrange(len(marked)))
        return marked

    def _confidence(self, confident: bool) -> str:
        if not confident:
            return ""
        style = self._confidence_style
        if style == "mixed" and self._chance(0.3):
            return self._random.choice(("", "NA", "na"))
        if style == "odd" and self._chance(0.3):
            return self._random.choice(
                ("0", "-0.5", "2", "x", "1e-3", "nan", "inf", "-inf", "1e40")
            )
        return self._random.choice(("0.9", "0.5", "0.25", "0.123456", "0.7", "1", "0"))
