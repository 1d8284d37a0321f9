"""`scoring kws`: score keyword search like NIST's KWSEval; `check-kwslist` checks files."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from formats.console.command_line import is_screen
from formats.console.outputs import check_outputs
from formats.console.telling import each_kind, told_remarks
from formats.detection.content import sure_of
from formats.io.source import PausedCollection, open_source
from formats.keywords.ecf import read_ecf
from formats.keywords.kwlist import read_kwlist
from formats.keywords.kwslist import kwslist_text, read_kwslist, stream_kwslist
from formats.schema.errors import OptionError
from formats.schema.remarks import distinct
from scoring.cli.flags import add_flags, check_shard, check_standard_input, refuse_empty, tell_idle
from scoring.cli.gates import task_status
from scoring.cli.results import check_together
from scoring.cli.scoring import OK, USAGE, say, tell, warn
from scoring.cli.scoring import main as run_scoring
from scoring.cli.tasks import kws_options
from scoring.model.outputs import OutputError, put, put_text
from scoring.tasks.kws import checks, reports
from scoring.tasks.kws.det import file_names, set_files
from scoring.tasks.kws.evaluation import KeywordSearchScores, align
from scoring.tasks.kws.parameters import F4DE
from scoring.tasks.kws.record import document_lines, signature
from scoring.tasks.kws.word_table import FIELDS, read_ctm, read_rttm
from scoring.tasks.messages import WITHOUT_SPEAKERS

if TYPE_CHECKING:
    from formats.console.command_parser import AnyParser
    from formats.io.source import Source
    from formats.keywords.model import Ecf, KeywordList
    from formats.schema.remarks import AnyMessage
    from scoring.tasks.kws.conditions import KeywordCondition
    from scoring.tasks.kws.evaluation import AlignedSearch
    from scoring.tasks.kws.measures import SetScores
    from scoring.tasks.kws.text import Splitting
    from scoring.tasks.kws.word_table import WordTable

HEADINGS = {
    "sum": "Summary Report:",
    "bsum": "Block Summary Report:",
    "cond.sum": "Conditional Summary Report:",
    "cond.bsum": "Conditional Block Summary Report:",
}
NO_CONDITIONS = "No Conditional Summary Report will be generated.  No conditional DET Curves found"
REPORTS = (
    *("summary", "by_keyword", "conditional_summary", "conditional_by_keyword", "alignment"),
    *("det", "conditional_det"),
)
# Options of one system, and of groups of keywords.
ONE_SYSTEM = (
    *("summary_json", "shard", "fail_measure", "by_source_type", "keywords", "query"),
    *("words_oov", "by_targets"),
)
KINDS_IN_ORDER = ("CSV", "TXT", "HTML")  # as the program KWSEval writes them
GREATEST_STATUS = 255
# ten million detections are a gigabyte
_source = partial(open_source, max_bytes=1 << 33)
KWSLIST = """
-t --kwlist
-e --ecf
-s --kwslist
-o --output
--allow-missing --AllowMissingTerms  accept detections without an entry for every keyword (default:
  report each missing entry as an error)
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    if argv and argv[0] == "check-kwslist":
        return _check_kwslist(argv[1:])
    parser = kws_options.keyword_search_parser()
    arguments = parser.parse_intermixed_args(argv)
    kws_options.take_files(parser, arguments)
    check_shard(parser, arguments)
    inputs = arguments.ecf, arguments.kwlist, arguments.rttm, arguments.kwslist
    _check(parser, arguments, (*inputs, *arguments.more_systems))
    condition = kws_options.condition_of(parser, arguments)
    if arguments.more_systems:
        return _compared(parser, arguments)
    inputs = _inputs(arguments)
    search = _aligned(arguments, inputs, arguments.kwslist)
    if arguments.shard is not None:
        from scoring.tasks.kws.shards import SearchFiles, part_lines

        files = SearchFiles(*(str(getattr(arguments, name)) for name in kws_options.SIDES))
        only = arguments.only_excerpts
        lines = part_lines(
            search, arguments.shard, files, inputs.ecf.excerpts, only, told_remarks()
        )
        put(arguments.output, lines)
        return OK
    return _report(search.scores(), condition, arguments, told_remarks())


