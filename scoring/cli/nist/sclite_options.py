"""sclite's options: their meanings, values and combinations, and the scan of a command line."""

from __future__ import annotations

import os

from scoring.cli.nist import nist_arguments
from scoring.cli.nist import nist_arguments as rules
from scoring.nist.report.registry import ALL, CONFIDENCE_REPORTS, REPORTS
from scoring.nist.report.tables import LINE_WIDTH
from scoring.nist.report.writer import Wanted
from scoring.nist.transcripts.input_files import ENCODINGS, LOCALIZATIONS, TranscriptFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.cli.nist.drop_in import Checks
    from scoring.options import Interpolation

MOST_HYPOTHESES = 40
PICTURES = ("svg", "png")
INTERPOLATIONS = ("none", "uniform", "chars")


class ScliteUsageError(nist_arguments.UsageError):
    """A command line that sclite rejects."""

    program = "sclite"
    lead = "\nsclite: Error, "


class ScliteOptions:
    """The values of sclite's options after scanning.

    `character_units` are the words after `-c`; None without `-c`. `reports` and
    `confidence_reports` have the first name of reports that have several names. `given` are the
    options on the command line. `ignored` are the arguments after a stray word, which NIST's sclite
    skips silently.
    """

    def __init__(self) -> None:
        self.reference_path: str | None = None
        self.reference_format = "trn"
        self.hypotheses: list[TranscriptFile] = []
        self.identifier_kind: str | None = None
        self.case_sensitive = False
        self.fragments_correct = False
        self.optional_deletable = False
        self.time_mediated = False
        self.weights_path: str | None = None
        self.language_model_path: str | None = None
        self.use_diff = False
        self.encoding = "ascii"
        self.localization = "generic"
        self.character_units: set[str] | None = None
        self.segmentation_algorithms: set[str] = set()
        self.segmentation_lexicon: str | None = None
        self.segmentation_splits_ascii = False
        self.piped_input = False
        self.piped_output = False
        self.reduction: set[str] | None = None
        self.directory: str | None = None
        self.name: str | None = None
        self.feedback = 1
        self.line_width = LINE_WIDTH
        self.reports: set[str] = set()
        self.confidence_reports: set[str] = set()
        self.plots: str | None = None
        self.interpolate: Interpolation = "none"
        self.given: set[str] = set()
        self.ignored: list[str] = []

    @property
    def reference(self) -> TranscriptFile:
        """The reference file: its path, its format, and its name in reports."""
        path = self.reference_path or ""
        return TranscriptFile(path, self.reference_format, rules.argument_text(path))

    @property
    def inputs(self) -> list[str | None]:
        """The names of the input files; `-` is standard input."""
        model = self.language_model_path
        return [
            self.reference_path,
            *(source.path for source in self.hypotheses),
            self.weights_path,
            model and model.removeprefix("arpa:"),
            self.segmentation_lexicon,
            "-" if self.piped_input else None,
        ]

    @property
    def wanted(self) -> Wanted:
        """The reports to write."""
        return Wanted(
            self.reports,
            self.confidence_reports,
            self.line_width,
            self.feedback,
            self.inputs,
            self.plots,
        )

    def output_root(self, hypothesis_name: str) -> str:
        """Return the path of a hypothesis's reports without the suffix that each report adds."""
        directory, slash, base = hypothesis_name.rpartition("/")
        if not slash:
            directory = "."
        name = base if self.name is None else self.name
        if self.directory is None:
            return name if directory == "." else f"{directory}/{name}"
        return f"{self.directory}/{name}"


def _reference(line: rules.Arguments) -> None:
    line.options.reference_path = line.file("Not enough Ref arguments", "Req'd Ref File name")
    form = line.optional()
    if form is not None:
        line.options.reference_format = form


def _hypothesis(line: rules.Arguments) -> None:
    path = line.file("Not enough Hyp arguments", "Req'd Hyp File name")
    form = line.optional()
    title = line.optional() if form is not None else None
    if len(line.options.hypotheses) == MOST_HYPOTHESES:
        raise ScliteUsageError(f"more than {MOST_HYPOTHESES} hypothesis files")
    name = rules.argument_text(path if title is None else title)
    line.options.hypotheses.append(TranscriptFile(path, "trn" if form is None else form, name))


def _encoding(line: rules.Arguments) -> None:
    encoding = line.optional()
    if encoding is None:
        raise ScliteUsageError("Argument required for character encoding\n")
    if encoding.lower() not in ENCODINGS:
        raise ScliteUsageError(f"Unrecognized character encoding option '{encoding}'")
    line.options.encoding = encoding.lower()
    letters = line.optional()
    if letters is not None:
        if letters.lower() not in LOCALIZATIONS:
            raise ScliteUsageError(f"Optional case conversion localization failed /{letters}/\n")
        line.options.localization = letters.lower()


