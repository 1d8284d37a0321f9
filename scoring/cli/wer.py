"""`scoring wer`: score the words of one or more hypotheses, in files of any two formats."""

from __future__ import annotations

import os

from formats.io.progress import is_heard
from formats.schema import is_installed
from formats.schema.errors import FormatError, OptionError
from formats.schema.messages import Message
from scoring.cli import flags, results
from scoring.cli.flags import tell_idle
from scoring.cli.scoring import OK, tell
from scoring.options import OTHER_LENGTHS
from scoring.pages import TABLES
from scoring.score import planned_score, score, score_systems
from scoring.score.plan import CHARACTERS, WORDS
from scoring.sides.given import File, Given, References, hypothesis_files
from scoring.sides.layouts import holds_both, is_result

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractContextManager
    from typing import Any

    from formats.console.command_line import CommandTable
    from formats.console.command_parser import AnyParser
    from scoring.options import Options
    from scoring.regression.kaldi_hypotheses import FolderWeights
    from scoring.results.record import Shard
    from scoring.score.plan_report import PlannedScore
    from scoring.score.rates import ErrorRates

TABLE = f"""
[input]
@reading jobs
[tables | files with a row per utterance: Parquet, Arrow, CSV, TSV or JSON lines]
{flags.COLUMNS}
--engine {{local,spark,ray}}  score tables of any size (Parquet or Arrow, not CSV; with --meeting,
  files of any format) in this process (local) or on a cluster, and keep only the sums
--master URL  address of the cluster, such as spark://HOST:7077, sc://HOST (Spark Connect) or for
  Ray HOST:6379 (default: a cluster on this machine)
--cluster-timeout SECONDS  how long to wait for the cluster's first answer, and then for its first
  worker (default: 30)
--scored-table >FILE  with --engine, write all rows with their scores as Parquet; on a cluster, FILE
  is a folder to create
--overwrite  on a cluster, replace the folder of --scored-table
--resume  continue a stopped run of this command: keep the parts of --scored-table that it has
  written; with --engine local, start the first run with --resume, too
[normalisation, units and matching]
@normalize match matching where cut shift like aligning verdicts
{flags.ALLOW_EMPTY}
[measures]
--with-cer  also report the character error rate of the same texts (the measure characters)
@measures measure_options
{flags.FUNCTIONS}
[several references and variants]
--further-reference <FILE ...  another reference of the same utterances, besides REF (repeatable)
@choosing
[many speakers]
@meetings
{flags.SEARCHES}
--assignment >FILE  write the pairs of reference and hypothesis speakers as JSON
[plan]
--plan  print how the files would be read, matched and scored, and why, without scoring them (with
  --json, as JSON)
{flags.SHARDS}
{results.OUTPUT}
[words of interest]
--words <FILE  report error rates of the words and phrases in FILE, and of all other words
--words-format {{auto,lines,csv,fbai,nemo}}  format of the file given with --words (default: auto)
--distractors <FILE  count how often the words and phrases in FILE are inserted; the recordings
  should contain none of them
--words-match {{phrase,word}}  phrase: find entries of several words (default); word: find single
  words only
--words-raw  search for the entries of --words as written, in the texts before normalisation
--words-nested  also count an entry of --words that is part of a longer entry
--vocabulary-min N  use only lines of --vocabulary whose second field is a number of at least N
"""
MERGED = f"{flags.SHARDS_TO_MERGE}\n{results.OUTPUT_OF_SHARDS}"
# Shards of tasks by the schema at their beginning: the module with `merge`.
_TASKS = {
    b"sclite-kit/diarisation-shard": "scoring.cli.tasks.der",
    b"sclite-kit/keyword-search-shard": "scoring.cli.tasks.kws",
}
SIDES = "REF HYP [HYP ...]"
EPILOG = (
    "Formats are detected; `formats list` lists them. A result of ESPnet, icefall, SpeechBrain, "
    "WeNet, Kaldi, sclite or NeMo holds reference and hypothesis, so it needs no second file."
)
# The default of --hypothesis-column.
PREDICTIONS = "pred_text"
# The size in bytes below which no table is large.
LEAST_LARGE = 1 << 20
NO_TEXT_CODE = "NO-TEXT-NAME"  # of readers of tables
# Flags of reports that show the words of all utterances, beside those that write files.
REPORTS_OF_WORDS = (
    *(table.name for table in TABLES if table.name != "per_speaker"),
    *("nist_reports", "record", "shard", "assignment"),
)
# Flags that only print something, where a shard prints nothing.
SHOWN_TABLES = tuple(table.name for table in TABLES)
# Flags for systems with the same reference, by the attributes of the arguments.
OF_ONE_REFERENCE = {
    "sort": "--sort-systems",
    "best": "--best",
    "test": "--test",
    "assignment": "--assignment",
}
ONLY_SHOWN = (*SHOWN_TABLES, "confidence_interval", "compare_groups")


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    return _run(argv, "wer", "Word", WORDS)