def _compared(parser: AnyParser, arguments: argparse.Namespace) -> int:
    """Score several systems; write their values and the page that compares them."""
    asked = (*ONE_SYSTEM, *(() if arguments.by_default else REPORTS))
    flags = [f"--{name.replace('_', '-')}" for name in asked if getattr(arguments, name)]
    if flags:
        parser.error(f"{', '.join(flags)}: expected one file of detections, found several")
    if "HTML" in arguments.report_type:
        parser.error("--report-type HTML: expected one file of detections, found several: --html")
    from scoring.pages.sentence import short_names
    from scoring.tasks.kws.compared import SearchSystem, comparison_page

    paths = [arguments.kwslist, *arguments.more_systems]
    scored: list[KeywordSearchScores] = []
    inputs = _inputs(arguments)
    for path in paths:
        search = _aligned(arguments, inputs, path)
        scores, shared = search.scores(), search.word_warnings()
        for text in shared if not scored else ():
            warn(text)
        for text in scores.warnings:
            if text not in shared:
                warn(f"{path}: {text}")
        scored.append(scores)
    names = [scores.alignment.detections.header.system_id for scores in scored]
    if not all(names) or len({*names}) < len(names):
        names = short_names(paths)
    systems = [SearchSystem(*pair) for pair in zip(names, scored, strict=True)]
    if arguments.json is not None:
        from scoring.tasks.kws.compared import systems_lines

        put(arguments.json, systems_lines(systems, told_remarks()))
    if arguments.html is not None:
        put_text(comparison_page(systems), arguments.html)
    if "-" not in (arguments.html, arguments.json):
        if "CSV" in arguments.report_type:
            from scoring.drawing.data import csv_rows
            from scoring.tasks.kws.compared import CSV_COLUMNS, csv_lines

            put("-", csv_rows(CSV_COLUMNS, csv_lines(systems)))
        else:
            from scoring.drawing.text import screen_look, text_lines
            from scoring.tasks.kws.compared import comparison_blocks

            blocks = comparison_blocks(systems, has_page=arguments.html is not None)
            put_text(text_lines(blocks, screen_look()))
    return OK


def merge(argv: Sequence[str]) -> int:
    """Run `scoring merge` for shards of recordings; return the exit status."""
    from scoring.score.record_reader import content_of
    from scoring.tasks.kws.shards import merged, read_part

    parser = kws_options.merge_parser()
    arguments = parser.parse_args(argv)
    arguments.as_program, arguments.needless, arguments.prefilter = False, (), ()
    _check(parser, arguments, arguments.shards)
    condition = kws_options.condition_of(parser, arguments)
    parts = [(path, read_part(path, content_of(path))) for path in arguments.shards]
    files, parameters = parts[0][1].files, parts[0][1].parameters
    for name in kws_options.SIDES:
        setattr(arguments, name, getattr(files, name))
    arguments.f4de = parameters.rules == F4DE
    arguments.pooled, arguments.segments = parameters.pooled, parameters.segments
    remarks = distinct(remark for _, part in parts for remark in part.remarks)
    messages = [remark.message for remark in remarks]
    return _report(merged(parts).scores(), condition, arguments, [*messages, *told_remarks()])


def _report(
    scores: KeywordSearchScores,
    condition: KeywordCondition | None,
    arguments: argparse.Namespace,
    remarks: Sequence[AnyMessage],
) -> int:
    """Write the reports; return the exit status.

    The status is 3 if a condition of the flags failed. `remarks` are those on the input files.
    """
    for text in scores.warnings:
        warn(text)
    if not arguments.f4de:  # which tells nothing as NA
        spoken = sum(keyword.targets for keyword in scores.overall.keywords)
        refuse_empty(spoken, f"{arguments.rttm}: keywords of {arguments.kwlist}", arguments)
    groups, notes = ((), ()) if condition is None else scores.groups(condition)
    for text in notes:
        warn(text)
    kind = "Segment" if arguments.segments else "Occurrence"
    _tell(arguments, f"Performing {kind} Alignment")
    _tell(arguments, "Computing requested DET curves and reports")
    if "-a" in (arguments.needless or ()):
        _tell(arguments, "Building Articulated DETs")
    if arguments.json is not None:
        put(arguments.json, document_lines(scores, groups, notes, remarks))
    if arguments.html is not None:
        from scoring.tasks.kws.page import search_page

        put_text(search_page(scores, groups, notes), arguments.html)
    if _is_usual_text(arguments) and _is_for_people(arguments):
        from scoring.drawing.text import screen_look, text_lines
        from scoring.tasks.kws.page import screen_blocks

        blocks = screen_blocks(scores, groups, has_page=arguments.html is not None)
        put_text(text_lines(blocks, screen_look()))
    else:
        if _is_usual_text(arguments) and not arguments.f4de:
            from scoring.tasks.kws.page import value_sentence

            put_text((f"{value_sentence(scores.overall)}.", ""))
        _write_reports(arguments, scores, groups)
    return task_status(
        arguments.kwslist, lambda: document_lines(scores, remarks=remarks), arguments
    )


