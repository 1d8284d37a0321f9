"""The steps of hubscr as data: their programs, their input files and their order.

Each step is the command line of an SCTK program. The command `hubscr.pl` runs all steps in its own
process; its options `-v` and `--explain` print the steps.
"""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

LANGUAGES = ("english", "german", "italian", "spanish", "mandarin", "arabic")
HUBS = ("hub4", "hub5", "rt-stt", "sastt")
PROGRAM = "hubscr.pl"
# The sub-commands of the program itself that sort a format, and what sorts the third.
SORTERS = {
    "ctm": (PROGRAM, "sortCTM"),
    "stm": (PROGRAM, "sortSTM"),
    "rttm": ("rttmSort.pl",),
}
PASSED_ON = ("cat",)
_CSRFILT = {"arabic": "-s", "spanish": "-e", "italian": "-s -e", "german": "-e"}
_SCLITE = {"mandarin": "-c NOASCII DH -e gb", "arabic": "-s"}
_OF_SCORED = "-o sum rsum sgml lur dtl pra prf -C det sbhist hist"
_OF_ALIGNED = "-o dtl pra prf -C det sbhist hist"
_COMPARED = "-p -r sum rsum es res lur -t std4 -u -g grange2 det"
_OF_ASCLITE = "-spkrautooverlap ref -o sgml sum rsum"
_ALIGNED = "-adaptive-cost -time-prune 100 -word-time-align 100"


class Hypothesis(NamedTuple):
    r"""A hypothesis file, its title, and the name prefix of its results.

    >>> Hypothesis.parse(r"a.ctm\#Our\ best\#out/a")
    Hypothesis(path='a.ctm', title='Our best', output='out/a.filt')
    >>> Hypothesis.parse(r"a.ctm\#\#b")
    Hypothesis(path='a.ctm', title='a.ctm', output='b.filt')
    """

    path: str
    title: str
    output: str

    @classmethod
    def parse(cls, argument: str) -> Hypothesis:
        r"""Parse `FILE[\#TITLE[\#OUTPUT]]`; the title may be quoted as in a shell."""
        path, title, output, *_ = [*argument.split(r"\#"), "", "", ""]
        with contextlib.suppress(ValueError):  # a quote that is part of it
            title = " ".join(shlex.split(title))
        return cls(path, title or path, f"{output or path}.filt")


@dataclass(frozen=True, slots=True)
class HubscrOptions:
    """The options of hubscr's command line."""

    reference: str
    hypotheses: tuple[Hypothesis, ...]
    map: str  # the file of the global map (GLM)
    language: str
    hub: str
    reference_format: str = "stm"
    hypothesis_format: str = "ctm"
    lexicon: str = ""
    articles: bool = True  # arabic: articles are split off, hamza normalised, tanween removed
    hamza: bool = False
    tanween: bool = False
    by_asclite: bool = False
    # For asclite, as texts; the limits of memory and difficulty are in GB
    overlap: str | None = None
    memory: str = "1"
    difficulty: str | None = None
    compressed: bool = False
    block_size: str = "256"
    drawn: bool = False
    language_model: str = ""
    weights: str = ""
    root: str = ""  # of the reports that compare systems
    description: str = ""
    regions: str = ""
    metadata_arguments: str = "-nafcs -c 0.25 -o"  # for md-eval
    validated: bool = True
    verbose: bool = False
    name: str = PROGRAM  # that the program was called by
    paths: str = ""  # folders of the helper programs, between colons, before those of PATH

    @property
    def inputs(self) -> list[str]:
        """The files that a run reads."""
        files = (self.map, self.reference, self.lexicon, self.language_model, self.weights)
        return [
            *filter(None, [*files, self.regions]),
            *(hypothesis.path for hypothesis in self.hypotheses),
        ]