def cer(argv: Sequence[str]) -> int:
    """Run `scoring cer`: score characters like jiwer, evaluate and torchmetrics."""
    return _run(argv, "cer", "Character", CHARACTERS)


def merge(argv: Sequence[str]) -> int:
    """Run `scoring merge`, which merges the shards of a run into the result of the whole run."""
    from scoring.score.record_reader import content_of, merged, read_document

    title = (
        "Merge the shards of one run of `scoring wer`. The output is the same as without shards."
    )
    files = [word for word in argv if os.path.isfile(word)]
    for schema, module in _TASKS.items():
        if any(_has(schema, path) for path in files):
            from importlib import import_module

            status: int = import_module(module).merge(argv)
            return status
    parser = flags.command_parser("merge", title, MERGED, SHARD={"nargs": "+"}, **results.KINDS)
    arguments = parser.parse_args(argv)
    if any(map(_has_sums, arguments.shards)):
        from scoring.cli.engines import merge_sums

        return merge_sums(parser, arguments, arguments.shards)
    parts = [(path, read_document(path, content_of(path))) for path in arguments.shards]
    systems = [rates.grouped(arguments.by) for rates in merged(parts).systems]
    results.check_reports(parser, arguments, [rates.hypothesis.title for rates in systems])
    tell_idle(parser, arguments, systems=len(systems))
    return results.deliver(systems, arguments)


def _has_sums(path: str) -> bool:
    """Return True if a file has the sums that `--engine` writes."""
    return _has(b"sclite-kit/sums-of-tables", path)


def _has(schema: bytes, path: str) -> bool:
    """Return True if a file begins with the name of a schema."""
    from scoring.score.record_reader import content_of

    return schema in content_of(path, 256)


def _refuse_sums(path: str) -> None:
    """Reject a file with the sums of an engine, because it has no utterances."""
    if path.endswith((".json", ".json.gz")):
        from scoring.score.engines.sums_files import is_sums

        if is_sums(path):
            from scoring.model.combinations import check

            check({"sums": path, "wer": "scoring wer"})


def _holds_both(path: str) -> bool:
    """Return True if a file or folder has both sides of a score; reject a file with sums."""
    _refuse_sums(path)
    if _is_result(path):
        return True
    if os.path.isfile(path) or path == "-":
        return False
    from scoring.score.table_inputs import are_tables_of_both

    return are_tables_of_both(path)