def _is_usual_text(arguments: argparse.Namespace) -> bool:
    """Return True if the tables are what the command prints without options for reports."""
    is_text = arguments.by_default and arguments.report_type == ("TXT",)
    return is_text and not (root_of(arguments) or arguments.as_program)


def _is_for_people(arguments: argparse.Namespace) -> bool:
    """Return True if the tables go to a terminal, which is too narrow for NIST's tables."""
    return is_screen() and not arguments.f4de


def kwseval(argv: Sequence[str] | None = None) -> int:
    """Run as F4DE's program KWSEval, with the same rules and messages."""
    try:
        words = [*kws_options.full_names(sys.argv[1:] if argv is None else argv)]
    except OptionError as problem:
        say(str(problem))
        return USAGE
    return run_scoring(["kws", "--f4de", kws_options.AS_PROGRAM, *words])


def _check(parser: AnyParser, arguments: argparse.Namespace, inputs: Sequence[str]) -> None:
    arguments.report_type = tuple(dict.fromkeys(arguments.report_type or ("TXT",)))
    check_standard_input(parser, inputs)
    if not arguments.root:
        parser.error("Must include a file root")
    asked = [getattr(arguments, name) for name in REPORTS]
    if getattr(arguments, "shard", None) is not None:
        check_together(arguments)
        if any(asked):
            parser.error("reports need all shards: give their options to scoring merge")
    documents = [arguments.json, arguments.summary_json, arguments.html]
    arguments.by_default = not any(asked) and "-" not in documents
    if arguments.by_default:
        arguments.summary = arguments.by_keyword = True
        conditional = (arguments.by_source_type, arguments.keywords, arguments.query)
        if any(conditional) or arguments.words_oov or arguments.by_targets:
            arguments.conditional_summary = arguments.conditional_by_keyword = True
    to_output = documents.count("-")
    if to_output > 1 or (to_output and arguments.root == "-" and any(asked[:5])):
        parser.error("standard output takes one report only: --root names files")
    check_outputs(_names(arguments), inputs)
    if not arguments.as_program:
        tell_idle(parser, arguments)
    if arguments.plots is not None:
        if not arguments.det:
            parser.error("--plots draws curves: ask for them with --det")
        from scoring.tasks.kws.plots import is_available

        if not is_available():
            parser.error("--plots needs matplotlib: pip install 'sclite-kit[plots]'")
    for flag in dict.fromkeys(arguments.needless or ()):
        if not arguments.as_program:
            warn(kws_options.NOTHING_TO_DO[flag])
    if arguments.prefilter and "charsplit" not in arguments.prefilter:
        warn(f"--prefilter {', '.join(arguments.prefilter)} does nothing without charsplit")


def _names(arguments: argparse.Namespace) -> Iterator[str]:
    """Yield the names of the files that may be written.

    Existing files with curves are included.
    """
    root = root_of(arguments)
    if not root:
        if arguments.as_program and arguments.alignment:
            yield _alignment_name(arguments)
        return
    kinds = [kind.lower() for kind in arguments.report_type]
    yield from (f"{root}{name}.{kind}" for name in HEADINGS for kind in kinds)
    yield _alignment_name(arguments)
    folder = f"{root}dets"
    if (arguments.det or arguments.conditional_det) and os.path.isdir(folder):
        begins = ("sum.", "cond.sum.")
        yield from (f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(begins))


def root_of(arguments: argparse.Namespace) -> str:
    """Return the prefix of file names; empty for standard output."""
    root = str(arguments.root)
    # a name after the last directory is followed by a dot, as in the original
    is_named = "/" in root and not root.endswith("/")
    return "" if root == "-" else root + ("." if is_named else "")


def _alignment_name(arguments: argparse.Namespace) -> str:
    """Return the name of the file for the alignment, which KWSEval never prints."""
    root = root_of(arguments)
    return f"{root}alignment.csv" if root or arguments.as_program else "-"