def _segmentation(line: rules.Arguments) -> None:
    if len(line) < 2:
        raise ScliteUsageError("Not enough Inferred Segmentation arguments")
    algorithm = line.optional()
    if algorithm is None:
        raise ScliteUsageError("No Inferred Segmentation algorithm")
    if algorithm not in ("algo1", "algo2"):
        raise ScliteUsageError(f"Unrecognize inferred segmentation algorithm '{algorithm}'")
    lexicon = line.optional()
    if lexicon is None:
        raise ScliteUsageError("No Inferred Segmentation lexicon")
    if not os.path.exists(lexicon):
        raise ScliteUsageError(f"Inferred Segmentation lexicon '{lexicon}' does not exist")
    line.options.segmentation_algorithms ^= {algorithm}
    line.options.segmentation_lexicon = lexicon
    flag = line.optional()
    if flag is not None:
        if flag != "ASCIITOO":
            raise ScliteUsageError(f"Unrecognized Inferred Segmentation flag '{flag}'")
        line.options.segmentation_splits_ascii = True


_NAMES = {name: spec.names[:1] for spec in REPORTS for name in spec.names}
_CONFIDENCE = {spec.name: (spec.name,) for spec in CONFIDENCE_REPORTS}
_NONE: dict[str, tuple[str, ...]] = {"none": ()}
RULES: dict[str, rules.ArgumentRule] = {
    "-r": _reference,
    "-h": _hypothesis,
    "-i": rules.value("identifier_kind", "Not enough ID arguments"),
    "-s": rules.switch("case_sensitive"),
    "-F": rules.switch("fragments_correct"),
    "-D": rules.switch("optional_deletable"),
    "-T": rules.switch("time_mediated"),
    "-d": rules.switch("use_diff"),
    "-P": rules.switch("piped_input"),
    "-p": rules.switch("piped_output"),
    "-e": _encoding,
    "-c": rules.several(
        "character_units", ("NOASCII", "DH"), "Unrecognized character alignment option '{}'"
    ),
    "-S": _segmentation,
    "-L": rules.value("language_model_path", "Not enough Language Model arguments"),
    "-w": rules.value("weights_path", "Word Weight list file not specified"),
    "-m": rules.several("reduction", ("ref", "hyp"), "Unrecognized -m option '{}'"),
    "-O": rules.value("directory", "Output directory not specified", rules.argument_text),
    "-n": rules.value("name", "Output name not specified", rules.argument_text),
    "-f": rules.value("feedback", "Not enough Feedback arguments", rules.leading_number),
    "-l": rules.value("line_width", "Not enough Line Width arguments", rules.leading_number),
    "-o": rules.toggled(
        "reports",
        {"stdout": ("stdout",), "all": ALL, **_NAMES},
        "Not enough Report arguments",
        "Unknown report",
        _NONE,
    ),
    "-C": rules.toggled(
        "confidence_reports",
        _CONFIDENCE,
        "Not enough Confidence Report arguments",
        "Unknown confidence report",
        _NONE,
    ),
    # the original leaves drawing to gnuplot, and refuses words without times
    "--plots": rules.choice(
        "plots", PICTURES, "Plot format not specified", "Plot format '{}' not acceptable"
    ),
    "--interpolate": rules.choice(
        "interpolate",
        INTERPOLATIONS,
        "Way to interpolate not specified",
        "Way to interpolate '{}' not acceptable",
    ),
}


def scan(arguments: Sequence[str]) -> ScliteOptions:
    """Parse a command line from left to right like NIST's sclite; return the options."""
    if not arguments:
        raise ScliteUsageError("Arguments reguired")
    options = ScliteOptions()
    line = rules.Arguments(arguments, ScliteUsageError, options)
    options.ignored = line.walk(RULES)
    options.given = line.given
    return options


REFERENCE_FORMATS = ("trn", "stm", "ctm", "tmk")
HYPOTHESIS_FORMATS = ("trn", "ctm", "txt", "tmk")
IDENTIFIER_KINDS = ("wsj", "rm", "swb", "sp", "spu_id")
TIME_MEDIATED = "Time-mediated alignments require the {} file to be in CTM format"


def validate(options: ScliteOptions) -> None:
    """Set the defaults; reject options that exclude each other."""
    if options.piped_output:
        options.feedback = 0
        if "stdout" in options.reports:
            raise ScliteUsageError("Error: output can not be both to stdout and a pipe")
    if not options.given & {"-o", "-C", "-p"}:
        options.reports = {"sum", "stdout"}
    elif "stdout" in options.reports and options.feedback > 0 and "-f" not in options.given:
        options.feedback = 0
    for checks in (_inputs, _files, _kinds, _reduction, _weights, _other_formats, _plots):
        for is_wrong, problem in checks(options):
            if is_wrong:
                raise ScliteUsageError(problem)


def _inputs(options: ScliteOptions) -> Checks:
    reference, hypothesis = options.reference_path is not None, bool(options.hypotheses)
    if not options.piped_input:
        problem = "Input not specified, use transcription input or piped input"
        yield not (reference and hypothesis), problem
    yield hypothesis and not reference, "Hypothesis input(s) specified, but no reference file"
    yield reference and not hypothesis, "Reference input specified, but no Hypothesis input(s)."