def _run(argv: Sequence[str], command: str, noun: str, usual: Mapping[str, Any]) -> int:
    """Run `wer`, or a command with the defaults `usual`; return the exit status."""
    title = f"{noun} error rates of hypotheses against a reference, in files of any format."
    parser = flags.command_parser(command, title, TABLE, sides=SIDES, epilog=EPILOG, **KINDS)
    arguments = flags.parse_files(parser, argv, most=None, has_both=_holds_both, usual=usual)
    arguments.hypotheses = _by_number(arguments.hypotheses)
    arguments.best_weights = {}  # of decode folders without a reference, by path
    for path in arguments.hypotheses:
        _refuse_sums(path)
    _ask_for_words(parser, arguments)
    _add_missing_columns(parser, arguments)
    _read_members(arguments)
    _check(parser, arguments)
    options = flags.options_of(
        arguments, keep_sources=arguments.html is not None or bool(arguments.nist_reports)
    )
    if options.meeting is None or arguments.systems:
        flags.tell_shared_files(options, arguments.hypotheses)
    _print_notes(arguments, options)
    if arguments.plan and arguments.reference_columns:
        return _show_plan(arguments, options)
    if arguments.engine is not None and arguments.meeting is None:
        from scoring.cli.engines import by_engine

        return by_engine(arguments, options, arguments.hypothesis_columns)
    if note := _unquoted_patterns(arguments):
        tell(note)
    if _are_folders(arguments):
        return _of_folders(arguments, options)
    if arguments.plan:
        return _show_plan(arguments, options)
    score_all = _of_tables if arguments.reference_columns else _of_files
    try:
        systems = score_all(arguments, options)
    except FormatError as problem:
        raise _with_columns(problem, arguments) from None
    folders = _weights_of_folders(arguments, options)
    for note in (note for folder in folders for note in folder.notes()):
        tell(note)
    if {*arguments.hypotheses} == {arguments.reference} and os.path.isdir(arguments.reference):
        from scoring.regression.result_folders import remarks_on_record

        for remark in remarks_on_record(arguments.reference, options, systems[0]):
            tell(remark)
    if arguments.assignment is not None:
        from scoring.pages.sessions import assignment_lines

        results.put(arguments.assignment, assignment_lines(systems[0]))
    if arguments.shard is None:
        tables = [block for folder in folders for block in folder.table()]
        subject = _subject(arguments, folders)
        return results.deliver(systems, arguments, last=tables, subject=subject)
    _write_shard(systems, arguments, arguments.shard, options)
    return OK


def _with_columns(problem: FormatError, arguments: Namespace) -> Exception:
    """Return the error; of a table with both sides, it advises the options for both columns."""
    is_one_table = arguments.hypotheses == [arguments.reference] and not arguments.reference_columns
    value = problem.value
    if not is_one_table or value is None or value.entry.code != NO_TEXT_CODE:
        return problem
    from scoring.cli import messages

    fields = {"path": arguments.reference, "found": value.fields["found"]}
    return OptionError(value=Message(messages.BOTH_COLUMNS, fields))


def _by_number(paths: list[str]) -> list[str]:
    """Return the paths in the order of their numbers, if a shell has sorted them by letters.

    So `*.tra` is 9.tra, 10.tra, 11.tra.
    """
    if len(paths) < 2 or paths != sorted(paths):
        return paths
    from scoring.results.value_order import natural_order

    return sorted(paths, key=natural_order)


def _weights_of_folders(arguments: Namespace, options: Options) -> list[FolderWeights]:
    """Return the best weights, and the rates of all weights, of the Kaldi folders."""
    paths = dict.fromkeys(arguments.hypotheses)
    folders = [path for path in paths if os.path.isdir(path)]
    if not folders:
        return []
    from scoring.regression.kaldi_hypotheses import weights_of_folder

    known = arguments.best_weights
    weights = (known.get(path) or weights_of_folder(path, options) for path in folders)
    return [folder for folder in weights if folder is not None]


def _subject(arguments: Namespace, folders: list[FolderWeights]) -> str:
    """Return the folder and the weights that are scored; empty for anything but a single folder."""
    path = arguments.reference
    if {path, *arguments.hypotheses} != {path} or not os.path.isdir(path):
        return ""
    return folders[0].title() if folders else str(path)


def _are_folders(arguments: Namespace) -> bool:
    """Return True if all files are folders and at least one has both sides of a score."""
    paths = [arguments.reference, *arguments.hypotheses]
    if len(paths) == 1 or arguments.further_references or arguments.reference_columns:
        return False
    if arguments.systems:
        return False
    if len(set(paths)) == 1 or not all(map(os.path.isdir, paths)):
        return False
    # folders with a file `text` are data of Kaldi, which may be the reference
    is_data = any(os.path.isfile(os.path.join(path, "text")) for path in paths)
    return not is_data and arguments.shard is None and any(map(_is_result, paths))


