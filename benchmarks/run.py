"""Measure us against the yardsticks and print one table.

    python benchmarks/run.py [--quick] [--rows NAME,NAME] [--repeat N]

Both sides of a row are run in turns in one go, so a slow or busy machine slows both; what counts
is the ratio. See README.md here for how to read the table.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import keywords, reading
from benchmarks.processes import BARE, IMPORT, OURS, Comparison, Sample, compared, original

FOLDER = Path(__file__).resolve().parent
MEGABYTE = 1_000_000
LONGEST_REMARK = 200


@dataclass(frozen=True)
class Criterion:
    """A bound on our figure, possibly relative to the yardstick's."""

    text: str
    met: Callable[[float, float], bool]  # yardstick, ours
    needs_yardstick: bool = True


def times(factor: float) -> Criterion:
    """Our figure is at most the yardstick's divided by the factor."""
    text = "as good" if factor == 1 else f"{factor:g}x" if factor > 1 else f"{1 / factor:g}x slower"
    return Criterion(text, lambda yardstick, ours: ours * factor <= yardstick)


def plus(milliseconds: float) -> Criterion:
    """Our time is at most the yardstick's plus so many milliseconds."""
    return Criterion(
        f"+ {milliseconds:g} ms", lambda yardstick, ours: ours <= yardstick + milliseconds / 1000
    )


def under(bound: float, text: str) -> Criterion:
    """Our figure is at most the bound."""
    return Criterion(text, lambda _, ours: ours <= bound, needs_yardstick=False)


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds, or bytes where `memory` is true."""

    work: str
    yardstick: str
    at_least: Criterion
    aim: Criterion
    yardstick_value: float | None
    our_value: float | None
    memory: bool = False
    remark: str = ""

    def judged(self, criterion: Criterion) -> bool | None:
        """Whether the criterion is met; None if a figure is missing."""
        if self.our_value is None:
            return None
        if self.yardstick_value is None:
            return criterion.met(0.0, self.our_value) if not criterion.needs_yardstick else None
        return criterion.met(self.yardstick_value, self.our_value)

    @property
    def verdict(self) -> str:
        """One of `aim met`, `met`, `not met`, `not measured`."""
        at_least, aim = self.judged(self.at_least), self.judged(self.aim)
        if at_least is None:
            return "not measured"
        if not at_least:
            return "not met"
        return "aim met" if aim else "met"

    @property
    def ratio(self) -> str:
        """How many times smaller our figure is."""
        if self.yardstick_value is None or not self.our_value:
            return "-"
        return f"{self.yardstick_value / self.our_value:.2f}x"

    def figure(self, value: float | None) -> str:
        """A figure with its unit."""
        if value is None:
            return "-"
        if self.memory:
            return f"{value / MEGABYTE:.0f} MB"
        return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.2f} ms"

    def cells(self) -> list[str]:
        """The row's texts, in the order of `HEADINGS`."""
        figures = [self.figure(self.yardstick_value), self.figure(self.our_value)]
        bounds = [self.at_least.text, self.aim.text]
        return [self.work, self.yardstick, *figures, self.ratio, *bounds, self.verdict]


HEADINGS = ["work", "yardstick", "its figure", "ours", "ratio", "at least", "aim", "verdict"]


def seconds(sample: Sample | None) -> float | None:
    """The time of a process, if it ran."""
    return None if sample is None else sample.seconds


def peak(sample: Sample | None) -> float | None:
    """The memory of a process in bytes, if it ran."""
    return None if sample is None else float(sample.peak)


@dataclass(frozen=True)
class Settings:
    """Sizes and repetitions of one run of the benchmarks."""

    directory: Path
    repeat: int
    quick: bool

    def size(self, number: int, quick: int) -> int:
        """The size of a work, smaller in a quick run."""
        return quick if self.quick else number


def processor(sample: Sample | None) -> float | None:
    """The processor time of a process, if it ran."""
    return None if sample is None else sample.processor


def corpus(
    settings: Settings,
    utterances: int,
    words: int,
    errors: float,
    even: bool,
    formats: str = "trn",
) -> Path:
    """A folder with files of that shape, made by another process."""
    folder = settings.directory / f"{utterances}x{words}x{errors}-{formats}"
    if not folder.exists():
        command = [sys.executable, str(FOLDER / "corpus.py"), str(folder), "--formats", formats]
        command += ["--utterances", str(utterances), "--words", str(words)]
        command += ["--errors", str(errors), "--speakers", str(min(50, utterances))]
        subprocess.run(command + ([] if even else ["--same-length"]), check=True)
    return folder


SCORING = (sys.executable, "-c", "from scoring.cli.scoring import run; run()")
SCLITE = ("-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id", "-f", "0", "-o", "all")


def whole_large(settings: Settings) -> list[Row]:
    """Many utterances: time and memory of the whole process."""
    utterances = settings.size(100_000, 10_000)
    folder = corpus(settings, utterances, 20, 0.1, even=True)
    return process_rows(
        f"sclite -o all, {utterances:,} utterances of 20 words",
        folder,
        settings.repeat,
        (times(10), times(20)),
        (times(4), under(400 * MEGABYTE, "400 MB")),
    )