class Filtering(NamedTuple):
    """A chain of filters that converts one file to another; the first filter sorts the lines."""

    path: str
    target: str
    format: str
    purpose: str  # `ref` or `hyp`
    # Command lines; `cat` stands for a program that the options leave out
    chain: tuple[tuple[str, ...], ...]
    validator: tuple[str, ...]  # the command line that checks the result
    name: str = PROGRAM  # that this program was called by

    @property
    def shown(self) -> str:
        """The whole chain of filters as a shell command line."""
        first, *others = (
            (self.name, *words[1:]) if words[0] == PROGRAM else words for words in self.chain
        )
        start = f"cat {shlex.quote(self.path)}"
        if first != PASSED_ON:
            start = f"{shlex.join(first)} <  {shlex.quote(self.path)}"
        return f"{' | '.join([start, *map(shlex.join, others)])} > {shlex.quote(self.target)}"


class ProgramStep(NamedTuple):
    """A call of a program that writes files."""

    words: tuple[str, ...]  # a blank of the shown command line is an empty word
    failure: str  # what is said if it fails
    reads: tuple[str, ...] = ()  # the files that are its standard input, one after the other
    writes: str | None = None  # where its standard output goes, if not to ours
    # Where its error output goes, if not to ours, and whether it stays after a good end
    log: str | None = None
    log_kept: bool = False
    folder: str | None = None  # what is made for it
    announced: bool = True  # whether `-v` shows it
    redirection: str = ">"  # the sign before `writes`

    @property
    def shown(self) -> str:
        """The call as a shell command line."""
        text = " ".join(shlex.quote(word) if word else "" for word in self.words)
        if len(self.reads) > 1:
            text = f"cat {shlex.join(self.reads)} | {text}"
        elif self.reads:
            text += f" < {shlex.join(self.reads)}"
        for sign, path in ((self.redirection, self.writes), ("2>", self.log)):
            text += f" {sign} {shlex.quote(path)}" if path else ""
        return f"mkdir -p {shlex.quote(self.folder)} ; {text}" if self.folder else text


def filterings(options: HubscrOptions) -> Iterator[Filtering]:
    """Yield the chain of filters for the reference, then that for each hypothesis."""
    reference = options.reference
    yield _filtering(options, reference, reference_target(options), "ref")
    for hypothesis in options.hypotheses:
        yield _filtering(options, hypothesis.path, hypothesis.output, "hyp")


def reference_target(options: HubscrOptions) -> str:
    """Return the path of the filtered reference."""
    return f"{options.reference}.filt"


def _filtering(options: HubscrOptions, path: str, target: str, purpose: str) -> Filtering:
    language = options.language
    form = options.reference_format if purpose == "ref" else options.hypothesis_format
    # the original sorts no Chinese
    chain = [PASSED_ON if language == "mandarin" else SORTERS[form]]
    lexical = options.hub == "rt-stt" and form == "ctm"
    chain.append((PROGRAM, "lexicalCTM") if lexical else PASSED_ON)
    if language == "arabic":
        article = ("def_art.pl", "-s", options.lexicon, "-i", form, "-", "-")
        hamza = ("hamzaNorm.pl", "-i", form, "--", "-", "-")
        tanween = ("tanweenFilt.pl", "-a", "-i", form, "--", "-", "-")
        chain.append(article if options.articles else PASSED_ON)
        chain.append(hamza if options.hamza else PASSED_ON)
        chain.append(tanween if options.tanween else PASSED_ON)
    switches = _CSRFILT.get(language, "").split()
    chain.append(("csrfilt.sh", *switches, "-i", form, "-t", purpose, "-dh", options.map))
    if language == "german":
        chain.append(("acomp.pl", "-f", "-m", "2", "-l", options.lexicon, "-i", form, "-", "-"))
    checks = ("-S", "-f", "-u") if form == "rttm" else ("-l", language)
    validator = (f"{form}Validator.pl", *checks, "-i", target)
    return Filtering(path, target, form, purpose, tuple(chain), validator, options.name)