def _of_folders(arguments: Namespace, options: Options) -> int:
    """Score each folder by its own rules, and print a table; return the exit status."""
    from scoring.regression.result_folders import folder_blocks, open_folders, score_folders

    folders, notes = open_folders([arguments.reference, *arguments.hypotheses], options)
    for note in notes:
        tell(note)
    if arguments.plan:
        plans = [
            planned_score(reference, [hypothesis], options, arguments.usual)
            for _, reference, hypothesis in folders
        ]
        return _put_plans(plans, arguments)
    scores = score_folders(folders, options, arguments.usual)
    from scoring.results.hashes import with_hashes

    systems = [with_hashes(score.rates) for score in scores]
    return results.deliver(systems, arguments, list(folder_blocks(scores)))


def _show_plan(arguments: Namespace, options: Options) -> int:
    """Print the plan, or write it as JSON."""
    if arguments.reference_columns:
        from scoring.score.from_tables import plan_of_tables

        tables = [arguments.reference, *arguments.hypotheses]
        columns = arguments.reference_columns, arguments.hypothesis_columns
        is_summed = arguments.engine is not None
        plan = plan_of_tables(tables, *columns, options, arguments.usual, counts_rows=is_summed)
    else:
        reference, hypotheses, options = _sides(arguments, options)
        plan = planned_score(reference, hypotheses, options, arguments.usual)
    return _put_plans([plan], arguments)


def _put_plans(plans: Sequence[PlannedScore], arguments: Namespace) -> int:
    """Print plans, or write them as JSON; return the exit status."""
    if arguments.json is not None:
        from scoring.score.plan_report import plan_lines

        results.put(arguments.json, plan_lines(plans))
    blocks = [block for plan in plans for block in plan.blocks()]
    results.put_pages(blocks, "Plan of a score", arguments)
    return OK


def _of_tables(arguments: Namespace, options: Options) -> list[ErrorRates]:
    """Score columns of tables; return a result for each column with hypotheses."""
    from msgspec.structs import replace

    from formats.cli.progress import shown_rows
    from scoring.score.from_tables import wer_of_tables
    from scoring.score.table_inputs import may_read_part

    tables = [arguments.reference, *arguments.hypotheses]
    columns = arguments.hypothesis_columns
    options = flags.with_usual(options, arguments.usual)
    # reports of every word have both sides in memory, so that no row is read twice
    has_words = _has_reports_of_words(arguments)
    sides = arguments.reference_columns, columns
    shard = None
    if arguments.shard is not None and may_read_part(tables):
        # of text formats all rows are read to find those of the shard
        shard = arguments.shard = replace(arguments.shard, own_rows=True)
    with shown_rows(tables) as count:
        return wer_of_tables(tables, *sides, options, count, is_streamed=not has_words, shard=shard)


def _has_reports_of_words(arguments: Namespace) -> bool:
    """Return True if a report needs the words of all utterances."""
    return any(getattr(arguments, name) for name in (*REPORTS_OF_WORDS, *results.OUTPUTS[:4]))


def _of_large_table(arguments: Namespace, options: Options) -> list[ErrorRates] | None:
    """Return the result of a large table that is named alone, scored in parts.

    The result is None if the table is not large, or if its words are needed as a whole.
    """
    path = arguments.reference
    is_alone = arguments.hypotheses == [path] and not arguments.further_references
    if not is_alone or not os.path.isfile(path) or os.path.getsize(path) < LEAST_LARGE:
        return None
    if _not_of_tables(arguments) or _has_reports_of_words(arguments):
        return None
    from formats.cli.progress import shown_rows
    from scoring.score.from_tables import columns_to_stream, wer_of_tables

    options = flags.with_usual(options, arguments.usual)
    columns = columns_to_stream(path, options)
    if columns is None:
        return None
    reference, hypothesis = columns
    with shown_rows([path]) as count:
        [rates] = wer_of_tables([path], [reference], [hypothesis], options, count, is_streamed=True)
    # the name is that of a small table
    sides = {"reference": rates.reference, "hypothesis": rates.hypothesis}
    return [rates._replace(**{name: side._replace(path=path) for name, side in sides.items()})]