def whole_medium(settings: Settings) -> list[Row]:
    """A test set of usual size, start-up included."""
    folder = corpus(settings, 2620, 20, 0.1, even=True)
    work = "sclite -o all, 2,620 utterances of 20 words"
    return process_rows(work, folder, 3 * settings.repeat, (times(2), times(4)))


def whole_timed(settings: Settings) -> list[Row]:
    """Segments against timed words, with confidences."""
    utterances = settings.size(20_000, 2_000)
    folder = corpus(settings, utterances, 20, 0.1, even=True, formats="timed")
    work = f"sclite -o all, stm with ctm, {utterances:,} segments of 20 words"
    inputs = ("-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm", "-f", "0", "-o", "all")
    return process_rows(work, folder, settings.repeat, (times(5), times(10)), arguments=inputs)


def whole_characters(settings: Settings) -> list[Row]:
    """Characters instead of words."""
    folder = corpus(settings, 1_000, 20, 0.1, even=True)
    work = "sclite -c, 1,000 utterances of 20 words"
    arguments = (*SCLITE, "-c")
    return process_rows(work, folder, settings.repeat, (times(5), times(10)), arguments=arguments)


def whole_time_mediated(settings: Settings) -> list[Row]:
    """Costs from times; long utterances, since on short ones both sides are mostly start-up."""
    folder = corpus(settings, 1_000, 150, 0.1, even=True, formats="timed")
    work = "sclite -T, ctm with ctm, 1,000 utterances of 150 words"
    inputs = ("-r", "ref.ctm", "ctm", "-h", "hyp.ctm", "ctm", "-f", "0", "-o", "all", "-T")
    return process_rows(work, folder, settings.repeat, (times(2), times(5)), arguments=inputs)


def whole_long(settings: Settings) -> list[Row]:
    """One long utterance with many errors."""
    words = settings.size(6000, 2000)
    folder = corpus(settings, 1, words, 0.2, even=False)
    work = f"sclite -o all, one utterance of {words:,} words, 20 % errors"
    return process_rows(work, folder, settings.repeat, (times(20), times(50)))


def process_rows(
    work: str,
    folder: Path,
    repeat: int,
    speed: tuple[Criterion, Criterion],
    memory: tuple[Criterion, Criterion] | None = None,
    arguments: Sequence[str] = SCLITE,
) -> list[Row]:
    """Rows of a whole process of sclite against the original."""
    program = original()
    theirs = None if program is None else (*program, *arguments)
    found = compared(theirs, (*OURS, *arguments), folder, repeat)
    left, right = found.yardstick, found.ours
    remark = found.remark if theirs is not None else f"sctk is not installed {found.remark}"
    rows = [
        Row(
            work,
            "sctk sclite",
            *speed,
            seconds(left),
            seconds(right),
            remark=remark,
        )
    ]
    if memory is not None:
        peaks = (peak(left), peak(right))
        rows.append(Row(f"{work}: peak memory", "sctk sclite", *memory, *peaks, memory=True))
    return rows


