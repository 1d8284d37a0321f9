"""Cases that try the reports: long titles, labels, silent speakers, confidences, weights."""

from random import Random

from tests.judges.sclite.case import Case
from tests.judges.sclite.options import CONFIDENCE_REPORTS, Option

WORDS = [
    *("a", "b", "cat", "dog", "the", "ein", "longerword", "x\xc3\xa9y", "UP", "Mixed", "o'k"),
    *("fra-", "-g", "ab;t1", 'q"q', "z:z,", "thirtyfivebytesthirtyfivebytesthirt"),
]
TITLES = [
    "",
    "A title",
    "A very long system title that exceeds the width of the table in total characters",
    "dd//hh.trn",
    "a// b c",
    "x//",
]
LABEL_TITLES = ["Label", "Two//lines", "A very long title of a label", "T", ""]
CATEGORY_TITLES = ["", "Gender", "A really rather long category title"]


class Inputs:
    """A reference, a hypothesis and what else a random run needs."""

    def __init__(self, rng: Random) -> None:
        self.random = rng
        self.files: dict[str, bytes] = {}
        self.kind = self.random.choice(["trn", "stm", "stm", "ctm"])
        self.error_rate = self.random.choice([0, 0.1, 0.3, 0.6, 1])
        self.confident = self.random.random() < 0.7
        self.gaps = self.random.random() < 0.15
        self.labels: list[tuple[str, int]] = []

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def write(self, name: str, text: str) -> None:
        self.files[name] = text.encode("latin-1")

    def words(self, most: int) -> list[str]:
        words = self.random.choices(WORDS, k=self.random.randint(0, most))
        return [f"({word})" if self.chance(0.08) else word for word in words]

    def spoiled(self, words: list[str]) -> list[str]:
        if not words:
            return self.random.choices(WORDS, k=self.random.randint(0, 2))
        spoiled = []
        for word in words:
            place = self.random.random()
            if place >= self.error_rate / 3:
                changed = place < 2 * self.error_rate / 3
                spoiled.append(self.random.choice(WORDS) if changed else word)
            if place > 1 - self.error_rate / 3:
                spoiled.append(self.random.choice(WORDS))
        return spoiled

    def utterances(self) -> list[tuple[str, list[str], list[str]]]:
        speakers = self.random.choice([1, 2, 3, 3, 5, 20])
        names = [f"{self.random.choice(['s', 'long_name_'])}{n}" for n in range(speakers)]
        silent = {name for name in names if self.chance(0.2)}
        most = self.random.choice([2, 8, 30, 60])
        chosen = self.random.choices(names, k=self.random.randint(1, 2 * speakers + 6))
        references = [
            [] if name in silent or self.chance(0.1) else self.words(most) for name in chosen
        ]
        return [
            (name, words, self.spoiled(words))
            for name, words in zip(chosen, references, strict=True)
        ]

    def definitions(self) -> str:
        if self.kind == "ctm" or self.chance(0.3):
            return ""
        lines = [
            f';; CATEGORY "{n}" "{self.random.choice(CATEGORY_TITLES)}" "desc"'
            for n in range(self.random.randint(0, 4))
        ]
        for number in range(self.random.choice([1, 2, 3, 6])):
            title = self.random.choice(LABEL_TITLES)
            description = self.random.choice(["desc", "A long description of what this is", ""])
            lines.append(f';; LABEL "L{number}" "{title}" "{description}"')
            self.labels.append((f"L{number}", self.random.randint(0, 2)))
        return "\n".join(lines) + "\n"

    def label(self) -> str:
        if not self.labels or self.chance(0.1):
            return ""
        fields: list[list[str]] = [[""], [""], [""]]
        for name, category in self.labels:
            if self.chance(0.6):
                fields[category].append(name)
        return f"<{','.join(self.random.choice(field) for field in fields)}> "

    def confidence(self) -> str:
        if self.gaps and self.chance(0.4):
            return self.random.choice(["", "NA"])
        if self.chance(0.03):
            return self.random.choice(["1.0", "0.0", "1", "-0.05", "1.3", "0.999999"])
        return f"{self.random.random():.{self.random.choice([1, 2, 4])}f}"

    def timed(self, words: list[str], begin: float, confident: bool) -> str:
        lines = [
            f"f1 a {begin + 0.25 + number / 2:.2f} 0.25 {word}"
            + (f" {self.confidence()}" if confident else "")
            for number, word in enumerate(words)
        ]
        return "".join(f"{line}\n" for line in lines)

    def write_untimed(self) -> tuple[Option, ...]:
        reference, hypothesis = self.definitions(), ""
        for number, (name, left, right) in enumerate(self.utterances()):
            reference += f"{' '.join(left)} ({name}-{number:03d})\n"
            hypothesis += f"{' '.join(right)} ({name}-{number:03d})\n"
        self.write("r", reference)
        self.write("h", hypothesis)
        return ("-i", "spu_id"), ("-r", "r"), ("-h", "h", "trn")

    def write_timed(self) -> tuple[Option, ...]:
        reference, hypothesis = self.definitions(), ""
        begin = 0.0
        confident = self.kind == "ctm" and self.chance(0.5)
        for name, left, right in self.utterances():
            hypothesis += self.timed(right, begin, self.confident)
            end = begin + 0.5 * (max(len(left), len(right)) + 2) + self.random.choice([0, 5])
            if self.kind == "stm":
                words = " ".join(left)
                reference += f"f1 a {name} {begin:.2f} {end:.2f} {self.label()}{words}\n"
            else:
                reference += self.timed(left, begin, confident)
            begin = end
        self.write("r", reference or "f1 a 0.00 0.25 x\n")
        self.write("h", hypothesis or "f1 a 0.00 0.25 x 0.5\n")
        return ("-r", "r", self.kind), ("-h", "h", "ctm")

    def weights(self) -> Option:
        if self.chance(0.4):
            return "-w", "unity"
        lines = [
            f"{word.lower()} {self.random.choice(['0.3', '1.6', '0.75', '0', '2', '0.125'])}"
            for word in WORDS
            if self.chance(0.7)
        ]
        lines.insert(0, ";; 'Headings' 'Word Spelling' 'My W'")
        lines.insert(0, ";; Default missing weight '0.75'" if self.chance(0.5) else ";;")
        self.write("w", "\n".join(lines) + "\n")
        return "-w", "w"

    def options(self) -> list[Option]:
        *head, hypothesis = self.write_untimed() if self.kind == "trn" else self.write_timed()
        title = self.random.choice(TITLES)
        options = [*head, (*hypothesis, title) if title else hypothesis]
        options += [
            (name,) for name, p in (("-s", 0.3), ("-F", 0.3), ("-D", 0.4)) if self.chance(p)
        ]
        weighted = self.chance(0.35)
        if weighted:
            options.append(self.weights())
        elif self.kind == "trn" and self.chance(0.35):
            options.append(("-c",))
        line_width = self.random.choice([1000, 1000, 60, 80, 100, 51])
        options += [("-l", str(line_width)), ("-f", "0")]
        names = ("sum", "rsum", "wws", "snt", "spk", "dtl", "lur", "pra", "prf", "sgml", "nl.sgml")
        reports = [n for n in names if self.chance(0.75) and (weighted or n != "wws")]
        options.append(("-o", *(reports or ["sum"])))
        measured = [name for name in CONFIDENCE_REPORTS if self.chance(0.7)]
        return [*options, ("-C", *measured)] if measured else options


def report_case(rng: Random, name: str) -> Case:
    """Draw one case of odd titles, labels, silent speakers, confidences and weights."""
    inputs = Inputs(rng)
    return Case(name=name, kind="reports", options=tuple(inputs.options()), files=inputs.files)
