"""Random runs of the original, every file it writes compared byte for byte.

The system is read back from the SGML the original wrote in the same run, so alignment has no part
in this. Two texts are not compared: the date, which is read back too, and one label of the detail
reports that the Debian package spells differently.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from scoring.alignment.system import System
from scoring.errors import NoIncorrectWordError, SubsetLabelError
from scoring.nist.report.registry import CONFIDENCE_REPORTS, REPORTS, ReportSettings
from scoring.nist.report.tables import TableDrawer
from tests.judge import MISSING, judge

resource = pytest.importorskip("resource", reason="limits the size of files; not on this system")

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


class Run(NamedTuple):
    arguments: list[str]
    reports: list[str]
    confidence_reports: list[str]
    line_width: int


class Inputs:
    """Writes a reference, a hypothesis and what else a random run needs."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.random = random.Random(seed)
        self.kind = self.random.choice(["trn", "stm", "stm", "ctm"])
        self.error_rate = self.random.choice([0, 0.1, 0.3, 0.6, 1])
        self.confident = self.random.random() < 0.7
        self.gaps = self.random.random() < 0.15
        self.labels: list[tuple[str, int]] = []

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def write(self, name: str, text: str) -> None:
        self.folder.joinpath(name).write_bytes(text.encode("latin-1"))

    def words(self, most: int) -> list[str]:
        count = self.random.randint(0, most)
        words = self.random.choices(WORDS, k=count)
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

    def write_untimed(self) -> list[str]:
        reference, hypothesis = self.definitions(), ""
        for number, (name, left, right) in enumerate(self.utterances()):
            reference += f"{' '.join(left)} ({name}-{number:03d})\n"
            hypothesis += f"{' '.join(right)} ({name}-{number:03d})\n"
        self.write("r", reference)
        self.write("h", hypothesis)
        return ["-i", "spu_id", "-r", "r", "-h", "h", "trn"]

    def write_timed(self) -> list[str]:
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
        return ["-r", "r", self.kind, "-h", "h", "ctm"]

    def weights(self) -> list[str]:
        if self.chance(0.4):
            return ["-w", "unity"]
        lines = [
            f"{word.lower()} {self.random.choice(['0.3', '1.6', '0.75', '0', '2', '0.125'])}"
            for word in WORDS
            if self.chance(0.7)
        ]
        lines.insert(0, ";; 'Headings' 'Word Spelling' 'My W'")
        lines.insert(0, ";; Default missing weight '0.75'" if self.chance(0.5) else ";;")
        self.write("w", "\n".join(lines) + "\n")
        return ["-w", "w"]

    def run(self) -> Run:
        arguments = self.write_untimed() if self.kind == "trn" else self.write_timed()
        title = self.random.choice(TITLES)
        arguments += [title] if title else []
        for option, probability in (("-s", 0.3), ("-F", 0.3), ("-D", 0.4)):
            arguments += [option] if self.chance(probability) else []
        weighted = self.chance(0.35)
        if weighted:
            arguments += self.weights()
        elif self.kind == "trn" and self.chance(0.35):
            arguments.append("-c")
        line_width = self.random.choice([1000, 1000, 60, 80, 100, 51])
        arguments += ["-l", str(line_width), "-f", "0"]
        names = [report.names[-1] for report in REPORTS if "utt" not in report.names]  # ours
        reports = [
            name
            for name in names
            if name == "nl.sgml" or (self.chance(0.75) and (weighted or name != "wws"))
        ]
        measured = [report.name for report in CONFIDENCE_REPORTS if self.chance(0.7)]
        arguments += ["-o", *reports]
        arguments += ["-C", *measured] if measured else []
        return Run(arguments, reports, measured, line_width)


def limit_resources() -> None:
    # The original can write blank lines for ever; and its wrapper does not pass a signal on.
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000_000, 20_000_000))
    resource.setrlimit(resource.RLIMIT_CPU, (10, 10))


def original_files(folder: Path, run: Run) -> tuple[dict[str, bytes], list[str]]:
    before = set(folder.iterdir())
    result = subprocess.run(
        [str(judge("sclite")), *run.arguments],
        cwd=folder,
        capture_output=True,
        timeout=30,
        check=False,
        preexec_fn=limit_resources,
    )
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path not in before}
    assert "h.nl.sgml" in files, result.stderr
    crash = "Segmentation fault\n"  # said by the shell, not by the program
    warnings = result.stderr.decode("latin-1").replace(crash, "")
    return files, warnings.splitlines(keepends=True)


def our_files(system: System, run: Run) -> tuple[dict[str, bytes], list[str]]:
    warnings: list[str] = []
    settings = ReportSettings(TableDrawer(), warnings.append, run.line_width)
    files: dict[str, bytes] = {}
    for report in REPORTS:
        if report.names[-1] in run.reports:
            for part in report.parts(system, settings):
                files[f"h{part.suffix}"] = b""
                try:
                    files[f"h{part.suffix}"] = b"".join(part.content)
                except SubsetLabelError as problem:
                    return files, [*warnings, *str(problem).splitlines(keepends=True)]
    for measured in CONFIDENCE_REPORTS:
        if measured.name in run.confidence_reports:
            try:
                contents = measured.contents(system, "h", warnings.append)
            except NoIncorrectWordError:
                files["h.det.plt"] = b""
                break
            files.update((f"h{one.suffix}", one.content) for one in contents)
    return files, warnings


def respelled(content: bytes) -> bytes:
    """The label that the Debian package spells in a way of its own."""
    return re.sub(
        rb"(?<=\n)   with substit\w+ +(?=[0-9])",
        lambda label: b"   with substitutions".ljust(len(label.group())),
        content,
    )


@pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
@pytest.mark.parametrize("seed", range(120))
def test_every_file_is_the_original_one(
    load_system: Callable[[str], System], tmp_path: Path, seed: int
) -> None:
    run = Inputs(tmp_path, seed).run()
    expected, expected_warnings = original_files(tmp_path, run)
    system = load_system(expected["h.nl.sgml"].decode("latin-1"))
    found, warnings = our_files(system, run)
    assert sorted(found) == sorted(expected)
    for name, content in expected.items():
        detailed = name.endswith(".dtl") or ".spk." in name
        assert found[name] == (respelled(content) if detailed else content), run.arguments
    assert warnings == expected_warnings
