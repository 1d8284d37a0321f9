"""Checks of combinations of sclite's options, with the order and texts of NIST's sclite."""

from __future__ import annotations

import os

from scoring.cli.nist.sclite_options import ScliteOptions, ScliteUsageError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.cli.nist.drop_in import Checks

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