def draw_map(folder: Path, rules: int) -> None:
    """A map of words of a corpus, a tenth of the rules with alternatives."""
    found = sorted({*(folder / "ref.stm").read_text("utf-8").split()})
    words = [word for word in found if word.isalpha() and len(word) > 3]
    lines = [";; drawn", f"* max_nrules '{rules + 1}'", "* case_sensitive 'F'"]
    for number, word in enumerate(words[:: max(1, len(words) // rules)][:rules]):
        target = f"{{{word} / {word} {word[:3]}}}" if number % 10 == 0 else word[1:]
        lines.append(f"[{word}] => [{target}] / [ ] __ [ ]")
    (folder / "map.glm").write_text("\n".join(lines) + "\n", "utf-8")


def row_of(
    work: str, yardstick: str, at_least: Criterion, aim: Criterion, found: Comparison
) -> Row:
    """How long two processes took."""
    left, right = seconds(found.yardstick), seconds(found.ours)
    return Row(work, yardstick, at_least, aim, left, right, remark=found.remark)


def among_helpers(program: Sequence[str]) -> list[str]:
    """What starts a program so that it finds those beside it."""
    path = f"PATH={Path(program[0]).parent}:{os.environ.get('PATH', os.defpath)}"
    return ["env", path]


def hub_chain(settings: Settings) -> list[Row]:
    """A whole evaluation as recipes run it, without validation."""
    segments = settings.size(20_000, 2_000)
    folder = corpus(settings, segments, 20, 0.1, even=True, formats="timed")
    rules = 1800  # as many as the maps of the evaluations have
    draw_map(folder, rules)
    theirs = original("hubscr.pl")
    ours = [sys.executable, "-c", "from scoring.cli.nist.sctk import run; run('hubscr.pl')"]
    call = "-V -l english -h hub5 -g map.glm -r ref.stm hyp.ctm"
    words = call.split()
    yardstick = None if theirs is None else [*among_helpers(theirs), *theirs, *words]
    found = compared(yardstick, [*ours, *words], folder, settings.repeat)
    return [
        row_of(
            f"hubscr.pl -V, {segments:,} segments of 20 words, {rules} rules",
            "sctk hubscr.pl",
            times(5),
            times(6),
            found,
        )
    ]


def filtering(settings: Settings) -> list[Row]:
    """Filters of hub evaluations: whole processes, with maps of words of the corpus."""
    folder = corpus(settings, settings.size(50_000, 5_000), 20, 0.1, even=True, formats="timed")
    works = (("csrfilt.sh", "stm", 500), ("csrfilt.sh", "ctm", 500), ("rfilter1", "stm", 1000))
    rows: list[Row] = []
    for program, format_, rules in works:
        draw_map(folder, rules)
        call = f"-i {format_} map.glm" if program == "csrfilt.sh" else "map.glm"
        name = "ref.stm" if format_ == "stm" else "hyp.ctm"
        ours = f"from scoring.cli.nist.sctk import run; run({program!r})"
        shell = ["sh", "-c", f'exec "$@" {call} < {name}', "-"]
        theirs = original(program)
        yardstick = None if theirs is None else [*among_helpers(theirs), *shell, *theirs]
        compare = compared(yardstick, [*shell, sys.executable, "-c", ours], folder, settings.repeat)
        rows.append(
            row_of(
                f"{program} {call}, {settings.size(1_000_000, 100_000):,} words, {rules} rules",
                f"sctk {program}",
                times(1),
                times(2),
                compare,
            )
        )
    return rows


def overlapping(settings: Settings) -> list[Row]:
    """Groups of three speakers who speak at once: whole processes of asclite."""
    count, words = settings.size(2, 1), 30
    random = Random(14)
    folder = settings.directory / "overlapping"
    folder.mkdir(exist_ok=True)
    spoken, heard = [], []
    for group in range(count):
        begin = group * 100
        lines = [[random.choice("abcdefgh") for _ in range(words)] for _ in range(3)]
        spoken += [
            f"meet 1 s{k} {begin + k} {begin + 90 + k} {' '.join(line)}"
            for k, line in enumerate(lines)
        ]
        mixed = [word for words_at in zip(*lines, strict=True) for word in words_at]
        for place, word in enumerate(mixed):
            if random.random() < 0.9:
                heard.append(f"meet 1 {begin + 1 + 1.4 * place:.2f} 0.5 {word}")
    (folder / "ref.stm").write_text("\n".join(spoken) + "\n", "utf-8")
    (folder / "hyp.ctm").write_text("\n".join(heard) + "\n", "utf-8")
    arguments = [
        "-r",
        "ref.stm",
        "stm",
        "-h",
        "hyp.ctm",
        "ctm",
        "-noisg",
        "-f",
        "0",
        "-o",
        "sum",
        "rsum",
        "sgml",
    ]
    program = original("asclite")
    theirs = None if program is None else (*program, *arguments)
    command = "import sys; from scoring.cli.nist.asclite import run; sys.exit(run())"
    ours = (sys.executable, "-c", command, *arguments)
    found = compared(theirs, ours, folder, settings.repeat)
    return [
        row_of(
            f"asclite, {count} groups of three speakers of {words} words",
            "sctk asclite",
            times(5),
            times(20),
            found,
        )
    ]


def diarisation(settings: Settings) -> list[Row]:
    """Who speaks when: recordings of half an hour with five speakers, whole processes."""
    folder = settings.directory / "diarisation"
    folder.mkdir(exist_ok=True)
    recordings = settings.size(100, 10)
    drawn = Random(1)
    with (folder / "ref.rttm").open("w") as told, (folder / "sys.rttm").open("w") as heard:
        for number in range(recordings):
            time = 0.0
            while time < 1800:
                length, speaker = 0.2 + 4 * drawn.random(), drawn.randrange(5)
                place = f"SPEAKER rec{number:03d} 1"
                told.write(f"{place} {time:.2f} {length:.2f} <NA> <NA> A{speaker} <NA> <NA>\n")
                start = max(0.0, time + 0.2 * (drawn.random() - 0.5))
                guess = speaker if drawn.random() < 0.9 else drawn.randrange(6)
                heard.write(f"{place} {start:.2f} {length:.2f} <NA> <NA> s{guess} <NA> <NA>\n")
                time += length + 0.3 * drawn.random()
    arguments = ["-c", "0.25", "-r", "ref.rttm", "-s", "sys.rttm"]
    ours = [sys.executable, "-c", "from scoring.cli.tasks.md_eval import run; run()", *arguments]
    theirs = original("md-eval.pl")
    yardstick = None if theirs is None else [*theirs, *arguments]
    compare = compared(yardstick, ours, folder, settings.repeat)
    return [
        row_of(
            f"md-eval.pl -c 0.25, {recordings} recordings of 30 minutes",
            "sctk md-eval.pl",
            times(10),
            times(15),
            compare,
        )
    ]


def alignments_read(settings: Settings) -> list[Row]:
    """Alignments in SGML that are read back: two systems compared, and the sums of one."""
    utterances = settings.size(40_000, 4_000)
    folder = corpus(settings, utterances, 10, 0.1, even=True)
    drawn = Random(5)
    with open(folder / "hyp.trn") as first, open(folder / "other.trn", "w") as second:
        for line in first:
            *words, identifier = line.split()
            kept = [word for word in words if drawn.random() >= 0.05]
            second.write(f"{' '.join(kept)} {identifier}\n")
    for name in ("hyp", "other"):
        sides = ("-r", "ref.trn", "-h", f"{name}.trn", "-i", "spu_id", "-f", "0")
        with open(folder / f"{name}.sgml", "wb") as output:
            command = (*OURS, *sides, "-o", "sgml", "stdout")
            subprocess.run(command, cwd=folder, check=True, stdout=output, env=OWN_ROOT)
    texts = [(folder / f"{name}.sgml").read_bytes() for name in ("hyp", "other")]
    (folder / "both.sgml").write_bytes(b"".join(texts))
    rows: list[Row] = []
    works: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
        ("sc_stats", "sc_stats", "both.sgml", ("-p", "-t", "std4", "-u", "-n", "compared")),
        ("sclite -P", "sclite", "hyp.sgml", ("-P", "-f", "0", "-o", "sum", "-n", "piped")),
    )
    for name, module, file, arguments in works:
        program = original(module)
        ours = (sys.executable, "-c", f"from scoring.cli.nist.{module} import run; run()")
        found = compared(
            None if program is None else fed(file, (*program, *arguments)),
            fed(file, (*ours, *arguments)),
            folder,
            3 * settings.repeat,
        )
        size = len((folder / file).read_bytes()) / MEGABYTE
        work = f"{name}, {size:.0f} MB of SGML"
        times_of = processor(found.yardstick), processor(found.ours)
        peaks = peak(found.yardstick), peak(found.ours)
        yardstick = f"sctk {name.split()[0]}"
        remark = found.remark
        rows += [
            Row(f"{work}: processor time", yardstick, times(1), times(2), *times_of, remark=remark),
            Row(f"{work}: peak memory", yardstick, times(0.5), times(1), *peaks, memory=True),
        ]
    return rows


OWN_ROOT = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}


def fed(file: str, command: Sequence[str]) -> tuple[str, ...]:
    """A command that reads a file of its folder as standard input."""
    return ("sh", "-c", f'exec "$0" "$@" < {file}', *command)


def normalised_table(settings: Settings) -> list[Row]:
    """Rows of Parquet with the step `plain` and two groups: processor time and memory."""
    count = settings.size(5_000_000, 200_000)
    folder = corpus(settings, count // 10, 10, 0.1, even=True)
    script = (
        "import sys, pyarrow as pa, pyarrow.parquet as pq\n"
        "sides = [[' '.join(line.split()[:-1]).capitalize() + '.' for line in open(name)]"
        " for name in ('ref.trn', 'hyp.trn')]\n"
        "size = len(sides[0])\n"
        "places = range(size)\n"
        "columns = {'text': sides[0], 'pred_text': sides[1],\n"
        "           'speaker': [f's{place % 50}' for place in places],\n"
        "           'accent': [f'a{place % 7}' for place in places]}\n"
        "table = pa.table(columns)\n"
        "with pq.ParquetWriter('rows.parquet', table.schema) as writer:\n"
        "    for _ in range(10):\n"
        "        writer.write_table(table)\n"
    )
    made = subprocess.run([sys.executable, "-c", script], cwd=folder, stderr=subprocess.PIPE)
    columns = ("--reference-column", "text", "--hypothesis-column", "pred_text")
    command = (*SCORING, "wer", "rows.parquet", *columns, "--by", "speaker,accent")
    found = compared(None, (*command, "--normalize", "plain"), folder, 1)
    remark = found.remark if made.returncode == 0 else "pyarrow is not installed"
    work = f"scoring wer --normalize plain, {count:,} rows of Parquet, two groups"
    spent, peaked = processor(found.ours), peak(found.ours)
    seconds_bounds = under(20, "20 s"), under(10, "10 s")
    bytes_bounds = under(400 * MEGABYTE, "400 MB"), under(200 * MEGABYTE, "200 MB")
    return [
        Row(f"{work}: processor time", "none", *seconds_bounds, None, spent, remark=remark),
        Row(f"{work}: peak memory", "none", *bytes_bounds, None, peaked, memory=True),
    ]


def start_up(settings: Settings) -> list[Row]:
    """Short works: what is left is the start."""
    folder = corpus(settings, 1, 8, 0.1, even=False)
    cues = "1\n00:00:00,500 --> 00:00:01,250\nhello\n\n2\n00:00:02,000 --> 00:00:03,000\nagain\n"
    (folder / "two.srt").write_text(cues)
    for side, words in (("ref", "the cat sat on the mat"), ("hyp", "the cat sat on mat")):
        (folder / f"two-{side}.txt").write_text(f"{words}\na dog\n")
    works: list[tuple[str, Sequence[str], Criterion, Criterion]] = [
        (
            "sclite -o all, one utterance of 8 words",
            (*OURS, *SCLITE),
            plus(40),
            times(1 / 2),
        ),
        (
            "scoring wer, one utterance of 8 words",
            (*SCORING, "wer", "ref.trn", "hyp.trn"),
            plus(80),
            times(1 / 3),
        ),
        (
            "scoring wer, two lines of text",
            (*SCORING, "wer", "two-ref.txt", "two-hyp.txt"),
            plus(80),
            times(1 / 3),
        ),
        (
            "formats convert, two cues",
            (sys.executable, "-m", "formats", "convert", "two.srt", "two.stm"),
            plus(80),
            plus(40),
        ),
        ("import scoring", IMPORT, plus(30), plus(10)),
    ]
    rows = []
    for work, command, at_least, aim in works:
        found = compared(BARE, command, folder, 7 * settings.repeat)
        left, right = found.yardstick, found.ours
        work, spent = f"{work}: processor time", (processor(left), processor(right))
        rows += [
            Row(work, "bare interpreter", at_least, aim, *spent, remark=found.remark),
        ]
    return rows


def html_page(settings: Settings) -> list[Row]:
    """The page of many utterances: processor time, memory and the size of the file."""
    utterances = settings.size(100_000, 10_000)
    folder = corpus(settings, utterances, 10, 0.1, even=True)
    command = (*SCORING, "wer", "ref.trn", "hyp.trn", "--html", "page.html")
    found = compared(None, command, folder, settings.repeat)
    work = f"scoring wer --html, {utterances:,} utterances of 10 words"
    spent, peaked = processor(found.ours), peak(found.ours)
    page = folder / "page.html"
    size = page.stat().st_size if page.exists() else None
    bounds = under(8 * MEGABYTE, "8 MB"), under(4 * MEGABYTE, "4 MB")
    return [
        Row(
            f"{work}: processor time",
            "none",
            under(8, "8 s"),
            under(4, "4 s"),
            None,
            spent,
            remark=found.remark,
        ),
        Row(
            f"{work}: peak memory",
            "none",
            under(400 * MEGABYTE, "400 MB"),
            under(200 * MEGABYTE, "200 MB"),
            None,
            peaked,
            memory=True,
        ),
        Row(f"{work}: size of the page", "none", *bounds, None, size, memory=True),
    ]


def plain_files(format_name: str) -> Callable[[Settings], list[Row]]:
    """Rows of `scoring wer` of a million pairs in a format that everyone has."""

    def rows(settings: Settings) -> list[Row]:
        pairs = settings.size(1_000_000, 100_000)
        folder = corpus(settings, pairs, 10, 0.05, even=False)
        if format_name == "kaldi":
            for side in ("ref", "hyp"):
                with open(folder / f"{side}.trn") as trn, open(folder / f"{side}.txt", "w") as text:
                    for line in trn:
                        words, _, identifier = line.rstrip().rpartition(" ")
                        text.write(f"{identifier.strip('()')} {words}\n")
        suffix = "txt" if format_name == "kaldi" else "trn"
        command = (*SCORING, "wer", f"ref.{suffix}", f"hyp.{suffix}")
        compare = compared(None, command, folder, settings.repeat)
        work = f"scoring wer, {format_name}, {pairs:,} pairs of 10 words"
        time_bounds = under(1.2, "1.2 s"), under(1, "1 s")
        peak_bounds = under(300 * MEGABYTE, "300 MB"), under(250 * MEGABYTE, "250 MB")
        ours = processor(compare.ours), peak(compare.ours)
        remark = compare.remark
        return [
            Row(f"{work}: processor time", "none", *time_bounds, None, ours[0], remark=remark),
            Row(f"{work}: peak memory", "none", *peak_bounds, None, ours[1], memory=True),
        ]

    return rows


def choices(settings: Settings) -> list[Row]:
    """A tenth of the utterances with alternatives on one side, against none: processor time."""
    pairs = settings.size(100_000, 10_000)
    folder = corpus(settings, pairs, 10, 0.1, even=True)
    drawn = Random(41)
    for side, first in (("ref", 3), ("hyp", 13)):
        with open(folder / f"{side}.trn") as plain, open(folder / f"{side}2.trn", "w") as braced:
            for number, line in enumerate(plain):
                *words, identifier = line.split()
                if number % 20 == first and words:
                    at = drawn.randrange(len(words))
                    words[at] = f"{{ {words[at]} / {drawn.choice(words)} {words[0]} / @ }}"
                braced.write(f"{' '.join(words)} {identifier}\n")
    plain_command = (*SCORING, "wer", "ref.trn", "hyp.trn")
    command = (*SCORING, "wer", "ref2.trn", "hyp2.trn")
    rows: list[Row] = []
    for options, least in (
        ((), 2),
        (("--profile", "levenshtein"), 2),
        (("--merge-compounds", "words"), 2.5),
    ):
        found = compared(plain_command, (*command, *options), folder, 3 * settings.repeat)
        work = " ".join(["scoring wer", *options])
        times_of = processor(found.yardstick), processor(found.ours)
        bounds = times(1 / least), times(2 / (1 + least))
        rows.append(
            Row(
                f"{work}, {pairs:,} utterances of 10 words, choices in a tenth: processor time",
                "scoring wer, no choices",
                *bounds,
                *times_of,
                remark=found.remark,
            )
        )
    return rows


def written_forms(settings: Settings) -> list[Row]:
    """A written form in each utterance, its words in the hypothesis, against `plain` alone."""
    pairs = settings.size(20_000, 2_000)
    folder = corpus(settings, pairs, 10, 0.1, even=True)
    rows: list[Row] = []
    for amounts in (1_000, 1_000_000):
        drawn = Random(43)
        with (
            open(folder / "ref.trn") as reference,
            open(folder / "hyp.trn") as hypothesis,
            open(folder / "forms.trn", "w") as written,
            open(folder / "words.trn", "w") as said,
        ):
            for left, right in zip(reference, hypothesis, strict=True):
                form, words = written_form(drawn, amounts)
                written.write(f"{form} {left}")
                said.write(f"{words} {right}")
        command = (*SCORING, "wer", "forms.trn", "words.trn", "--normalize", "plain")
        found = compared(command, (*command, "--normalize", "spoken-forms"), folder, 1)
        work = f"scoring wer --normalize spoken-forms, a form of {amounts:,} amounts in each"
        times_of = processor(found.yardstick), processor(found.ours)
        yardstick = "scoring wer --normalize plain"
        bounds = times(1 / 5), times(1 / 2)
        work = f"{work} of {pairs:,} utterances: processor time"
        rows.append(Row(work, yardstick, *bounds, *times_of, remark=found.remark))
    return rows


def written_form(drawn: Random, amounts: int) -> tuple[str, str]:
    """Return a number, a price, a share or a length, and a way to say it."""
    number = drawn.randrange(1, amounts)
    name = name_of(number)
    return drawn.choice(
        (
            (str(number), name),
            (f"${number:,}", f"{name} dollars"),
            (f"{number}%", f"{name} percent"),
            (f"{number} km", f"{name} kilometers"),
        )
    )


_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def name_of(number: int) -> str:
    """Return the English name of a number below a million.

    >>> name_of(20_145)
    'twenty thousand one hundred forty five'
    """
    if number < 20:
        return _ONES[number]
    for size, word in ((1_000, " thousand"), (100, " hundred")):
        count, rest = divmod(number, size)
        if count:
            return name_of(count) + word + (f" {name_of(rest)}" if rest else "")
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f" {_ONES[ones]}" if ones else "")


def timed_files(settings: Settings) -> list[Row]:
    """Large files with times: scored, and converted."""
    utterances = settings.size(100_000, 10_000)
    words = 6
    folder = corpus(settings, utterances, words, 0.1, even=False, formats="timed")
    convert = (sys.executable, "-m", "formats", "convert", "hyp.ctm", "hyp.jsonl")
    works = (
        ("scoring wer, stm with ctm", (*SCORING, "wer", "ref.stm", "hyp.ctm"), 1.9),
        ("formats convert, ctm to jsonl", convert, 6.3),
    )
    rows: list[Row] = []
    for name, command, most in works:
        compare = compared(None, command, folder, settings.repeat)
        work = f"{name}, {utterances:,} segments of {words} words: processor time"
        bounds = under(most, f"{most:g} s"), under(most / 2, f"{most / 2:g} s")
        spent = processor(compare.ours)
        rows.append(Row(work, "none", *bounds, None, spent, remark=compare.remark))
    return rows


def whole_huge(settings: Settings) -> list[Row]:
    """One utterance beyond what the original can do."""
    words = settings.size(50_000, 10_000)
    folder = corpus(settings, 1, words, 0.2, even=False)
    found = compared(None, (*OURS, *SCLITE), folder, settings.repeat)
    ours = found.ours
    work = f"sclite -o all, one utterance of {words:,} words, 20 % errors"
    return [
        Row(
            work,
            "none",
            under(2, "2 s"),
            under(0.5, "0.5 s"),
            None,
            seconds(ours),
            remark=found.remark,
        ),
        Row(
            f"{work}: peak memory",
            "none",
            under(500 * MEGABYTE, "500 MB"),
            under(500 * MEGABYTE, "500 MB"),
            None,
            peak(ours),
            memory=True,
        ),
    ]


def library(
    settings: Settings, work: str, pairs: int, words: int, errors: float, runs: int = 1
) -> tuple[float | None, float | None, str]:
    """Seconds of the yardstick and ours for one work of `library.py`, and a remark."""
    command = [sys.executable, str(FOLDER / "library.py"), work, "--pairs", str(pairs)]
    command += ["--words", str(words), "--errors", str(errors)]
    command += ["--repeat", str(runs * settings.repeat if pairs > 1 else 10 * settings.repeat)]
    finished = subprocess.run(command, capture_output=True, text=True)
    if finished.returncode != 0:
        lines = finished.stderr.strip().splitlines()
        return None, None, lines[-1] if lines else f"status {finished.returncode}"
    result = json.loads(finished.stdout)
    return result["yardstick"], result["ours"], "; ".join(result["remarks"])


def pair_rows(
    work: str,
    name: str,
    yardstick: str,
    *bounds: Criterion,
    most: int = 100_000,
    words: int = 20,
    runs: int = 1,
) -> Callable[[Settings], list[Row]]:
    """A row of a library call over many pairs."""

    def rows(settings: Settings) -> list[Row]:
        pairs = settings.size(most, 10_000)
        theirs, ours, remark = library(settings, work, pairs, words, 0.1, runs)
        at_least, aim = bounds
        return [
            Row(f"{name}, {pairs:,} pairs", yardstick, at_least, aim, theirs, ours, remark=remark)
        ]

    return rows


def long_library(settings: Settings) -> list[Row]:
    """One long pair as a library call, against the original's process and against rapidfuzz."""
    words = settings.size(6000, 2000)
    theirs, ours, remark = library(settings, "long-align", 1, words, 0.2)
    work = f"scoring.align, one pair of {words:,} words, 20 % errors"
    program = original()
    found = None
    if program is not None:
        folder = corpus(settings, 1, words, 0.2, even=False)
        command = (*program, *SCLITE)
        found = compared(None, command, folder, settings.repeat).ours
    return [
        Row(work, "sctk sclite", times(500), times(1000), seconds(found), ours),
        Row(work, "rapidfuzz editops", times(1), times(2), theirs, ours, remark=remark),
    ]


def bootstrapping(settings: Settings) -> list[Row]:
    """From lists of words to an error rate with its interval."""
    pairs = 2620
    theirs, ours, remark = library(settings, "bootstrap", pairs, 20, 0.1)
    work = f"scoring.confidence_interval, 10,000 replications, {pairs:,} pairs"
    return [
        Row(work, "kaldialign bootstrap", times(10), times(12), theirs, ours, remark=remark),
    ]


def matching_labels(settings: Settings) -> list[Row]:
    """Labels by overlap in time, one to one; making the labels is part of it."""
    labels = settings.size(10_000, 2_000)
    _, ours, remark = library(settings, "match-labels", 1, labels, 0.1)
    work = f"BipartiteMatchingAligner, {labels:,} labels against as many"
    return [Row(work, "none", under(1, "1 s"), under(0.5, "0.5 s"), None, ours, remark=remark)]


def keyword_search(settings: Settings) -> list[Row]:
    """Keyword search with every report: seconds of one processor, and memory."""
    sizes = settings.size(1_000, 100), settings.size(100, 10), settings.size(1_000_000, 20_000)
    found = keywords.measured(keywords.Shape(*sizes), settings.repeat)
    work = "scoring kws, {:,} keywords, {:,} hours, {:,} detections".format(*sizes)
    most = float(keywords.MOST_BYTES)
    return [
        Row(
            f"{work}: processor time",
            "none",
            under(keywords.MOST_SECONDS, f"{keywords.MOST_SECONDS} s"),
            under(15, "15 s"),
            None,
            found.processor,
        ),
        Row(
            f"{work}: peak memory",
            "none",
            under(most, "2 GB"),
            under(most / 2, "1 GB"),
            None,
            found.peak,
            memory=True,
        ),
    ]


def reading_rows(name: str, at_least: Criterion, aim: Criterion) -> Callable[[Settings], list[Row]]:
    """A row of one reader beside what others read the same file with."""

    def rows(settings: Settings) -> list[Row]:
        words = settings.size(100_000, 20_000)
        command = [sys.executable, str(FOLDER / "reading.py"), name, "--words", str(words)]
        command += ["--repeat", str(settings.repeat)]
        finished = subprocess.run(command, capture_output=True, text=True, check=True)
        found = json.loads(finished.stdout)
        theirs, ours, remark = found["yardstick"], found["ours"], found["remark"]
        work = f"formats.read of {name}, {words:,} words: processor time"
        yardstick = reading.YARDSTICKS[name][0]
        return [Row(work, yardstick, at_least, aim, theirs, ours, remark=remark)]

    return rows


# How many times as fast as its yardstick a reader is at least, and is meant to be.
READERS = {
    "nemo": (0.5, 1),
    "aws": (0.45, 0.5),
    "whisper": (0.4, 0.5),
    "rttm": (2, 3),
    "rttm-overlaps": (2, 3),
    "ctm": (4, 5),
    "stm": (2, 5),
    "srt": (3, 4),
    "vtt": (3, 4),
    "textgrid": (3, 5),
}

ROWS: dict[str, Callable[[Settings], list[Row]]] = {
    "large": whole_large,
    "medium": whole_medium,
    "timed": whole_timed,
    "characters": whole_characters,
    "time-mediated": whole_time_mediated,
    "start": start_up,
    "html": html_page,
    "sgml": alignments_read,
    "plain": normalised_table,
    "filters": filtering,
    "hubscr": hub_chain,
    "overlap": overlapping,
    "diarisation": diarisation,
    "long": whole_long,
    "long-library": long_library,
    "huge": whole_huge,
    "wer-trn": plain_files("trn"),
    "wer-kaldi": plain_files("kaldi"),
    "choices": choices,
    "forms": written_forms,
    "timed-files": timed_files,
    "align-batch": pair_rows(
        "align-batch", "scoring.align_batch", "kaldialign align", times(8), times(12)
    ),
    "align-calls": pair_rows(
        "align-calls", "scoring.align call by call", "kaldialign align", times(2), times(4)
    ),
    "counts-batch": pair_rows(
        "counts-batch",
        "scoring.edit_distance_batch",
        "kaldialign edit_distance",
        times(8),
        times(12),
    ),
    "counts-columns": pair_rows(
        "counts-columns",
        "scoring.edit_distance_batch of two Arrow columns",
        "kaldialign edit_distance on lists",
        times(10),
        times(30),
    ),
    "table": pair_rows(
        "table",
        "scoring.score_columns of a table",
        "jiwer process_words on lists",
        times(20),
        times(40),
        most=1_000_000,
    ),
    "counts-calls": pair_rows(
        "counts-calls",
        "scoring.edit_distance call by call",
        "kaldialign edit_distance",
        times(2),
        times(4),
    ),
    "unit-counts": pair_rows(
        "unit-counts",
        "scoring.edit_distance_batch, unit costs",
        "rapidfuzz distance",
        times(1),
        times(2),
    ),
    "sentences": pair_rows(
        "sentences", "scoring.wer, sentences", "jiwer process_words", times(10), times(15)
    ),
    "unit-calls": pair_rows(
        "unit-calls",
        "scoring.edit_distance call by call, unit costs",
        "rapidfuzz distance",
        times(0.5),
        times(1),
    ),
    "wer-calls": pair_rows(
        "wer-calls",
        "scoring.wer of two texts, call by call",
        "jiwer wer",
        times(1),
        times(2),
        most=10_000,
    ),
    "cer-calls": pair_rows(
        "cer-calls",
        "scoring.cer of two texts, call by call",
        "jiwer cer",
        times(1),
        times(2),
        most=10_000,
    ),
    "cer-lists": pair_rows(
        "cer-lists",
        "scoring.cer of lists: processor time",
        "rapidfuzz distance in a loop",
        times(1),
        times(2),
        most=200_000,
        runs=5,
    ),
    "words": pair_rows(
        "words",
        "scoring.wer of lists: processor time",
        "universal-edit-distance",
        times(1),
        times(2),
        runs=5,
    ),
    "compat-jiwer": pair_rows(
        "compat-jiwer",
        "compat.jiwer.wer of lists: processor time",
        "our scoring.wer",
        times(1),
        times(1),
    ),
    "several": pair_rows(
        "several",
        "scoring.wer with five references of ten words as a network",
        "kaldialign edit_distance with each",
        times(1),
        times(2),
        words=10,
    ),
    "bootstrap": bootstrapping,
    "match-labels": matching_labels,
    "keyword-search": keyword_search,
    **{
        f"read-{name}": reading_rows(name, times(at_least), times(aim))
        for name, (at_least, aim) in READERS.items()
    },
}


def table(rows: Sequence[Row]) -> str:
    """The rows under their headings, remarks below."""
    cells = [HEADINGS, *[row.cells() for row in rows]]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    remarks = [f"{row.work}: {row.remark[:LONGEST_REMARK]}" for row in rows if row.remark]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])


def main(words: Sequence[str] | None = None) -> int:
    """Measure the chosen rows; status 1 if one is not met."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    options.add_argument("--rows", default=",".join(ROWS), help=f"of {', '.join(ROWS)}")
    options.add_argument("--repeat", type=int, default=3, help="runs of each side (default 3)")
    arguments = options.parse_args(words)
    chosen = arguments.rows.split(",")
    unknown = sorted({*chosen} - {*ROWS})
    if unknown or arguments.repeat < 1:
        options.error(f"no such row: {', '.join(unknown)}" if unknown else "--repeat is below 1")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="sclite-benchmark-") as place:
        settings = Settings(Path(place), arguments.repeat, arguments.quick)
        for name in chosen:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            rows += ROWS[name](settings)
    print(table(rows))
    if arguments.quick:
        print("\nA quick run: the bounds are meant for larger works.")
        return 0
    return int(any(row.verdict == "not met" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