def _not_of_tables(arguments: Namespace) -> list[str]:
    """Return the options that were given and do not apply to columns of tables."""
    names = (*flags.OF_FILES, "speakers", "channel_aliases")
    return [name for name in names if getattr(arguments, name) not in (None, [], "auto")]


def _of_files(arguments: Namespace, options: Options) -> list[ErrorRates]:
    """Return the result of each hypothesis.

    In meetings, all hypotheses together have a single result, unless `--system` names systems.
    """
    if systems := _of_large_table(arguments, options):
        return systems
    reference, hypotheses, options = _sides(arguments, options)
    # laying out sessions is work that shards share
    shard = arguments.shard if options.meeting is not None else None
    if is_heard():
        from scoring.cli.passes import expect_scores

        expect_scores(arguments.reference, arguments.hypotheses, options)
    is_recorded = arguments.json or arguments.html or arguments.shard or arguments.record
    if options.meeting is not None:
        with _workers_of(arguments):
            systems = [
                score(reference, hypothesis, options, shard, usual=arguments.usual)
                for hypothesis in hypotheses
            ]
    else:
        systems = score_systems(reference, hypotheses, options, arguments.usual)
    if arguments.systems:
        systems = flags.named_systems(arguments, systems)
    if not is_recorded:
        return systems
    from scoring.results.hashes import with_hashes

    return list(map(with_hashes, systems))


def _workers_of(arguments: Namespace) -> AbstractContextManager[None]:
    """Return a context in which the workers of a cluster, if one is chosen, score sessions."""
    if arguments.engine in (None, "local"):
        from contextlib import nullcontext

        return nullcontext()
    from scoring.score.engines import meetings_on
    from scoring.score.engines.cluster import Cluster

    return meetings_on(arguments.engine, Cluster(arguments.master or "", arguments.cluster_timeout))


def _sides(arguments: Namespace, options: Options) -> tuple[Given, Sequence[Given], Options]:
    """Return the reference, the hypothesis of each system, and the options that apply to all."""
    # a side whose format is named is read as a file
    names = [getattr(arguments, name) is not None for name in flags.FORMATS]
    if arguments.reference in arguments.hypotheses:
        names = [any(names)] * 2
    read_reference, read = (_as_file if is_named else _words_of_result for is_named in names)
    # of a folder with words and characters, those that the command counts
    chosen = flags.with_usual(options, arguments.usual)
    reference = read_reference(arguments.reference, chosen, True)
    # a system that has a format or options of its own is read as a file
    named, of_all = hypothesis_files(arguments.hypotheses, options)
    if arguments.further_references:
        paths = [arguments.reference, *arguments.further_references]
        reference = References([_words_of_result(path, chosen, True) for path in paths])
    files, with_reference = [], []
    for path, file in zip(arguments.hypotheses, named, strict=True):
        best = _best_of_decoding(file, reference, arguments, of_all)
        side = best or (read(path, chosen) if file == File(path) else file)
        if best is None and side != file and read is _words_of_result:
            with_reference.append(path)
        files.append(side)
    _tell_of_own_references(with_reference, arguments)
    if options.meeting is not None and not arguments.systems:
        # all files are one system, whose streams may be in files of their own
        return reference, [files if len(files) > 1 else files[0]], of_all  # type: ignore[list-item]
    return reference, files, of_all


def _write_shard(
    systems: Sequence[ErrorRates], arguments: Namespace, shard: Shard, options: Options
) -> None:
    """Write the shard of each system.

    If only the shard's rows or meetings were scored, the results are written as a whole.
    """
    from scoring.results.record import document_lines

    if options.meeting is None and not shard.own_rows:
        for rates in systems:
            flags.refuse_empty(rates.counts.reference_tokens, rates.reference.path, arguments)
        systems = [rates.slice(*shard.bounds(len(rates))) for rates in systems]
    results.put(arguments.output, document_lines(systems, shard))