def scoring_steps(options: HubscrOptions, hypothesis: Hypothesis) -> Iterator[ProgramStep]:
    """Yield the steps that score a filtered hypothesis."""
    reference, output = reference_target(options), hypothesis.output
    folder, _, name = output.rpartition("/")
    called = ["-O", folder, "-n", name] if folder else ["-n", output]
    sides = [reference, options.reference_format if options.by_asclite else "stm"]
    sides = ["-r", *sides, "-h", output, options.hypothesis_format, hypothesis.title, "-F", "-D"]
    if not options.by_asclite:
        words = ["sclite", *sides, *_OF_SCORED.split(), *called]
        words += _SCLITE.get(options.language, "").split()
        words += ["-L", options.language_model] if options.language_model else []
        words += ["-w", options.weights] if options.weights else []
        words += ["-o", "wws"] if options.language_model or options.weights else []
        yield ProgramStep(tuple(words), "SCLITE execution failed")
        return
    speakers = f"{output}.mdeval.spkrmap"
    labelled: list[str] = []
    if options.hub == "sastt":
        labelled = [speakers]
        yield from _speaker_steps(options, reference, output)
    words = ["asclite", "-f", "6", *("-spkr-align" for _ in labelled), *(labelled or [""])]
    words += ["-overlap-limit", options.overlap] if options.overlap is not None else [""]
    words += [*_ALIGNED.split(), "-force-memory-compression" if options.compressed else ""]
    words += ["-memory-compression", options.block_size, "-memory-limit", options.memory]
    words += ["-difficulty-limit", options.difficulty] if options.difficulty is not None else []
    words += [*sides, *_OF_ASCLITE.split()]
    log, drawn = f"{output}.aligninfo.csv", f"{output}.alignments"
    yield ProgramStep(tuple(words), "ASCLITE execution failed", log=log, log_kept=options.drawn)
    if options.drawn:
        mapped = ["-m", *labelled] if labelled else [""]
        words = ["align2html.pl", *mapped, "-a", log, "-o", drawn]
        yield ProgramStep(tuple(words), "ALIGN2HTML execution failed", folder=drawn)
    words = ["sclite", "-P", *_OF_ALIGNED.split(), *called]
    reads = (f"{output}.sgml",)
    yield ProgramStep(tuple(words), "SCLITE execution failed", reads=reads, announced=False)


def _speaker_steps(options: HubscrOptions, reference: str, output: str) -> Iterator[ProgramStep]:
    """Yield the steps that map hypothesis speakers to reference speakers by diarisation."""
    records = reference
    if options.reference_format == "stm":
        records = f"{reference}.rttm"
        words: tuple[str, ...] = ("stm2rttm.pl", "-e", "rt05s")
        yield ProgramStep(words, "STM2RTTM failed", (reference,), records, announced=False)
    switches = shlex.split(options.metadata_arguments)
    regions = ["-u", options.regions] if options.regions else [""]
    words = ("md-eval.pl", *switches, *regions, "-r", records, "-s", output)
    words += ("-M", f"{output}.mdeval.spkrmap")
    yield ProgramStep(words, "MDEVAL failed", writes=f"{output}.mdeval", redirection="1>")


def comparison_step(options: HubscrOptions) -> ProgramStep:
    """Return the step that compares the scored systems."""
    words = ["sc_stats", *_COMPARED.split()]
    words += ["-n", options.root] if options.root else []
    words += ["-e", options.description] if options.description else []
    reads = tuple(f"{hypothesis.output}.sgml" for hypothesis in options.hypotheses)
    return ProgramStep(tuple(words), "SC_STATS execution failed", reads=reads)


def explained(options: HubscrOptions) -> Iterator[str]:
    """Yield the description of each step, then its command line, as lines without line ends."""
    for filtering in filterings(options):
        kind = "reference" if filtering.purpose == "ref" else "hypothesis"
        yield f"filter the {kind} {filtering.path} into {filtering.target}"
        yield f"    {filtering.shown}"
        if options.validated:
            yield f"validate {filtering.target}"
            yield f"    {shlex.join(filtering.validator)}"
    for hypothesis in options.hypotheses:
        yield f"score {hypothesis.output} against {reference_target(options)}"
        yield from (f"    {step.shown}" for step in scoring_steps(options, hypothesis))
    if len(options.hypotheses) > 1:
        yield "compare the systems"
        yield f"    {comparison_step(options).shown}"


def written(options: HubscrOptions) -> Iterable[str]:
    """Yield the files that hubscr itself writes, without those that the called programs write."""
    for filtering in filterings(options):
        yield filtering.target
    steps = (
        step for hypothesis in options.hypotheses for step in scoring_steps(options, hypothesis)
    )
    yield from {path for step in steps for path in (step.writes, step.log) if path}