def _files(options: ScliteOptions) -> Checks:
    reference, form = options.reference_path, options.reference_format
    if reference is not None:
        yield not os.path.exists(reference), f"Reference file '{reference}' does not exist"
    for source in options.hypotheses:
        problem = f"Hypothesis file '{source.path}' does not exist"
        yield not os.path.exists(source.path), problem
    if reference is not None:
        problem = f"Reference file format '{form}' not acceptable"
        yield not _is_format(form, REFERENCE_FORMATS), problem
    for source in options.hypotheses:
        problem = f"Hypothesis file format '{source.format}' not acceptable"
        yield not _is_format(source.format, HYPOTHESIS_FORMATS), problem


def _is_format(name: str, originals: tuple[str, ...]) -> bool:
    if name in originals:
        return True
    from scoring.cli.nist.sclite_other_formats import is_known

    return is_known(name)


def _kinds(options: ScliteOptions) -> Checks:
    formats = [source.format for source in options.hypotheses]
    reference = [options.reference_format] * (options.reference_path is not None)
    kind = options.identifier_kind
    problem = "Required utterance id (option -i) for transcript mode"
    yield kind is None and "trn" in [*formats, *reference], problem
    if options.time_mediated:
        yield reference not in ([], ["ctm"]), TIME_MEDIATED.format("reference")
        yield any(form != "ctm" for form in formats), TIME_MEDIATED.format("hypothesis")
    yield kind not in (None, *IDENTIFIER_KINDS), f"Utterance id type '{kind}' not acceptable"


def _reduction(options: ScliteOptions) -> Checks:
    """Yield checks of range reduction and of characters, which alignment by diff excludes."""
    reduced, characters = options.reduction is not None, options.character_units is not None
    # the original crashes here
    lacks_reference = options.reference_path is None
    yield reduced and lacks_reference, "-m flag requires a reference file"
    yield characters and lacks_reference, "-c flag requires a reference file"
    stm, formats = (
        options.reference_format == "stm",
        [source.format for source in options.hypotheses],
    )
    yield reduced and not stm, "-m flag requires stm format reference file"
    all_ctm = all(form == "ctm" for form in formats)
    yield reduced and not all_ctm, "-m flag requires ctm format hypothesis file"
    yield reduced and options.use_diff, "-m flag can not be used with -d flag"
    by_diff = options.use_diff or (stm and formats[:1] == ["txt"])
    yield characters and by_diff, "Unable to do character alignments using diff\n"


def _weights(options: ScliteOptions) -> Checks:
    weights, model = options.weights_path is not None, options.language_model_path is not None
    yield weights and model, "Flags '-L' and '-w' are mutually exclusive\n"
    for is_given, flag in ((weights, "-w"), (model, "-L")):
        for excluded, is_excluded in (
            ("-T", options.time_mediated),
            ("-c", options.character_units is not None),
            ("-S", bool(options.segmentation_algorithms)),
            ("-d", options.use_diff),
        ):
            problem = f"Flags '{excluded}' and '{flag}' are mutually exclusive\n"
            yield is_given and is_excluded, problem
    yield (
        "wws" in options.reports and not (weights or model),
        "-o wws option specified without a word weight file (via -w) or LM file (via -L) "
        "specified\n",
    )


def is_original(reference_format: str, hypothesis_format: str) -> bool:
    """Return True if NIST's sclite accepts these formats of reference and hypothesis."""
    return reference_format in REFERENCE_FORMATS and hypothesis_format in HYPOTHESIS_FORMATS


def _other_formats(options: ScliteOptions) -> Checks:
    """Yield checks of options that apply only to sclite's own formats."""
    pairs = ((options.reference_format, source.format) for source in options.hypotheses)
    others = [" with ".join(pair) for pair in pairs if not is_original(*pair)]
    if not others or options.reference_path is None:
        problem = "--interpolate says nothing of the original's own formats"
        yield options.interpolate != "none", problem
        return
    from scoring.cli.nist.sclite_other_formats import ENCODINGS

    for flag, is_given in (
        ("-F", options.fragments_correct),
        ("-d", options.use_diff),
        ("-w", options.weights_path is not None),
        ("-L", options.language_model_path is not None),
        ("-S", bool(options.segmentation_algorithms)),
        ("-c NOASCII", "NOASCII" in (options.character_units or ())),
        ("-c DH", "DH" in (options.character_units or ())),
        (f"-i {options.identifier_kind}", options.identifier_kind not in (None, "spu_id")),
        (f"-e {options.encoding}", options.encoding not in ENCODINGS),
        (f"-e {options.encoding} {options.localization}", options.localization != "generic"),
    ):
        defined = "trn with trn, stm with ctm and ctm with ctm"
        yield is_given, f"{flag} is defined for {defined}, not for {others[0]}"


def _plots(options: ScliteOptions) -> Checks:
    if options.plots is not None:
        from scoring.nist.report.plots import is_available

        yield not is_available(), "--plots needs matplotlib: pip install 'sclite-kit[plots]'"