def _is_result(path: str) -> bool:
    return is_result(path) and is_installed("scoring.regression")


def _as_file(path: str, _options: Options, _is_reference: bool = False) -> Given:
    return File(path)


def _words_of_result(path: str, options: Options, is_reference: bool = False) -> Given:
    """Return a side of another program's result; for any other file, the file itself."""
    if path == "-" or not (os.path.isdir(path) or _is_result(path)):
        return _words_of_numbers(path) or File(path)
    if not is_installed("scoring.regression"):
        return File(path)
    from scoring.regression.opening import reference_in, words_of

    if is_reference:
        return reference_in(path, options)
    return words_of(path, options)[1] if _is_result(path) else File(path)


def _tell_of_own_references(paths: Sequence[str], arguments: Namespace) -> None:
    """Print a note on the hypotheses that are results whose own reference is not used."""
    results_named = [path for path in paths if path not in ("-", arguments.reference)]
    results_named = [path for path in results_named if _is_result(path)]
    if not results_named:
        return
    from scoring.score.messages import OWN_REFERENCE

    fields = [{"path": path} for path in results_named if not holds_both(path)]
    notes = [Message(OWN_REFERENCE, each) for each in fields]
    if notes and not results.tell_of_several([notes]):
        tell(notes[0])


def _words_of_numbers(path: str) -> Given | None:
    """Return the words of Kaldi's word numbers; None for any other file, or without a table."""
    if not path.endswith(".tra") or not is_installed("scoring.regression"):
        return None
    from scoring.regression.kaldi_hypotheses import words_of_numbers

    return words_of_numbers(path)


def _best_of_decoding(
    file: File, reference: Given, arguments: Namespace, options: Options
) -> Given | None:
    """Return the best hypotheses of Kaldi's decode folder against a reference.

    The result is None for a folder with its own reference, and for anything else.
    """
    path = file.name or ""
    if not os.path.isdir(path) or path == arguments.reference:
        return None
    if not is_installed("scoring.regression"):
        return None
    from functools import partial

    from scoring.regression.kaldi_hypotheses import chosen_hypothesis

    usual = arguments.usual
    score_all = partial(score_systems, reference, options=options, usual=usual)
    best = chosen_hypothesis(file, options, usual, score_all)
    if best is None:
        return None
    arguments.best_weights[path] = best.weights
    return best.words


def _unquoted_patterns(arguments: Namespace) -> Message | None:
    """Return a note if the files look like two unquoted patterns that the shell expanded."""
    paths = [arguments.reference, *arguments.hypotheses]
    folders = [os.path.dirname(path) for path in paths]
    names = list(dict.fromkeys(folders))
    if len(names) != 2 or arguments.reference_columns or arguments.meeting is not None:
        return None
    number = folders.count(names[0])
    is_in_order = folders == [*names[:1] * number, *names[1:] * (len(paths) - number)]
    if not is_in_order or min(number, len(paths) - number) < 2:
        return None
    # a pattern gives the names of a folder in their order
    if paths != [*sorted(paths[:number]), *sorted(paths[number:])]:
        return None
    patterns = [f"'{name or '.'}/*{os.path.splitext(paths[0])[1]}'" for name in names]
    from scoring.cli import messages

    fields = {"path": paths[0], "systems": len(paths) - 1, "own": number - 1}
    return Message(messages.UNQUOTED, {**fields, "patterns": patterns})


def _ask_for_words(parser: AnyParser, arguments: Namespace) -> None:
    """Read word lists, and turn their flags into measures and measure settings."""
    if arguments.with_cer:
        arguments.measures = list(dict.fromkeys([*arguments.measures, "characters"]))
    for measure, names in (
        ("words", ("words_format", "words_match", "words_raw", "words_nested", "distractors")),
        ("vocabulary", ("vocabulary_min",)),
    ):
        given = [name for name in names if getattr(arguments, name) not in (None, False)]
        if getattr(arguments, measure) is None:
            if given:
                parser.error(f"--{given[0].replace('_', '-')} needs --{measure}")
            continue
        _read_lists(arguments, measure)
        arguments.measures = list(dict.fromkeys([*arguments.measures, measure]))
        arguments.measure_options += [
            (name, getattr(arguments, name)) for name in (measure, *given)
        ]
    if arguments.vocabulary is not None:
        # the page marks the words that the measure counts
        arguments.vocabulary = arguments.vocabulary.frequent(arguments.vocabulary_min or 0) or None


