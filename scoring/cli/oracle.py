"""`scoring oracle`: the lowest error rates in n-best lists, and the effect of a corrector."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from formats.schema.remarks import remark_records
from scoring.cli import flags, results
from scoring.cli.flags import OF_HYPOTHESES, tell_idle
from scoring.cli.scoring import OK
from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Fact, Heading, Table
from scoring.drawing.data import head_of, json_text
from scoring.drawing.text import text_lines
from scoring.score.corrector_rates import CorrectorRates
from scoring.score.opening import read_side
from scoring.score.oracle import Corrections, Oracle, corrections, oracle
from scoring.sides.given import File, Reading, SideFile, readings_of, side_file
from scoring.sides.nbest import kinds, read_nbest

SCHEMA, SCHEMA_VERSION = "sclite-kit/oracle", 1
TABLE = f"""
[input and alignment]
--hypotheses-per-utterance KIND  format of NBEST: numbered (lines ID-N WORDS), lattices (from
  Kaldi's lattice-to-nbest), espnet (folder with 1best_recog, or data.json), icefall, json (from
  NeMo), or auto to detect it (default)
--corrected <FILE  output of a corrector, to compare with the first hypothesis of each list
@reading match normalize like aligning
{flags.ALLOW_EMPTY}
[output]
* --json
"""


def main(argv: Sequence[str]) -> int:
    """Run the command; return the exit status."""
    parser = flags.command_parser(
        "oracle",
        "Oracle error rates of n-best lists: the errors of the best hypothesis of each list, and "
        "of the best path through all its hypotheses. With --corrected, also the errors that a "
        "corrector removed and added.",
        TABLE,
        sides="REF NBEST",
        hypotheses_per_utterance={"choices": kinds(), "default": "auto", "metavar": "KIND"},
    )
    arguments = flags.parse_files(parser, argv)
    tell_idle(
        parser, arguments, needs=dict.fromkeys((*OF_HYPOTHESES, "interpolate"), ("corrected",))
    )
    [path] = arguments.hypotheses
    options = flags.options_of(arguments)
    lists = read_nbest(path, arguments.hypotheses_per_utterance, options.encoding)
    reading, other = readings_of(options)
    reference = read_side(_file(arguments.reference, lists, reading), reading)
    best = oracle(reference, lists, options)
    results.print_remarks(best.first, arguments)
    changes = None
    if arguments.corrected is not None:
        first = {name: texts[0] for name, texts in lists.items()}
        after = read_side(_file(arguments.corrected, lists, other), other)
        changes = corrections(reference, first, after, options, best)
    if arguments.json is not None:
        system = {"remarks": remark_records(best.first.remarks), **best.document()}
        if changes is not None:
            system["corrections"] = changes.document()
        document = {**head_of(SCHEMA, SCHEMA_VERSION), "systems": [system]}
        results.put(arguments.json, (json_text(document).encode() + b"\n",))
    if arguments.json != "-":
        results.put("-", (f"{line}\n".encode() for line in text_lines(_blocks(best, changes))))
    return OK


def _file(path: str, names: Collection[str], reading: Reading) -> SideFile:
    """Return a file as a side; detect Kaldi's text by its first word, which must be in `names`."""
    side = side_file(File(path))
    if reading.format is None and side.size is not None:
        encoding = "utf-8" if reading.encoding == "auto" else reading.encoding
        with open(path, encoding=encoding, errors="replace") as file:
            if file.readline().partition(" ")[0] in names:
                return side._replace(format="kaldi")
    return side


def _rates_of(rates: CorrectorRates) -> Iterator[Block]:
    """Yield text with the rates of a corrector: each rate with its numerator and denominator."""
    edits, words, output = rates.utterances, rates.words, rates.inventions
    rows = [
        ("recovered share of the oracle (RIR)", decimal(rates.recovered_share, 4), ""),
        (
            "harmful edits, by utterance (HER)",
            decimal(edits.harmful_rate, 4),
            f"{edits.harmful} harmful, {edits.helpful} helpful, {rates.neutral} neutral, "
            f"{rates.unchanged} unchanged",
        ),
        (
            "harmful edits, by word",
            decimal(words.harmful_rate, 4),
            f"{words.harmful} harmful, {words.helpful} helpful, {rates.missed} missed",
        ),
        (
            "word hallucination rate (WHR)",
            decimal(output.rate, 4),
            f"{output.novel} novel, {output.repeated} repeated, "
            f"{output.passed_through} passed through, {output.generated} generated",
        ),
    ]
    cells = [(name, counts, value) for name, value, counts in rows]
    yield Table(("corrector", "counts", "value"), cells, text_columns=2)


def _blocks(best: Oracle, changes: Corrections | None) -> Iterator[Block]:
    def row(name: str, errors: int) -> tuple[str, ...]:
        return name, str(errors), percent(best.rate(errors))

    first = best.first.counts.errors
    path = sum(best.path_errors)
    rows = [row("first", first), row("oracle", best.oracle_errors), row("best path", path)]
    yield Table(("hypotheses", "errors", "error %"), rows)
    yield Heading("Oracle by size of the list")
    ranks = Counter(best.ranks)
    yield Table(
        ("first N", "errors", "error %", "best of its list"),
        [(*row(str(n), errors), str(ranks[n])) for n, errors in enumerate(best.curve, 1)],
    )
    if changes is not None:
        yield Heading("Corrections")
        yield Table(
            ("edits", "number"),
            [
                ("helped", str(changes.helped)),
                ("harmed", str(changes.harmed)),
                ("changed nothing", str(changes.neutral)),
            ],
        )
        rows = [row("before", first), row("after", changes.after.counts.errors)]
        rows += [row("recovered", changes.recovered), row("recoverable", changes.recoverable or 0)]
        yield Table(("corrections", "errors", "error %"), rows)
        if changes.rates is not None:
            yield from _rates_of(changes.rates)
    yield Fact("signature", best.first.signature)