def _tell(arguments: argparse.Namespace, text: str) -> None:
    """Print a message of KWSEval if the command was started as KWSEval."""
    if arguments.as_program:
        put_text((text,))


class _Inputs(NamedTuple):
    """The audio, the keywords and the spoken words, in which each system searched."""

    ecf: Ecf
    keywords: KeywordList
    splitting: Splitting | None
    words: WordTable


def _inputs(arguments: argparse.Namespace) -> _Inputs:
    """Read the files that all systems share."""
    for name, path in (
        ("ECF", arguments.ecf),
        ("KWSList File", arguments.kwslist),
        ("KWList File", arguments.kwlist),
        ("RTTM File", arguments.rttm),
    ):
        _tell(arguments, f"Loading {name} {path}")
    with _opened(arguments.ecf) as source:
        ecf = read_ecf(source)
    with _opened(arguments.kwlist) as source:
        keywords = read_kwlist(source)
    splitting = kws_options.splitting_of(arguments)
    with PausedCollection(), _opened(arguments.rttm, _encoding(arguments, keywords)) as source:
        words = _spoken_words(source, splitting, arguments)
    return _Inputs(ecf, keywords, splitting, words)


def _aligned(arguments: argparse.Namespace, inputs: _Inputs, kwslist: str) -> AlignedSearch:
    """Return the alignment of the detections of a system."""
    with PausedCollection(), _opened(kwslist) as source:
        return align(
            inputs.ecf,
            inputs.keywords,
            stream_kwslist(source),
            inputs.words,
            splitting=inputs.splitting,
            parameters=kws_options.parameters_of(arguments),
            only=arguments.only_excerpts,
            path=source.name,
            shard=arguments.shard,
        )


def _spoken_words(
    source: Source, splitting: Splitting | None, arguments: argparse.Namespace
) -> WordTable:
    """Return the spoken words of an RTTM file or a CTM file.

    The rules of F4DE accept RTTM only, and its program accepts nine fields only.
    """
    if arguments.f4de:
        return read_rttm(source, splitting, FIELDS[: 1 if arguments.as_program else 2])
    if sure_of(source) != "ctm":
        return read_rttm(source, splitting)
    if arguments.segments:
        raise OptionError(
            f"{arguments.rttm}: --segment-trials: expected an RTTM with turns, found a CTM"
        )
    return read_ctm(source, splitting)


@contextmanager
def _opened(path: str, encoding: str = "utf-8") -> Iterator[Source]:
    """Open a file; print its remarks after it was read."""
    with _source(path, encoding=encoding) as source:
        yield source
        for entry in each_kind(source.log.entries()):
            is_minor = entry.severity == "note" and entry.code != WITHOUT_SPEAKERS.code
            # what the order of words means is printed with the scores
            if not is_minor and entry.code != "RTTM-ORDER":
                tell(entry)


def _encoding(arguments: argparse.Namespace, keywords: KeywordList) -> str:
    if arguments.rttm_encoding is not None:
        return str(arguments.rttm_encoding)
    return "gb2312" if keywords.encoding.lower().startswith("gb2312") else "utf-8"


def _check_kwslist(argv: Sequence[str]) -> int:
    """Check a system's list against keywords and audio; return the exit status.

    The status is the number of errors and warnings, at most `GREATEST_STATUS`.
    """
    title = "Check the detections of a system against the keywords and the audio."
    parser = kws_options.ExactParser(prog="scoring kws check-kwslist", description=title)
    needed = {"required": True}
    add_flags(parser, KWSLIST, kwlist=needed, ecf=needed, kwslist=needed)
    arguments = parser.parse_args(argv)
    with _source(arguments.kwlist) as source:
        keywords = read_kwlist(source)
    with _source(arguments.ecf) as source:
        ecf = read_ecf(source)
    with _source(arguments.kwslist) as source:
        kwslist = read_kwslist(source)
    checked = checks.check_kwslist(kwslist, keywords, ecf, allow_missing=arguments.allow_missing)
    put_text(checked.messages)
    status = checked.errors + checked.warnings
    verdict = [f"'{arguments.kwslist}' validates!"]
    if status:
        counts = f"{checked.errors} error(s) and {checked.warnings} warning(s)!"
        verdict = [f"'{arguments.kwslist}' does not validate due to {counts}"]
        verdict.append("Check above for details!")
    put_text(verdict)
    if arguments.output is not None:
        target = "-" if arguments.output == "/////" else arguments.output
        put_text((line.removesuffix("\n") for line in kwslist_text(checked.purged)), target)
    return min(status, GREATEST_STATUS)