def _read_lists(arguments: Namespace, measure: str) -> None:
    """Replace each name of a file in a measure's settings by the list in the file."""
    if measure == "vocabulary":
        from scoring.results.vocabulary import read_vocabulary

        arguments.vocabulary = read_vocabulary(arguments.vocabulary, arguments.encoding)
        return
    from scoring.measures.word_list import read_word_list

    for name, form in (("words", arguments.words_format or "auto"), ("distractors", "auto")):
        path = getattr(arguments, name)
        if path is not None:
            setattr(arguments, name, read_word_list(path, form, arguments.encoding))


def _print_notes(arguments: Namespace, options: Options) -> None:
    """Print which list entries are repeated, and which entries the normalisation changes."""
    if arguments.words is None:
        return
    from scoring.measures.word_list import changed_entries
    from scoring.sides.corpus import ListedNames
    from scoring.text.pipeline_files import as_pipeline

    pipeline = None if arguments.words_raw else as_pipeline(options.normalize)
    for words in filter(None, (arguments.words, arguments.distractors)):
        changes = changed_entries(words, pipeline)
        from scoring.cli import messages

        for entry, listed in ((messages.REPEATED, words.repeated), (messages.CHANGED, changes)):
            if listed:
                fields = {"path": words.path, **ListedNames.of(map(str, listed)).fields}
                tell(Message(entry, fields))


def _add_missing_columns(parser: CommandTable, arguments: Namespace) -> None:
    """Choose the column of the other side by its name, if the columns of only one side are named.

    The default of the hypothesis is `pred_text`. A note names any other column.
    """
    references, hypotheses = arguments.reference_columns, arguments.hypothesis_columns
    is_guessed = arguments.engine is not None and arguments.meeting is None
    if bool(references) == bool(hypotheses) and (references or not is_guessed):
        return
    from scoring.score.table_inputs import column_of_side, is_table

    tables = [arguments.reference, *arguments.hypotheses]
    if not hypotheses and not references:
        # without an engine, the reader of the table chooses both columns by their names
        column = column_of_side("reference", tables, [], arguments.encoding)
        if column is None:
            return  # the check of the engine says what it needs
        references.append(column)
        # a table with both sides is one input of an engine
        arguments.hypotheses = [path for path in tables[1:] if path != arguments.reference]
    side = "reference" if hypotheses else "hypothesis"
    column = column_of_side(side, tables, [*references, *hypotheses], arguments.encoding)
    if column is None and arguments.hypotheses and not arguments.further_references:
        # each side has a file of its own, so only one of them has the named column
        other, [*names] = ("hypothesis" if hypotheses else "reference"), hypotheses or references
        path = arguments.hypotheses[0] if hypotheses else arguments.reference
        if len(names) == 1 and is_table(path):
            getattr(arguments, f"{other}_options").append(("field", names[0]))
            hypotheses.clear()
            references.clear()
            return
    if column is None and side == "reference":
        parser.error(
            "--hypothesis-column needs --reference-column: expected one column with a usual name "
            "of references, found none or several"
        )
    if column not in (None, PREDICTIONS):
        from scoring.cli import messages

        tell(Message(messages.COLUMN, {"path": tables[0], "side": side, "column": column}))
    (hypotheses if references else references).append(column or PREDICTIONS)


def _read_members(arguments: Namespace) -> None:
    """Read both texts of one JSON document that is no table, if their members are named."""
    sides = {"reference": arguments.reference_columns, "hypothesis": arguments.hypothesis_columns}
    path = arguments.reference
    is_one = all(len(names) == 1 for names in sides.values()) and arguments.engine is None
    is_alone = is_one and {path, *arguments.hypotheses} == {path} and not arguments.shard
    if not is_alone or not os.path.isfile(path):
        return
    from scoring.score.table_inputs import is_table

    if not path.lower().endswith(".json") or is_table(path):
        return
    for side, names in sides.items():
        getattr(arguments, f"{side}_options").append(("member", f"text={names[0]}"))
        setattr(arguments, f"{side}_format", getattr(arguments, f"{side}_format") or "json")
        names.clear()
    arguments.hypotheses = [path]


