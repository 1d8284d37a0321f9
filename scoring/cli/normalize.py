"""`scoring normalize`: what a pipeline makes of texts, and which errors its steps remove."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from formats.command_line import CommandParser, InputPath, OutputPath
from formats.words import Token
from scoring.cli.reading import (
    SIDES,
    add_allow_empty,
    add_encoding_arguments,
    encoding_of,
    refuse_empty,
)
from scoring.cli.results import put, put_text, whole_number
from scoring.cli.scoring import OK, say
from scoring.cli.wer import add_normalize_argument
from scoring.error_rate.corpus import Reading
from scoring.error_rate.explanation import Effect, Example, effects
from scoring.error_rate.kaldi_lines import percentage
from scoring.errors import InputError
from scoring.normalize.bundled import BUNDLED
from scoring.normalize.pipeline import Pipeline
from scoring.normalize.pipeline_files import SUFFIXES, as_pipeline
from scoring.normalize.readings import Item, written
from scoring.normalize.registry import REQUIRED, STEPS, Parameter
from scoring.normalize.removed import Kind, letters_and_marks, removed, removed_text
from scoring.normalize.step import Step
from scoring.normalize.utterances import Normalized, normalize_utterances, words_of
from scoring.report.terminal import shown, table

BLOCK = 5000
EXAMPLES = 5
NO_WORD = "(nothing)"


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status.

    Raises
    ------
    ScoringError, formats.FormatError
        For the dispatcher to tell.
    """
    parser = _parser()
    arguments = parser.parse_args(argv)
    _check(parser, arguments)
    if arguments.list:
        put_text(_listing())
        return OK
    pipeline = as_pipeline(arguments.normalize)
    if arguments.reference is not None:
        put_text(_effects(pipeline, arguments))
        return OK
    lines = _lines(arguments)
    if arguments.explain:
        output = _explained(lines, pipeline.steps(arguments.side))
    else:
        output = _Normalizing(pipeline.steps(arguments.side)).lines(lines)
    put(arguments.output, (line.encode("utf-8", "surrogateescape") + b"\n" for line in output))
    return OK


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="scoring normalize",
        description="Apply normalisation to plain text, a line at a time, and explain it.",
        epilog=f"Files of pipelines end in {', '.join(SUFFIXES)}. Alternatives that a step leaves "
        "open are written { a / b }.",
    )
    parser.add_argument(
        "files", type=InputPath, metavar="FILE", nargs="*", help="texts (default: standard input)"
    )
    add_normalize_argument(parser)
    parser.add_argument("--text", metavar="TEXT", action="append", help="a text instead of files")
    parser.add_argument("--encoding", default="utf-8", metavar="NAME", help="default: utf-8")
    parser.add_argument(
        "--side",
        choices=("reference", "hypothesis"),
        help="apply the steps for this side, too (default: those for both sides only)",
    )
    parser.add_argument(
        "-o", "--output", type=OutputPath, metavar="FILE", default="-", help="default: - (stdout)"
    )
    parser.add_argument("--list", action="store_true", help="list steps and pipelines, and leave")
    group = parser.add_argument_group("explaining")
    group.add_argument(
        "--explain",
        action="store_true",
        help="show each text after every step that changes it; with --reference and --hypothesis "
        "which errors each step removes",
    )
    group.add_argument(
        "--reference", type=InputPath, metavar="REF", help="reference file, of any format"
    )
    group.add_argument("--hypothesis", type=InputPath, metavar="HYP", help="hypothesis file")
    group.add_argument("--reference-format", metavar="FORMAT", help="default: detected")
    group.add_argument("--hypothesis-format", metavar="FORMAT", help="default: detected")
    add_encoding_arguments(group)
    add_allow_empty(group)
    group.add_argument(
        "--examples",
        type=whole_number(0),
        default=EXAMPLES,
        metavar="N",
        help=f"errors to show for each step (default: {EXAMPLES})",
    )
    return parser


