"""Benchmarks of whole commands. Each returns rows of the table that `run.py` prints.

Our command and the command of SCTK run alternately. A command without a counterpart in SCTK has
bounds in seconds and bytes.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from itertools import cycle
from pathlib import Path
from random import Random

from benchmarks.processes import BARE, IMPORT, OURS, Comparison, compared, original
from benchmarks.rows import (
    ANY,
    FOLDER,
    MEGABYTE,
    Bounds,
    Criterion,
    Row,
    Settings,
    corpus,
    figure_rows,
    megabytes,
    plus,
    seconds,
    times,
    within,
)

SCORING = (sys.executable, "-c", "from scoring.cli.start import scoring; scoring()")
FORMATS = (sys.executable, "-c", "from scoring.cli.start import formats; formats()")

SCLITE = ("-r", "ref.trn", "trn", "-h", "hyp.trn", "trn", "-i", "spu_id", "-f", "0", "-o", "all")


def write_with_losses(folder: Path, name: str, share: float) -> None:
    """Write the hypothesis of another system: `hyp.trn` without a share of its words."""
    drawn = Random(5)
    with open(folder / "hyp.trn") as first, open(folder / f"{name}.trn", "w") as second:
        for line in first:
            *words, identifier = line.split()
            kept = [word for word in words if drawn.random() >= share]
            second.write(f"{' '.join(kept)} {identifier}\n")


def whole_large(settings: Settings) -> list[Row]:
    """Measure time and memory of a process that scores many utterances."""
    utterances = settings.size(100_000, 10_000)
    folder = corpus(settings, utterances, 20, 0.1, even=True)
    return process_rows(
        f"sclite -o all, {utterances:,} utterances of 20 words",
        folder,
        settings.repeat,
        (times(10), times(20)),
        (times(4), megabytes(400)),
    )


def whole_medium(settings: Settings) -> list[Row]:
    """Measure a process that scores a test set of usual size, including its start."""
    folder = corpus(settings, 2620, 20, 0.1, even=True)
    work = "sclite -o all, 2,620 utterances of 20 words"
    return process_rows(work, folder, 3 * settings.repeat, (times(2), times(4)))


def whole_timed(settings: Settings) -> list[Row]:
    """Measure the scoring of segments against words with times and confidences."""
    utterances = settings.size(20_000, 2_000)
    folder = corpus(settings, utterances, 20, 0.1, even=True, formats="timed")
    work = f"sclite -o all, stm with ctm, {utterances:,} segments of 20 words"
    inputs = ("-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm", "-f", "0", "-o", "all")
    return process_rows(work, folder, settings.repeat, (times(5), times(10)), arguments=inputs)


def whole_characters(settings: Settings) -> list[Row]:
    """Measure scoring by characters instead of words."""
    folder = corpus(settings, 1_000, 20, 0.1, even=True)
    work = "sclite -c, 1,000 utterances of 20 words"
    arguments = (*SCLITE, "-c")
    return process_rows(work, folder, settings.repeat, (times(5), times(10)), arguments=arguments)


def whole_time_mediated(settings: Settings) -> list[Row]:
    """Measure alignment with costs from times.

    Utterances are long, because with short ones the start takes most of the time on both sides.
    """
    folder = corpus(settings, 1_000, 150, 0.1, even=True, formats="timed")
    work = "sclite -T, ctm with ctm, 1,000 utterances of 150 words"
    inputs = ("-r", "ref.ctm", "ctm", "-h", "hyp.ctm", "ctm", "-f", "0", "-o", "all", "-T")
    return process_rows(work, folder, settings.repeat, (times(2), times(5)), arguments=inputs)


def whole_long(settings: Settings) -> list[Row]:
    """Measure the scoring of one long utterance with many errors."""
    words = settings.size(6000, 2000)
    folder = corpus(settings, 1, words, 0.2, even=False)
    work = f"sclite -o all, one utterance of {words:,} words, 20 % errors"
    return process_rows(work, folder, settings.repeat, (times(20), times(50)))


def process_rows(
    work: str,
    folder: Path,
    repeat: int,
    speed: Bounds,
    memory: Bounds = (ANY, ANY),
    arguments: Sequence[str] = SCLITE,
) -> list[Row]:
    """Return the rows of a whole process of our sclite against the original sclite."""
    program = original()
    theirs = None if program is None else (*program, *arguments)
    found = compared(theirs, (*OURS, *arguments), folder, repeat)
    return figure_rows(work, "sctk sclite", found, speed, memory, seconds)


def draw_map(folder: Path, rules: int) -> None:
    """Write a map of words for a corpus; a tenth of its rules have alternatives."""
    with (folder / "ref.stm").open(encoding="utf-8") as lines:  # the whole file needs much memory
        found = {word for line in lines for word in line.split()}
    words = sorted(word for word in found if word.isalpha() and len(word) > 3)
    rows = [";; drawn", f"* max_nrules '{rules + 1}'", "* case_sensitive 'F'"]
    for number, word in enumerate(words[:: max(1, len(words) // rules)][:rules]):
        target = f"{{{word} / {word} {word[:3]}}}" if number % 10 == 0 else word[1:]
        rows.append(f"[{word}] => [{target}] / [ ] __ [ ]")
    (folder / "map.glm").write_text("\n".join(rows) + "\n", "utf-8")


def among_helpers(program: Sequence[str]) -> list[str]:
    """Return the start of a command line, so that a program finds the programs in its folder."""
    path = f"PATH={Path(program[0]).parent}:{os.environ.get('PATH', os.defpath)}"
    return ["env", path]


def hub_chain(settings: Settings) -> list[Row]:
    """Measure a whole evaluation as in the recipes, but without validation."""
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
    work = f"hubscr.pl -V, {segments:,} segments of 20 words, {rules} rules"
    return figure_rows(work, "sctk hubscr.pl", found, (times(2), times(5)), clock=seconds)


def filtering(settings: Settings) -> list[Row]:
    """Measure filters of hub evaluations as whole processes.

    Their maps contain words of the corpus.
    """
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
        found = compared(yardstick, [*shell, sys.executable, "-c", ours], folder, settings.repeat)
        work = f"{program} {call}, {settings.size(1_000_000, 100_000):,} words, {rules} rules"
        bounds = times(1), times(2)
        rows += figure_rows(work, f"sctk {program}", found, bounds, clock=seconds)
    return rows


def overlapping(settings: Settings) -> list[Row]:
    """Measure asclite, as a whole process, on groups of three speakers who overlap."""
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
    call = "-r ref.stm stm -h hyp.ctm ctm -noisg -f 0 -o sum rsum sgml"
    arguments = call.split()
    program = original("asclite")
    theirs = None if program is None else (*program, *arguments)
    command = "import sys; from scoring.cli.nist.asclite import run; sys.exit(run())"
    ours = (sys.executable, "-c", command, *arguments)
    found = compared(theirs, ours, folder, settings.repeat)
    work = f"asclite, {count} groups of three speakers of {words} words"
    return figure_rows(work, "sctk asclite", found, (times(5), times(20)), clock=seconds)


def draw_systems(folder: Path, recordings: int, words: int) -> None:
    """Write the ctm files of three systems, each of which errs in a tenth of the words."""
    drawn = Random(3)
    vocabulary = [f"w{number}" for number in range(3000)]
    lines: tuple[list[str], ...] = ([], [], [])
    for recording in range(recordings):
        spoken = drawn.choices(vocabulary, k=words)
        for system in lines:
            for place, word in enumerate(spoken):
                draw, start = drawn.random(), 0.4 * place
                times = [(start, 0.3)] if draw > 0.03 else []
                times += [(start + 0.31, 0.05)] if draw > 0.97 else []
                for begin, duration in times:
                    heard = word if draw > 0.1 and begin == start else drawn.choice(vocabulary)
                    field = f"{begin:.2f} {duration} {heard} {drawn.random():.3f}"
                    system.append(f"rec{recording} A {field}\n")
    for number, system in enumerate(lines):
        (folder / f"{number}.ctm").write_text("".join(system), "utf-8")


def voting(settings: Settings) -> list[Row]:
    """Measure rover with three systems: many short recordings, and a long one."""
    rows: list[Row] = []
    works = (settings.size(2400, 400), 20), (1, settings.size(3000, 1000))
    for recordings, words in works:
        folder = settings.directory / f"voting-{recordings}"
        folder.mkdir(exist_ok=True)
        draw_systems(folder, recordings, words)
        inputs = [word for number in range(3) for word in ("-h", f"{number}.ctm", "ctm")]
        arguments = [*inputs, "-o", "out.ctm", "-m", "meth1", "-a", "0.5", "-c", "0.5"]
        program = original("rover")
        ours = [sys.executable, "-c", "from scoring.cli.nist.rover import run; run()", *arguments]
        theirs = None if program is None else [*program, *arguments]
        found = compared(theirs, ours, folder, settings.repeat)
        work = f"rover, three systems, recordings of {words:,} words: {recordings:,}"
        rows += figure_rows(work, "sctk rover", found, (times(5), times(5)))
    return rows


def diarisation(settings: Settings) -> list[Row]:
    """Measure the scoring of diarisation as a whole process: processor time, a single run of each.

    Recordings last half an hour and have five speakers. The original takes some 16 seconds.
    """
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
    found = compared(yardstick, ours, folder, 1)
    work = f"md-eval.pl -c 0.25, {recordings} recordings of 30 minutes"
    return figure_rows(work, "sctk md-eval.pl", found, (times(5), times(10)))


def alignments_read(settings: Settings) -> list[Row]:
    """Measure reading alignments in SGML: a comparison of two systems, and the sums of one."""
    utterances = settings.size(40_000, 4_000)
    folder = corpus(settings, utterances, 10, 0.1, even=True)
    write_with_losses(folder, "other", 0.05)
    for name in ("hyp", "other"):
        sides = ("-r", "ref.trn", "-h", f"{name}.trn", "-i", "spu_id", "-f", "0")
        with open(folder / f"{name}.sgml", "wb") as output:
            command = (*OURS, *sides, "-o", "sgml", "stdout")
            subprocess.run(command, cwd=folder, check=True, stdout=output, env=OWN_ROOT)
    with open(folder / "both.sgml", "wb") as both:  # in blocks: see `sample`
        for name in ("hyp", "other"):
            with open(folder / f"{name}.sgml", "rb") as part:
                shutil.copyfileobj(part, both)
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
        size = (folder / file).stat().st_size / MEGABYTE
        work, yardstick = f"{name}, {size:.0f} MB of SGML", f"sctk {name.split()[0]}"
        rows += figure_rows(work, yardstick, found, (times(1), times(2)), (times(0.5), times(1)))
    return rows


OWN_ROOT = {**os.environ, "PYTHONPATH": str(FOLDER.parent)}


def fed(file: str, command: Sequence[str]) -> tuple[str, ...]:
    """Return the command, with a file of its folder as standard input."""
    return ("sh", "-c", f'exec "$0" "$@" < {file}', *command)


def normalised_table(settings: Settings) -> list[Row]:
    """Measure scoring of Parquet rows with the step `plain` and two groups.

    The rows of the table are processor time and memory.
    """
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
    found = Comparison(None, found.ours, remark)
    bounds = (within(20), within(10)), (megabytes(400), megabytes(200))
    return figure_rows(work, "none", found, *bounds)


def start_up(settings: Settings) -> list[Row]:
    """Measure commands with very little to do, so that the start takes most of the time."""
    folder = corpus(settings, 1, 8, 0.1, even=False)
    cues = "1\n00:00:00,500 --> 00:00:01,250\nhello\n\n2\n00:00:02,000 --> 00:00:03,000\nagain\n"
    (folder / "two.srt").write_text(cues)
    for side, name in (("ref", "Anna"), ("hyp", "Hannah")):
        two = f"Yesterday, {name} went to the park.\nIt was a nice day, wasn't it?\n"
        (folder / f"two-{side}.txt").write_text(two)
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
            (*FORMATS, "convert", "two.srt", "two.stm"),
            plus(80),
            plus(40),
        ),
        (
            "formats convert, two lines of text to jsonl",
            (*FORMATS, "convert", "two-ref.txt", "two.jsonl"),
            plus(80),
            plus(40),
        ),
        ("import scoring", IMPORT, plus(30), plus(10)),
    ]
    rows: list[Row] = []
    for work, command, at_least, aim in works:
        found = compared(BARE, command, folder, 7 * settings.repeat)
        rows += figure_rows(work, "bare interpreter", found, (at_least, aim))
    work, command, *_ = works[0]
    program = original()
    theirs = None if program is None else (*program, *SCLITE)
    found = compared(theirs, command, folder, 7 * settings.repeat)
    return [*rows, *figure_rows(work, "sctk sclite", found, (ANY, ANY))]


def html_page(
    number: int, limits: Sequence[tuple[float, float]]
) -> Callable[[Settings], list[Row]]:
    """Return a benchmark of an HTML report for many utterances: time, memory and size of the file.

    `limits` are three pairs (bound, aim): seconds, megabytes of memory, and megabytes of the file.
    """

    def rows(settings: Settings) -> list[Row]:
        utterances = settings.size(number, number // 10)
        folder = corpus(settings, utterances, 10, 0.1, even=True)
        command = (*SCORING, "wer", "ref.trn", "hyp.trn", "--html", "page.html")
        found = compared(None, command, folder, settings.repeat)
        work = f"scoring wer --html, {utterances:,} utterances of 10 words"
        page = folder / "page.html"
        written = page.stat().st_size if page.exists() else None

        def pair(most: tuple[float, float]) -> Bounds:
            return megabytes(most[0]), megabytes(most[1])

        (soon, sooner), memory, size = limits
        name = f"{work}: size of the page"
        return [
            *figure_rows(work, "none", found, (within(soon), within(sooner)), pair(memory)),
            Row(name, "none", *pair(size), None, written, memory=True),
        ]

    return rows


def plain_files(format_name: str) -> Callable[[Settings], list[Row]]:
    """Return a benchmark of `scoring wer` with a million pairs in a common format."""

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
        found = compared(None, command, folder, settings.repeat)
        work = f"scoring wer, {format_name}, {pairs:,} pairs of 10 words"
        bounds = (within(1.2), within(1)), (megabytes(300), megabytes(250))
        return figure_rows(work, "none", found, *bounds)

    return rows


def comparison(settings: Settings) -> list[Row]:
    """Measure the comparison of two systems, with the whole output of the command."""
    utterances = settings.size(300_000, 10_000)
    folder = corpus(settings, utterances, 10, 0.1, even=True)
    write_with_losses(folder, "new", 0.02)
    command = (*SCORING, "compare", "ref.trn", "hyp.trn", "new.trn")
    found = compared(None, command, folder, settings.repeat)
    work = f"scoring compare, {utterances:,} utterances of 10 words"
    bounds = (within(30), within(10)), (megabytes(1_000), megabytes(500))
    return figure_rows(work, "none", found, *bounds)


def choices(settings: Settings) -> list[Row]:
    """Measure processor time if a tenth of the utterances have alternatives on one side.

    It is compared with the time of the same utterances without alternatives.
    """
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
        work = f"{work}, {pairs:,} utterances of 10 words, choices in a tenth"
        bounds = times(1 / least), times(2 / (1 + least))
        rows += figure_rows(work, "scoring wer, no choices", found, bounds)
    return rows


def written_forms(settings: Settings) -> list[Row]:
    """Measure the step `spoken-forms` against the step `plain` alone.

    Each reference has a written form, such as 20, and its hypothesis the words, such as twenty. A
    new amount has up to sixty readings, whose words are made and compared: that is the work of ten
    utterances, so that corpora without a second use of any amount have a limit of their own.
    """
    pairs = settings.size(100_000, 2_000)
    folder = corpus(settings, pairs, 10, 0.1, even=True)
    rows: list[Row] = []
    works = (1_000, 1_001, (1 / 5, 1 / 2)), (pairs, 1_000_000, (1 / 20, 1 / 5))
    for amounts, largest, (least, goal) in works:
        drawn = Random(43)
        numbers = cycle(drawn.sample(range(1, largest), amounts))
        with (
            open(folder / "ref.trn") as reference,
            open(folder / "hyp.trn") as hypothesis,
            open(folder / "forms.trn", "w") as written,
            open(folder / "words.trn", "w") as said,
        ):
            for left, right, number in zip(reference, hypothesis, numbers, strict=False):
                form, words = written_form(drawn, number)
                written.write(f"{form} {left}")
                said.write(f"{words} {right}")
        command = (*SCORING, "wer", "forms.trn", "words.trn", "--normalize", "plain")
        found = compared(
            command, (*command, "--normalize", "spoken-forms"), folder, min(3, settings.repeat)
        )
        work = f"scoring wer --normalize spoken-forms, one of {amounts:,} amounts in each"
        bounds = times(least), times(goal)
        work = f"{work} of {pairs:,} utterances"
        rows += figure_rows(work, "scoring wer --normalize plain", found, bounds)
    return rows


def written_form(drawn: Random, number: int) -> tuple[str, str]:
    """Draw a number, a price, a share or a length; return its written form and a spoken form."""
    name = name_of(number)
    return drawn.choice(
        (
            (str(number), name),
            (f"${number:,}", f"{name} dollars"),
            (f"{number}%", f"{name} percent"),
            (f"{number} km", f"{name} kilometers"),
        )
    )


# fmt: off
_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
# fmt: on


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
    """Measure scoring and conversion of large files with times.

    The yardstick of the conversion is a loop that writes the same lines without any check.
    """
    utterances = settings.size(100_000, 10_000)
    words = 6
    folder = corpus(settings, utterances, words, 0.1, even=False, formats="timed")
    program = original()
    sides = ("-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm", "-f", "0", "-o", "sum", "-n", "timed")
    convert = (sys.executable, "-m", "formats", "convert", "hyp.ctm", "hyp.jsonl")
    loop = (sys.executable, str(FOLDER / "ctm_loop.py"), "hyp.ctm", "loop.jsonl")
    works: tuple[tuple[str, Sequence[str], str, Sequence[str] | None, Bounds], ...] = (
        (
            "scoring wer, stm with ctm",
            (*SCORING, "wer", "ref.stm", "hyp.ctm"),
            "sctk sclite -o sum",
            None if program is None else (*program, *sides),
            (times(2), times(4)),
        ),
        (
            "formats convert, ctm to jsonl",
            convert,
            "loop with json.dumps",
            loop,
            (times(1 / 2), times(1)),
        ),
    )
    rows: list[Row] = []
    for name, command, yardstick, theirs, bounds in works:
        found = compared(theirs, command, folder, settings.repeat)
        work = f"{name}, {utterances:,} segments of {words} words"
        rows += figure_rows(work, yardstick, found, bounds)
    return rows


def whole_huge(settings: Settings) -> list[Row]:
    """Measure an utterance that is too long for the original sclite."""
    words = settings.size(50_000, 10_000)
    folder = corpus(settings, 1, words, 0.2, even=False)
    found = compared(None, (*OURS, *SCLITE), folder, settings.repeat)
    work = f"sclite -o all, one utterance of {words:,} words, 20 % errors"
    bounds = (within(2), within(0.5)), (megabytes(500), megabytes(500))
    return figure_rows(work, "none", found, *bounds, seconds)