def _check(parser: CommandTable, arguments: Namespace) -> None:
    """Reject flags that cannot be combined."""
    results.check_together(arguments)
    _check_references(parser, arguments)
    columns = arguments.hypothesis_columns
    if columns:
        named = [*arguments.reference_columns, *columns]
        if len(set(named)) < len(named):
            parser.error("a column is named twice")
        for name in _not_of_tables(arguments):
            parser.error(f"--{name.replace('_', '-')} does not apply to tables")
    if arguments.engine is not None:
        from scoring.cli.engines import check_engine

        check_engine(parser, arguments)
    for name in ("master", "scored_table"):
        if arguments.engine is None and getattr(arguments, name) is not None:
            parser.error(f"--{name.replace('_', '-')} needs --engine")
    for name in ("overwrite", "resume"):
        if getattr(arguments, name) and arguments.scored_table is None:
            parser.error(f"--{name} needs --scored-table")
    results.check_reports(parser, arguments, columns or arguments.hypotheses)
    references = [arguments.reference, *arguments.further_references]
    flags.check_standard_input(parser, [*references, *arguments.hypotheses])
    flags.check_systems(parser, arguments)
    if columns:
        flags.refuse_systems(parser, arguments, "tables: --hypothesis-column names the columns")
    if "-" in references and len(arguments.hypotheses) > 1:
        parser.error("with several hypotheses the reference must be a file")
    systems = len([*arguments.hypotheses, *columns[1:]])
    if _are_folders(arguments):
        _refuse_rankings(parser, arguments)
        systems = 1  # on each reference
    tell_idle(parser, arguments, systems=systems)
    if arguments.assignment == "-":
        parser.error("--assignment: expected the name of a file, found -")
    elif arguments.assignment and arguments.shard is not None:
        parser.error(
            "--assignment does not apply to a shard: --json of `scoring merge` contains the "
            "assignment"
        )
    elif arguments.assignment and arguments.systems and len(arguments.hypotheses) > 1:
        parser.error(
            "--assignment does not apply to several systems: --json contains the assignment of each"
        )
    flags.check_shard(parser, arguments)
    if arguments.shard is not None:
        from scoring.cli import messages

        # an engine's shard has the sums of replications
        idle = ONLY_SHOWN if arguments.engine is None else SHOWN_TABLES
        for flag in idle:
            if getattr(arguments, flag, None):
                tell(Message(messages.IDLE_IN_SHARD, {"option": flag}))


def _refuse_rankings(parser: AnyParser, arguments: Namespace) -> None:
    """Reject flags for systems with the same reference."""
    for name, flag in OF_ONE_REFERENCE.items():
        if getattr(arguments, name) != parser.get_default(name):
            parser.error(
                f"{flag} does not apply to several folders, which have references of their own: "
                "score each folder by itself"
            )


def _check_references(parser: AnyParser, arguments: Namespace) -> None:
    """Reject options for several references and variants that cannot be combined."""
    if arguments.reference_columns and arguments.further_references:
        parser.error("--further-reference does not apply to tables: repeat --reference-column")
    length = arguments.variants_length
    if length not in OTHER_LENGTHS:
        return
    if len([*arguments.hypotheses, *arguments.hypothesis_columns[1:]]) > 1:
        parser.error(f"--variants-length {length}: expected one hypothesis")


KINDS = {
    **results.KINDS,
    "cluster_timeout": {
        "type": flags.decimal("seconds above 0", lambda value: 0 < value < 1e6),
        "default": 30.0,
    },
    "further_reference": {"dest": "further_references"},
    **flags.SHARD_KINDS,
    "vocabulary_min": flags.whole_number(0),
}
