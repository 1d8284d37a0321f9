"""What sclite refuses once all options are known, in the original's order and words."""

from __future__ import annotations

import os

from scoring.cli.sclite_options import ScliteOptions, ScliteUsageError

REFERENCE_FORMATS = ("trn", "stm", "ctm", "tmk")
HYPOTHESIS_FORMATS = ("trn", "ctm", "txt", "tmk")
IDENTIFIER_KINDS = ("wsj", "rm", "swb", "sp", "spu_id")


def validate(options: ScliteOptions) -> None:
    """Settle the defaults; refuse what does not go together."""
    _settle_reports(options)
    _check_inputs(options)
    _check_files(options)
    formats = [source.format for source in options.hypotheses]
    if options.reference_path is not None:
        formats.append(options.reference_format)
    if options.identifier_kind is None and "trn" in formats:
        raise ScliteUsageError("Required utterance id (option -i) for transcript mode")
    if options.time_mediated:
        _check_time_mediated(options)
    if options.identifier_kind is not None and options.identifier_kind not in IDENTIFIER_KINDS:
        raise ScliteUsageError(f"Utterance id type '{options.identifier_kind}' not acceptable")
    _check_diff(options)
    _check_weights(options)
    _check_other_formats(options)
    if options.plots is not None:
        from scoring.nist.report.plots import is_available

        if not is_available():
            raise ScliteUsageError("--plots needs matplotlib: pip install 'sclite-kit[plots]'")


def _settle_reports(options: ScliteOptions) -> None:
    if options.piped_output:
        options.feedback = 0
        if "stdout" in options.reports:
            raise ScliteUsageError("Error: output can not be both to stdout and a pipe")
    if not options.given & {"-o", "-C", "-p"}:
        options.reports = {"sum", "stdout"}
    elif "stdout" in options.reports and options.feedback > 0 and "-f" not in options.given:
        options.feedback = 0


def _check_inputs(options: ScliteOptions) -> None:
    reference, hypothesis = options.reference_path is not None, bool(options.hypotheses)
    if not options.piped_input:
        if not (reference and hypothesis):
            raise ScliteUsageError("Input not specified, use transcription input or piped input")
    elif hypothesis and not reference:
        raise ScliteUsageError("Hypothesis input(s) specified, but no reference file")
    elif reference and not hypothesis:
        raise ScliteUsageError("Reference input specified, but no Hypothesis input(s).")


def _check_files(options: ScliteOptions) -> None:
    reference = options.reference_path
    if reference is not None and not os.path.exists(reference):
        raise ScliteUsageError(f"Reference file '{reference}' does not exist")
    for source in options.hypotheses:
        if not os.path.exists(source.path):
            raise ScliteUsageError(f"Hypothesis file '{source.path}' does not exist")
    if reference is not None and not _is_format(options.reference_format, REFERENCE_FORMATS):
        raise ScliteUsageError(f"Reference file format '{options.reference_format}' not acceptable")
    for source in options.hypotheses:
        if not _is_format(source.format, HYPOTHESIS_FORMATS):
            raise ScliteUsageError(f"Hypothesis file format '{source.format}' not acceptable")


def _is_format(name: str, originals: tuple[str, ...]) -> bool:
    if name in originals:
        return True
    from scoring.cli.sclite_other_formats import is_known

    return is_known(name)


def is_original(reference_format: str, hypothesis_format: str) -> bool:
    """Whether the original knows both formats, in these places: it scores or refuses the pair."""
    return reference_format in REFERENCE_FORMATS and hypothesis_format in HYPOTHESIS_FORMATS


def _check_other_formats(options: ScliteOptions) -> None:
    """What is defined for sclite's own formats only."""
    others = [
        name
        for source in options.hypotheses
        if not is_original(options.reference_format, source.format)
        for name in (options.reference_format, source.format)
    ]
    if not others or options.reference_path is None:
        if options.interpolate != "none":
            raise ScliteUsageError("--interpolate says nothing of the original's own formats")
        return
    from scoring.cli.sclite_other_formats import ENCODINGS

    for flag, given in (
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
        if given:
            raise ScliteUsageError(
                f"{flag} is defined for trn with trn, stm with ctm and ctm with ctm, not for "
                f"{others[0]} with {others[1]}"
            )


def _check_time_mediated(options: ScliteOptions) -> None:
    wanted = "Time-mediated alignments require the {} file to be in CTM format"
    if options.reference_path is not None and options.reference_format != "ctm":
        raise ScliteUsageError(wanted.format("reference"))
    if any(source.format != "ctm" for source in options.hypotheses):
        raise ScliteUsageError(wanted.format("hypothesis"))


def _check_diff(options: ScliteOptions) -> None:
    """Range reduction and characters, neither of which goes with alignment by diff."""
    for given, name in (
        (options.reduction is not None, "-m"),
        (options.character_units is not None, "-c"),
    ):
        # the original crashes here
        if given and options.reference_path is None:
            raise ScliteUsageError(f"{name} flag requires a reference file")
    if options.reduction is not None:
        if options.reference_format != "stm":
            raise ScliteUsageError("-m flag requires stm format reference file")
        if any(source.format != "ctm" for source in options.hypotheses):
            raise ScliteUsageError("-m flag requires ctm format hypothesis file")
        if options.use_diff:
            raise ScliteUsageError("-m flag can not be used with -d flag")
    if options.character_units is not None:
        first = options.hypotheses[0].format
        if options.use_diff or (options.reference_format == "stm" and first == "txt"):
            raise ScliteUsageError("Unable to do character alignments using diff\n")


def _check_weights(options: ScliteOptions) -> None:
    exclusive = {
        "-T": options.time_mediated,
        "-c": options.character_units is not None,
        "-S": bool(options.segmentation_algorithms),
        "-d": options.use_diff,
    }
    weights, model = options.weights_path is not None, options.language_model_path is not None
    if weights and model:
        raise ScliteUsageError("Flags '-L' and '-w' are mutually exclusive\n")
    for given, flag in ((weights, "-w"), (model, "-L")):
        for other, other_given in exclusive.items():
            if given and other_given:
                raise ScliteUsageError(f"Flags '{other}' and '{flag}' are mutually exclusive\n")
    if "wws" in options.reports and not (weights or model):
        raise ScliteUsageError(
            "-o wws option specified without a word weight file (via -w) or LM file (via -L) "
            "specified\n"
        )