def _check(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> None:
    if (arguments.reference is None) != (arguments.hypothesis is None):
        parser.error("--reference and --hypothesis go together")
    if arguments.reference is not None:
        if not arguments.explain:
            parser.error("--reference and --hypothesis are for --explain")
        if arguments.files or arguments.text or arguments.output != "-":
            parser.error("with --reference and --hypothesis there are no other texts, and no -o")
        if arguments.reference == arguments.hypothesis == "-":
            parser.error("standard input can be read once only")
    if arguments.text and arguments.files:
        parser.error("--text and files exclude each other")
    if arguments.files.count("-") > 1:
        parser.error("standard input can be read once only")
    if not arguments.normalize and not arguments.list:
        parser.error("expected --normalize NAME|FILE (--list lists what there is)")


def _listing() -> Iterator[str]:
    yield "steps:"
    for spec in STEPS:
        removes = " [may remove letters or marks]" if spec.removes else ""
        yield f"  {spec.name:<18}{spec.title}{removes}"
        yield from (f"    {_parameter(one)}" for one in spec.parameters)
    yield ""
    yield "pipelines:"
    for one in BUNDLED:
        yield f"  {one.name:<22}{one.title}"


def _parameter(one: Parameter) -> str:
    values = f" ({', '.join(one.choices)})" if one.choices else ""
    if one.default is REQUIRED:
        default = "required"
    elif isinstance(one.default, tuple):
        default = f"default {'+'.join(one.default)}"
    elif isinstance(one.default, bool):
        default = f"default {str(one.default).lower()}"
    else:
        default = f"default {one.default or 'none'}"
    return f"{one.name}: {one.title}{values}; {default}"


def _lines(arguments: argparse.Namespace) -> Iterator[str]:
    """The texts, a line each."""
    from formats.source import open_source

    if arguments.text:
        for text in arguments.text:
            yield from text.splitlines() or [""]
        return
    for path in arguments.files or ["-"]:
        with open_source(path, encoding=arguments.encoding) as source:
            for _, line in source.lines():
                yield line


class _Normalizing:
    """Many lines through the same steps, with an account of what these remove."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        self._before: list[Counter[Kind]] = [Counter() for _ in steps]
        self._after: list[Counter[Kind]] = [Counter() for _ in steps]
        self._counts: Counter[str] = Counter()
        self._emptied = 0

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines after all steps; what there is to say is said at their end."""
        remaining = iter(lines)
        while block := list(islice(remaining, BLOCK)):
            yield from self._block([words_of(line) for line in block])
        for step, before, after in zip(self._steps, self._before, self._after, strict=True):
            lost = removed(before, after)
            if lost:
                say(f"note: {step} removed {removed_text(lost)}")
        for name, number in self._counts.items():
            say(f"note: {name}: words met: {number}")
        if self._emptied:
            say(f"warning: normalisation left nothing of {self._emptied} lines")

    def _block(self, words: list[tuple[str, ...]]) -> Iterator[str]:
        found = Normalized(words, {})
        counted = letters_and_marks(_text(found))
        for number, step in enumerate(self._steps):
            found = _applied(found, step)
            self._counts.update(dict(found.counts))
            self._before[number].update(counted)
            counted = letters_and_marks(_text(found))
            self._after[number].update(counted)
        for at, made in enumerate(found.words):
            special = found.special.get(at)
            text = " ".join(made) if special is None else written(special.items())
            self._emptied += bool(words[at]) and not text
            yield text


def _applied(found: Normalized, step: Step) -> Normalized:
    try:
        return normalize_utterances(found.words, found.special, [step])
    except ValueError as problem:
        raise InputError("<text>", None, None, str(problem)) from None


def _text(found: Normalized) -> str:
    """All words; of alternatives those written first."""
    plain = [" ".join(words) for at, words in enumerate(found.words) if at not in found.special]
    special = [" ".join(_first(segment.items())) for segment in found.special.values()]
    return "\n".join([*plain, *special])


def _first(items: Iterable[Item]) -> Iterator[str]:
    for item in items:
        if isinstance(item, Token):
            yield item.text
        else:
            yield from (token.text for token in item.first_branch())


def _explained(lines: Iterable[str], steps: Sequence[Step]) -> Iterator[str]:
    for line in lines:
        yield shown(line)
        before = " ".join(words_of(line))
        found = Normalized([words_of(line)], {})
        for step in steps:
            found = _applied(found, step)
            special = found.special.get(0)
            after = " ".join(found.words[0]) if special is None else written(special.items())
            if after != before:
                yield f"  {shown(str(step))}: {shown(after)}"
            before = after


def _effects(pipeline: Pipeline, arguments: argparse.Namespace) -> Iterator[str]:
    """A table of the errors after every step, each with examples."""
    first, second = (
        Reading(getattr(arguments, f"{side}_format"), encoding_of(arguments, side), side=side)
        for side in SIDES
    )
    paths = Path(arguments.reference), Path(arguments.hypothesis)
    found = list(effects(*paths, pipeline, (first, second)))
    refuse_empty(found[0].counts.reference_tokens, arguments.reference, arguments)
    rows: list[tuple[str, ...]] = [
        ("step", "words", "errors", "change", "sub", "del", "ins", "rate %")
    ]
    rows += [_row(one) for one in found]
    for line, effect in zip(table(rows), [None, *found], strict=True):
        yield line
        if effect is not None:
            yield from _examples("gone", effect.removed, arguments.examples)
            yield from _examples("new", effect.added, arguments.examples)
    yield f"signature: {pipeline.signature}"


def _row(one: Effect) -> tuple[str, ...]:
    counts = one.counts
    return (
        one.step,
        str(counts.reference_tokens),
        str(counts.errors),
        f"{one.change:+d}" if one.change else "",
        str(counts.substitutions),
        str(counts.deletions),
        str(counts.insertions),
        percentage(counts.errors, counts.reference_tokens),
    )


def _examples(what: str, examples: Sequence[Example], most: int) -> Iterator[str]:
    total = sum(one.number for one in examples)
    for one in examples[:most]:
        reference, hypothesis = (
            NO_WORD if word is None else shown(word) for word in (one.reference, one.hypothesis)
        )
        yield f"    {what}: {one.number} x {reference} -> {hypothesis}"
    rest = total - sum(one.number for one in examples[:most])
    if rest and most:
        yield f"    {what}: {rest} more"
