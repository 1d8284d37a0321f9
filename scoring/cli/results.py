"""Outputs of commands: the flags of reports, their checks, and the function that writes them."""

from __future__ import annotations

import os
from itertools import chain

from formats.console.command_line import AUTO, COLOUR, PIPE_WIDTH, is_screen
from formats.console.command_line import line_width as line_width
from formats.console.command_line import use_colour as use_colour
from formats.console.telling import each_kind, told_remarks
from formats.schema import ContextValue, NamedTuple, Within, module_named
from formats.schema.messages import Advice, Message
from formats.schema.shared_options import SHARED
from formats.schema.values import NamedFields
from scoring.cli.flags import (
    NIST_KINDS,
    NIST_REPORTS,
    STDOUT,
    TOGETHER,
    kind_of,
    level,
    refuse_empty,
    whole_number,
)
from scoring.cli.scoring import OK, tell
from scoring.drawing import Appearance, percent
from scoring.model.errors import StatisticsError
from scoring.model.outputs import put as put
from scoring.model.outputs import put_text as put_text
from scoring.options import USUAL, differing_rules
from scoring.pages import (
    TABLES,
    SystemText,
    hint_of,
    name_of_flag,
    summary_lines,
    text_of_systems,
    warnings_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from typing import Any

    from formats.console.command_parser import AnyParser
    from formats.schema.messages import Entry
    from formats.schema.remarks import AnyMessage
    from scoring.drawing.blocks import Block
    from scoring.pages.group_gaps import GroupGap
    from scoring.regression.paper import PaperTable
    from scoring.regression.ranking import Ranking
    from scoring.regression.verdict import Finding
    from scoring.results import Rates
    from scoring.score.rates import ErrorRates
    from scoring.score.table import BlockName
    from scoring.sides.matching.outcome import SessionErrors
    from scoring.stats.intervals import ConfidenceInterval, Resampling

# Who hears of the systems beside the reports: a function of them.
_listener = ContextValue("listener")
# Fewer are warned of where they are resampled.
TABLE_NULL_CODE = "TABLE-NULL"  # rows without a text, see formats.tables.messages
FEW_SESSIONS = 10
JSON = f"* {SHARED['--json']}"
PAGE = f"* {SHARED['--html']}"
WIDTH = (
    "--width COLUMNS  largest width of printed alignments, in characters (default: that of the "
    f"terminal; {PIPE_WIDTH} in files and pipes)"
)
TERMINAL = f"{WIDTH}\n{COLOUR}"
RESAMPLING = """
--confidence-level PERCENT  confidence level of intervals (default: 95)
--replications N  number of random samples for intervals and tests (default: 10000)
--seed N  seed of the random numbers (default: 0)
--interval {auto,percentile}  method of confidence intervals; percentile: percentile bootstrap
  (default: auto, the method that suits the number of errors, and of utterances or speakers)
"""
BLOCKS = (
    f"{RESAMPLING}--block {{auto,utterance,speaker}}  what intervals and tests resample: whole "
    "utterances or whole speakers (default: auto, which takes speakers if utterances of the "
    "same speaker have similar error rates)"
)
ABOVE = """
* --fail-above PERCENT ...  exit with status 3 if an error rate is above PERCENT, for example 12.5
  or 12.5%% (repeatable)
"""
GROUPS_ABOVE = """
--fail-group-above PERCENT ...  exit with status 3 if the error rate of a group of --by is above
  PERCENT; for one group: 'device=far-field: 30'
--group-words N  the conditions on groups ignore groups with fewer than N reference words (default:
  100)
"""
INCREASES = f"""
* --fail-increase AMOUNT ...  exit with status 3 if the error rate exceeds that of the baseline by
  more than AMOUNT, for example 5%%, 0.5pt (percentage points) or 'max(0.5pt, 5%%)'
--fail-group-increase AMOUNT ...  exit with status 3 if the error rate of a group of --by rises by
  more than AMOUNT; for one group: 'device=far-field: 2pt'
{GROUPS_ABOVE}"""


# Options beside which some others have no meaning; `scoring.model.combinations` says which.
RESTRICTING = ("engine", "shard", "reference_columns", "variants_length")


class Delivery(NamedTuple):
    """The data of reports: systems, and the interval and group gaps of each."""

    systems: Sequence[ErrorRates]
    intervals: Sequence[ConfidenceInterval | None]
    gaps: Sequence[Sequence[GroupGap]]
    ranking: Ranking | None
    arguments: Namespace
    subject: str  # of the title of a page; empty: the name of the reference


class FileReport(NamedFields):
    """A report to a file or standard output.

    It has the row of its flag, and a function that returns the bytes.
    """

    flag: str
    chunks: Callable[[Delivery], Iterable[bytes]]

    @property
    def name(self) -> str:
        """The attribute of the parsed arguments that has the value of the flag."""
        return name_of_flag(self.flag)


def _document(delivery: Delivery) -> Iterable[bytes]:
    from scoring.results.record import document_lines

    records = [interval and interval.record() for interval in delivery.intervals]
    order = None if delivery.ranking is None else delivery.ranking.record()
    comparisons = [[gap.record() for gap in gaps] for gaps in delivery.gaps]
    return document_lines(delivery.systems, None, records, order, comparisons)


def _utterances(delivery: Delivery) -> Iterable[bytes]:
    from scoring.pages.spreadsheet import utterance_table

    return _as_csv(utterance_table(delivery.systems), delivery.arguments)


def _pairs(delivery: Delivery) -> Iterable[bytes]:
    from scoring.pages.spreadsheet import pair_table

    return _as_csv(pair_table(delivery.systems), delivery.arguments)


def _page(delivery: Delivery) -> Iterable[bytes]:
    from scoring.pages.html.extras import extras_of
    from scoring.pages.html.report import page
    from scoring.pages.html.view import rate_name

    systems, intervals, gaps, ranking, arguments, subject = delivery
    title = f"{rate_name(systems)[0]}: {subject}" if subject else None
    extras, remark = extras_of(systems, arguments.html, arguments.audio, arguments.vocabulary)
    if remark is not None:
        tell(remark)
    return page(systems, intervals, title, ranking=ranking, extras=extras, gaps=gaps)


def _paper(delivery: Delivery) -> PaperTable:
    from scoring.regression.paper import paper_table
    from scoring.stats.deciding import DEFAULT_TEST

    systems, arguments = delivery.systems, delivery.arguments
    check_against(arguments, [rates.hypothesis.title for rates in systems])
    return paper_table(
        systems,
        against=arguments.marks_against,
        resampling=resampling_of(arguments),
        blocks=[block_of(rates, arguments) for rates in systems],
        test=arguments.test or DEFAULT_TEST,
    )


def _paper_table(delivery: Delivery) -> Iterable[bytes]:
    return [_paper(delivery).table_for(delivery.arguments.latex).encode()]


def _methods(delivery: Delivery) -> Iterable[bytes]:
    return [_paper(delivery).methods_for(delivery.arguments.methods).encode()]


def check_against(arguments: Namespace, names: Sequence[str]) -> None:
    """Reject a value of `--marks-against` that is not one of the systems."""
    if arguments.marks_against is not None and arguments.marks_against not in names:
        expected = f"--marks-against: expected one of the systems {', '.join(names)}"
        raise StatisticsError(f"{expected}, found {arguments.marks_against!r}")


# A row here is all that a new report needs beside the function that makes it.
FILE_REPORTS = (
    FileReport(JSON, _document),
    FileReport(SHARED["--csv"], _utterances),
    FileReport("--pairs >FILE  write aligned words as CSV, a row per pair (-: stdout)", _pairs),
    FileReport(SHARED["--latex"], _paper_table),
    FileReport(SHARED["--methods"], _methods),
)
PAGE_REPORT = FileReport(PAGE, _page)
# All that goes to a file or to standard output, each under a flag of its name.
OUTPUTS = (
    *(report.name for report in (*FILE_REPORTS, PAGE_REPORT)),
    *("markdown", "junit", "summary_json"),
)
_PAPER = ("latex", "methods")
_FLAGS = "\n".join(report.flag for report in (*TABLES, *FILE_REPORTS) if report.name not in _PAPER)
_PAPER_TABLE = "--latex\n--methods\n--marks-against"
_PLAIN_REPORTS = f"""
[reports]
{_FLAGS}
--markdown
--csv-safe
@by
"""
_REPORTS = f"{_PLAIN_REPORTS}{_PAPER_TABLE}\n"
_COLUMNS = "@metadata metadata_key bins"
_PAGES = f"""
{PAGE}
--audio <FOLDER  folder with recordings to play in the page of --html, named RECORDING.wav, .flac
  and so on
--vocabulary <FILE  count words that are not in FILE, and mark these words in --html; each line of
  FILE begins with a word
--sort-systems {{rate,name}}  order of several systems in all reports (default: as given)
--best  report only the system with the lowest rate; the ranking lists all
"""
_GAP = f"""
{GROUPS_ABOVE}
--fail-gap-above POINTS[:significant]  exit with status 3 if the error rates of two groups of --by
  differ by more than POINTS percentage points, for example 5; 5:significant: only if the p-value is
  also at most 0.05
"""
_GATE = f"""
{TERMINAL}
[gate]
{ABOVE}
--fail-measure
{TOGETHER}
"""
_HISTORY = """
[history]
--record >FILE  add the result of each system to FILE, for `scoring history`; FILE is created if
  necessary
--tag
--without-alignments  with --record, store the counts of errors but not the words
"""
_STATISTICS = f"""
[statistics]
--confidence-interval
{BLOCKS}
"""
_GROUPS = """
--compare-groups  print the differences between the groups of --by, with permutation tests
--correction {holm,bonferroni,fdr_bh}  correction for the number of tests, applied to the p-values
  of --compare-groups (default: holm)
"""
# The reports of error rates, and those of them that need neither words nor a history.
_TEST = "--test"
RANKING_TESTS = ("randomisation", "bootstrap", "matched-pairs", "mcnemar", "sign", "wilcoxon")
_FURTHER = f"{_PAGES}{_GATE}{_GAP}{NIST_REPORTS}{_HISTORY}{_STATISTICS}{_GROUPS}{_TEST}"
OUTPUT = f"{_REPORTS}{_COLUMNS}{_FURTHER}"
OUTPUT_OF_SHARDS = f"{_REPORTS}{_FURTHER}"
OUTPUT_WITHOUT_WORDS = f"{_PLAIN_REPORTS}{_COLUMNS}\n{PAGE}\n{_GATE}{NIST_REPORTS}{_STATISTICS}"


def _threshold(parser: str) -> Callable[[str], Any]:
    return kind_of(
        lambda text: getattr(module_named("scoring.regression.conditions"), parser)(text)
    )


KINDS: dict[str, Any] = {
    "width": whole_number(40),
    "confusions": whole_number(1),
    "worst": whole_number(1),
    "colour": AUTO,
    "fail_above": _threshold("parse_rate"),
    "fail_increase": _threshold("parse_increase"),
    "fail_gap_above": _threshold("parse_gap"),
    "fail_group_above": _threshold("parse_group_rate"),
    "fail_group_increase": _threshold("parse_group_increase"),
    "group_words": {"type": whole_number(1), "default": 100},
    "fail_measure": _threshold("parse_own_measure"),
    "fail_when": {"default": "any"},
    "correction": {"default": "holm"},
    "confidence_level": {"dest": "level", "type": level, "default": 95.0},
    "replications": {"type": whole_number(1), "default": 10_000},
    "seed": {"type": whole_number(0, (1 << 64) - 1), "default": 0},
    "block": {"default": "auto"},
    "sort_systems": {"dest": "sort"},
    "test": {"choices": RANKING_TESTS, "default": RANKING_TESTS[0]},
    "interval": {"default": "auto"},
    **NIST_KINDS,
}


def features_of(arguments: Namespace) -> dict[str, Advice | str]:
    """Return the options that the flags set, by their names in `scoring.model.combinations`."""
    from scoring.model.combinations import SEVERAL, TABLE

    names = dict.fromkeys(name for row in TABLE for name in row[:2])
    features: dict[str, Advice | str] = {}
    for name in names:
        value = getattr(arguments, name, None)
        if value and value != USUAL.get(name):
            features[name] = Advice(name, "")
    engine = getattr(arguments, "engine", None)
    if "meeting" in features:
        features.pop("engine", None)  # which keeps the words of sessions
    elif engine is not None:
        features["engine"] = features["rows"] = Advice("engine", engine)
    columns = getattr(arguments, "reference_columns", [])
    if columns:
        features["table"] = Advice("reference_column", columns[0])
    if getattr(arguments, "further_references", []) or columns[1:]:
        features["references"] = SEVERAL
    if reports := sorted(getattr(arguments, "nist_reports", ())):
        features["report"] = f"-o {reports[0]}"
    return features


def check_together(arguments: Namespace) -> None:
    """Reject reports that cannot be combined with the chosen engine or measure."""
    if any(getattr(arguments, name, None) for name in RESTRICTING):
        from scoring.model.combinations import check

        check(features_of(arguments))


def targets(arguments: Namespace) -> list[str | None]:
    """Return the output paths of reports; `-` means standard output."""
    nist = "-" if STDOUT in getattr(arguments, "nist_reports", ()) else None
    return [*(getattr(arguments, form, None) for form in OUTPUTS), nist]


def check_outputs(parser: AnyParser, arguments: Namespace) -> None:
    """Reject two reports to standard output, and `--marks-against` without its table."""
    if getattr(arguments, "marks_against", None) and arguments.latex is None:
        parser.error("--marks-against needs --latex")
    if targets(arguments).count("-") > 1:
        parser.error("standard output takes one report only")


def check_reports(parser: AnyParser, arguments: Namespace, hypotheses: Sequence[str]) -> None:
    """Reject flags of reports that need another flag, and files that cannot be written."""
    check_outputs(parser, arguments)
    for name in ("audio", "vocabulary"):
        is_counted = name in getattr(arguments, "measures", ())
        if getattr(arguments, name, None) and arguments.html is None and not is_counted:
            parser.error(f"--{name} needs --html")
    if arguments.record is None and (arguments.tag or arguments.without_alignments):
        parser.error("--tag and --without-alignments need --record")
    if arguments.record == "-":
        parser.error("--record: expected the name of a file, found -")
    if arguments.record is not None:
        from scoring.regression.history import History, tags_of

        # what cannot be recorded is an error before the work
        tags_of(arguments.tag)
        if os.path.exists(arguments.record):
            History(arguments.record, create=True).close()
        elif not os.path.isdir(os.path.dirname(arguments.record) or "."):
            parser.error(f"--record: expected an existing folder, found {arguments.record!r}")
    for limit in arguments.fail_measure:
        if limit.measure not in getattr(arguments, "measures", (limit.measure,)):
            parser.error(f"--fail-measure {limit.text} needs --measures {limit.measure}")
    groups = getattr(arguments, "fail_group_above", ())
    beside = " or --metadata" * hasattr(arguments, "metadata")
    if groups and not (arguments.by or getattr(arguments, "metadata", None)):
        parser.error(f"--fail-group-above {groups[0].text} needs --by{beside}")
    if _compares_groups(arguments) and not (arguments.by or getattr(arguments, "metadata", None)):
        parser.error(f"--compare-groups and --fail-gap-above need --by{beside}")
    nist = arguments.nist_reports, arguments.nist_folder, arguments.nist_name
    if nist != (set(), None, None):
        from scoring.cli.nist_reports import check_nist_reports

        check_nist_reports(parser, arguments, hypotheses)


def resampling_of(arguments: Namespace) -> Resampling:
    """Return the settings of intervals from the flags."""
    from scoring.stats.intervals import Resampling

    return Resampling(
        arguments.replications, arguments.seed, arguments.level / 100, arguments.interval
    )


def block_of(rates: Rates, arguments: Namespace) -> BlockName:
    """Return the resampling unit; raise an error if the result does not have this unit."""
    from scoring.cli import messages

    block: BlockName = arguments.block
    if rates.session_of:
        if block == "speaker":
            option = Advice("block", "speaker")
            raise StatisticsError(Message(messages.BLOCK_OF_SESSIONS, {"option": option}))
        warn_of_few(rates.hypothesis.title, len(set(rates.session_of)))
        return "utterance"
    for identifier, speaker in zip(rates.identifiers, rates.speakers, strict=True):
        if speaker is None and block == "speaker":
            fields = {"option": Advice("block", "speaker"), "name": identifier}
            raise StatisticsError(Message(messages.NO_SPEAKER_TO_DRAW, fields))
    return block


def warn_of_few(path: str, sessions: int) -> None:
    """Warn if there are few sessions, from which the bootstrap draws."""
    if sessions < FEW_SESSIONS:
        from scoring.cli import messages

        tell(Message(messages.FEW_SESSIONS, {"path": path, "sessions": sessions}))


def interval_of(rates: Rates, arguments: Namespace) -> ConfidenceInterval | None:
    """Return the confidence interval, or None if no option selects it."""
    if not arguments.confidence_interval:
        return None
    from scoring.regression.significance import interval_of as interval_of_table
    from scoring.score.table import table_of

    try:
        return interval_of_table(
            table_of(rates), block_of(rates, arguments), resampling_of(arguments)
        )
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None


def intervals_of(
    systems: Sequence[ErrorRates], arguments: Namespace, *, is_one_table: bool
) -> list[ConfidenceInterval | None]:
    """Return the interval of each system; those of one table have the same unit."""
    if not is_one_table or not arguments.confidence_interval:
        return [interval_of(rates, arguments) for rates in systems]
    from scoring.regression.significance import intervals_of as intervals_of_tables
    from scoring.score.table import table_of

    blocks = [block_of(rates, arguments) for rates in systems]
    try:
        tables = list(map(table_of, systems))
        return [*intervals_of_tables(tables, blocks, resampling_of(arguments))]
    except ValueError as problem:
        raise StatisticsError(str(problem)) from None


def _with_intervals(rates: ErrorRates, arguments: Namespace) -> ErrorRates:
    """Return the result with intervals of its measures."""
    if not rates.measured:
        return rates

    from scoring.measures.intervals import with_intervals
    from scoring.score.table import blocks_of, table_of
    from scoring.stats.blocks import Blocks

    if rates.session_of:
        warn_of_few(rates.hypothesis.title, len(set(rates.session_of)))
        blocks = Blocks(list(rates.session_of), "session")
    else:
        blocks = blocks_of(table_of(rates), block_of(rates, arguments))
    resampling = resampling_of(arguments)
    measured = {
        name: with_intervals(item, resampling, blocks) for name, item in rates.measured.items()
    }
    return rates._replace(measured=measured)


def print_remarks(
    rates: ErrorRates,
    arguments: Namespace,
    name: str = "",
    told_keys: Collection[str] = (),
) -> None:
    """Print the remarks on a result, and a hint for the system `name`.

    Skip remarks whose entries have a key in `told_keys`, and those on a file of several systems,
    such as the reference, that were printed before.

    A result without reference words is rejected unless the flags allow it.
    """
    before: dict[str, list[AnyMessage]] = {}
    for each in told_remarks():
        before.setdefault(str(each), []).append(each)
    for message in each_kind((*_without_nulls(rates), *warnings_of(rates))):
        if key_of(message) not in told_keys and message not in before.get(str(message), ()):
            tell(message)
    refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
    if (hint := hint_of(rates)) is not None:
        tell(hint, name)


def _without_nulls(rates: ErrorRates) -> Iterator[AnyMessage]:
    """Yield the remarks without rows of the hypothesis that the warning of missing ones counts."""
    missing = rates.matching_summary.reference_only.number
    for remark in rates.remarks:
        value = remark if isinstance(remark, Message) else remark.value
        is_null = value.entry.code == TABLE_NULL_CODE and value.side == "hypothesis"
        if not (is_null and value.fields["rows"] <= missing):
            yield remark


def delivered_to(listener: Callable[[Sequence[ErrorRates]], object]) -> Within:
    """Call a listener with the systems of each `deliver` within a `with` block."""
    return Within(_listener, listener)


def _put_files(delivery: Delivery) -> None:
    """Write the reports that have files of their own."""
    # what cannot be made is an error before anything is written
    reports = [
        (path, report.chunks(delivery))
        for report in (*FILE_REPORTS, PAGE_REPORT)
        if (path := getattr(delivery.arguments, report.name, None)) is not None
    ]
    for path, chunks in reports:
        put(path, chunks)


def deliver(
    systems: Sequence[ErrorRates],
    arguments: Namespace,
    overview: Sequence[Block] | None = None,
    last: Sequence[Block] = (),
    subject: str = "",
) -> int:
    """Write all selected reports; return the exit status.

    An `overview` replaces the numbers of systems with references of their own. Their texts come
    before it only if the flags select more than these numbers. The `last` blocks are the end of the
    text. `subject` is that of the title of the HTML page.
    """
    if (listener := _listener.get()) is not None:
        listener(systems)
    told_keys = tell_of_several(rates.remarks for rates in systems)
    for rates in systems:
        name = rates.hypothesis.title if len(systems) > 1 else ""
        print_remarks(rates, arguments, name, told_keys)
    tell_missing_speakers(systems, arguments)
    is_ranked = len(systems) > 1 and overview is None
    if is_ranked:
        _note_other_rules(systems)
    ranking = _ranking_of(systems, arguments) if is_ranked else None
    if arguments.sort == "name" and not arguments.best:
        systems = _by_names(systems)
    elif arguments.sort == "rate" or arguments.best:
        from scoring.regression.ranking import in_order

        systems = in_order(systems)
    if arguments.best:
        systems = systems[:1]
    intervals = intervals_of(systems, arguments, is_one_table=is_ranked)
    if arguments.confidence_interval:
        systems = [_with_intervals(rates, arguments) for rates in systems]
    gaps = [_gaps_of(rates, arguments) for rates in systems]
    _put_files(Delivery(systems, intervals, gaps, ranking, arguments, subject))
    if arguments.nist_reports:
        from scoring.cli.nist_reports import put_reports

        put_reports(systems, arguments)
    if arguments.record is not None:
        _record(systems, arguments)
    summaries = [
        SystemText(
            rates,
            list(summary_lines(rates, interval)),
            gaps=own_gaps,
            least_confusions=arguments.confusions or 1,
            worst=arguments.worst or 0,
        )
        for rates, interval, own_gaps in zip(systems, intervals, gaps, strict=True)
    ]
    last = [*(() if ranking is None else ranking.blocks()), *last]
    if overview is not None:
        summaries = _beyond_overview(summaries, arguments)
        last = list(overview)
    lead = "" if ranking is None else ranking.sentence()
    put_summaries(summaries, arguments, last=last, lead=lead)
    return verdict(systems, arguments, gaps)


def _by_names(systems: Sequence[ErrorRates]) -> Sequence[ErrorRates]:
    """Return the systems in the order of their names, numbers in names by their values."""
    from scoring.results.value_order import natural_order

    return sorted(systems, key=lambda rates: natural_order(rates.hypothesis.title))


def _beyond_overview(summaries: list[SystemText], arguments: Namespace) -> list[SystemText]:
    """Return the summaries if the flags select more than an overview shows, otherwise none."""
    tables = _asked_tables(arguments)
    parts = chain.from_iterable(system.parts(tables) for system in summaries)
    return summaries if arguments.confidence_interval or any(True for _ in parts) else []


def _asked_tables(arguments: Namespace) -> list[str]:
    """Return the names of the text tables that the flags select."""
    return [table.name for table in TABLES if getattr(arguments, table.name, False)]


def key_of(remark: AnyMessage) -> str:
    """Return the key of the entry of a remark; empty for an error without entry."""
    message = remark if isinstance(remark, Message) else remark.value
    return "" if message is None else message.entry.key


def tell_of_several(results: Iterable[Iterable[AnyMessage]]) -> Collection[str]:
    """Print remarks that several results have once; return the keys of their entries."""
    remarks_of_all = list(chain.from_iterable(results))
    if len(remarks_of_all) < 2:
        return ()
    of_several = _entries_of_several()
    shared: dict[str, list[tuple[str, AnyMessage]]] = {}
    for remark in remarks_of_all:
        if (key := key_of(remark)) in of_several:
            path = remark.fields["path"] if isinstance(remark, Message) else remark.path
            shared.setdefault(key, []).append((str(path), remark))
    shared = {key: remarks for key, remarks in shared.items() if len(remarks) > 1}
    for key, remarks in shared.items():
        path, *others = dict.fromkeys(path for path, _ in remarks)
        fields = {"path": path, "number": len(others)}
        tell(Message(of_several[key], fields) if others else remarks[0][1])
    return shared


def _entries_of_several() -> dict[str, Entry]:
    """Return the entries for several files by the keys of remarks on one file."""
    from formats.kaldi.messages import KALDI_INTEGERS
    from scoring.cli import messages
    from scoring.score.messages import (
        AS_KALDI_OF,
        MANY_MORE_WORDS,
        OWN_REFERENCE,
        UNRELATED,
        UNRELATED_BACKWARDS,
        UNRELATED_ROWS,
    )

    return {
        AS_KALDI_OF.key: messages.AS_KALDI_FILES,
        KALDI_INTEGERS.key: messages.INTEGERS_IN_FILES,
        OWN_REFERENCE.key: messages.OWN_REFERENCES,
        MANY_MORE_WORDS.key: messages.LONGER_FILES,
        **dict.fromkeys(
            (entry.key for entry in (UNRELATED, UNRELATED_ROWS, UNRELATED_BACKWARDS)),
            messages.UNRELATED_FILES,
        ),
    }


def tell_missing_speakers(systems: Sequence[ErrorRates], arguments: Namespace) -> None:
    """Print a hint if rates by speaker are requested and no utterance has a speaker."""
    if not (getattr(arguments, "per_speaker", False) or "speaker" in (arguments.by or ())):
        return
    from scoring.cli import messages

    for rates in systems:
        if len(rates) and not any(rates.speakers):
            tell(Message(messages.NO_SPEAKERS, {"path": rates.reference.path}))
            return


def _note_other_rules(systems: Sequence[ErrorRates]) -> None:
    """Print a note with the rules in which the ranked systems differ."""
    first = systems[0]
    for rates in systems[1:]:
        if problem := differing_rules(first.rules, rates.rules, ("verdicts",)):
            from scoring.cli import messages

            paths = {"path": rates.hypothesis.path, "other": first.hypothesis.path}
            tell(Message(messages.RANKED_APART, {**paths, "rules": problem}))


def _compares_groups(arguments: Namespace) -> bool:
    return arguments.compare_groups or arguments.fail_gap_above is not None


def _gaps_of(rates: ErrorRates, arguments: Namespace) -> list[GroupGap]:
    """Return the gaps between the groups of a system, if an option selects them."""
    if not _compares_groups(arguments):
        return []
    from scoring.pages.group_gaps import group_gaps

    resampling = resampling_of(arguments)
    return group_gaps(rates, correction=arguments.correction, resampling=resampling)


def _gap_findings(
    rates: Rates, gaps: Sequence[GroupGap], arguments: Namespace
) -> Iterator[Finding]:
    """Yield the finding on each gap between groups: whether it exceeds the limit."""
    limit = arguments.fail_gap_above
    if limit is None:
        return
    from scoring.regression.verdict import Finding, exceeds_gap

    name = rates.hypothesis.title
    if all(gap.comparison.gap is None for gap in gaps):
        raise StatisticsError(f"{name}: {next(gaps[0].summary())}")
    for gap in gaps:
        failed = exceeds_gap(limit, gap.comparison)
        points = percent(gap.comparison.gap)
        side = "above" if failed else "not above"
        text = f"{name}: gap of {points} points by {gap.title} is {side} {limit.text} points"
        yield Finding(limit.name, text, failed)


def _record(systems: Sequence[ErrorRates], arguments: Namespace) -> None:
    """Add the result of each system as a run to the history that `--record` names."""
    from scoring.cli import messages
    from scoring.regression.history import History, tags_of

    tags = tags_of(arguments.tag)
    with History(arguments.record, create=True) as history:
        for rates in systems:
            run = history.record(rates, tags, alignments=not arguments.without_alignments)
            fields = {"path": rates.hypothesis.title, "run": run.number}
            tell(Message(messages.RECORDED, {**fields, "history": arguments.record}))


def put_csv(
    path: str,
    table: tuple[Sequence[str], Iterable[Sequence[object]]],
    arguments: Namespace,
) -> None:
    """Write column names and rows as CSV to a file or standard output."""
    put(path, _as_csv(table, arguments))


def _as_csv(
    table: tuple[Sequence[str], Iterable[Sequence[object]]], arguments: Namespace
) -> Iterable[bytes]:
    from scoring.drawing.data import csv_rows

    return csv_rows(*table, safe=arguments.csv_safe)


def look_of(arguments: Namespace) -> Appearance:
    """Return the appearance of text on standard output."""
    return Appearance(line_width(arguments), use_colour(arguments), is_screen=is_screen())


def put_pages(
    blocks: Sequence[Block],
    title: str,
    arguments: Namespace,
    first: Callable[[Appearance], Iterable[Block]] | None = None,
    warnings: Sequence[str] = (),
) -> None:
    """Write a page as Markdown and HTML, and as text unless a report goes to standard output.

    Standard output gets the blocks that `first` returns instead of the page. In files, the
    `warnings` follow the first block; they were already printed to standard error.
    """
    from scoring.drawing.blocks import Items
    from scoring.drawing.forms import encoded, lines_of
    from scoring.drawing.text import text_lines

    look = Appearance(arguments.width or PIPE_WIDTH)
    gathered = [Items(warnings)] if warnings else []
    in_file = [*blocks[:1], *gathered, *blocks[1:]]
    for form in ("markdown", "html"):
        path = getattr(arguments, form)
        if path is not None:
            put(path, encoded(lines_of(in_file, form, title, look)))
    if "-" not in targets(arguments):
        look = look_of(arguments)
        put_text(text_lines(first(look) if first else blocks, look))


def _ranking_of(systems: Sequence[ErrorRates], arguments: Namespace) -> Ranking | None:
    """Return the ranking of the systems, or None if no report shows it."""
    if "-" in targets(arguments) and not any((arguments.markdown, arguments.json, arguments.html)):
        return None
    try:
        from scoring.regression.ranking import rank
        from scoring.stats.deciding import DEFAULT_TEST
    except ModuleNotFoundError as problem:
        from scoring.cli import messages

        tell(Message(messages.NO_RANKING, {"package": problem.name}))
        return None
    blocks = [block_of(rates, arguments) for rates in systems]
    return rank(systems, resampling_of(arguments), blocks, arguments.test or DEFAULT_TEST)


def put_summaries(
    summaries: Sequence[SystemText],
    arguments: Namespace,
    path: str = "-",
    last: Sequence[Block] = (),
    lead: str = "",
) -> None:
    """Write the summary as Markdown, and as text unless another report uses standard output.

    On a terminal, the `last` blocks come first if a `lead` sentence introduces them.
    """
    tables = _asked_tables(arguments)
    if arguments.markdown is not None:
        from scoring.drawing.blocks import Heading, Items
        from scoring.drawing.forms import encoded, lines_of

        pages = (
            ((Heading(system.rates.hypothesis.title), Items(system.lines)), *system.parts(tables))
            for system in summaries
        )
        blocks = chain(chain.from_iterable(chain.from_iterable(pages)), last)
        names = {system.rates.reference.path for system in summaries}
        title = f"Error rates against {names.pop()}" if len(names) == 1 else "Error rates"
        look = Appearance(arguments.width or PIPE_WIDTH)
        put(arguments.markdown, encoded(lines_of(blocks, "markdown", title, look)))
    to_file = path != "-"
    if not to_file and "-" in targets(arguments):
        return
    look = look_of(arguments)
    if to_file:
        look = look._replace(colour=arguments.colour == "always", is_screen=False)
    put_text(text_of_systems(summaries, look, last, tables, lead), path)


def verdict(
    systems: Sequence[Rates],
    arguments: Namespace,
    gaps: Sequence[Sequence[GroupGap]] = (),
) -> int:
    """Check the conditions on each system; return the exit status.

    The status is 3 if conditions failed or a session was not scored as a whole.
    """
    findings: list[list[Finding]] = [[] for _ in systems]
    has_groups = getattr(arguments, "fail_group_above", ())
    if arguments.fail_above or arguments.fail_measure or has_groups:
        from scoring.cli.gates import system_findings

        findings = [system_findings(rates, arguments) for rates in systems]
    for place, groups in enumerate(gaps):
        findings[place] += _gap_findings(systems[place], groups, arguments)
    lacking = [rates for rates in systems if lacks_sessions(rates, arguments)]
    if not (any(findings) or lacking or arguments.summary_json is not None):
        return OK
    from scoring.cli.gates import close_own_gate, system_record

    record = {}
    if arguments.summary_json is not None:
        record = {
            "task": systems[0].signature.partition("|")[0] if systems else "wer",
            "systems": [
                system_record(rates.hypothesis.title, {"error_rate": rates.error_rate})
                for rates in systems
            ],
            "signature": systems[0].signature if systems else "",
        }
    missing = "a session was not scored as a whole" if lacking else ""
    return close_own_gate(findings, arguments, record, missing)


def lacks_sessions(rates: Rates, arguments: Namespace) -> bool:
    """Return True if a session was not scored as a whole, and the flags require this."""
    return any(_not_whole(session, rates, arguments) for session in rates.sessions)


def _not_whole(session: SessionErrors, rates: Rates, arguments: Namespace) -> bool:
    from scoring.sides.matching.outcome import DECLINED, EMPTY, SCORED

    if session.state == DECLINED:
        return True
    if session.state == EMPTY and not session.reference_count:
        return not arguments.allow_empty
    # what is missing was to be scored as silence, or skipped
    options = None if rates.basis is None else rates.basis.options
    is_chosen = options is not None and options.missing in ("delete", "skip")
    return session.state != SCORED and not is_chosen