def _write_reports(
    arguments: argparse.Namespace, scores: KeywordSearchScores, groups: Sequence[SetScores]
) -> None:
    """Write the selected reports."""
    root, overall = root_of(arguments), (scores.overall,)
    conditional = arguments.conditional_summary or arguments.conditional_by_keyword
    if (conditional or arguments.conditional_det) and not groups and not arguments.as_program:
        warn(NO_CONDITIONS)
    for sets, name, asked in (
        (overall, "sum", arguments.det),
        (groups, "cond.sum", arguments.conditional_det),
    ):
        if asked and sets:
            _write_curves(sets, f"{root}dets", name)
    if arguments.det and arguments.plots is not None:
        from scoring.tasks.kws.plots import det_picture

        title = str(arguments.system_id or scores.alignment.detections.header.system_id)
        picture = det_picture(scores.overall, title, arguments.plots)
        put(f"{root}dets/sum.{arguments.plots}", (picture,))
    _write_tables(arguments, scores, groups)
    if arguments.alignment:
        put_text(reports.alignment_lines(scores), _alignment_name(arguments))
    if _is_usual_text(arguments):
        put_text(("", f"signature: {signature(scores.parameters)}"))


def _write_tables(
    arguments: argparse.Namespace, scores: KeywordSearchScores, groups: Sequence[SetScores]
) -> None:
    """Write the selected tables; on standard output, equal parameters are printed once."""
    root, overall = root_of(arguments), (scores.overall,)
    layout = reports.TableLayout(
        tuple(dict.fromkeys(arguments.global_measure)),
        counts=not arguments.no_counts,
        totals=arguments.row_totals,
        typed=_texts_of(scores, arguments),
        texts=not (arguments.pooled and arguments.f4de),
    )
    without_measures = layout._replace(measures=())
    shown_header: list[str] = []
    for name, sets, asked, report in (
        ("sum", overall, arguments.summary, reports.summary_report),
        ("bsum", overall, arguments.by_keyword, reports.keyword_report),
        ("cond.sum", groups, arguments.conditional_summary, reports.summary_report),
        ("cond.bsum", groups, arguments.conditional_by_keyword, reports.keyword_report),
    ):
        if not asked:
            continue
        if not sets:
            _tell(arguments, f"  {NO_CONDITIONS}")
            continue
        # the original asks for no measures there
        has_measures = name != "cond.bsum" or not arguments.f4de
        table = report(sets, layout if has_measures else without_measures)
        _tell(arguments, f"{HEADINGS[name]} {root or '-'}{name if root else ''}")
        kinds = sorted(arguments.report_type, key=KINDS_IN_ORDER.index)
        for kind in kinds if arguments.as_program else arguments.report_type:
            has_header = True
            if kind == "TXT" and not root and not arguments.as_program:
                heading = [""] * bool(shown_header) + [HEADINGS[name]]
                put_text([f"{HEADINGS[name]} -"] if arguments.f4de else heading)
                header = [*table.header.text_lines()]
                has_header = arguments.f4de or header != shown_header
                shown_header = header
            lines = table.lines(kind, has_header=has_header)
            if kind == "HTML" and not arguments.f4de:
                from scoring.tasks.kws.page import page_lines

                lines = page_lines(table, sets, name)
            put_text(lines, f"{root}{name}.{kind.lower()}" if root else "-")
            if root:
                _tell(arguments, f"Wrote: {root}{name}.{kind.lower()}")


def _texts_of(scores: KeywordSearchScores, arguments: argparse.Namespace) -> dict[str, str]:
    """Return the texts of the parameters that tables show otherwise than as computed."""
    if arguments.as_program:
        return kws_options.texts_of(arguments)
    name = "" if arguments.f4de else scores.alignment.detections.header.system_id
    return {"System Title": name} if name else {}


def _write_curves(sets: Sequence[SetScores], folder: str, name: str) -> None:
    """Write the curves as files of numbers."""
    try:
        os.makedirs(folder, exist_ok=True)
    except OSError as problem:
        raise OutputError(f"{folder}: cannot be created: {problem.strerror}") from None
    for scores, safe in zip(sets, file_names([s.trials.name for s in sets]), strict=True):
        for file in set_files(scores):
            put_text(file.lines, f"{folder}/{name}.{safe}{file.ending}")
